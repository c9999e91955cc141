// FittedModel::FitFrom. fixture.recorder, fitted from an earlier model, adds up both rates.
#include <string>
#include <vector>

#include "crossfold/run.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Centred;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Fit;
using fixture::Learner;
using fixture::Numbers;
using fixture::Some;
using ::testing::ElementsAre;

using ModelPtr = std::shared_ptr<const FittedModel>;
using PipelinePtr = std::shared_ptr<const Pipeline>;

ModelPtr FitFrom(const FittedModel& start, const PipelinePtr& learner, const DataView& train) {
  return FittedModel::FitFrom(learner, train, 7, start, RunOptions());
}
std::vector<double> Values(const FittedModel& model, const DataView& rows) {
  return model.Predict(rows, RunOptions()).values;
}

PipelinePtr Recorder(double rate) { return Learner("recorder", {{"rate", rate}}); }

// Two features of these names and a target.
std::shared_ptr<const Dataset> Named(const char* first, const char* second) {
  return Dataset::Create("named",
                         {Column::Doubles(first, {1, 2}), Column::Doubles(second, {1, 2}),
                          Column::Doubles("y", {1, 2})},
                         fixture::WithTarget("y"));
}

// As Classes(4, 2) with other names.
std::shared_ptr<const Dataset> OtherClasses() {
  return Dataset::Create(
      "other",
      {Column::Doubles("x", {0, 1, 2, 3}), Column::Categories("class", {0, 1, 0, 1}, {"a", "z"})},
      fixture::WithTarget("class"));
}

void ExpectStartRefused(const std::string& text, const FittedModel& start,
                        const PipelinePtr& learner, const DataView& train) {
  ExpectError(ErrorKind::kInvalidArgument, text, [&] { FitFrom(start, learner, train); });
}

TEST(WarmStartTest, TheLearnerGetsTheEarlierModelAndLeavesItAlone) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const ModelPtr start = Fit(Recorder(0.5), All(data));
  const ModelPtr model = FitFrom(*start, Recorder(2), All(data));
  EXPECT_THAT(Values(*model, All(data)), ElementsAre(2.5, 5, 7.5));
  EXPECT_THAT(Values(*start, All(data)), ElementsAre(0.5, 1, 1.5));
  EXPECT_EQ(model->learner().ToString(), "fixture.recorder{rate=2}");
  EXPECT_EQ(model->seed(), 7u);
}

TEST(WarmStartTest, TheModelOutlivesItsStart) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  ModelPtr start = Fit(Recorder(0.5), All(data));
  const ModelPtr model = FitFrom(*start, Recorder(2), Some(data, {0, 1}));
  start.reset();
  EXPECT_THAT(Values(*model, Some(data, {2})), ElementsAre(7.5));
  EXPECT_EQ(model->training().n_rows, 2);
}

TEST(WarmStartTest, ALoadedModelIsAStart) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const ModelPtr start =
      FittedModel::FromBytes(Fit(Recorder(0.5), All(data))->ToBytes(), "m.cfm", fixture::Host());
  EXPECT_THAT(Values(*FitFrom(*start, Recorder(2), All(data)), Some(data, {0})), ElementsAre(2.5));
}

// The mean of the training rows is 2 at first and 1.5 then.
TEST(WarmStartTest, TransformsAreFittedAnew) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const PipelinePtr learner = Centred("center", "recorder", {{"rate", 1.0}});
  const ModelPtr start = Fit(learner, All(data));
  const ModelPtr model = FitFrom(*start, learner, Some(data, {0, 1}));
  EXPECT_THAT(Values(*start, All(data)), ElementsAre(-1, 0, 1));
  EXPECT_THAT(Values(*model, All(data)), ElementsAre(-1, 1, 3));
}

