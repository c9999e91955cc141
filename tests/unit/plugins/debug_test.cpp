#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// Rows 0 to 3 are for training, 4 and 5 for testing.
DataPtr SixRows() { return ParseTable("x,y\n1,a\n2,b\n3,b\n4,b\n5,a\n6,b\n", "y"); }
DataPtr SixNumbers() { return ParseTable("x,y\n1,1\n2,2\n3,3\n4,4\n5,5\n6,6\n", "y"); }

ParamValues Action(const char* action, ParamValues more = {}) {
  more["action"] = std::string(action);
  return more;
}

std::string Failure(const DataPtr& data, const ParamValues& values,
                    const RunOptions& options = {}) {
  return FailureOf("debug", values, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4, 5}), options);
}

Prediction Debug(const DataPtr& data, const ParamValues& values, const RunOptions& options = {}) {
  return FitPredict("debug", values, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4, 5}), options);
}

TEST(DebugTest, WithoutAnActionItPredictsLikeFeatureless) {
  const Prediction p = Debug(SixRows(), {});
  EXPECT_THAT(p.labels, ElementsAre(1, 1));
  EXPECT_THAT(p.probabilities, ElementsAre(0.25, 0.75, 0.25, 0.75));
  EXPECT_THAT(Debug(SixNumbers(), {}).values, ElementsAre(2.5, 2.5));
}

TEST(DebugTest, ThrowsWhereItIsTold) {
  EXPECT_EQ(Failure(SixRows(), Action("throw_in_fit")),
            "cannot fit 'debug{action=throw_in_fit}' on dataset 'table': thrown in fit, as asked");
  EXPECT_EQ(Failure(SixRows(), Action("throw_in_predict")),
            "cannot predict with 'debug{action=throw_in_predict}' on dataset 'table': thrown in "
            "predict, as asked");
}

TEST(DebugTest, AFitActionNeedsItsRowAmongTheTrainingRows) {
  EXPECT_NE(Failure(SixRows(), Action("throw_in_fit", {{"when_row", 3}})), "");
  EXPECT_EQ(Failure(SixRows(), Action("throw_in_fit", {{"when_row", 4}})), "");
}

TEST(DebugTest, APredictActionNeedsItsRowAmongTheRowsToPredict) {
  EXPECT_NE(Failure(SixRows(), Action("throw_in_predict", {{"when_row", 4}})), "");
  EXPECT_EQ(Failure(SixRows(), Action("throw_in_predict", {{"when_row", 3}})), "");
}

TEST(DebugTest, TheStageDecidesWhichRowsCount) {
  const ParamValues in_predict = {{"stage", std::string("predict")}, {"when_row", 4}};
  EXPECT_EQ(Failure(SixRows(), Action("not_converged", in_predict)),
            "cannot predict with 'debug{action=not_converged,stage=predict,when_row=4}' on dataset "
            "'table': not converged in predict, as asked");
  EXPECT_EQ(Failure(SixRows(), Action("not_converged", {{"when_row", 4}})), "");
  EXPECT_EQ(Failure(SixRows(), Action("not_converged", {{"when_row", 0}})),
            "cannot fit 'debug{action=not_converged,when_row=0}' on dataset 'table': not converged "
            "in fit, as asked");
}

TEST(DebugTest, PredictsNan) {
  EXPECT_EQ(Failure(SixNumbers(), Action("predict_nan")),
            "cannot predict with 'debug{action=predict_nan}' on dataset 'table': predicted nan for "
            "row 5");
  EXPECT_EQ(Failure(SixRows(), Action("predict_nan")),
            "cannot predict with 'debug{action=predict_nan}' on dataset 'table': predicted "
            "probability nan for row 5");
}

TEST(DebugTest, PredictsAClassThatDoesNotExist) {
  EXPECT_EQ(Failure(SixRows(), Action("wrong_label")),
            "cannot predict with 'debug{action=wrong_label}' on dataset 'table': predicted class "
            "index 2 for row 5; there are 2 classes");
  EXPECT_EQ(Failure(SixNumbers(), Action("wrong_label")),
            "cannot fit 'debug{action=wrong_label}' on dataset 'table': action = wrong_label needs "
            "a classification target");
}

TEST(DebugTest, LogsOneLine) {
  std::vector<std::string> lines;
  RunOptions options;
  options.log = [&](std::int32_t, const std::string& message) { lines.push_back(message); };
  Debug(SixRows(), Action("log"), options);
  EXPECT_THAT(lines, ElementsAre("fit on 4 rows"));
}

TEST(DebugTest, SleepsAndThenPredicts) {
  EXPECT_THAT(Debug(SixRows(), Action("sleep", {{"sleep_ms", 1}})).labels, Each(1));
}

TEST(DebugTest, ASleeperStopsWhenTheHostAsks) {
  // Would sleep for a day otherwise.
  CancelToken cancel;
  cancel.Cancel();
  RunOptions options;
  options.cancel = &cancel;
  EXPECT_EQ(Failure(SixRows(), Action("sleep", {{"sleep_ms", 86'400'000}}), options),
            "cannot fit 'debug{action=sleep,sleep_ms=86400000}' on dataset 'table': cancelled");
}

TEST(DebugTest, AChangedRoundingModeDoesNotChangeThePrediction) {
  EXPECT_THAT(Debug(SixNumbers(), Action("change_rounding")).values, ElementsAre(2.5, 2.5));
}

TEST(DebugDeathTest, CrashesAndAborts) {
  EXPECT_DEATH(Debug(SixRows(), Action("crash")), "");
  EXPECT_DEATH(Debug(SixRows(), Action("abort")), "");
}

TEST(DebugTest, ScribblingAndPrintingLeaveEverythingAsItWas) {
  const DataPtr data = SixRows();
  const std::string before = SixRows()->content_hash();
  EXPECT_EQ(Failure(data, Action("scribble")), "");
  EXPECT_EQ(data->content_hash(), before);
  EXPECT_EQ(Failure(data, Action("print", {{"stage", std::string("predict")}})), "");
}

}  // namespace
}  // namespace crossfold
