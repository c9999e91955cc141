// A whole comparison in one call: each learner runs on each split and is scored by each metric. The
// same seed gives the same numbers as cf.evaluate in Lua and crossfold_evaluate in C.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/progress.h"
#include "crossfold/run.h"
#include "crossfold/summary.h"
#include "crossfold/test_sets.h"

namespace crossfold {

struct NamedLearner {
  std::string name;  // distinct; the learner's seeds come from its definition
  std::shared_ptr<const Pipeline> learner;
  std::optional<std::int64_t> seed = {};  // for other random numbers than those of an equal learner
};

struct Experiment {
  std::vector<NamedLearner> learners;
  std::shared_ptr<const SplitPlan> splits;  // the same for all; its view has the data
  MetricList metrics;                       // may be empty
  std::uint64_t seed = 1;
  Keep keep = Keep::kLabels;  // what of the predictions the result holds
  Isolation isolation = Isolation::kNone;
};

// Makes the splits as cf.evaluate does for an experiment with that seed. Throws as MakeSplits does.
std::shared_ptr<const SplitPlan> MakeExperimentSplits(const Spec& splitter, const DataView& view,
                                                      std::uint64_t seed,
                                                      const RunOptions& options = {});

// One learner on one split.
struct FoldResult {
  std::size_t learner = 0;            // its place in ExperimentResult::learners
  std::int64_t repeat = 0, fold = 0;  // from 0
  Outcome outcome;                    // without its prediction, which is pooled
};

// All kept predictions of one learner, fold by fold, with one entry per tested row.
struct FoldPredictions {
  std::vector<std::int64_t> repeats, folds, rows;
  std::vector<std::int32_t> labels;   // classification: class indices
  std::vector<double> values;         // regression
  std::vector<double> probabilities;  // rows x classes; empty if not kept or a fold has none
};

struct ExperimentResult {
  std::shared_ptr<const Dataset> data;
  std::vector<std::string> learners, metrics;  // names
  std::vector<FoldResult> folds;               // learner by learner, split by split
  std::vector<FoldPredictions> predictions;    // one per learner; empty if nothing was kept
  MetricList scored_by;                        // the metrics themselves, and the splits
  std::shared_ptr<const SplitPlan> splits;
};

// Fits, predicts and scores everything. A fold that fails, or that did not run because of a
// cancellation, is data in its outcome. Throws Error(kInvalidArgument) before anything runs if
// names are not distinct, or if a learner or metric does not fit the data. `engine` runs the cells
// (worker processes, a store); empty = RunAndScore.
ExperimentResult RunExperiment(const Experiment& experiment, const RunOptions& options,
                               const ProgressSink& progress = {}, const RunEngine& engine = {});

// The scores of one learner by one metric, over the folds in which the metric is defined.
struct ScoreSummary {
  std::size_t learner = 0, metric = 0;  // places in the result
  std::int64_t n_folds = 0, n_defined = 0, n_failed = 0;
  // The summary of the defined values. If some are infinite, it has only the mean, which is
  // infinite, or undefined (NaN) if there are infinities of both signs. The mean is the number that
  // `aggregation` says, or undefined if there is none, and then `undefined` says why.
  Summary scores;
  Aggregation aggregation = Aggregation::kMean;
  double mean_over_folds = 0;
  std::string undefined;
};

// Returns the summaries learner by learner, metric by metric.
std::vector<ScoreSummary> SummarizeScores(const ExperimentResult& result);

// What each split adds to that number: the scores, or values whose mean is the weighted or pooled
// one (x of the infinitesimal jackknife: how the number of all splits but one differs). Undefined
// where a split has none. REQUIRES: the result has splits.
std::vector<Score> SplitValues(const ExperimentResult& result, std::size_t learner,
                               std::size_t metric);

// Returns the kept predictions of all learners as data, with the columns learner, repeat, fold, row
// (all from 0), truth, predicted and, if probabilities were kept, "p(CLASS)" for each class
// (missing for learners that give none). Throws Error(kInvalidArgument) if no predictions were
// kept.
std::shared_ptr<const Dataset> PredictionTable(const ExperimentResult& result);

}  // namespace crossfold
