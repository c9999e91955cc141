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
#include "bindings/lua/protect.h"
#include "bindings/lua/run_settings.h"
#include "bindings/lua/session.h"
#include "crossfold/cross_prediction.h"
#include "crossfold/error.h"
#include "crossfold/score.h"

namespace crossfold::lua {
namespace {

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
    *why = session.engine().Run(*settings, *outcomes);
  });
  if (why->empty()) return 1;
  lua_pushnil(L);
  PushText(L, *why);
  return 2;
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

// native.cross_predict(learner, splits, seed, probabilities, how, purpose): a list of predictions,
// one per repeat.
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
    RequireTrainingRows(plan);
    const Isolation isolation = ChooseIsolation(*settings, *learner.pipeline, std::nullopt);
    const CellBlock block{learner.pipeline, splits.plan, 0,         plan.size(),    seed,
                          nullptr,          keep,        isolation, reader->purpose};
    *made = std::make_shared<CrossPrediction>(session.engine().CrossPredict(*settings, block));
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

// native.take_task(dataset, learner): nil if this is not a shard; else whether the next piece of
// work that cannot be cut, a fold of that learner on that dataset, is for this one.
int TakeTask(lua_State* L) {
  const char* dataset = luaL_checkstring(L, 1);
  const char* learner = luaL_checkstring(L, 2);
  Session& session = GetSession(L);
  std::optional<bool> is_mine;
  Try(L, [&] { is_mine = session.engine().TakeTask(dataset, learner); });
  if (!is_mine) return 0;
  lua_pushboolean(L, *is_mine ? 1 : 0);
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
