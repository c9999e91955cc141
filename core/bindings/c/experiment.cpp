#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "bindings/c/guarded_call.h"
#include "bindings/c/json_arguments.h"
#include "crossfold/arrow.h"
#include "crossfold/cell_store.h"
#include "crossfold/run_engine.h"
#include "crossfold/score.h"
#include "encoding/fields.h"
#include "encoding/split_fields.h"
#include "engine/data/sha256.h"

namespace crossfold::c_api {
namespace {

// Reports to the host after each cell, and stops if it asks for that.
ProgressSink ProgressSinkOf(const crossfold_options& options, OnCancel on_cancel,
                            CancelToken& stop) {
  if (options.progress == nullptr) return {};
  return [progress = options.progress, user = options.user, on_cancel, &stop](const Progress& now) {
    if (progress(user, now.finished, now.total) == 0) return;
    if (on_cancel == OnCancel::kFail) {
      throw Error(ErrorKind::kCancelled, "cannot finish the experiment: the host stopped it");
    }
    stop.Cancel();
  };
}

std::shared_ptr<WorkerProcesses> WorkersOf(crossfold_context& context, Isolation isolation) {
  if (isolation == Isolation::kNone) return nullptr;
  if (!context.workers) context.workers = std::make_shared<WorkerProcesses>(IsolationOptions{});
  return context.workers;
}

// The store of an experiment, in which a run of it begins. Runs of the same text on the same rows
// and splits are those of one script: crossfold gc keeps the last run of each.
std::shared_ptr<CellStore> OpenStore(const crossfold_context& context, const ExperimentText& text,
                                     const char* json) {
  if (text.store.empty()) return nullptr;
  StoreOptions options;
  options.on_error = text.on_store_error;
  options.log = context.plugins->log();
  auto store = CellStore::Open(text.store, options);
  const SplitPlan& splits = *text.experiment.splits;
  FieldWriter identity;
  identity.Text(json);
  identity.Text(splits.view().data->content_hash());
  WriteSplits(splits, identity);
  const std::string hash = ToHex(Sha256Of(identity.bytes())).substr(0, 12);
  store->BeginRun({.script = "experiment " + hash,
                   .script_text = json,
                   .arguments = {},
                   .seed = text.experiment.seed});
  return store;
}

// Returns what the store lacks of the run, "" = nothing. The run goes on later if it is not
// complete.
std::string Finish(CellStore& store, bool complete, OnStoreError on_error) {
  try {
    if (complete) {
      store.FinishRun();
    } else {
      store.Flush();
    }
    return "";
  } catch (const Error& e) {
    if (on_error == OnStoreError::kStop) throw;
    return e.what();
  }
}

Truth TruthOf(const Dataset& data, const FoldPredictions& predictions) {
  Truth truth;
  for (const std::int64_t row : predictions.rows) {
    const auto i = static_cast<std::size_t>(row);
    if (data.task() == Task::kClassification) truth.labels.push_back(data.labels()[i]);
    if (data.task() == Task::kRegression) truth.values.push_back(data.values()[i]);
  }
  return truth;
}

// Sets the class whose value each metric has.
void SetClasses(crossfold_result& result) {
  std::vector<bool> has_class;
  for (const auto& metric : result.experiment.metrics) {
    const std::optional<ScoredClass> found = FindScoredClass(*metric, *result.found.data);
    has_class.push_back(found.has_value());
    result.classes.push_back(found ? found->name : "");
  }
  result.metric_classes = Pointers(result.classes);
  for (std::size_t m = 0; m < has_class.size(); ++m) {
    if (!has_class[m]) result.metric_classes[m] = nullptr;
  }
}

std::unique_ptr<crossfold_result> NewResult(Experiment experiment, ExperimentResult found,
                                            OnCancel on_cancel) {
  auto made = std::make_unique<crossfold_result>();
  made->experiment = std::move(experiment);
  made->found = std::move(found);
  made->summaries = SummarizeScores(made->found);
  made->learners = Pointers(made->found.learners);
  made->metrics = Pointers(made->found.metrics);
  SetClasses(*made);
  const std::vector<FoldResult>& folds = made->found.folds;
  made->reasons.resize(folds.size());
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const Outcome& outcome = folds[i].outcome;
    if (outcome.status == OutcomeStatus::kCancelled) {
      if (on_cancel == OnCancel::kFail) {
        throw Error(ErrorKind::kCancelled, "cannot finish the experiment: the host cancelled it");
      }
      ++made->n_cancelled;
      made->reasons[i] = "it did not run: the host cancelled the experiment";
      continue;
    }
    if (outcome.status == OutcomeStatus::kOk) continue;
    made->failures.push_back(i);
    made->reasons[i] = "failed at " + outcome.failure.stage + ": " + outcome.failure.message;
  }
  for (const FoldPredictions& kept : made->found.predictions) {
    made->truths.push_back(TruthOf(*made->found.data, kept));
  }
  return made;
}

std::shared_ptr<const SplitPlan> SplitsOf(const ExperimentText& text, const Dataset& data,
                                          const crossfold_splits* splits, const DataView& view,
                                          const RunOptions& options) {
  const std::string attempt = "cannot run the experiment: ";
  if ((splits == nullptr) == (text.splitter == nullptr)) {
    throw Error(ErrorKind::kInvalidArgument,
                attempt + "give either 'splitter' or the argument 'splits'");
  }
  if (splits == nullptr) {
    return MakeExperimentSplits(*text.splitter, view, text.experiment.seed, options);
  }
  if (splits->plan->view().data.get() != &data) {
    throw Error(
        ErrorKind::kInvalidArgument,
        attempt + "the splits belong to another dataset; make them from '" + data.name() + "'");
  }
  return splits->plan;
}

// A score that is not there.
crossfold_score EmptyScore() {
  crossfold_score score{};
  score.value = std::numeric_limits<double>::quiet_NaN();
  return score;
}

}  // namespace
}  // namespace crossfold::c_api

