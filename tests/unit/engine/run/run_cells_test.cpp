#include "crossfold/run.h"

#include <cfenv>
#include <stdexcept>

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::ModuloSplits;
using fixture::Numbers;
using fixture::SixNumbers;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Cell> CellsOf(std::shared_ptr<const Pipeline> learner,
                          std::shared_ptr<const SplitPlan> splits, Keep keep,
                          std::uint64_t seed = 7) {
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < splits->size(); ++s) {
    cells.push_back({learner, splits, s, seed, nullptr, keep});
  }
  return cells;
}

std::vector<Outcome> RunAll(const std::vector<Cell>& cells) {
  RunOptions options;
  options.workers = 1;
  return RunCells(cells, options);
}

// The value predicted for the first test row of each split.
std::vector<double> ProbeSplits(const std::string& mode, std::shared_ptr<const SplitPlan> splits) {
  std::vector<double> values;
  for (const Outcome& outcome :
       RunAll(CellsOf(Learner("probe", {{"mode", mode}}), std::move(splits), Keep::kLabels))) {
    EXPECT_EQ(outcome.status, OutcomeStatus::kOk) << outcome.failure.message;
    values.push_back(outcome.prediction.values.at(0));
  }
  return values;
}

TEST(RunCellsTest, NoCellsGiveNoOutcomes) { EXPECT_THAT(RunAll({}), IsEmpty()); }

TEST(RunCellsTest, LearnersTrainOnTheTrainingRowsOfTheirSplit) {
  // Of rows 0 .. 6, fold 0 tests 0 3 6, fold 1 tests 1 4, fold 2 tests 2 5.
  const auto splits =
      ModuloSplits(All(Numbers({0, 1, 2, 3, 4, 5, 6}, {1, 2, 4, 8, 16, 32, 64})), 3);
  EXPECT_THAT(ProbeSplits("training_rows", splits), ElementsAre(4, 5, 5));
  EXPECT_THAT(ProbeSplits("target_sum", splits), ElementsAre(54, 109, 91));
}

TEST(RunCellsTest, PredictionsBelongToTheTestRows) {
  const auto outcomes = RunAll(CellsOf(Learner("probe", {{"mode", "feature"}}),
                                       ModuloSplits(All(SixNumbers()), 2), Keep::kLabels));
  EXPECT_THAT(outcomes[1].prediction.rows, ElementsAre(1, 3, 5));
  EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(2, 4, 6));
  EXPECT_EQ(outcomes[1].n_train, 3);
  EXPECT_EQ(outcomes[1].n_test, 3);
}

TEST(RunCellsTest, WeightsAreThoseOfTheTrainingRows) {
  Roles roles;
  roles.target = "y";
  roles.weights = "w";
  const auto data =
      Dataset::Create("weighted",
                      {Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 2, 4, 8}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      roles);
  EXPECT_THAT(ProbeSplits("weight_sum", ModuloSplits(All(data), 2)), ElementsAre(10, 5));
}

// Expected numbers: as in unit/engine/plan/seed_test.cpp, their lower 32 bits.
TEST(RunCellsTest, SeedsFollowFromRepeatFoldAndPurpose) {
  const auto splits = ModuloSplits(All(SixNumbers()), 2, 2);
  const std::vector<double> fit = ProbeSplits("fit_seed", splits);
  EXPECT_EQ(fit[1], 2937434961);  // 7, repeat 0, fold 1, fit
  EXPECT_EQ(fit[2], 643611501);   // 7, repeat 1, fold 0, fit
  EXPECT_EQ(ProbeSplits("predict_seed", splits)[1], 2877688148);
}

TEST(RunCellsTest, KeepSaysWhatStaysOfThePredictions) {
  const auto splits = ModuloSplits(All(Classes(9, 3)), 3);
  const auto kept = [&](Keep keep) {
    return RunAll(CellsOf(Learner("coin"), splits, keep))[0].prediction;
  };
  EXPECT_THAT(kept(Keep::kNothing).rows, IsEmpty());
  EXPECT_THAT(kept(Keep::kNothing).labels, IsEmpty());
  EXPECT_THAT(kept(Keep::kLabels).labels, SizeIs(3));
  EXPECT_THAT(kept(Keep::kLabels).probabilities, IsEmpty());
  EXPECT_THAT(kept(Keep::kProbabilities).labels, SizeIs(3));
  EXPECT_THAT(kept(Keep::kProbabilities).probabilities, SizeIs(9));
  EXPECT_EQ(kept(Keep::kProbabilities).n_classes, 3);
}

