#include "crossfold/run.h"

#include <cfenv>

#include "unit/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Centred;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Learner;
using fixture::Numbers;
using fixture::Some;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

std::shared_ptr<const FittedModel> Fit(std::shared_ptr<const Pipeline> learner,
                                       const DataView& train) {
  return FittedModel::Fit(std::move(learner), train, 7, RunOptions());
}

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

// Expected numbers: as in unit/plan/seed_test.cpp, their lower 32 bits.
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

TEST(FittedModelTest, PredictsOnlyWithTheColumnsItWasFittedOn) {
  const auto categories = [](const std::vector<std::string>& levels) {
    return Dataset::Create("new",
                           {Column::Doubles("x", {1, 2}), Column::Categories("c", {0, 1}, levels),
                            Column::Categories("class", {0, 1}, {"a", "b"})},
                           fixture::WithTarget("class"));
  };
  const auto model = Fit(Learner("coin"), All(categories({"p", "q"})));
  const auto expect = [&](const std::shared_ptr<const Dataset>& data, const std::string& problem) {
    ExpectError(ErrorKind::kInvalidArgument,
                "cannot predict with 'fixture.coin' on dataset 'new': " + problem +
                    "; the features must be those of the training data",
                [&] { model->Predict(All(data), RunOptions()); });
  };
  expect(categories({"p", "r"}), "feature 2 'c' has other levels");
  expect(categories({"p", "q", "r"}), "feature 2 'c' has other levels");
  expect(Dataset::Create("new", {Column::Doubles("x", {1})}, Roles()),
         "there are 1 features instead of 2");
  expect(Dataset::Create("new", {Column::Doubles("z", {1}), Column::Doubles("c", {1})}, Roles()),
         "feature 1 is 'z' instead of 'x'");
  expect(Dataset::Create("new", {Column::Integers("x", {1}), Column::Doubles("c", {1})}, Roles()),
         "feature 1 'x' is a 64-bit integer instead of a 64-bit float");
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