using namespace crossfold;
using namespace crossfold::c_api;

crossfold_status crossfold_splits_create(crossfold_context* context,
                                         const crossfold_dataset* dataset, const char* splitter,
                                         uint64_t seed, crossfold_splits** splits) {
  constexpr const char* kAttempt = "cannot make splits";
  return CallToMake(context, splits, kAttempt, "splits", [&] {
    Alive(dataset, kAttempt, "dataset");
    const auto spec =
        ReadSplitter(NotNull(splitter, kAttempt, "splitter"), kAttempt, *context->plugins);
    return std::make_unique<crossfold_splits>(MakeExperimentSplits(
        *spec, DataView{dataset->data, nullptr}, seed, context->run_options()));
  });
}

size_t crossfold_splits_count(const crossfold_splits* splits) {
  return !IsAlive(splits) ? 0 : static_cast<size_t>(splits->plan->size());
}

crossfold_status crossfold_splits_rows(crossfold_context* context, const crossfold_splits* splits,
                                       size_t split, int32_t test, int64_t* rows, size_t capacity,
                                       size_t* n_rows) {
  return Call(context, [&] {
    constexpr const char* kAttempt = "cannot list the rows of a split";
    Alive(splits, kAttempt, "splits");
    NotNull(n_rows, kAttempt, "n_rows");
    if (capacity > 0) NotNull(rows, kAttempt, "rows");
    const size_t count = crossfold_splits_count(splits);
    if (split >= count) {
      throw Error(ErrorKind::kInvalidArgument, std::string(kAttempt) + ": there is no split " +
                                                   std::to_string(split) + ", only 0 .. " +
                                                   std::to_string(count - 1));
    }
    const SplitRows made = splits->plan->Rows(static_cast<std::int64_t>(split));
    const std::vector<std::int64_t>& wanted = test != 0 ? made.test : made.train;
    std::copy_n(wanted.begin(), std::min(capacity, wanted.size()), rows);
    *n_rows = wanted.size();
  });
}

void crossfold_splits_destroy(crossfold_splits* splits) { Destroy(splits); }

crossfold_status crossfold_evaluate(crossfold_context* context, const crossfold_dataset* dataset,
                                    const crossfold_splits* splits, const char* experiment,
                                    crossfold_result** result) {
  constexpr const char* kAttempt = "cannot run the experiment";
  return CallToMake(context, result, kAttempt, "result", [&] {
    Alive(dataset, kAttempt, "dataset");
    if (splits != nullptr) Alive(splits, kAttempt, "splits");
    CancelToken stop(&context->cancel);
    RunOptions options = context->run_options();
    options.cancel = &stop;
    ExperimentText text =
        ReadExperiment(NotNull(experiment, kAttempt, "experiment"), kAttempt, *context->plugins);
    text.experiment.splits =
        SplitsOf(text, *dataset->data, splits, DataView{dataset->data, nullptr}, options);
    const std::shared_ptr<CellStore> store = OpenStore(*context, text, experiment);
    const RunEngine engine =
        MakeEngine({.workers = WorkersOf(*context, text.experiment.isolation), .store = store});
    const ProgressSink progress = ProgressSinkOf(context->options, text.on_cancel, stop);
    auto made = NewResult(
        text.experiment, RunExperiment(text.experiment, options, progress, engine), text.on_cancel);
    if (store != nullptr) {
      made->store_problem = Finish(*store, made->n_cancelled == 0, text.on_store_error);
      made->n_found = store->counts().found;
    }
    return made;
  });
}

void crossfold_result_destroy(crossfold_result* result) { Destroy(result); }

