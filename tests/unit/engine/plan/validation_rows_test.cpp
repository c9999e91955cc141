#include "engine/plan/validation_rows.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Numbers;
using fixture::SixNumbers;
using fixture::Some;
using ::testing::ElementsAre;

using RowIds = std::vector<std::int64_t>;

// Rows with a target y, in these groups and at these times (empty = none).
std::shared_ptr<const Dataset> Rows(const std::vector<std::int64_t>& groups,
                                    const std::vector<double>& times) {
  const std::size_t n = std::max(groups.size(), times.size());
  std::vector<Column> columns = {Column::Doubles("y", std::vector<double>(n))};
  Roles roles = fixture::WithTarget("y");
  if (!groups.empty()) {
    columns.push_back(Column::Integers("g", groups));
    roles.groups = "g";
  }
  if (!times.empty()) {
    columns.push_back(Column::Doubles("t", times));
    roles.time = "t";
  }
  return Dataset::Create("rows", std::move(columns), roles);
}

TEST(HoldOutTest, TheShareIsHeldOutAndTheOthersStayInTheirOrder) {
  const ValidationRows divided =
      HoldOut(Some(Classes(20, 1), {19, 3, 7, 1, 0, 11, 12, 2, 4, 5}), 0.3, 1);
  EXPECT_EQ(divided.validation.size(), 3u);
  EXPECT_EQ(divided.train.size(), 7u);
  RowIds all = divided.train;
  all.insert(all.end(), divided.validation.begin(), divided.validation.end());
  EXPECT_THAT(all, testing::UnorderedElementsAre(19, 3, 7, 1, 0, 11, 12, 2, 4, 5));
  const auto place = [](std::int64_t row) {
    const RowIds given = {19, 3, 7, 1, 0, 11, 12, 2, 4, 5};
    return std::ranges::find(given, row) - given.begin();
  };
  EXPECT_TRUE(std::ranges::is_sorted(divided.train, {}, place));
  EXPECT_TRUE(std::ranges::is_sorted(divided.validation, {}, place));
}

TEST(HoldOutTest, AtLeastOneRowIsOnEachSide) {
  EXPECT_EQ(HoldOut(All(SixNumbers()), 0.001, 1).validation.size(), 1u);
  EXPECT_EQ(HoldOut(All(SixNumbers()), 0.999, 1).train.size(), 1u);
}

TEST(HoldOutTest, ClassesKeepTheirShares) {
  const auto data = Classes(90, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int> counts(3);
    for (const std::int64_t row : HoldOut(All(data), 0.2, seed).validation) {
      ++counts[static_cast<std::size_t>(data->labels()[static_cast<std::size_t>(row)])];
    }
    EXPECT_THAT(counts, ElementsAre(6, 6, 6)) << seed;
  }
}

TEST(HoldOutTest, TheSeedDecidesAndTheOrderOfTheRowsDoesNot) {
  RowIds rows(60), reversed;
  std::iota(rows.begin(), rows.end(), 0);
  reversed.assign(rows.rbegin(), rows.rend());
  const auto data = Classes(60, 2);
  const auto held = [&](const RowIds& ids, std::uint64_t seed) {
    const RowIds validation = HoldOut(Some(data, ids), 0.25, seed).validation;
    return std::set<std::int64_t>(validation.begin(), validation.end());
  };
  EXPECT_EQ(held(rows, 1), held(reversed, 1));
  EXPECT_NE(held(rows, 1), held(rows, 2));
}

TEST(HoldOutTest, CopiesOfARowAreOnTheSameSide) {
  const auto data = Classes(10, 1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ValidationRows divided = HoldOut(Some(data, {4, 4, 4, 1, 2, 1, 9, 9}), 0.5, seed);
    EXPECT_EQ(divided.train.size() + divided.validation.size(), 8u);
    for (const std::int64_t row : divided.validation) {
      EXPECT_EQ(std::ranges::count(divided.train, row), 0) << seed;
    }
  }
}

TEST(HoldOutTest, GroupsStayWhole) {
  const auto data = Rows({1, 1, 1, 2, 2, 3, 3, 3, 4, 5}, {});
  std::set<RowIds> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ValidationRows divided = HoldOut(All(data), 0.3, seed);
    EXPECT_GE(divided.validation.size(), 3u);
    for (const std::int64_t held : divided.validation) {
      for (const std::int64_t trained : divided.train) {
        EXPECT_NE(data->groups()[static_cast<std::size_t>(held)],
                  data->groups()[static_cast<std::size_t>(trained)]);
      }
    }
    seen.insert(divided.validation);
  }
  EXPECT_GT(seen.size(), 3u);
}

TEST(HoldOutTest, OneGroupIsAlwaysLeftForTraining) {
  const auto data = Rows({1, 2, 2, 2, 2, 2}, {});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_FALSE(HoldOut(All(data), 0.5, seed).train.empty());
  }
}

TEST(HoldOutTest, InTimeTheLastRowsAreHeldOutWhateverTheSeed) {
  const auto data = Rows({}, {5, 1, 4, 2, 3});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_THAT(HoldOut(All(data), 0.4, seed).validation, ElementsAre(0, 2));
  }
}

TEST(HoldOutTest, RowsOfOneTimeStayTogether) {
  EXPECT_THAT(HoldOut(All(Rows({}, {1, 2, 3, 3, 3, 2})), 0.2, 1).validation, ElementsAre(2, 3, 4));
}

TEST(HoldOutTest, GroupsInTimeAreHeldOutByTheirLastRow) {
  // Group 7 ends at 9, group 8 at 6, group 9 at 3.
  const auto data = Rows({7, 8, 9, 8, 7, 9}, {1, 2, 3, 6, 9, 0});
  EXPECT_THAT(HoldOut(All(data), 0.2, 1).validation, ElementsAre(0, 4));
  EXPECT_THAT(HoldOut(All(data), 0.5, 1).validation, ElementsAre(0, 1, 3, 4));
}

TEST(HoldOutTest, WhatCannotBeDividedIsRefused) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: there is only one training row; leave out "
              "early_stopping_share",
              [] {
                HoldOut(Some(Classes(4, 2), {2, 2}), 0.5, 1);
              });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: all training rows are of one group; leave out "
              "early_stopping_share",
              [] {
                HoldOut(Some(Rows({1, 1, 2}, {}), {0, 1}), 0.5, 1);
              });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: all training rows have one time; leave out "
              "early_stopping_share",
              [] {
                HoldOut(All(Rows({}, {3, 3})), 0.5, 1);
              });
}

}  // namespace
}  // namespace crossfold
