// Running cells.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings/lua/arguments.h"
#include "bindings/lua/cell_reader.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/planning.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/run_settings.h"
#include "bindings/lua/session.h"
#include "crossfold/cancel_token.h"
#include "crossfold/cross_prediction.h"
#include "crossfold/error.h"
#include "crossfold/run.h"
#include "crossfold/score.h"
#include "experiment/progress_reporter.h"

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

void RunCounted(Session& session, const RunSettings& settings, OutcomeTable& outcomes) {
  CancelToken stop(session.cancel());
  RunOptions options = session.run_options(settings.workers);
  options.cancel = &stop;
  ProgressReporter reporter(session.options.progress, outcomes.blocks(), stop, session.folds);
  const auto take = [&](std::size_t i, Outcome&& outcome) {
    const OutcomeStatus status = outcome.status;
    const CellBlock& block = outcomes.block_of(i);
    outcomes.Take(i, std::move(outcome));
    if (status == OutcomeStatus::kElsewhere) return reporter.CellLeftOut(block);
    if (settings.stop && status == OutcomeStatus::kFailed && EndsRun(block)) stop.Cancel();
    reporter.CellFinished(block, status);
  };
  const RunEngine engine =
      session.engines.For(session.options, settings, outcomes.blocks(), session.plugins().log(),
                          [&](RunEngine plain) { return reporter.Watch(std::move(plain)); });
  {
    const AtRunEnd tell(session);
    engine(outcomes.blocks(), options, take);
  }
  CountOutcomes(session, outcomes);
  reporter.Rethrow();
  ThrowIfCancelled(session);
}

// native.run(cells, how): outcomes, or nil and the reason if how.stop was asked for and a cell
// failed; raises the cancelled value if the host asked to stop. See run_settings.h for `how` and
// cell_reader.h for cells. A cell with a `count` is for that number of consecutive splits.
int Run(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 2, session, *settings);
  auto* reader = NewOwned<CellReader>(L);
  ReadCells(L, 1, *settings, *reader);
  auto* why = NewOwned<std::string>(L);
  auto* handle = NewOwned<OutcomesHandle>(L);
  Try(L, [&] {
    const auto outcomes = std::make_shared<OutcomeTable>(std::move(reader->blocks));
    handle->outcomes = outcomes;
    handle->count = outcomes->size();
    if (session.planning() != nullptr) {
      session.planning()->AddCells(outcomes->blocks(), session.run_options(settings->workers));
      return TakePlanned(*outcomes);
    }
    RunCounted(session, *settings, *outcomes);
    if (settings->stop) *why = FindStop(*outcomes);
  });
  if (why->empty()) return 1;
  lua_pushnil(L);
  PushText(L, *why);
  return 2;
}

void CountSplits(Session& session, const SplitPlan& splits, const CrossPrediction& made) {
  session.counts.cells += static_cast<std::uint64_t>(splits.size() - made.n_elsewhere);
  session.counts.failed += made.failures.size();
  session.counts.elsewhere += static_cast<std::uint64_t>(made.n_elsewhere);
}

// Raises for the first split that failed.
void RequireNoFailures(const SplitPlan& splits, const CrossPrediction& made) {
  if (made.n_elsewhere > 0) {
    throw Error(ErrorKind::kFailed, "cannot predict across folds: other shards compute " +
                                        std::to_string(made.n_elsewhere) + " of " +
                                        std::to_string(splits.size()) +
                                        " splits; a run on the merged store has all");
  }
  if (made.failures.empty()) return;
  const FailedSplit& first = made.failures.front();
  throw Error(ErrorKind::kFailed,
              "cannot predict across folds: " + std::to_string(made.failures.size()) + " of " +
                  std::to_string(splits.size()) + " splits failed, the first is repeat " +
                  std::to_string(splits.repeat_of(first.split) + 1) + ", fold " +
                  std::to_string(splits.fold_of(first.split) + 1) + " at " + first.failure.stage +
                  ": " + first.failure.message + "; cf.evaluate keeps what did not fail");
}