crossfold_status crossfold_result_describe(const crossfold_result* result,
                                           crossfold_result_info* info) {
  if (!IsAlive(result)) return CROSSFOLD_INVALID_ARGUMENT;
  crossfold_result_info filled{};
  filled.learners = result->learners.data();
  filled.n_learners = result->learners.size();
  filled.metrics = result->metrics.data();
  filled.n_metrics = result->metrics.size();
  filled.n_scores = result->found.folds.size() * result->metrics.size();
  filled.n_summaries = result->summaries.size();
  filled.n_failures = result->failures.size();
  filled.n_found = result->n_found;
  filled.n_cancelled = result->n_cancelled;
  filled.metric_classes = result->metric_classes.data();
  if (!result->store_problem.empty()) filled.store_problem = result->store_problem.c_str();
  constexpr std::size_t kFirstVersion = offsetof(crossfold_result_info, n_found);
  return WriteStruct(filled, info, kFirstVersion);
}

crossfold_status crossfold_result_score(const crossfold_result* result, size_t index,
                                        crossfold_score* score) {
  const size_t n_metrics = !IsAlive(result) ? 0 : result->metrics.size();
  if (n_metrics == 0 || index / n_metrics >= result->found.folds.size()) {
    return CROSSFOLD_INVALID_ARGUMENT;
  }
  const FoldResult& fold = result->found.folds[index / n_metrics];
  crossfold_score filled = EmptyScore();
  filled.learner = fold.learner;
  filled.metric = index % n_metrics;
  filled.repeat = fold.repeat;
  filled.fold = fold.fold;
  if (fold.outcome.status != OutcomeStatus::kOk) {
    filled.reason = result->reasons[index / n_metrics].c_str();
  } else if (const Score& made = fold.outcome.scores[filled.metric]; made.defined) {
    filled.defined = 1;
    filled.value = made.value;
  } else {
    filled.reason = made.undefined.c_str();
  }
  return WriteStruct(filled, score);
}

crossfold_status crossfold_result_summary(const crossfold_result* result, size_t index,
                                          crossfold_summary* summary) {
  if (!IsAlive(result) || index >= result->summaries.size()) return CROSSFOLD_INVALID_ARGUMENT;
  const ScoreSummary& made = result->summaries[index];
  crossfold_summary filled{};
  filled.learner = made.learner;
  filled.metric = made.metric;
  filled.n_folds = made.n_folds;
  filled.n_defined = made.n_defined;
  filled.n_failed = made.n_failed;
  filled.mean = made.scores.mean;
  filled.sd = made.scores.sd;
  filled.min = made.scores.min;
  filled.max = made.scores.max;
  filled.median = made.scores.median;
  filled.aggregation = AggregationName(made.aggregation);
  if (!made.undefined.empty()) filled.reason = made.undefined.c_str();
  constexpr std::size_t kFirstVersion = offsetof(crossfold_summary, aggregation);
  return WriteStruct(filled, summary, kFirstVersion);
}

crossfold_status crossfold_result_failure(const crossfold_result* result, size_t index,
                                          crossfold_failure* failure) {
  if (!IsAlive(result) || index >= result->failures.size()) return CROSSFOLD_INVALID_ARGUMENT;
  const FoldResult& fold = result->found.folds[result->failures[index]];
  crossfold_failure filled{};
  filled.code = fold.outcome.failure.code;
  filled.learner = fold.learner;
  filled.repeat = fold.repeat;
  filled.fold = fold.fold;
  filled.stage = fold.outcome.failure.stage.c_str();
  filled.message = fold.outcome.failure.message.c_str();
  return WriteStruct(filled, failure);
}

crossfold_status crossfold_result_predictions(const crossfold_result* result, size_t learner,
                                              crossfold_predictions* predictions) {
  if (!IsAlive(result) || learner >= result->learners.size()) return CROSSFOLD_INVALID_ARGUMENT;
  crossfold_predictions filled{};
  filled.n_classes = static_cast<size_t>(result->found.data->num_classes());
  if (!result->found.predictions.empty()) {
    const FoldPredictions& pool = result->found.predictions[learner];
    filled.n_rows = pool.rows.size();
    filled.rows = OrNull(pool.rows);
    filled.repeats = OrNull(pool.repeats);
    filled.folds = OrNull(pool.folds);
    filled.labels = OrNull(pool.labels);
    filled.values = OrNull(pool.values);
    filled.probabilities = OrNull(pool.probabilities);
    filled.true_labels = OrNull(result->truths[learner].labels);
    filled.true_values = OrNull(result->truths[learner].values);
  }
  return WriteStruct(filled, predictions, kFirstPredictions);
}

crossfold_status crossfold_result_export_arrow(crossfold_context* context,
                                               const crossfold_result* result, ArrowSchema* schema,
                                               ArrowArray* array) {
  return Call(context, [&] {
    constexpr const char* kAttempt = "cannot export predictions";
    Alive(result, kAttempt, "result");
    NotNull(schema, kAttempt, "schema");
    NotNull(array, kAttempt, "array");
    ExportArrow(PredictionTable(result->found), schema, array);
  });
}
