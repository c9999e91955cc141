// Whatever a plugin does wrong is data in the outcome of its cell, with stage, code and reason.
#include <gtest/gtest.h>

#include "crossfold/run.h"
#include "engine/run/step_seeds.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using ::testing::IsEmpty;

using fixture::All;
using fixture::Centred;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;
using fixture::Numbers;

Outcome RunOne(std::shared_ptr<const Pipeline> learner, std::shared_ptr<const SplitPlan> splits,
               Keep keep = Keep::kLabels) {
  RunOptions options;
  options.workers = 1;
  const Cell cell{std::move(learner), std::move(splits), 0, 7, nullptr, keep};
  return RunCells({&cell, 1}, options).at(0);
}

void ExpectFailure(const Outcome& outcome, const std::string& stage, cf_status code,
                   const std::string& message) {
  EXPECT_EQ(outcome.status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcome.failure.stage, stage);
  EXPECT_EQ(outcome.failure.code, code);
  EXPECT_EQ(outcome.failure.message, message);
  EXPECT_THAT(outcome.prediction.rows, IsEmpty());
  EXPECT_THAT(outcome.prediction.labels, IsEmpty());
}

// Fold 0 of 3 tests the rows 1 4 7 10 (counted from 1) of three classes.
Outcome RunCoin(const std::string& mode, Keep keep = Keep::kLabels) {
  return RunOne(Learner("coin", {{"mode", mode}}), ModuloSplits(All(Classes(12, 3)), 3), keep);
}

TEST(StepFailuresTest, AFitThatThrows) {
  ExpectFailure(RunCoin("throw_in_fit"), "fit fixture.coin", CF_E_NOT_CONVERGED,
                "the coin stood on its edge");
}

TEST(StepFailuresTest, APredictionThatThrows) {
  ExpectFailure(RunCoin("throw_in_predict"), "predict fixture.coin", CF_E_NUMERIC,
                "the coin rolled away");
}

TEST(StepFailuresTest, AClassThatDoesNotExist) {
  ExpectFailure(RunCoin("bad_label"), "predict fixture.coin", CF_E_INVALID_ARGUMENT,
                "predicted class index 3 for row 10; there are 3 classes");
}

TEST(StepFailuresTest, AClassThatWasNotFilledIn) {
  ExpectFailure(RunCoin("no_label"), "predict fixture.coin", CF_E_INVALID_ARGUMENT,
                "predicted no class for row 1");
}

TEST(StepFailuresTest, AProbabilityOutOfRange) {
  ExpectFailure(RunCoin("negative", Keep::kProbabilities), "predict fixture.coin", CF_E_NUMERIC,
                "predicted probability -0.25 for row 1");
}

TEST(StepFailuresTest, AProbabilityThatIsNoNumber) {
  ExpectFailure(RunCoin("not_a_number", Keep::kProbabilities), "predict fixture.coin", CF_E_NUMERIC,
                "predicted probability nan for row 1");
}

TEST(StepFailuresTest, ProbabilitiesThatDoNotSumToOne) {
  ExpectFailure(RunCoin("wrong_sum", Keep::kProbabilities), "predict fixture.coin", CF_E_NUMERIC,
                "predicted probabilities that sum to 1.5 for row 1");
}

TEST(StepFailuresTest, AnInfiniteValue) {
  const auto splits = ModuloSplits(All(Numbers({1, 2, 3, 4}, {1, 2, 3, 4})), 2);
  ExpectFailure(RunOne(Learner("probe", {{"mode", "infinite"}}), splits), "predict fixture.probe",
                CF_E_NUMERIC, "predicted inf for row 1");
}

TEST(StepFailuresTest, TheDataIsSmallerThanTheLearnersOwnLimit) {
  const auto splits = ModuloSplits(All(Classes(9, 2)), 3);
  ExpectFailure(RunOne(Learner("picky", {{"rows", std::int64_t{7}}}), splits),
                "check fixture.picky", CF_E_UNSUPPORTED_DATA, "needs 7 training rows, there are 6");
  EXPECT_EQ(RunOne(Learner("picky", {{"rows", std::int64_t{6}}}), splits).status,
            OutcomeStatus::kOk);
}

TEST(StepFailuresTest, APluginThatGivesUpUnaskedHasFailed) {
  ExpectFailure(RunCoin("cancel_unasked"), "fit fixture.coin", CF_E_CANCELLED, "no wish to go on");
}

