#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// ---- time series -------------------------------------------------------------------------------

std::shared_ptr<const SplitPlan> TimeSeries(const std::shared_ptr<const Dataset>& data,
                                            const ParamValues& values) {
  return MakePlan("time_series", data, values);
}

// first .. last-1
Rows Range(std::int64_t first, std::int64_t last) {
  Rows rows;
  for (std::int64_t row = first; row < last; ++row) rows.push_back(row);
  return rows;
}

// ---- the documented cases of scikit-learn's TimeSeriesSplit (1.2.1, its docstring), which sees
// rows in order
// -----------------------------------------------------------------------------------------

TEST(TimeSeriesTest, SixRowsInFiveFoldsAreThoseOfScikitLearn) {
  // TimeSeriesSplit(n_splits=5)
  const auto plan = TimeSeries(PlainData(6), {{"order", std::string("rows")}});
  EXPECT_THAT(TrainRowsOf(*plan),
              ElementsAre(Rows{0}, Range(0, 2), Range(0, 3), Range(0, 4), Range(0, 5)));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{1}, Rows{2}, Rows{3}, Rows{4}, Rows{5}));
}

TEST(TimeSeriesTest, TwelveRowsWithATestSizeAreThoseOfScikitLearn) {
  // TimeSeriesSplit(n_splits=3, test_size=2)
  const auto plan =
      TimeSeries(PlainData(12), {{"folds", 3}, {"test_size", 2}, {"order", std::string("rows")}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Range(0, 6), Range(0, 8), Range(0, 10)));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Range(6, 8), Range(8, 10), Range(10, 12)));
}

TEST(TimeSeriesTest, TwelveRowsWithAGapAreThoseOfScikitLearn) {
  // TimeSeriesSplit(n_splits=3, test_size=2, gap=2)
  const auto plan = TimeSeries(ClockData(12), {{"folds", 3}, {"test_size", 2}, {"gap", 2}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Range(0, 4), Range(0, 6), Range(0, 8)));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Range(6, 8), Range(8, 10), Range(10, 12)));
}

TEST(TimeSeriesTest, AMostTrainingSizeIsThatOfScikitLearn) {
  // TimeSeriesSplit(n_splits=4, max_train_size=3) on 11 rows: test_size = 11 // 5 = 2.
  //   train [0 1 2] [2 3 4] [4 5 6] [6 7 8], test [3 4] [5 6] [7 8] [9 10]
  const auto plan = TimeSeries(ClockData(11), {{"folds", 4}, {"max_train_size", 3}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Range(0, 3), Range(2, 5), Range(4, 7), Range(6, 9)));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Range(3, 5), Range(5, 7), Range(7, 9), Range(9, 11)));
}

// ---- windows, times, ties
// ------------------------------------------------------------------------

TEST(TimeSeriesTest, ASlidingWindowTrainsOnEquallyManySteps) {
  const auto plan =
      TimeSeries(ClockData(12),
                 {{"folds", 3}, {"test_size", 2}, {"gap", 1}, {"window", std::string("sliding")}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Range(0, 5), Range(2, 7), Range(4, 9)));
}

TEST(TimeSeriesTest, RowsAreTakenInTheOrderOfTime) {
  const auto plan = TimeSeries(TimeData({5, 1, 4, 2, 3}), {{"folds", 2}, {"test_size", 1}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{1, 3, 4}, Rows{1, 2, 3, 4}));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{2}, Rows{0}));
}

TEST(TimeSeriesTest, RowsOfOneTimeStayTogether) {
  // The times 1 2 3 4 are four steps of 3, 1, 2 and 2 rows.
  const auto plan =
      TimeSeries(TimeData({1, 2, 3, 4, 1, 3, 4, 1}), {{"folds", 2}, {"test_size", 1}});
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{0, 1, 4, 7}, Rows{0, 1, 2, 4, 5, 7}));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{2, 5}, Rows{3, 6}));
}

TEST(TimeSeriesTest, GroupsOfOneTimeArePossible) {
  const auto plan =
      TimeSeries(TimeData({1, 1, 2, 2, 3}, {7, 7, 8, 8, 9}), {{"folds", 2}, {"test_size", 1}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{2, 3}, Rows{4}));
}

TEST(TimeSeriesTest, OneFoldIsAHoldoutOfTheLastSteps) {
  EXPECT_THAT(TestRowsOf(*TimeSeries(ClockData(6), {{"folds", 1}, {"test_size", 2}})),
              ElementsAre(Rows{4, 5}));
}

// ---- refusals
// ------------------------------------------------------------------------------------

TEST(TimeSeriesTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals(
      "time_series",
      {
          {"no time column",
           PlainData(9),
           {},
           "there is no time column; read the data with time = \"<column>\", or use order = "
           "\"rows\""},
          {"as many folds as steps",
           TimeData({1, 2, 3, 1, 2}),
           {{"folds", 3}},
           "3 folds need at least 4 time steps, there are 3; use at most 2 folds"},
          {"a test size that leaves nothing to train on",
           ClockData(10),
           {{"test_size", 2}},
           "5 test sets of 2 time steps leave nothing to train on before the first, of 10 time "
           "steps; use fewer folds, or a smaller test_size"},
          {"a gap that leaves nothing to train on",
           PlainData(10),
           {{"folds", 3}, {"test_size", 2}, {"gap", 4}, {"order", std::string("rows")}},
           "3 test sets of 2 rows and a gap of 4 leave nothing to train on before the first, of 10 "
           "rows; use fewer folds, a smaller test_size, or a smaller gap"},
          {"a huge test size",
           ClockData(10),
           {{"folds", 3}, {"test_size", std::int64_t{1} << 62}},
           "3 test sets of 4611686018427387904 time steps leave nothing to train on before the "
           "first, of 10 time steps; use fewer folds, or a smaller test_size"},
          {"a sliding window larger than the first",
           ClockData(10),
           {{"folds", 3}, {"window", std::string("sliding")}, {"max_train_size", 5}},
           "max_train_size = 5 exceeds the 4 time steps before the first test set, so that the "
           "windows would differ in size; use at most 4, fewer folds, or window = \"expanding\""},
      });
}

