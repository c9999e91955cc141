#include "crossfold/experiment.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "crossfold/score.h"
#include "crossfold/seed.h"
#include "message_of.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::Metric;
using fixture::ModuloSplits;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Experiment TwoLearners() {
  Experiment experiment;
  experiment.learners = {{"coin", Learner("coin")}, {"first", Learner("first_class")}};
  experiment.splits = ModuloSplits(All(Classes(12, 2)), 3);
  experiment.metrics = {Metric("hits"), Metric("true_probability")};
  experiment.seed = 7;
  return experiment;
}

std::string RefusalOf(const Experiment& experiment) {
  return test::MessageOf([&] { RunExperiment(experiment, RunOptions()); });
}

TEST(ExperimentTest, ALearnersSeedComesFromItsDefinitionAndTheExperiments) {
  Experiment experiment = TwoLearners();
  experiment.learners.push_back({"again", Learner("coin")});
  experiment.learners.push_back({"other", Learner("coin"), 2});
  const ExperimentResult result = RunExperiment(experiment, RunOptions());
  ASSERT_THAT(result.folds, SizeIs(12));
  const auto metrics = std::make_shared<const MetricList>(experiment.metrics);
  const std::uint64_t seed = SeedOfPath(SeedOfPath(7, {"learner"}), {"fixture.coin"});
  for (std::size_t i = 0; i < 3; ++i) {
    Cell cell{experiment.learners[0].learner,
              experiment.splits,
              static_cast<std::int64_t>(i),
              seed,
              metrics,
              Keep::kNothing};
    const auto alone = RunAndScore(std::span(&cell, 1), RunOptions());
    EXPECT_EQ(result.folds[i].outcome.scores[1].value, alone[0].scores[1].value);
    EXPECT_EQ(result.folds[6 + i].outcome.scores[1].value, alone[0].scores[1].value);
    cell.seed = SeedOfPath(seed, {2});
    const auto other = RunAndScore(std::span(&cell, 1), RunOptions());
    EXPECT_EQ(result.folds[9 + i].outcome.scores[1].value, other[0].scores[1].value);
  }
  EXPECT_THAT(result.learners, ElementsAre("coin", "first", "again", "other"));
  EXPECT_THAT(result.metrics, ElementsAre("fixture.hits", "fixture.true_probability"));
}

TEST(ExperimentTest, PredictionsArePooledFoldByFold) {
  Experiment experiment = TwoLearners();
  experiment.keep = Keep::kProbabilities;
  const ExperimentResult result = RunExperiment(experiment, RunOptions());
  ASSERT_THAT(result.predictions, SizeIs(2));
  EXPECT_THAT(result.predictions[1].rows, ElementsAre(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
  EXPECT_THAT(result.predictions[1].folds, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2));
  EXPECT_THAT(result.predictions[1].labels, testing::Each(0));
  EXPECT_THAT(result.predictions[0].probabilities, SizeIs(24));
  EXPECT_THAT(result.predictions[1].probabilities, IsEmpty()) << "it gives none";
  EXPECT_THAT(result.folds[0].outcome.prediction.rows, IsEmpty());
}

TEST(ExperimentTest, SummariesAreOverTheFoldsWithAValue) {
  Experiment experiment = TwoLearners();
  const auto summaries = SummarizeScores(RunExperiment(experiment, RunOptions()));
  ASSERT_THAT(summaries, SizeIs(4));
  EXPECT_EQ(summaries[2].scores.mean, 0.5);  // first_class by hits
  EXPECT_EQ(summaries[2].n_defined, 3);
  EXPECT_EQ(summaries[3].n_defined, 0);  // it gives no probabilities
  EXPECT_TRUE(std::isnan(summaries[3].scores.mean));
  EXPECT_EQ(summaries[3].n_folds, 3);
  EXPECT_EQ(summaries[3].n_failed, 0);
}

TEST(ExperimentTest, AnInfiniteScoreMakesTheMeanInfiniteAndTheRestUndefined) {
  ExperimentResult result;
  result.learners = {"a"};
  result.metrics = {"m"};
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {1.0, infinity}) {
    FoldResult fold;
    fold.outcome.status = OutcomeStatus::kOk;
    fold.outcome.scores = {{true, value, ""}};
    result.folds.push_back(fold);
  }
  EXPECT_EQ(SummarizeScores(result)[0].scores.mean, infinity);
  EXPECT_TRUE(std::isnan(SummarizeScores(result)[0].scores.sd));
  result.folds[0].outcome.scores[0].value = -infinity;
  EXPECT_TRUE(std::isnan(SummarizeScores(result)[0].scores.mean));
}

