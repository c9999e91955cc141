#include "crossfold/run.h"

#include <cfenv>
#include <limits>

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
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

TEST(FittedModelTest, FitsOnTheViewAndPredictsAnyRows) {
  const auto data = Numbers({1, 2, 3, 9}, {10, 20, 30, 90});
  const auto model = Fit(Centred("center", "probe", {{"mode", "feature"}}), Some(data, {0, 1, 2}));
  const Prediction p = model->Predict(Some(data, {3, 0, 3}), RunOptions());
  EXPECT_THAT(p.rows, ElementsAre(3, 0, 3));
  EXPECT_THAT(p.values, ElementsAre(7, -1, 7));  // minus (1 + 2 + 3) / 3
}

TEST(FittedModelTest, FitsOnAllRowsBehindATransform) {
  const auto data = Numbers({1, 2, 3, 9}, {10, 20, 30, 90});
  const auto model = Fit(Centred("center", "probe", {{"mode", "target_sum"}}), All(data));
  EXPECT_THAT(model->Predict(Some(data, {3}), RunOptions()).values, ElementsAre(150));
}

TEST(FittedModelTest, GivesProbabilitiesIfTheLearnerDoes) {
  const auto data = Classes(6, 3);
  EXPECT_THAT(Fit(Learner("coin"), All(data))->Predict(All(data), RunOptions()).probabilities,
              SizeIs(18));
  EXPECT_THAT(
      Fit(Learner("first_class"), All(data))->Predict(All(data), RunOptions()).probabilities,
      IsEmpty());
}

// Expected numbers: as in unit/engine/plan/seed_test.cpp, their lower 32 bits.
TEST(FittedModelTest, SeedsFollowFromThePurpose) {
  const auto data = Numbers({1, 2}, {3, 4});
  const auto predicted = [&](const std::string& mode) {
    return Fit(Learner("probe", {{"mode", mode}}), All(data))
        ->Predict(All(data), RunOptions())
        .values[0];
  };
  EXPECT_EQ(predicted("fit_seed"), 650321987);
  EXPECT_EQ(predicted("predict_seed"), 4224224249);
}

TEST(FittedModelTest, OutlivesItsTrainingDataAndKnowsItsClasses) {
  auto data = Classes(6, 3);
  const auto model = Fit(Centred("center", "coin"), All(data));
  data.reset();
  const auto unlabelled = Dataset::Create("new", {Column::Doubles("x", {1, 2})}, Roles());
  const Prediction p = model->Predict(All(unlabelled), RunOptions());
  EXPECT_THAT(p.labels, SizeIs(2));
  EXPECT_EQ(p.n_classes, 3);
  EXPECT_EQ(model->learner().ToString(), "fixture.center{mode=center}|fixture.coin");
}

TEST(FittedModelTest, NoRowsGiveNoPredictions) {
  const auto data = Classes(6, 3);
  const auto model = Fit(Learner("coin"), All(data));
  EXPECT_THAT(model->Predict(Some(data, {}), RunOptions()).labels, IsEmpty());
}

TEST(FittedModelTest, TellsImportanceOfTheColumnsThatTheLearnerSaw) {
  const auto data = Dataset::Create(
      "two",
      {Column::Doubles("y", {1, 2}), Column::Doubles("b", {1, 2}), Column::Doubles("a", {1, 2})},
      fixture::WithTarget("y"));
  const auto importance =
      Fit(Centred("center", "recorder", {{"rate", 0.5}}), All(data))->Importance(RunOptions());
  ASSERT_THAT(importance, SizeIs(2));
  EXPECT_EQ(importance[0].feature, "b");
  EXPECT_EQ(importance[0].value, 0.5);
  EXPECT_EQ(importance[1].feature, "a");
  EXPECT_EQ(importance[1].value, 1.0);
}

TEST(FittedModelTest, ImportanceThatIsNotFiniteIsRefused) {
  const auto model =
      Fit(Learner("recorder", {{"rate", 1e308}}),
          All(Dataset::Create("two",
                              {Column::Doubles("y", {1, 2}), Column::Doubles("b", {1, 2}),
                               Column::Doubles("a", {1, 2})},
                              fixture::WithTarget("y"))));
  ExpectError(ErrorKind::kFailed,
              "cannot compute the feature importance of 'fixture.recorder{rate=1e+308}': the "
              "importance of feature 'a' is not finite; report this to the plugin's author",
              [&] { model->Importance(RunOptions()); });
}

