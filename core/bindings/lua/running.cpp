// The engine that does the work of scripts.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/lua/script_engine.h"
#include "bindings/lua/session.h"
#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/failure_cause.h"
#include "crossfold/run.h"
#include "crossfold/run_engine.h"
#include "engine/plan/kept_predictions.h"
#include "experiment/progress_reporter.h"
#include "store/cells/store_impl.h"
#include "store/cells/stored_prediction.h"

namespace crossfold::lua {
namespace {

void CountOutcomes(Session& session, const OutcomeTable& outcomes) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes.status(i) == OutcomeStatus::kCancelled) continue;
    if (outcomes.status(i) == OutcomeStatus::kElsewhere) {
      ++session.counts.elsewhere;
    } else {
      ++session.counts.cells;
      if (outcomes.status(i) == OutcomeStatus::kFailed) ++session.counts.failed;
    }
    const CellBlock& block = outcomes.block_of(i);
    if (block.purpose != nullptr && !block.purpose->inner) session.FinishFold();
  }
}

// Tells the host that no cell runs any more, however a run ends.
class AtRunEnd {
 public:
  explicit AtRunEnd(const Session& session) : session_(session) {}
  ~AtRunEnd() {
    try {
      if (session_.options.run_ended) session_.options.run_ended();
    } catch (...) {  // the run has ended anyway
    }
  }
  AtRunEnd(const AtRunEnd&) = delete;
  AtRunEnd& operator=(const AtRunEnd&) = delete;

 private:
  const Session& session_;
};

// Whether a failure of the cell ends a run that stops: it is a score of the experiment.
bool EndsRun(const CellBlock& block) { return block.purpose == nullptr || !block.purpose->inner; }

// Why a run with `stop` ended before its end: the first cell that failed; "" = it did not.
std::string FindStop(const OutcomeTable& outcomes) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const CellBlock& block = outcomes.block_of(i);
    if (outcomes.status(i) != OutcomeStatus::kFailed || !EndsRun(block)) continue;
    const SplitPlan& plan = *block.splits;
    const std::int64_t split = outcomes.split_of(i);
    const Failure& failure = outcomes.failure(i);
    const bool named = block.purpose != nullptr;
    return "cannot evaluate '" +
           (named ? block.purpose->learner : ShortSpecText(block.learner->ToString())) + "' on '" +
           (named ? block.purpose->dataset : plan.view().data->name()) + "': repeat " +
           std::to_string(plan.repeat_of(split) + 1) + ", fold " +
           std::to_string(plan.fold_of(split) + 1) + " failed at " + failure.stage + ": " +
           failure.message;
  }
  return "";
}

void ThrowIfCancelled(const Session& session) {
  if (session.cancel() != nullptr && session.cancel()->cancelled()) {
    throw Error(ErrorKind::kCancelled, "cancelled");
  }
}

// Bytes of predictions that wait until it is known whether the store has them.
std::uint64_t WaitingBytes(std::uint64_t memory) {
  constexpr std::uint64_t kLeast = std::uint64_t{4} << 20;
  return std::max(memory / 16, kLeast);
}

// Whether the store of the run, instead of memory, may have the predictions that outcomes keep:
// they would take more than a quarter of the memory of the run, and are not so small that what is
// noted of each takes as much.
bool MayBeStored(const Session& session, const OutcomeTable& outcomes, std::uint64_t bytes) {
  constexpr std::uint64_t kLeastOfCell = 4096;
  const std::uint64_t memory = session.options.run_memory;
  return memory > 0 && bytes > 4 * WaitingBytes(memory) && bytes / kLeastOfCell >= outcomes.size();
}

// Makes the outcomes fetch predictions from the store of the run. Returns the bytes of those that
// they keep.
std::uint64_t FetchFromStore(Session& session, const RunSettings& settings, bool share,
                             std::uint64_t bytes, OutcomeTable& outcomes) {
  const std::shared_ptr<CellStore> store = session.running.StoreFor(settings);
  if (store == nullptr || store->impl().options().prediction_bytes == 0) return bytes;
  const std::uint64_t waiting = WaitingBytes(session.options.run_memory);
  const auto tests = std::make_shared<TestRows>();
  outcomes.SetFetch(
      [&session, settings, share, tests](const CellBlock& block, std::int64_t split) {
        ThrowIfCancelled(session);
        const std::shared_ptr<CellStore> open = session.engines.FindStore(settings);
        return open ? FindStoredPrediction(*open, block, split, share, *tests) : std::nullopt;
      },
      waiting);
  return bytes - std::min(bytes, store->impl().room()) + waiting;
}