CrossPrediction CrossPredictWith(Session& session, const RunSettings& settings,
                                 const CellBlock& block) {
  const RunEngine engine =
      session.engines.For(session.options, settings, {&block, 1}, session.plugins().log());
  const RunOptions options = session.run_options(settings.workers);
  return engine ? CrossPredict(block, options, engine) : CrossPredict(block, options);
}

// native.cross_predict(learner, splits, seed, probabilities, how, purpose): a list of predictions,
// one a repeat.
int CrossPredictRows(lua_State* L) {
  lua_settop(L, 6);
  const PipelineHandle& learner = CheckPipeline(L, 1);
  const SplitsHandle& splits = CheckSplits(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  const Keep keep = lua_toboolean(L, 4) != 0 ? Keep::kProbabilities : Keep::kLabels;
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 5, session, *settings);
  auto* reader = NewOwned<CellReader>(L);
  lua_pushvalue(L, 6);
  ReadPurpose(L, *reader);
  auto* made = NewOwned<std::shared_ptr<CrossPrediction>>(L);
  Try(L, [&] {
    const SplitPlan& plan = *splits.plan;
    CheckCompatible(*learner.pipeline, *plan.view().data);
    const Isolation isolation = ChooseIsolation(*settings, *learner.pipeline, std::nullopt);
    const CellBlock block{learner.pipeline, splits.plan, 0,         plan.size(),    seed,
                          nullptr,          keep,        isolation, reader->purpose};
    *made = std::make_shared<CrossPrediction>();
    if (session.planning() != nullptr) {
      session.planning()->AddCells({&block, 1}, session.run_options(settings->workers));
      return;
    }
    **made = CrossPredictWith(session, *settings, block);
    CountSplits(session, plan, **made);
    RequireNoFailures(plan, **made);
  });
  const auto n = static_cast<lua_Integer>((*made)->repeats.size());
  lua_createtable(L, static_cast<int>(n), 0);
  for (lua_Integer r = 0; r < n; ++r) {
    auto* handle = NewOwned<PredictionHandle>(L);
    handle->prediction =
        std::shared_ptr<const Prediction>(*made, &(*made)->repeats[static_cast<std::size_t>(r)]);
    handle->data = splits.plan->view().data;
    handle->truth = handle->data;
    lua_rawseti(L, -2, r + 1);
  }
  return 1;
}

// native.take_task(): nil if this is not a shard; else whether the next piece of work that cannot
// be cut is for this one.
int TakeTask(lua_State* L) {
  Session& session = GetSession(L);
  if (!session.options.shard || session.planning() != nullptr) return 0;
  bool is_mine = false;
  Try(L, [&] { is_mine = session.engines.DivisionOf(session.options).TakeTask(); });
  lua_pushboolean(L, is_mine ? 1 : 0);
  return 1;
}

// native.leave_task(): a fold of the experiment that has no cell is left to another shard.
int LeaveTask(lua_State* L) {
  ++GetSession(L).counts.elsewhere;
  return 0;
}

// native.check_learner(learner, data), native.check_metric(metric, data): raise what would stop
// every cell, before any runs.
int CheckLearnerFits(lua_State* L) {
  const auto& learner = CheckPipeline(L, 1);
  const DataView& view = CheckTrainingData(L, 2);
  Try(L, [&] { CheckCompatible(*learner.pipeline, *view.data); });
  return 0;
}

int CheckMetricFits(lua_State* L) {
  const SpecHandle& metric = CheckSpec(L, 1);
  const DataView& view = CheckTrainingData(L, 2);
  Try(L, [&] { CheckMetric(*metric.spec, *view.data); });
  return 0;
}

}  // namespace

void OpenRuns(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {{"run", Run},
                                            {"cross_predict", CrossPredictRows},
                                            {"take_task", TakeTask},
                                            {"leave_task", LeaveTask},
                                            {"check_learner", CheckLearnerFits},
                                            {"check_metric", CheckMetricFits},
                                            {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
