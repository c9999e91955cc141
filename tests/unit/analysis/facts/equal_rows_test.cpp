#include "analysis/facts/equal_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

using Positions = std::vector<std::int64_t>;

TEST(FirstEqualRowsTest, FeaturesCountAndTheTargetDoesNot) {
  const double nan = std::nan("");
  const auto data = Dataset::Create("data",
                                    {Column::Doubles("x", {1, 1, -0.0, 0.0, nan, nan, 1}),
                                     Column::Categories("c", {0, 0, 1, 1, -1, -1, 1}, {"a", "b"}),
                                     Column::Categories("y", {0, 1, 0, 0, 1, 1, 0}, {"p", "q"})},
                                    {.target = "y"});
  EXPECT_EQ(FirstEqualRows({data, nullptr}), (Positions{0, 0, 2, 2, 4, 4, 6}));
}

TEST(FirstEqualRowsTest, PositionsAreThoseOfTheView) {
  const auto data = Dataset::Create("data", {Column::Integers("x", {5, 6, 5, 7, 6})}, {});
  const DataView view{data, std::make_shared<const Positions>(Positions{4, 3, 2, 1, 0})};
  EXPECT_EQ(FirstEqualRows(view), (Positions{0, 1, 2, 0, 2}));
}

TEST(FirstEqualRowsTest, AgreesWithComparingEveryPair) {
  plugin::Random random(9);
  std::vector<double> a;
  std::vector<std::int64_t> b;
  std::vector<bool> present;
  for (int i = 0; i < 400; ++i) {
    a.push_back(static_cast<double>(random.Below(12)));
    b.push_back(static_cast<std::int64_t>(random.Below(12)) - 6);
    present.push_back(random.Below(5) != 0);
  }
  const auto data =
      Dataset::Create("data", {Column::Doubles("a", a), Column::Integers("b", b, present)}, {});
  const Positions first = FirstEqualRows({data, nullptr});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t expected = 0;
    while (a[expected] != a[i] || present[expected] != present[i] ||
           (present[i] && b[expected] != b[i])) {
      ++expected;
    }
    ASSERT_EQ(first[i], static_cast<std::int64_t>(expected)) << i;
  }
}

}  // namespace
}  // namespace crossfold