void CountSplits(Session& session, const SplitPlan& splits, const CrossPrediction& made) {
  session.counts.cells += static_cast<std::uint64_t>(splits.size() - made.n_elsewhere);
  session.counts.failed += made.failures.size();
  session.counts.elsewhere += static_cast<std::uint64_t>(made.n_elsewhere);
}

bool HasMachineFailure(const CrossPrediction& made) {
  return std::any_of(made.failures.begin(), made.failures.end(), [](const FailedSplit& failed) {
    return IsOfMachine(CauseOf(failed.failure));
  });
}

}  // namespace

std::string Running::Run(const RunSettings& settings, OutcomeTable& outcomes) {
  CancelToken stop(session_.cancel());
  RunOptions options = session_.run_options(settings.workers);
  options.cancel = &stop;
  options.kept_bytes = PredictionBytes(outcomes.blocks(), true);
  if (MayBeStored(session_, outcomes, *options.kept_bytes)) {
    options.kept_bytes =
        FetchFromStore(session_, settings, options.share, *options.kept_bytes, outcomes);
  }
  ProgressReporter reporter(session_.options.progress, outcomes.blocks(), stop, session_.folds);
  const auto take = [&](std::size_t i, Outcome&& outcome) {
    const OutcomeStatus status = outcome.status;
    const CellBlock& block = outcomes.block_of(i);
    outcomes.Take(i, std::move(outcome));
    if (status == OutcomeStatus::kElsewhere) return reporter.CellLeftOut(block);
    if (settings.stop && status == OutcomeStatus::kFailed && EndsRun(block)) stop.Cancel();
    reporter.CellFinished(block, status);
  };
  const RunEngine engine =
      session_.engines.For(session_.options, settings, outcomes.blocks(), session_.plugins().log(),
                           [&](RunEngine plain) { return reporter.Watch(std::move(plain)); });
  {
    const AtRunEnd tell(session_);
    engine(outcomes.blocks(), options, take);
  }
  CountOutcomes(session_, outcomes);
  reporter.Rethrow();
  ThrowIfCancelled(session_);
  return settings.stop ? FindStop(outcomes) : "";
}

CrossPrediction Running::CrossPredict(const RunSettings& settings, const CellBlock& block) {
  const RunEngine engine =
      session_.engines.For(session_.options, settings, {&block, 1}, session_.plugins().log());
  const RunOptions options = session_.run_options(settings.workers);
  CrossPrediction made = engine ? crossfold::CrossPredict(block, options, engine)
                                : crossfold::CrossPredict(block, options);
  // The quick way above has no further tries.
  if (!engine && settings.retry.retries > 0 && HasMachineFailure(made)) {
    made = crossfold::CrossPredict(
        block, options, MakeEngine({.limits = settings.limits, .retry = settings.retry}));
  }
  CountSplits(session_, *block.splits, made);
  return made;
}

std::vector<FitAnswer> Running::Fit(std::span<const FitJob> jobs, lua_Integer workers) {
  std::vector<FitResult> results = FitModels(jobs, session_.run_options(workers));
  ThrowIfCancelled(session_);
  std::vector<FitAnswer> answers(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    answers[i].handle.model = std::move(results[i].model);
    if (results[i].error) answers[i].problem = results[i].error->what();
  }
  return answers;
}

ModelHandle Running::Fit(const FitJob& job, const FittedModel* start) {
  const RunOptions options = session_.run_options();
  ModelHandle handle;
  handle.model = start == nullptr
                     ? FittedModel::Fit(job.learner, job.train, job.seed, options)
                     : FittedModel::FitFrom(job.learner, job.train, job.seed, *start, options);
  return handle;
}

void Running::CountCell(bool ok) {
  ++session_.counts.cells;
  session_.FinishFold();
  if (!ok) ++session_.counts.failed;
}

void Running::CountFailure() { ++session_.counts.failed; }

void Running::BeginFolds(std::size_t n) { session_.BeginFolds(n); }

std::optional<bool> Running::TakeTask(const std::string& dataset, const std::string& learner) {
  if (!session_.options.shard) return std::nullopt;
  return session_.engines.DivisionOf(session_.options).TakeTask(dataset, learner);
}

std::shared_ptr<CellStore> Running::StoreFor(const RunSettings& settings) {
  return session_.engines.StoreFor(session_.options, settings, session_.plugins().log());
}

}  // namespace crossfold::lua