TEST(WarmStartTest, FeaturesAreComparedBehindTheTransforms) {
  const auto data = Numbers({1, 2, 3}, {10, 20, 30});
  const ModelPtr start = Fit(Recorder(1), All(data));
  const ModelPtr model = FitFrom(*start, Centred("center", "recorder", {{"rate", 1.0}}), All(data));
  EXPECT_THAT(Values(*model, All(data)), ElementsAre(-2, 0, 2));
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(WarmStartTest, AModelOfAnotherLearnerIsRefused) {
  const auto data = Numbers({1, 2}, {10, 20});
  ExpectStartRefused(
      "cannot fit 'fixture.recorder{rate=2}' on dataset 'numbers' from the model of "
      "'fixture.center{mode=center}|fixture.probe': its learner is 'fixture.probe'; start from a "
      "model of 'fixture.recorder'",
      *Fit(Centred("center", "probe"), All(data)), Recorder(2), All(data));
}

TEST(WarmStartTest, ALearnerWithoutTheCapabilityIsNamed) {
  const auto data = Classes(4, 2);
  ExpectStartRefused(
      "cannot fit 'fixture.first_class' on dataset 'classes' from the model of "
      "'fixture.first_class': learner 'fixture.first_class' offers no crossfold.warm-start/1; fit "
      "it without a start",
      *Fit(Learner("first_class"), All(data)), Learner("first_class"), All(data));
}

TEST(WarmStartTest, AModelOfAnotherCopyOfThePluginIsRefused) {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_LATER_FIXTURE_PLUGIN};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  const PluginHost later(options);
  const auto data = Numbers({1, 2}, {10, 20});
  const auto learner =
      Pipeline::Make({Spec::Make(later.Find(Kind::kLearner, "fixture.recorder"), {})});
  ExpectStartRefused(
      "cannot fit 'fixture.recorder' on dataset 'numbers' from the model of "
      "'fixture.recorder{rate=2}': it was made by another copy of the plugin; load the model with "
      "the copy that fits",
      *Fit(Recorder(2), All(data)), learner, All(data));
}

TEST(WarmStartTest, OtherClassesAreRefused) {
  const std::string attempt = " from the model of 'fixture.recorder{rate=2}': ";
  const std::string way_out = "; start from a model of the same target";
  const ModelPtr two = Fit(Recorder(2), All(Classes(4, 2)));
  const auto numbers = Numbers({1, 2}, {10, 20});
  ExpectStartRefused("cannot fit 'fixture.recorder{rate=1}' on dataset 'classes'" + attempt +
                         "it predicts 2 classes, the target is one of 3 classes" + way_out,
                     *two, Recorder(1), All(Classes(6, 3)));
  ExpectStartRefused("cannot fit 'fixture.recorder{rate=1}' on dataset 'other'" + attempt +
                         "its class 2 is 'b', that of the target is 'z'" + way_out,
                     *two, Recorder(1), All(OtherClasses()));
  ExpectStartRefused("cannot fit 'fixture.recorder{rate=1}' on dataset 'numbers'" + attempt +
                         "it predicts 2 classes, the target is a number" + way_out,
                     *two, Recorder(1), All(numbers));
  ExpectStartRefused("cannot fit 'fixture.recorder{rate=1}' on dataset 'classes'" + attempt +
                         "it predicts a number, the target is one of 2 classes" + way_out,
                     *Fit(Recorder(2), All(numbers)), Recorder(1), All(Classes(4, 2)));
}

TEST(WarmStartTest, OtherFeaturesAreRefused) {
  const ModelPtr start = Fit(Recorder(2), All(Named("a", "b")));
  ExpectStartRefused(
      "cannot fit 'fixture.recorder{rate=1}' on dataset 'named' from the model of "
      "'fixture.recorder{rate=2}': its learner was fitted on different features: feature 2 is 'c' "
      "instead of "
      "'b'; start from a model of the same features",
      *start, Recorder(1), All(Named("a", "c")));
}

TEST(WarmStartTest, WhatFitRefusesIsRefusedHereToo) {
  const auto data = Numbers({1, 2}, {10, 20});
  const ModelPtr start = Fit(Recorder(2), All(data));
  ExpectStartRefused(
      "cannot fit 'fixture.recorder{rate=1}' on dataset 'numbers' from the model of "
      "'fixture.recorder{rate=2}': there are no rows",
      *start, Recorder(1), Some(data, {}));
  ExpectStartRefused(
      "cannot use learner 'fixture.probe' on dataset 'classes': it is for regression, the target "
      "'class' is categorical",
      *start, Learner("probe"), All(Classes(4, 2)));
}

TEST(WarmStartTest, TheLearnersOwnReasonIsTold) {
  const auto data = Numbers({1, 2}, {10, 20});
  const ModelPtr start = Fit(Recorder(2), All(data));
  ExpectError(ErrorKind::kFailed,
              "cannot fit 'fixture.recorder{rate=-2}' on dataset 'numbers' from the model of "
              "'fixture.recorder{rate=2}': the rates cancel each other",
              [&] { FitFrom(*start, Recorder(-2), All(data)); });
}

}  // namespace
}  // namespace crossfold
