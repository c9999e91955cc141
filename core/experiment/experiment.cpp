#include "crossfold/experiment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/run_engine.h"
#include "crossfold/score.h"
#include "crossfold/seed.h"
#include "experiment/progress_reporter.h"

namespace crossfold {
namespace {

void CheckExperiment(const Experiment& experiment) {
  const std::string attempt = "cannot run the experiment: ";
  if (experiment.learners.empty()) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "it has no learners");
  }
  const Dataset& data = *experiment.splits->view().data;
  std::set<std::string_view> taken;
  for (const NamedLearner& entry : experiment.learners) {
    if (!taken.insert(entry.name).second) {
      throw Error(ErrorKind::kInvalidArgument, attempt + "two learners are called '" + entry.name +
                                                   "'; give them distinct names");
    }
    CheckCompatible(*entry.learner, data);
    for (const auto& metric : experiment.metrics) {
      CheckMetricOfLearner(*metric, entry.learner->learner());
    }
  }
  for (const auto& metric : experiment.metrics) CheckMetric(*metric, data);
}

// The seed is derived as in scripts (scripts/crossfold/learner.lua).
std::uint64_t LearnerSeed(std::uint64_t seed, const NamedLearner& entry) {
  seed = SeedOfSteps(seed, {"learner", std::string_view(entry.learner->FamilyName())});
  return entry.seed ? SeedOfSteps(seed, {*entry.seed}) : seed;
}

std::vector<CellBlock> BlocksOf(const Experiment& experiment) {
  const auto metrics = std::make_shared<const MetricList>(experiment.metrics);
  const std::string& dataset = experiment.splits->view().data->name();
  std::vector<CellBlock> blocks;
  for (const NamedLearner& entry : experiment.learners) {
    const CellPurpose purpose{entry.name, dataset};
    blocks.push_back({.learner = entry.learner,
                      .splits = experiment.splits,
                      .first = 0,
                      .count = experiment.splits->size(),
                      .seed = LearnerSeed(experiment.seed, entry),
                      .metrics = metrics,
                      .keep = experiment.keep,
                      .isolation = experiment.isolation,
                      .purpose = std::make_shared<const CellPurpose>(purpose)});
  }
  return blocks;
}

ExperimentResult EmptyResult(const Experiment& experiment) {
  const SplitPlan& splits = *experiment.splits;
  ExperimentResult result;
  result.data = splits.view().data;
  result.scored_by = experiment.metrics;
  result.splits = experiment.splits;
  for (const auto& metric : experiment.metrics) result.metrics.push_back(metric->ToString());
  for (std::size_t l = 0; l < experiment.learners.size(); ++l) {
    result.learners.push_back(experiment.learners[l].name);
    for (std::int64_t s = 0; s < splits.size(); ++s) {
      result.folds.push_back({l, splits.repeat_of(s), splits.fold_of(s), {}});
    }
  }
  return result;
}

template <class T>
void Append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Moves the predictions of each learner's folds into one prediction.
void PoolPredictions(ExperimentResult& result) {
  result.predictions.resize(result.learners.size());
  std::vector<bool> complete(result.learners.size(), true);  // whether every fold has probabilities
  for (FoldResult& fold : result.folds) {
    FoldPredictions& pool = result.predictions[fold.learner];
    const Prediction p = std::exchange(fold.outcome.prediction, {});
    pool.repeats.insert(pool.repeats.end(), p.rows.size(), fold.repeat);
    pool.folds.insert(pool.folds.end(), p.rows.size(), fold.fold);
    Append(pool.rows, p.rows);
    Append(pool.labels, p.labels);
    if (p.labels.empty()) Append(pool.values, p.values);  // not scores
    Append(pool.probabilities, p.probabilities);
    if (!p.rows.empty() && p.probabilities.empty()) complete[fold.learner] = false;
  }
  for (std::size_t l = 0; l < complete.size(); ++l) {
    if (!complete[l]) result.predictions[l].probabilities.clear();
  }
}

// Summarizes values of which at least one is infinite.
Summary SummaryOfInfinite(const std::vector<double>& values) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Summary summary{static_cast<std::int64_t>(values.size()), 0, kNone, kNone, kNone, kNone, kNone};
  for (const double value : values) {
    if (std::isinf(value)) summary.mean += value;  // NaN if there are both signs
  }
  return summary;
}

Aggregation AggregationOf(const ExperimentResult& result, const TestSets& sets,
                          std::size_t metric) {
  const Spec& spec = *result.scored_by[metric];
  const bool is_mean = !sets.weights.empty() && IsMeanOverRows(spec, *result.data);
  return ChooseAggregation(sets, TestSizeOf(spec), is_mean);
}

