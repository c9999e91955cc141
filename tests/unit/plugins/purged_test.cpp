#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

TEST(PurgedTest, WithoutHorizonAndEmbargoAllOtherBlocksTrain) {
  const auto plan = MakePlan("purged", ClockData(6), {{"folds", 3}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1}, Rows{2, 3}, Rows{4, 5}));
  EXPECT_THAT(TrainRowsOf(*plan),
              ElementsAre(Rows{2, 3, 4, 5}, Rows{0, 1, 4, 5}, Rows{0, 1, 2, 3}));
}

// By hand: rows at 0 .. 11 with labels [t, t + 1.5]. The test block 4 .. 7 spans [4, 8.5], so the
// rows 3 ([3, 4.5]) and 8 ([8, 9.5]) overlap; 2 ([2, 3.5]) and 9 do not.
TEST(PurgedTest, LabelsThatOverlapTheTestBlockDoNotTrain) {
  const auto plan = MakePlan("purged", ClockData(12), {{"folds", 3}, {"horizon", 1.5}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{5, 6, 7, 8, 9, 10, 11}, Rows{0, 1, 2, 9, 10, 11},
                                              Rows{0, 1, 2, 3, 4, 5, 6}));
}

TEST(PurgedTest, LabelsThatTouchTheTestBlockDoNotTrain) {
  // [3, 4] and [4, 6] have the time 4 in common, and [4, 6] and [6, 7] the time 6.
  const auto plan =
      MakePlan("purged", TimeData({0, 1, 2, 3, 4, 5, 6, 7, 8}), {{"folds", 3}, {"horizon", 1.0}});
  EXPECT_EQ(plan->Rows(1).test, (Rows{3, 4, 5}));
  EXPECT_EQ(plan->Rows(1).train, (Rows{0, 1, 7, 8}));
}

TEST(PurgedTest, AnEmbargoInTimeFollowsTheLabelsOfTheTestBlock) {
  // The first block ends at 3, its labels at 3.5, the embargo at 5.5.
  const auto plan =
      MakePlan("purged", ClockData(12), {{"folds", 3}, {"horizon", 0.5}, {"embargo", 2.0}});
  EXPECT_EQ(plan->Rows(0).train, (Rows{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(plan->Rows(2).train, (Rows{0, 1, 2, 3, 4, 5, 6, 7}));  // nothing before the block
}

TEST(PurgedTest, AnEmbargoCanBeAShareOfTheSteps) {
  // A quarter of 12 steps is 3: after the labels of the first block, which end at 3, 4 .. 6.
  const auto plan =
      MakePlan("purged", ClockData(12),
               {{"folds", 3}, {"embargo", 0.25}, {"embargo_unit", std::string("share")}});
  EXPECT_EQ(plan->Rows(0).train, (Rows{7, 8, 9, 10, 11}));
}

TEST(PurgedTest, NoTrainingLabelOverlapsTheLabelsOfTheTestBlock) {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) times.push_back((i * i) % 97 * 0.5);
  const double horizon = 2.25, embargo = 1.0;
  const auto plan = MakePlan("purged", TimeData(times),
                             {{"folds", 5}, {"horizon", horizon}, {"embargo", embargo}});
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    const SplitRows rows = plan->Rows(split);
    double first = 1e9, last = -1e9;
    for (const std::int64_t row : rows.test) {
      first = std::min(first, times[static_cast<std::size_t>(row)]);
      last = std::max(last, times[static_cast<std::size_t>(row)]);
    }
    std::size_t expected = 0;
    for (const double t : times) {
      expected += t + horizon < first || t > last + horizon + embargo ? 1 : 0;
    }
    EXPECT_EQ(rows.train.size(), expected);
    for (const std::int64_t row : rows.train) {
      const double t = times[static_cast<std::size_t>(row)];
      EXPECT_TRUE(t + horizon < first || t > last + horizon + embargo) << t;
    }
  }
}

TEST(PurgedTest, NoTimeColumnIsRefused) {
  EXPECT_EQ(RefusalOf("purged", PlainData(9), {}),
            "cannot split dataset 'rows' with 'purged': it has no time column; read it with time = "
            "\"<column>\"");
}

TEST(PurgedTest, AHorizonThatLeavesNothingToTrainOnIsRefused) {
  EXPECT_EQ(
      RefusalOf("purged", ClockData(9), {{"folds", 3}, {"horizon", 3.0}}),
      "cannot split dataset 'rows' (9 rows) with 'purged{folds=3,horizon=3}': horizon = 3 and "
      "embargo = 0 leave nothing to train on for block 2 of 3; use a smaller horizon or "
      "embargo");
}

TEST(PurgedTest, AShareOfOneIsRefused) {
  EXPECT_EQ(
      RefusalOf("purged", ClockData(9),
                {{"folds", 3}, {"embargo", 1.0}, {"embargo_unit", std::string("share")}}),
      "cannot split dataset 'rows' (9 rows) with 'purged{embargo=1,embargo_unit=share,folds=3}'"
      ": embargo = 1 is not a share; use less than 1, or embargo_unit = \"time\"");
}

TEST(PurgedTest, MoreFoldsThanStepsAreRefused) {
  EXPECT_EQ(
      RefusalOf("purged", TimeData({1, 2, 1}), {{"folds", 3}}),
      "cannot split dataset 'rows' (3 rows) with 'purged{folds=3}': 3 folds exceed the 2 time "
      "steps; use at most 2 folds");
}

TEST(PurgedTest, GroupsThatWouldBeTornApartAreRefused) {
  EXPECT_EQ(
      RefusalOf("purged", TimeData({1, 2, 3, 4}, {7, 8, 8, 9}), {{"folds", 2}}),
      "cannot split dataset 'rows' (4 rows) with 'purged{folds=2}': row 2 is tested while row "
      "3 of the same group trains; use a splitter that keeps groups together, such as kfold, "
      "or ignore_groups = true");
}

}  // namespace
}  // namespace crossfold
