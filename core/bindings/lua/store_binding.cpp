// Functions on stores for scripts, other than running cells with them.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/run_settings.h"
#include "bindings/lua/session.h"
#include "crossfold/composed_fold.h"
#include "crossfold/rescore.h"
#include "crossfold/store_status.h"

namespace crossfold::lua {
namespace {

// Field `name` of the table at `index` as an integer; `absent` if it is nil.
std::int64_t ReadNumber(lua_State* L, int index, const char* name, std::int64_t absent = 0) {
  lua_getfield(L, index, name);
  const lua_Integer number = lua_isnil(L, -1) ? absent : luaL_checkinteger(L, -1);
  lua_pop(L, 1);
  return number;
}

// native.has_store(how): whether results of such a call are kept.
int HasStore(lua_State* L) {
  lua_settop(L, 1);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  bool kept = false;
  Try(L,
      [&] { kept = !settings->store.empty() && session.engine().StoreFor(*settings) != nullptr; });
  lua_pushboolean(L, kept ? 1 : 0);
  return 1;
}

// native.record_composed(how, { learner =, dataset =, data =, repeat_ =, fold =, n_train =,
// prediction =, failure = }): puts a fold that is not a cell into the store of `how`, if there is
// one.
int RecordFold(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  auto* fold = NewOwned<ComposedFold>(L);
  ReadStringField(L, 2, "learner", fold->learner);
  ReadStringField(L, 2, "dataset", fold->dataset_name);
  ReadStringField(L, 2, "failure", fold->failure);
  fold->repeat = ReadNumber(L, 2, "repeat_") - 1;
  fold->fold = ReadNumber(L, 2, "fold") - 1;
  fold->n_train = ReadNumber(L, 2, "n_train");
  lua_getfield(L, 2, "data");
  fold->data = CheckTrainingData(L, lua_gettop(L)).data;
  if (lua_getfield(L, 2, "prediction") != LUA_TNIL) {
    fold->prediction = CheckPrediction(L, lua_gettop(L)).prediction;
  }
  Try(L, [&] {
    const std::shared_ptr<CellStore> store = session.engine().StoreFor(*settings);
    if (store != nullptr) RecordComposed(*store, *fold);
  });
  return 0;
}

// native.store_problem(how): which cells the store of `how` lacks, and why; nil = none.
int StoreProblem(lua_State* L) {
  lua_settop(L, 1);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  auto* problem = NewOwned<std::string>(L);
  Try(L, [&] { *problem = session.engines.StoreProblem(*settings); });
  if (problem->empty()) return 0;
  PushText(L, *problem);
  return 1;
}

// The list of metrics in field `name`.
void ReadMetricList(lua_State* L, int index, const char* name, MetricList& out) {
  lua_getfield(L, index, name);
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer m = 1; m <= n; ++m) {
    lua_geti(L, -1, m);
    const SpecHandle& spec = CheckSpec(L, lua_gettop(L));
    Try(L, [&] { out.push_back(spec.spec); });
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// Field "costs": the path of a file, or { classes = { ... }, costs = { row by row } }.
void ReadRescoreCosts(lua_State* L, int index, CostTable& out, bool& given) {
  const int type = lua_getfield(L, index, "costs");
  given = type != LUA_TNIL;
  if (type == LUA_TSTRING) {
    std::size_t size = 0;
    const char* path = lua_tolstring(L, -1, &size);
    Session& session = GetSession(L);
    Try(L, [&] {
      session.files.CheckRead(std::string(path, size));
      out = ReadCostTable(std::string(path, size), session.plugins());
    });
  } else if (given) {
    const int table = lua_gettop(L);
    lua_getfield(L, table, "classes");
    ReadStrings(L, lua_gettop(L), "costs.classes", out.truth);
    lua_getfield(L, table, "costs");
    ReadNumbers(L, lua_gettop(L), "costs", out.costs);
    Try(L, [&] {
      out.name = "costs";
      out.predicted = out.truth;
    });
  }
  lua_settop(L, index);
}

void PushFold(lua_State* L, const RescoredFold& fold) {
  lua_createtable(L, 0, 11);
  SetText(L, "learner", fold.learner);
  SetText(L, "dataset", fold.dataset);
  if (!fold.candidate.empty()) SetText(L, "candidate", fold.candidate);
  SetInteger(L, "occurrence", fold.occurrence + 1);
  SetInteger(L, "repeat_", fold.repeat + 1);
  SetInteger(L, "fold", fold.fold + 1);
  lua_pushboolean(L, fold.failed ? 1 : 0);
  lua_setfield(L, -2, "failed");
  lua_newtable(L);
  lua_newtable(L);
  for (std::size_t m = 0; m < fold.scores.size(); ++m) {
    const Score& score = fold.scores[m];
    if (score.defined) {
      lua_pushnumber(L, score.value);
      lua_rawseti(L, -3, static_cast<lua_Integer>(m + 1));
    } else {
      PushText(L, score.undefined);
      lua_rawseti(L, -2, static_cast<lua_Integer>(m + 1));
    }
  }
  lua_setfield(L, -3, "reasons");
  lua_setfield(L, -2, "values");
}

// native.rescore(path, { metrics =, costs =, subgroup =, run =, inner = }): { run =, metrics =
// {...}, text = the summary, folds = { { learner =, ..., values = {}, reasons = {} }, ... } }.
int RescoreStore(lua_State* L) {
  std::size_t size = 0;
  const char* path = luaL_checklstring(L, 1, &size);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  Session& session = GetSession(L);
  auto* request = NewOwned<RescoreRequest>(L);
  auto* costs = NewOwned<CostTable>(L);
  lua_pushvalue(L, 2);
  const int options = lua_gettop(L);
  bool has_costs = false;
  ReadRescoreCosts(L, options, *costs, has_costs);
  ReadMetricList(L, options, "metrics", request->metrics);
  ReadStringField(L, options, "subgroup", request->subgroup);
  request->run = ReadNumber(L, options, "run");
  lua_getfield(L, options, "inner");
  request->inner = lua_toboolean(L, -1) != 0;
  auto* found = NewOwned<Rescored>(L);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] {
    if (has_costs) request->costs = std::move(*costs);
    request->log = session.plugins().log();
    session.files.CheckRead(std::string(path, size));
    session.engines.Flush();
    *found = Rescore(std::string(path, size), *request);
    for (const std::string& name : found->damaged) {
      if (request->log) request->log(CF_LOG_WARN, "damaged in the store and left out: " + name);
    }
    *text = ToText(SummaryTable(*found));
  });
  lua_createtable(L, 0, 4);
  SetInteger(L, "run", found->run);
  PushTexts(L, found->metrics);
  lua_setfield(L, -2, "metrics");
  SetText(L, "text", *text);
  lua_createtable(L, static_cast<int>(found->folds.size()), 0);
  for (std::size_t i = 0; i < found->folds.size(); ++i) {
    PushFold(L, found->folds[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, "folds");
  return 1;
}

void PushLearner(lua_State* L, const LearnerStatus& status) {
  lua_createtable(L, 0, 9);
  SetText(L, "learner", status.learner);
  SetText(L, "dataset", status.dataset);
  lua_pushboolean(L, status.inner ? 1 : 0);
  lua_setfield(L, -2, "inner");
  lua_pushboolean(L, status.imported ? 1 : 0);
  lua_setfield(L, -2, "imported");
  SetInteger(L, "wanted", status.wanted);
  SetInteger(L, "done", status.done);
  SetInteger(L, "failed", status.failed);
  SetInteger(L, "stopped", status.stopped);
  SetInteger(L, "missing", status.missing);
  SetInteger(L, "predictions", status.predictions);
  SetInteger(L, "retried", status.retried);
  lua_createtable(L, 0, kNumFailureCauses);
  for (std::size_t cause = 0; cause < status.causes.size(); ++cause) {
    SetInteger(L, CauseName(static_cast<FailureCause>(cause)).data(), status.causes[cause]);
  }
  lua_setfield(L, -2, "causes");
}

void PushRun(lua_State* L, const RunStatus& run) {
  lua_createtable(L, 0, 3);
  SetInteger(L, "run", run.id);
  SetText(L, "started", run.started);
  SetText(L, "script", run.script);
}

// A list made of `items`, in field `name`.
template <class T>
void SetList(lua_State* L, const char* name, const std::vector<T>& items,
             void (*push)(lua_State*, const T&)) {
  lua_createtable(L, static_cast<int>(items.size()), 0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    push(L, items[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  lua_setfield(L, -2, name);
}

// What this state found and computed in the store at `path`.
CellStore::Counts CountsOf(const Session& session, const std::string& path) {
  const auto file = [](const std::string& name) {
    return std::filesystem::absolute(name).lexically_normal();
  };
  for (const LuaStoreUse& use : session.engines.store_uses()) {
    if (file(use.path) == file(path)) return use.counts;
  }
  return {};
}

// native.store_status(path, run): see crossfold/store_status.h; run = nil for all. `found` and
// `computed` are of this state.
int StatusOf(lua_State* L) {
  std::size_t size = 0;
  const char* path = luaL_checklstring(L, 1, &size);
  const lua_Integer run = luaL_optinteger(L, 2, 0);
  Session& session = GetSession(L);
  auto* status = NewOwned<StoreStatus>(L);
  CellStore::Counts counts;
  Try(L, [&] {
    session.files.CheckRead(std::string(path, size));
    session.engines.Flush();
    *status = ReadStoreStatus(std::string(path, size),
                              run == 0 ? std::nullopt : std::optional<std::int64_t>(run));
    counts = CountsOf(session, std::string(path, size));
  });
  lua_createtable(L, 0, 10);
  SetInteger(L, "found", static_cast<std::int64_t>(counts.found));
  SetInteger(L, "computed", static_cast<std::int64_t>(counts.computed));
  SetInteger(L, "cells", status->cells);
  SetInteger(L, "predictions", status->predictions);
  SetInteger(L, "datasets", status->datasets);
  SetInteger(L, "prediction_bytes", status->prediction_bytes);
  SetInteger(L, "file_bytes", status->file_bytes);
  SetList(L, "learners", status->learners, &PushLearner);
  SetList(L, "runs", status->runs, &PushRun);
  PushTexts(L, status->damaged);
  lua_setfield(L, -2, "damaged");
  return 1;
}

}  // namespace

void OpenStores(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"has_store", HasStore},         {"record_composed", RecordFold}, {"rescore", RescoreStore},
      {"store_problem", StoreProblem}, {"store_status", StatusOf},      {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
