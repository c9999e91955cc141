#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

std::shared_ptr<const SplitPlan> Bootstrap(const std::shared_ptr<const Dataset>& data,
                                           const ParamValues& values, std::uint64_t seed = 1) {
  return MakePlan("bootstrap", data, values, seed);
}

// The rows that are not in `train`.
Rows LeftOut(const Rows& train, std::int64_t n_rows) {
  const std::set<std::int64_t> drawn(train.begin(), train.end());
  Rows rest;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    if (!drawn.contains(row)) rest.push_back(row);
  }
  return rest;
}

TEST(BootstrapTest, AsManyRowsAreDrawnAsThereAreAndTheOthersAreTested) {
  const auto plan = Bootstrap(PlainData(40), {});
  ASSERT_EQ(plan->size(), 50);
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    const SplitRows rows = plan->Rows(split);
    EXPECT_THAT(rows.train, SizeIs(40));
    EXPECT_TRUE(std::is_sorted(rows.train.begin(), rows.train.end()));
    EXPECT_EQ(rows.test, LeftOut(rows.train, 40));
  }
}

TEST(BootstrapTest, TheShareOfTestRowsIsTheKnownOne) {
  // A row is not drawn with probability (1 - 1/100)^100 = 0.36603. Over 400 samples of 100 rows the
  // standard deviation of the mean share is about 0.031 / 20 = 0.0016.
  const auto plan = Bootstrap(PlainData(100), {{"repeats", 400}});
  double tested = 0;
  for (const Rows& test : TestRowsOf(*plan)) tested += static_cast<double>(test.size());
  EXPECT_NEAR(tested / (400 * 100), std::pow(0.99, 100), 0.008);
}

TEST(BootstrapTest, ASmallerSizeDrawsAShareOfTheRows) {
  EXPECT_THAT(TrainRowsOf(*Bootstrap(PlainData(25), {{"size", 0.5}})), Each(SizeIs(13)));  // 12.5
}

TEST(BootstrapTest, ASampleWithoutTestRowsIsDrawnAgain) {
  // Of two rows every second sample has both.
  const auto plan = Bootstrap(PlainData(2), {{"repeats", 200}});
  EXPECT_EQ(plan->size(), 200);
  EXPECT_THAT(TestRowsOf(*plan), Each(SizeIs(1)));
}

TEST(BootstrapTest, StratifiedSamplesHaveAsManyRowsOfEachClassAsTheData) {
  const auto data = SortedClassData({20, 7, 3});
  const std::vector<std::int32_t> labels(data->labels().begin(), data->labels().end());
  for (const Rows& train : TrainRowsOf(*Bootstrap(data, {{"stratify", true}}))) {
    EXPECT_THAT(Count(train, labels, 3), ElementsAre(20, 7, 3));
  }
}

TEST(BootstrapTest, GroupsAreDrawnWhole) {
  const Rows groups = {1, 1, 1, 2, 3, 3, 4, 5, 5, 5, 5};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto plan = Bootstrap(GroupData(groups), {}, seed);
    for (std::int64_t split = 0; split < plan->size(); ++split) {
      const SplitRows rows = plan->Rows(split);
      std::vector<std::int64_t> times(11);
      for (const std::int64_t row : rows.train) ++times[static_cast<std::size_t>(row)];
      std::int64_t drawn = 0;
      for (std::size_t i = 0; i < 11; ++i) {
        if (i > 0 && groups[i] == groups[i - 1]) {
          ASSERT_EQ(times[i], times[i - 1]) << "seed " << seed;
        } else {
          drawn += times[i];
        }
      }
      ASSERT_EQ(drawn, 5);  // groups
      ASSERT_EQ(rows.test, LeftOut(rows.train, 11));
    }
  }
}

TEST(BootstrapTest, MoreRepeatsKeepTheFirstOnes) {
  const auto few = TrainRowsOf(*Bootstrap(PlainData(30), {{"repeats", 2}}));
  const auto more = TrainRowsOf(*Bootstrap(PlainData(30), {{"repeats", 3}}));
  EXPECT_THAT(few, ElementsAre(more[0], more[1]));
}

TEST(BootstrapTest, AsFarAsPossibleSingleRowsAreDrawnTogether) {
  const auto plan = Bootstrap(SortedClassData({1, 6, 1, 1}), {{"stratify", kAsFarAsPossible}});
  bool is_single_tested = false;
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    const SplitRows rows = plan->Rows(split);
    const auto is_single = [](std::int64_t row) { return row == 0 || row >= 7; };
    EXPECT_EQ(std::ranges::count_if(rows.train, is_single), 3);
    is_single_tested |= std::ranges::any_of(rows.test, is_single);
  }
  EXPECT_TRUE(is_single_tested);
  EXPECT_THAT(plan->notes(),
              ElementsAre("stratified as far as possible: class 'A' has 1 row, which is drawn "
                          "together with the other single rows; 2 more strata are too rare"));
}

TEST(BootstrapTest, AsFarAsPossibleTheOnlySingleRowIsAlwaysDrawn) {
  const auto plan = Bootstrap(SortedClassData({6, 1}), {{"stratify", kAsFarAsPossible}});
  EXPECT_THAT(TrainRowsOf(*plan), Each(Contains(6)));
  EXPECT_THAT(plan->notes(), ElementsAre("stratified as far as possible: class 'B' has 1 row, "
                                         "which is always drawn and never tested"));
}

TEST(BootstrapTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals("bootstrap",
                 {
                     {"one row", PlainData(1), {}, "the bootstrap needs at least 2 rows, got 1"},
                     {"a single group",
                      GroupData({3, 3, 3}),
                      {},
                      "all rows are in one group; the bootstrap needs at least 2 groups"},
                     {"strata of one row each",
                      SortedClassData({1, 1, 1}),
                      {{"stratify", true}},
                      "every stratum has a single row, which would always be drawn; use stratify = "
                      "\"as far as possible\" or stratify = false"},
                     {"stratified groups",
                      TwelveRowsInFourGroups(),
                      {{"stratify", true}},
                      "stratify draws rows and would split groups; use stratify = false, or read "
                      "the data without groups"},
                 });
}

}  // namespace
}  // namespace crossfold