TEST(FittedModelTest, ExportsInTheFormatsOfItsLearner) {
  const auto model = Fit(Learner("recorder"), All(Numbers({1, 2}, {3, 4})));
  EXPECT_THAT(model->export_formats(), ElementsAre("text", "latin_1"));
  EXPECT_EQ(model->Export("text", RunOptions()), "rate 1.000000\n");
  EXPECT_EQ(model->Export("latin_1", RunOptions()), "na?ve");  // it must be UTF-8
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot export 'fixture.recorder': there is no format 'txt'; did you mean 'text'? "
              "known: latin_1, text",
              [&] { model->Export("txt", RunOptions()); });
}

TEST(FittedModelTest, ALearnerWithoutTheCapabilityIsNamed) {
  const auto model = Fit(Learner("first_class"), All(Classes(4, 2)));
  EXPECT_THAT(model->export_formats(), IsEmpty());
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot export 'fixture.first_class': learner 'fixture.first_class' offers no "
              "crossfold.export/1; use a learner that does",
              [&] { model->Export("text", RunOptions()); });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot compute the feature importance of 'fixture.first_class': learner "
              "'fixture.first_class' offers no crossfold.importance/1; use a learner that does",
              [&] { model->Importance(RunOptions()); });
}

TEST(FittedModelTest, ANewRowWithAMissingValueIsRefusedByName) {
  const auto model = Fit(Learner("picky"), All(Classes(4, 2)));
  const auto gaps = Dataset::Create(
      "new", {Column::Doubles("x", {1, std::numeric_limits<double>::quiet_NaN()})}, Roles());
  ExpectError(ErrorKind::kFailed,
              "cannot predict with 'fixture.picky' on dataset 'new': it does not accept missing "
              "values (1 in feature 'x'); fill them in or leave the feature out",
              [&] { model->Predict(All(gaps), RunOptions()); });
}

TEST(FittedModelTest, WhatCannotWorkIsRefusedBeforeTheFit) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot use learner 'fixture.probe' on dataset 'classes': it is for regression, the "
              "target 'class' is categorical",
              [] { Fit(Learner("probe"), All(Classes(4, 2))); });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot fit 'fixture.coin' on dataset 'classes': there are no rows",
              [] { Fit(Learner("coin"), Some(Classes(4, 2), {})); });
}

TEST(FittedModelTest, AFailedFitSaysWhy) {
  ExpectError(ErrorKind::kFailed,
              "cannot fit 'fixture.coin{mode=throw_in_fit}' on dataset 'classes': the coin stood "
              "on its edge",
              [] {
                Fit(Learner("coin", {{"mode", "throw_in_fit"}}), All(Classes(4, 2)));
              });
}

TEST(FittedModelTest, AFailedStepOfSeveralIsNamed) {
  ExpectError(ErrorKind::kFailed,
              "cannot fit 'fixture.center{mode=throw_in_apply}|fixture.coin' on dataset 'classes': "
              "apply fixture.center: off centre",
              [] { Fit(Centred("throw_in_apply", "coin"), All(Classes(4, 2))); });
}

TEST(FittedModelTest, AFailedPredictionSaysWhy) {
  const auto data = Classes(4, 2);
  const auto model = Fit(Learner("coin", {{"mode", "throw_in_predict"}}), All(data));
  ExpectError(ErrorKind::kFailed,
              "cannot predict with 'fixture.coin{mode=throw_in_predict}' on dataset 'classes': the "
              "coin rolled away",
              [&] { model->Predict(All(data), RunOptions()); });
}

TEST(FittedModelTest, ACancelledFitIsNoFailure) {
  CancelToken token;
  token.Cancel();
  RunOptions options;
  options.cancel = &token;
  ExpectError(ErrorKind::kCancelled,
              "cannot fit 'fixture.coin{mode=sleep_in_fit}' on dataset 'classes': cancelled", [&] {
                FittedModel::Fit(Learner("coin", {{"mode", "sleep_in_fit"}}), All(Classes(4, 2)), 7,
                                 options);
              });
}

TEST(FittedModelTest, WhatPluginsLogAndWarningsAboutThemReachTheLog) {
  fixture::LogLines log;
  RunOptions options;
  options.log = log.sink();
  const auto data = Classes(4, 2);
  const auto model =
      FittedModel::Fit(Learner("coin", {{"mode", "rounding"}}), All(data), 7, options);
  EXPECT_THAT(log.lines, ElementsAre(Pair(CF_LOG_INFO, "here I am"),
                                     Pair(CF_LOG_WARN,
                                          "fit fixture.coin: changed the rounding "
                                          "mode")));
}

TEST(FittedModelTest, AModelMayBeDestroyedByAPluginThatChangesTheProcess) {
  Fit(Learner("slammer"), All(Classes(4, 2)));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

}  // namespace
}  // namespace crossfold