TEST(TimeSeriesTest, GroupsThatWouldBeTornApartAreRefused) {
  const auto data = TimeData({1, 2, 3, 4}, {7, 8, 7, 9});
  EXPECT_EQ(RefusalOf("time_series", data, {{"folds", 2}}),
            "cannot split dataset 'rows' (4 rows) with 'time_series{folds=2}': row 3 is tested "
            "while row 1 of the same group trains; use a splitter that keeps groups together, such "
            "as kfold, or ignore_groups = true");
  EXPECT_THAT(TestRowsOf(*TimeSeries(data, {{"folds", 2}, {"ignore_groups", true}})),
              Each(SizeIs(1)));
}

// ---- blocks ------------------------------------------------------------------------------------

TEST(BlockedTest, BlocksFollowTheTimeAndTheFirstOnesAreLarger) {
  const auto plan = MakePlan("blocked", TimeData({5, 1, 4, 2, 3}), {{"folds", 2}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{1, 0, 1, 0, 0}));
}

TEST(BlockedTest, BlocksInTheOrderOfRowsAreThoseOfKFold) {
  EXPECT_EQ(
      FoldsOf(*MakePlan("blocked", PlainData(23), {{"folds", 4}, {"order", std::string("rows")}})),
      FoldsOf(*MakePlan("kfold", PlainData(23),
                        {{"folds", 4}, {"shuffle", false}, {"order", std::string("blocks")}})));
}

TEST(BlockedTest, RowsOfOneTimeStayTogether) {
  const auto plan = MakePlan("blocked", TimeData({1, 1, 1, 1, 2, 3}), {{"folds", 3}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 0, 0, 1, 2}));
}

TEST(BlockedTest, AGapIsLeftOutOnBothSides) {
  const auto plan = MakePlan("blocked", ClockData(9), {{"folds", 3}, {"gap", 2}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1, 2}, Rows{3, 4, 5}, Rows{6, 7, 8}));
  EXPECT_THAT(TrainRowsOf(*plan), ElementsAre(Rows{5, 6, 7, 8}, Rows{0, 8}, Rows{0, 1, 2, 3}));
}

TEST(BlockedTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals("blocked", {
                                {"more folds than steps",
                                 TimeData({1, 2, 3, 1, 2}),
                                 {{"folds", 4}},
                                 "4 folds exceed the 3 time steps; use at most 3 folds"},
                                {"a single time",
                                 TimeData({1, 1}),
                                 {{"folds", 2}},
                                 "there is only 1 time step; blocks need at least 2"},
                                {"a gap that leaves nothing to train on",
                                 ClockData(9),
                                 {{"folds", 3}, {"gap", 3}},
                                 "a gap of 3 time steps on each side of block 2 of 3 leaves "
                                 "nothing to train on; use a smaller gap"},
                                {"no time column",
                                 PlainData(9),
                                 {{"folds", 3}},
                                 "there is no time column; read the data with time = \"<column>\", "
                                 "or use order = \"rows\""},
                            });
}

TEST(BlockedTest, GroupsThatWouldBeTornApartAreRefused) {
  const auto data = TimeData({1, 2, 3, 4}, {7, 8, 8, 9});
  EXPECT_EQ(RefusalOf("blocked", data, {{"folds", 2}}),
            "cannot split dataset 'rows' (4 rows) with 'blocked{folds=2}': row 2 is tested while "
            "row 3 of the same group trains; use a splitter that keeps groups together, such as "
            "kfold, or ignore_groups = true");
  EXPECT_THAT(FoldsOf(*MakePlan("blocked", data, {{"folds", 2}, {"ignore_groups", true}})),
              ElementsAre(Folds{0, 0, 1, 1}));
}

TEST(BlockedTest, GroupsInsideBlocksArePossible) {
  const auto plan = MakePlan("blocked", TimeData({1, 2, 3, 4}, {7, 7, 8, 8}), {{"folds", 2}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 1, 1}));
}

// ---- purged ------------------------------------------------------------------------------------

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

TEST(PurgedTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals("purged",
                 {
                     {"a horizon that leaves nothing to train on",
                      ClockData(9),
                      {{"folds", 3}, {"horizon", 3.0}},
                      "horizon = 3 and embargo = 0 leave nothing to train on for block 2 of 3; use "
                      "a smaller horizon or embargo"},
                     {"a share of one",
                      ClockData(9),
                      {{"folds", 3}, {"embargo", 1.0}, {"embargo_unit", std::string("share")}},
                      "embargo = 1 is not a share; use less than 1, or embargo_unit = \"time\""},
                     {"more folds than steps",
                      TimeData({1, 2, 1}),
                      {{"folds", 3}},
                      "3 folds exceed the 2 time steps; use at most 2 folds"},
                     {"groups that would be torn apart",
                      TimeData({1, 2, 3, 4}, {7, 8, 8, 9}),
                      {{"folds", 2}},
                      "row 2 is tested while row 3 of the same group trains; use a splitter that "
                      "keeps groups together, such as kfold, or ignore_groups = true"},
                 });
}

}  // namespace
}  // namespace crossfold