TEST(RunCellsTest, LabelsDoNotDependOnWhetherProbabilitiesAreKept) {
  const auto splits = ModuloSplits(All(Classes(60, 3)), 3);
  const auto labels = [&](Keep keep) {
    return RunAll(CellsOf(Learner("coin"), splits, keep))[1].prediction.labels;
  };
  EXPECT_EQ(labels(Keep::kLabels), labels(Keep::kProbabilities));
}

TEST(RunCellsTest, LearnersWithoutProbabilitiesGiveNone) {
  const auto outcomes = RunAll(
      CellsOf(Learner("first_class"), ModuloSplits(All(Classes(9, 3)), 3), Keep::kProbabilities));
  EXPECT_THAT(outcomes[0].prediction.labels, ElementsAre(0, 0, 0));
  EXPECT_THAT(outcomes[0].prediction.probabilities, IsEmpty());
}

TEST(RunCellsTest, WarningsArePassedOnWithTheirStage) {
  const auto outcomes = RunAll(CellsOf(Learner("coin", {{"mode", "rounding"}}),
                                       ModuloSplits(All(Classes(9, 3)), 3), Keep::kNothing));
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_THAT(outcomes[0].warnings, ElementsAre("fit fixture.coin: changed the rounding mode"));
}

TEST(RunCellsTest, OnFinishedSeesEveryCellAndMayChangeItsOutcome) {
  std::vector<std::size_t> seen;
  RunOptions options;
  options.workers = 1;
  options.on_finished = [&](std::size_t i, Outcome& outcome) {
    seen.push_back(i);
    outcome.prediction = Prediction();
  };
  const auto outcomes = RunCells(
      CellsOf(Learner("coin"), ModuloSplits(All(Classes(9, 3)), 3), Keep::kLabels), options);
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
  EXPECT_THAT(outcomes[2].prediction.labels, IsEmpty());
}

TEST(RunCellsTest, WhatOnFinishedThrowsFailsTheCellOnly) {
  RunOptions options;
  options.workers = 2;
  options.on_finished = [&](std::size_t i, Outcome&) {
    if (i == 1) throw std::runtime_error("the disk is full");
  };
  const auto outcomes = RunCells(
      CellsOf(Learner("coin"), ModuloSplits(All(Classes(9, 3)), 3), Keep::kLabels), options);
  EXPECT_EQ(outcomes[0].status, OutcomeStatus::kOk);
  EXPECT_EQ(outcomes[1].status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcomes[1].failure.stage, "on_finished");
  EXPECT_EQ(outcomes[1].failure.message, "the disk is full");
  EXPECT_EQ(outcomes[2].status, OutcomeStatus::kOk);
}

TEST(RunCellsTest, AModelThatIsDestroyedBadlyIsAWarning) {
  const auto outcomes =
      RunAll(CellsOf(Learner("slammer"), ModuloSplits(All(Classes(9, 3)), 3), Keep::kNothing));
  EXPECT_THAT(outcomes[0].warnings,
              ElementsAre("destroy fixture.slammer: changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

// 300,000 rows by 300,000 classes by 8 bytes are 720 GB.
TEST(RunCellsTest, PredictionsThatCannotBeKeptAreRefusedBeforeTheRun) {
  constexpr std::int32_t kMany = 300'000;
  std::vector<std::int32_t> codes;
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < kMany; ++i) {
    codes.push_back(i);
    names.push_back("c" + std::to_string(i));
  }
  const auto data =
      Dataset::Create("many", {Column::Categories("y", codes, names)}, fixture::WithTarget("y"));
  const auto splits = ModuloSplits(All(data), 2, 1);
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < 2; ++s) {
    cells.push_back({Learner("coin"), splits, s, 1, nullptr, Keep::kProbabilities});
  }
  try {
    RunCells(cells, RunOptions());
    FAIL() << "it was not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kOutOfMemory);
    EXPECT_THAT(e.what(), testing::StartsWith(
                              "cannot run the cells: the predictions that they keep, of 300000 "
                              "classes, take 720003600000 bytes and the limit is "));
    EXPECT_THAT(e.what(), testing::HasSubstr("; use keep = \"labels\" or \"none\", or fewer "));
  }
}

}  // namespace
}  // namespace crossfold