// The score of what was kept of a learner, without the rows of split `left_out`; -1 = of all.
Score ScoreKept(const ExperimentResult& result, std::size_t learner, std::size_t metric,
                std::int64_t left_out) {
  if (result.predictions.empty()) {
    return {false, 0,
            "the test sets are too small for a mean of their scores, and no predictions "
            "were kept; run the experiment with keep = \"labels\" or \"probabilities\""};
  }
  const FoldPredictions& kept = result.predictions[learner];
  const SplitPlan& splits = *result.splits;
  Prediction p;
  p.n_classes = result.data->num_classes();
  const auto k = static_cast<std::size_t>(p.n_classes);
  for (std::size_t i = 0; i < kept.rows.size(); ++i) {
    if (left_out >= 0 && kept.repeats[i] == splits.repeat_of(left_out) &&
        kept.folds[i] == splits.fold_of(left_out)) {
      continue;
    }
    p.rows.push_back(kept.rows[i]);
    if (!kept.labels.empty()) p.labels.push_back(kept.labels[i]);
    if (!kept.values.empty()) p.values.push_back(kept.values[i]);
    if (kept.probabilities.empty()) continue;
    const auto first = kept.probabilities.begin() + static_cast<std::ptrdiff_t>(i * k);
    p.probabilities.insert(p.probabilities.end(), first, first + static_cast<std::ptrdiff_t>(k));
  }
  return ScorePrediction(*result.scored_by[metric], *result.data, p);
}

// The scores of a learner, split by split.
std::vector<Score> ScoresOf(const ExperimentResult& result, std::size_t learner,
                            std::size_t metric) {
  std::vector<Score> scores;
  for (const FoldResult& fold : result.folds) {
    if (fold.learner != learner) continue;
    const Outcome& outcome = fold.outcome;
    if (outcome.status == OutcomeStatus::kOk) {
      scores.push_back(outcome.scores[metric]);
    } else if (outcome.status == OutcomeStatus::kFailed) {
      scores.push_back(
          {false, 0, "failed at " + outcome.failure.stage + ": " + outcome.failure.message});
    } else {
      scores.push_back({false, 0, "it did not run"});
    }
  }
  return scores;
}

// The mean of scores that count by `weights`.
double WeightedMean(const std::vector<Score>& scores, const std::vector<double>& weights) {
  double sum = 0, total = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (!scores[s].defined) continue;
    sum += weights[s] * scores[s].value;
    total += weights[s];
  }
  return sum / total;
}

// Gives a summary the number that stands for all scores.
void SetHeadline(const ExperimentResult& result, const TestSets& sets, ScoreSummary& row) {
  row.mean_over_folds = row.scores.mean;
  row.aggregation = AggregationOf(result, sets, row.metric);
  if (row.aggregation == Aggregation::kByWeight && std::isfinite(row.scores.mean)) {
    row.scores.mean = WeightedMean(ScoresOf(result, row.learner, row.metric), sets.weights);
  } else if (row.aggregation == Aggregation::kPooled) {
    const Score score = ScoreKept(result, row.learner, row.metric, -1);
    row.scores.mean = score.defined ? score.value : std::numeric_limits<double>::quiet_NaN();
    row.undefined = score.undefined;
  }
}

// Values of all splits that have a score: the number of all, and J - 1 times how much the one
// without a split is below the mean of such.
void SetPseudoValues(const ExperimentResult& result, std::size_t learner, std::size_t metric,
                     std::vector<Score>& scores) {
  const Score all = ScoreKept(result, learner, metric, -1);
  double sum = 0, n = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const Outcome& outcome = result.folds[learner * scores.size() + s].outcome;
    if (outcome.status != OutcomeStatus::kOk) continue;
    scores[s] =
        all.defined ? ScoreKept(result, learner, metric, static_cast<std::int64_t>(s)) : all;
    if (!scores[s].defined) continue;
    sum += scores[s].value;
    n += 1;
  }
  for (Score& score : scores) {
    if (score.defined) score.value = all.value + (n - 1) * (sum / n - score.value);
  }
}

Summary SummaryOf(const std::vector<double>& values) {
  const bool finite = std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  return finite ? Summarize(values) : SummaryOfInfinite(values);
}

// Collects the columns of the table of predictions.
struct PredictionColumns {
  explicit PredictionColumns(const ExperimentResult& result)
      : data(*result.data), probabilities(static_cast<std::size_t>(data.num_classes())) {}