TEST(StepFailuresTest, OneFailedFoldLeavesTheOthersAlone) {
  // Of 7 rows, fold 0 of 3 trains on 4, the others on 5.
  const auto splits = ModuloSplits(All(Classes(7, 2)), 3);
  const auto learner =
      Learner("coin", {{"mode", "throw_in_fit"}, {"only_with_rows", std::int64_t{4}}});
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < 3; ++s) cells.push_back({learner, splits, s, 7, nullptr, {}});
  const auto outcomes = RunCells(cells, RunOptions());
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcomes[1].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[2].status, OutcomeStatus::kOk);
}

// Fold 0 of 2 trains on 4 rows and tests 5.
Outcome RunCentred(const std::string& mode, const std::string& learner = "picky") {
  return RunOne(Centred(mode, learner), ModuloSplits(All(Classes(9, 2)), 2));
}

TEST(StepFailuresTest, ATransformThatThrowsInFit) {
  ExpectFailure(RunCentred("throw_in_fit"), "fit fixture.center", CF_E_NUMERIC, "no centre");
}

TEST(StepFailuresTest, ATransformThatThrowsInApply) {
  ExpectFailure(RunCentred("throw_in_apply"), "apply fixture.center", CF_E_NUMERIC, "off centre");
}

TEST(StepFailuresTest, ATransformThatMakesOtherColumnsForTestRows) {
  ExpectFailure(
      RunCentred("other_columns"), "apply fixture.center", CF_E_INVALID_ARGUMENT,
      "it made different columns than for the training rows: feature 1 is 'moved' instead of 'x'");
}

TEST(StepFailuresTest, ATransformThatMakesOneColumnTwice) {
  ExpectFailure(RunCentred("twice"), "apply fixture.center", CF_E_INVALID_ARGUMENT,
                "it made column 'x' twice");
}

TEST(StepFailuresTest, ATransformThatMakesACategoryWithoutALevel) {
  ExpectFailure(RunCentred("bad_code", "coin"), "apply fixture.center", CF_E_INVALID_ARGUMENT,
                "it gave column 'side' the category code 2 with 2 levels");
}

TEST(StepFailuresTest, MissingValuesThatATransformMakesAreRefusedForTheLearner) {
  ExpectFailure(RunCentred("unfilled"), "fit fixture.picky", CF_E_UNSUPPORTED_DATA,
                "it does not accept missing values (4 in feature 'x'); fill them in or leave the "
                "feature out");
  EXPECT_EQ(RunCentred("unfilled", "coin").status, OutcomeStatus::kOk);
}

TEST(StepFailuresTest, MissingValuesInTestRowsOnlyAreRefusedToo) {
  ExpectFailure(RunCentred("gaps"), "predict fixture.picky", CF_E_UNSUPPORTED_DATA,
                "it does not accept missing values (5 in feature 'x'); fill them in or leave the "
                "feature out");
}

TEST(StepFailuresTest, ATransformThatLeavesNoFeatures) {
  ExpectFailure(RunCentred("nothing"), "fit fixture.picky", CF_E_UNSUPPORTED_DATA,
                "it needs features and there are none");
  EXPECT_EQ(RunCentred("nothing", "coin").status, OutcomeStatus::kOk);
}

// Expected numbers: Python's hashlib, as in unit/engine/plan/seed_test.cpp.
TEST(StepSeedsTest, OfACellStartWithItsRepeatAndFold) {
  const StepSeeds seeds(42, 2, 5);
  EXPECT_EQ(seeds.Fit(), 11662257710298222815u);
  EXPECT_EQ(seeds.Validation(), 15029737511530192796u);
  EXPECT_EQ(seeds.Predict(), 3830049241714610632u);
  EXPECT_EQ(seeds.FitTransform(1), 6048374514820367269u);
  EXPECT_EQ(seeds.Apply(1), 5729423846678209518u);
  EXPECT_EQ(seeds.Resample(1), 7395517100454702838u);
}

TEST(StepSeedsTest, OfAModelByItselfHaveThePurposeOnly) {
  const StepSeeds seeds(42);
  EXPECT_EQ(seeds.Fit(), 13278610656850328372u);
  EXPECT_EQ(seeds.Validation(), 11255204596792065314u);
  EXPECT_EQ(seeds.Predict(), 5753445770564378220u);
  EXPECT_EQ(seeds.FitTransform(1), 15402821091643042339u);
  EXPECT_EQ(seeds.Apply(1), 2299063319842082034u);
  EXPECT_EQ(seeds.Resample(1), 7682595846661377897u);
}

}  // namespace
}  // namespace crossfold
