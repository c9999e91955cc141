// Computes new scores of the predictions in a store: with other metrics, other costs or for a
// subgroup of the rows. Nothing is fitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/cost_table.h"
#include "crossfold/outcome.h"
#include "crossfold/plugin_host.h"
#include "crossfold/table.h"
#include "crossfold/test_sets.h"

namespace crossfold {

struct RescoreRequest {
  MetricList metrics;              // at least one
  std::optional<CostTable> costs;  // instead of those of the data
  std::string subgroup;            // as in crossfold/subgroup.h; "" = all rows
  std::int64_t run = 0;            // its number in the store; 0 = the last one with outer cells
  bool inner = false;              // the inner cells of searches instead of the outer ones
  LogSink log;                     // gets what metrics log; may be empty
};

struct RescoredFold {
  std::string learner, dataset;  // names in the experiment
  std::string candidate;         // "standardize|knn{k=7}"; "" = combined in the script
  // Numbers cells with the same names, repeat and fold: those of several experiments of one script,
  // and of the inner splits of several outer folds.
  std::int64_t occurrence = 0;
  std::int64_t repeat = 0, fold = 0;  // from 0
  bool failed = false;                // then all scores are undefined
  std::vector<Score> scores;          // one per metric
  // By metric, the class that the score is of (FindScoredClass); "" = it is of no one class. Empty
  // if the store did not keep the data.
  std::vector<std::string> classes;
};

// Plain data.
struct Rescored {
  std::int64_t run = 0;  // the number of the run
  bool inner = false;
  std::vector<std::string> metrics;  // Spec::ToString()
  std::vector<RescoredFold> folds;   // by dataset, learner, occurrence, repeat, fold; inner ones
                                     // by dataset, learner, candidate, occurrence, repeat, fold
  std::vector<std::string> damaged;  // names of what is damaged and left out
  // The numbers of all outer folds of a learner that are not means over folds (test_sets.h), by its
  // first fold and the metric, or why there is none; and the metrics that are scored so.
  std::map<std::pair<std::size_t, std::size_t>, Score> headlines;
  std::map<std::size_t, Aggregation> aggregations;
};

// The score of a fold is undefined, with the reason, if none of its rows is in the subgroup, or if
// the store has no prediction of it or lacks what the metric needs. Throws Error for a store that
// cannot be read, an unknown run, and a column or class that no dataset of the run has, and as
// ScorePredictions does.
Rescored Rescore(const std::filesystem::path& store, const RescoreRequest& request);

// The mean and standard deviation over the folds in which a metric is defined: learner, metric,
// mean, sd, min, max, folds ("27 of 30" if undefined in some); dataset and candidate if there are
// several or the cells are inner ones.
Table SummaryTable(const Rescored& rescored);
// The same for people, with what the numbers are.
std::string SummaryText(const Rescored& rescored);
// One row per fold and metric: dataset, learner, (candidate), repeat and fold from 1, metric,
// value, undefined.
Table ScoreTable(const Rescored& rescored);

}  // namespace crossfold