TEST(ExperimentTest, AFailedFoldIsCountedAndKeepsItsReason) {
  Experiment experiment = TwoLearners();
  experiment.learners = {{"bad", Learner("coin", {{"mode", "throw_in_predict"}})}};
  const ExperimentResult result = RunExperiment(experiment, RunOptions());
  EXPECT_EQ(result.folds[0].outcome.failure.message, "the coin rolled away");
  const auto summaries = SummarizeScores(result);
  EXPECT_EQ(summaries[0].n_failed, 3);
  EXPECT_EQ(summaries[0].n_defined, 0);
  EXPECT_THAT(result.predictions[0].rows, IsEmpty());
}

TEST(ExperimentTest, ProgressIsToldOfEveryCell) {
  std::vector<std::size_t> finished;
  RunExperiment(TwoLearners(), RunOptions(), [&](const Progress& progress) {
    finished.push_back(progress.finished);
    EXPECT_EQ(progress.total, 6u);
  });
  EXPECT_THAT(finished, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(ExperimentTest, WhatTheProgressCallbackThrowsStopsTheRunAndComesOut) {
  std::size_t calls = 0;
  RunOptions options;
  options.workers = 1;
  options.share = false;
  const auto progress = [&](const Progress&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  EXPECT_THROW(RunExperiment(TwoLearners(), options, progress), std::runtime_error);
  EXPECT_EQ(calls, 1u);
}

TEST(ExperimentTest, ACancelledRunHasTheCellsThatFinished) {
  CancelToken cancel;
  RunOptions options;
  options.workers = 1;
  options.share = false;
  options.cancel = &cancel;
  const ExperimentResult result = RunExperiment(TwoLearners(), options, [&](const Progress& now) {
    if (now.finished == 2) cancel.Cancel();
  });
  EXPECT_EQ(result.folds[1].outcome.status, OutcomeStatus::kOk);
  EXPECT_EQ(result.folds[5].outcome.status, OutcomeStatus::kCancelled);
}

TEST(ExperimentTest, AnEngineOfTheHostRunsTheCells) {
  bool called = false;
  const RunEngine engine = [&](std::span<const CellBlock> blocks, const RunOptions& options,
                               const TakeOutcome& take) {
    called = true;
    EXPECT_EQ(blocks[0].purpose->learner, "coin");
    RunAndScore(blocks, options, take);
  };
  const auto with = RunExperiment(TwoLearners(), RunOptions(), {}, engine);
  const auto without = RunExperiment(TwoLearners(), RunOptions());
  EXPECT_TRUE(called);
  EXPECT_EQ(with.predictions[0].labels, without.predictions[0].labels);
}

TEST(ExperimentTest, NamesMustBeDistinctAndThere) {
  Experiment experiment = TwoLearners();
  experiment.learners[1].name = "coin";
  EXPECT_EQ(RefusalOf(experiment),
            "cannot run the experiment: two learners are called 'coin'; give them distinct names");
  experiment.learners.clear();
  EXPECT_EQ(RefusalOf(experiment), "cannot run the experiment: it has no learners");
}

TEST(ExperimentTest, ThePredictionTableHasTheTruthBesideEveryPrediction) {
  Experiment experiment = TwoLearners();
  experiment.keep = Keep::kProbabilities;
  const auto table = PredictionTable(RunExperiment(experiment, RunOptions()));
  EXPECT_EQ(table->num_rows(), 24);
  std::vector<std::string> names;
  for (const Column& column : table->columns()) names.push_back(column.name);
  EXPECT_THAT(
      names, ElementsAre("learner", "repeat", "fold", "row", "truth", "predicted", "p(a)", "p(b)"));
  const auto* truth = static_cast<const std::int32_t*>(table->column("truth").data);
  const auto* rows = static_cast<const std::int64_t*>(table->column("row").data);
  const auto labels = experiment.splits->view().data->labels();
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(truth[i], labels[static_cast<std::size_t>(rows[i])]);
  }
  EXPECT_EQ(table->column("p(a)").CountMissing(), 12) << "of the learner that gives none";
}

TEST(ExperimentTest, NoPredictionsMakeNoTable) {
  Experiment experiment = TwoLearners();
  experiment.keep = Keep::kNothing;
  const auto result = RunExperiment(experiment, RunOptions());
  EXPECT_THROW(PredictionTable(result), Error);
}

}  // namespace
}  // namespace crossfold
