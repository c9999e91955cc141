#include "engine/plan/nested_rows.h"

#include <algorithm>
#include <set>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Some;

TEST(NestedRowsTest, EveryRowIsATestRowOrATrainingRow) {
  const NestedRows drawn = DrawNestedRows(All(Classes(30, 3)), 10, true, 5);
  EXPECT_EQ(drawn.test.size(), 10u);
  EXPECT_TRUE(std::is_sorted(drawn.test.begin(), drawn.test.end()));
  std::set<std::int64_t> rows(drawn.test.begin(), drawn.test.end());
  rows.insert(drawn.train.begin(), drawn.train.end());
  EXPECT_EQ(rows.size(), 30u);
}

TEST(NestedRowsTest, EveryBeginningHasTheSharesOfTheClasses) {
  const DataView view = All(Classes(90, 3));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NestedRows drawn = DrawNestedRows(view, 30, true, seed);
    std::vector<int> counts(3);
    for (std::size_t i = 0; i < drawn.train.size(); ++i) {
      const auto row = static_cast<std::size_t>(drawn.train[i]);
      ++counts[static_cast<std::size_t>(view.data->labels()[row])];
      const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
      EXPECT_LE(*most - *least, 1);
    }
  }
}

TEST(NestedRowsTest, TheSeedDecides) {
  const DataView view = All(Classes(30, 3));
  EXPECT_EQ(DrawNestedRows(view, 10, false, 1).train, DrawNestedRows(view, 10, false, 1).train);
  EXPECT_NE(DrawNestedRows(view, 10, false, 1).train, DrawNestedRows(view, 10, false, 2).train);
}

TEST(NestedRowsTest, PositionsAreThoseOfTheView) {
  const NestedRows drawn = DrawNestedRows(Some(Classes(9, 2), {8, 6, 4, 2}), 1, false, 3);
  for (const std::int64_t i : drawn.train) EXPECT_LT(i, 4);
}

TEST(NestedRowsTest, NoTrainingRowIsRefused) {
  ExpectError(
      ErrorKind::kInvalidArgument,
      "cannot draw training sets of 'classes': 4 test rows of 4 leave no training row; use a "
      "smaller share",
      [] { DrawNestedRows(All(Classes(4, 2)), 4, true, 1); });
}

}  // namespace
}  // namespace crossfold