  void Add(std::size_t learner, const FoldPredictions& p) {
    learners.insert(learners.end(), p.rows.size(), static_cast<std::int32_t>(learner));
    Append(repeats, p.repeats);
    Append(folds, p.folds);
    Append(rows, p.rows);
    Append(labels, p.labels);
    Append(values, p.values);
    for (const std::int64_t row : p.rows) {
      const auto i = static_cast<std::size_t>(row);
      if (data.task() == Task::kClassification) true_labels.push_back(data.labels()[i]);
      if (data.task() == Task::kRegression) true_values.push_back(data.values()[i]);
    }
    const std::size_t k = probabilities.size();
    has_probabilities = has_probabilities || !p.probabilities.empty();
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      for (std::size_t c = 0; c < k; ++c) {
        probabilities[c].push_back(p.probabilities.empty()
                                       ? std::numeric_limits<double>::quiet_NaN()
                                       : p.probabilities[i * k + c]);
      }
    }
  }

  std::vector<Column> Finish(const std::vector<std::string>& learner_names) {
    std::vector<Column> columns;
    columns.push_back(Column::Categories("learner", std::move(learners), learner_names));
    columns.push_back(Column::Integers("repeat", std::move(repeats)));
    columns.push_back(Column::Integers("fold", std::move(folds)));
    columns.push_back(Column::Integers("row", std::move(rows)));
    if (data.task() == Task::kRegression) {
      columns.push_back(Column::Doubles("truth", std::move(true_values)));
      columns.push_back(Column::Doubles("predicted", std::move(values)));
      return columns;
    }
    const std::vector<std::string> classes(data.class_names().begin(), data.class_names().end());
    columns.push_back(Column::Categories("truth", std::move(true_labels), classes));
    columns.push_back(Column::Categories("predicted", std::move(labels), classes));
    for (std::size_t c = 0; has_probabilities && c < classes.size(); ++c) {
      columns.push_back(Column::Doubles("p(" + classes[c] + ")", std::move(probabilities[c])));
    }
    return columns;
  }

  const Dataset& data;
  std::vector<std::int32_t> learners, labels, true_labels;
  std::vector<std::int64_t> repeats, folds, rows;
  std::vector<double> values, true_values;
  std::vector<std::vector<double>> probabilities;  // by class
  bool has_probabilities = false;
};

}  // namespace

std::shared_ptr<const SplitPlan> MakeExperimentSplits(const Spec& splitter, const DataView& view,
                                                      std::uint64_t seed,
                                                      const RunOptions& options) {
  return MakeSplits(splitter, view, SeedOfSteps(seed, {"splits"}), options.cancel, options.log);
}

ExperimentResult RunExperiment(const Experiment& experiment, const RunOptions& options,
                               const ProgressSink& progress, const RunEngine& engine) {
  CheckExperiment(experiment);
  const std::vector<CellBlock> blocks = BlocksOf(experiment);
  ExperimentResult result = EmptyResult(experiment);
  CancelToken stop(options.cancel);
  RunOptions how = options;
  how.cancel = &stop;
  Progress folds;
  folds.folds_total = result.folds.size();
  ProgressReporter reporter(progress, blocks, stop, folds);
  const CellBlock& any = blocks.front();  // all cells are folds
  const TakeOutcome take = [&](std::size_t i, Outcome&& outcome) {
    const OutcomeStatus status = outcome.status;
    result.folds[i].outcome = std::move(outcome);
    reporter.CellFinished(any, status);
  };
  reporter.Watch(engine ? engine : MakeEngine({}))(blocks, how, take);
  reporter.Rethrow();
  if (experiment.keep != Keep::kNothing) PoolPredictions(result);
  return result;
}

std::vector<ScoreSummary> SummarizeScores(const ExperimentResult& result) {
  std::vector<ScoreSummary> rows;
  const TestSets sets = result.splits ? MeasureTestSets(*result.splits) : TestSets{};
  for (std::size_t l = 0; l < result.learners.size(); ++l) {
    for (std::size_t m = 0; m < result.metrics.size(); ++m) {
      ScoreSummary row;
      row.learner = l;
      row.metric = m;
      std::vector<double> values;
      for (const FoldResult& fold : result.folds) {
        if (fold.learner != l) continue;
        ++row.n_folds;
        if (fold.outcome.status == OutcomeStatus::kFailed) ++row.n_failed;
        if (fold.outcome.status != OutcomeStatus::kOk) continue;
        const Score& score = fold.outcome.scores[m];
        if (score.defined) values.push_back(score.value);
      }
      row.n_defined = static_cast<std::int64_t>(values.size());
      row.scores = SummaryOf(values);
      row.mean_over_folds = row.scores.mean;
      if (result.splits) SetHeadline(result, sets, row);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<Score> SplitValues(const ExperimentResult& result, std::size_t learner,
                               std::size_t metric) {
  const TestSets sets = MeasureTestSets(*result.splits);
  std::vector<Score> scores = ScoresOf(result, learner, metric);
  const Aggregation aggregation = AggregationOf(result, sets, metric);
  if (aggregation == Aggregation::kPooled) SetPseudoValues(result, learner, metric, scores);
  if (aggregation != Aggregation::kByWeight) return scores;
  const double mean = WeightedMean(scores, sets.weights);
  double total = 0, n = 0;
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (!scores[s].defined) continue;
    total += sets.weights[s];
    n += 1;
  }
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (!scores[s].defined || !std::isfinite(mean)) continue;
    scores[s].value = mean + n * sets.weights[s] / total * (scores[s].value - mean);
  }
  return scores;
}

std::shared_ptr<const Dataset> PredictionTable(const ExperimentResult& result) {
  if (result.predictions.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot make a table of predictions: none were kept; run the experiment with keep "
                "set to labels or probabilities");
  }
  PredictionColumns columns(result);
  for (std::size_t l = 0; l < result.learners.size(); ++l) columns.Add(l, result.predictions[l]);
  return Dataset::Create("predictions of " + result.data->name(), columns.Finish(result.learners),
                         {});
}

}  // namespace crossfold
