#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

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

TEST(TimeSeriesTest, NoTimeColumnIsRefused) {
  EXPECT_EQ(
      RefusalOf("time_series", PlainData(9), {}),
      "cannot split dataset 'rows' (9 rows) with 'time_series': there is no time column; read "
      "the data with time = \"<column>\", or use order = \"rows\"");
}

TEST(TimeSeriesTest, AsManyFoldsAsStepsAreRefused) {
  EXPECT_EQ(
      RefusalOf("time_series", TimeData({1, 2, 3, 1, 2}), {{"folds", 3}}),
      "cannot split dataset 'rows' (5 rows) with 'time_series{folds=3}': 3 folds need at least "
      "4 time steps, there are 3; use at most 2 folds");
}

TEST(TimeSeriesTest, ATestSizeThatLeavesNothingToTrainOnIsRefused) {
  EXPECT_EQ(RefusalOf("time_series", ClockData(10), {{"test_size", 2}}),
            "cannot split dataset 'rows' (10 rows) with 'time_series{test_size=2}': 5 test sets of "
            "2 time steps leave nothing to train on before the first, of 10 time steps; use fewer "
            "folds, or a smaller test_size");
}

TEST(TimeSeriesTest, AGapThatLeavesNothingToTrainOnIsRefused) {
  EXPECT_EQ(RefusalOf("time_series", PlainData(10),
                      {{"folds", 3}, {"test_size", 2}, {"gap", 4}, {"order", std::string("rows")}}),
            "cannot split dataset 'rows' (10 rows) with "
            "'time_series{folds=3,gap=4,order=rows,test_size=2}': 3 test sets of 2 rows and a gap "
            "of 4 leave nothing to train on before the first, of 10 rows; use fewer folds, a "
            "smaller test_size, or a smaller gap");
}

TEST(TimeSeriesTest, AHugeTestSizeIsRefused) {
  EXPECT_EQ(
      RefusalOf("time_series", ClockData(10), {{"folds", 3}, {"test_size", std::int64_t{1} << 62}}),
      "cannot split dataset 'rows' (10 rows) with "
      "'time_series{folds=3,test_size=4611686018427387904}': 3 test sets of "
      "4611686018427387904 time steps leave nothing to train on before the first, of 10 time "
      "steps; use fewer folds, or a smaller test_size");
}

TEST(TimeSeriesTest, ASlidingWindowLargerThanTheFirstIsRefused) {
  EXPECT_EQ(
      RefusalOf("time_series", ClockData(10),
                {{"folds", 3}, {"window", std::string("sliding")}, {"max_train_size", 5}}),
      "cannot split dataset 'rows' (10 rows) with "
      "'time_series{folds=3,max_train_size=5,window=sliding}': max_train_size = 5 exceeds the "
      "4 time steps before the first test set, so that the windows would differ in size; use "
      "at most 4, fewer folds, or window = \"expanding\"");
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

}  // namespace
}  // namespace crossfold
