// Functions on stores for scripts, other than running cells with them.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "bindings/lua/run_settings.h"
#include "crossfold/composed_fold.h"
#include "crossfold/rescore.h"
#include "crossfold/store_status.h"

namespace crossfold::lua {
namespace {

// native.has_store(how): whether results of such a call are kept.
bool HasStore(Settings how, Session& session) {
  return !how->store.empty() && session.engine().StoreFor(*how) != nullptr;
}

// native.record_composed(how, { learner =, dataset =, data =, repeat_ =, fold =, n_train =,
// prediction =, failure = }): puts a fold that is not a cell into the store of `how`, if there is
// one.
int RecordFold(lua_State* L) {
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  Session& session = GetSession(L);
  int at = 1;
  const Settings how = Argument<Settings>::Read(L, at);
  auto* fold = NewOwned<ComposedFold>(L);
  ReadStringField(L, 2, "learner", fold->learner);
  ReadStringField(L, 2, "dataset", fold->dataset_name);
  ReadStringField(L, 2, "failure", fold->failure);
  fold->repeat = IntegerField(L, 2, "repeat_", 0) - 1;
  fold->fold = IntegerField(L, 2, "fold", 0) - 1;
  fold->n_train = IntegerField(L, 2, "n_train", 0);
  lua_getfield(L, 2, "data");
  fold->data = CheckTrainingData(L, lua_gettop(L)).data;
  if (lua_getfield(L, 2, "prediction") != LUA_TNIL) {
    fold->prediction = CheckPrediction(L, lua_gettop(L)).prediction;
  }
  Try(L, [&] {
    const std::shared_ptr<CellStore> store = session.engine().StoreFor(*how);
    if (store != nullptr) RecordComposed(*store, *fold);
  });
  return 0;
}

// native.store_problem(how): which cells the store of `how` lacks, and why; nil = none.
std::optional<std::string> StoreProblem(Settings how, const Session& session) {
  std::string problem = session.engines.StoreProblem(*how);
  if (problem.empty()) return std::nullopt;
  return problem;
}

// Field "costs": the path of a file, or { classes = { ... }, costs = { row by row } }.
void ReadRescoreCosts(lua_State* L, int index, CostTable& out, bool& given) {
  const int type = lua_getfield(L, index, "costs");
  given = type != LUA_TNIL;
  if (type == LUA_TSTRING) {
    const std::string_view path = CheckText(L, lua_gettop(L));
    Session& session = GetSession(L);
    Try(L, [&] {
      session.files.CheckRead(std::string(path));
      out = ReadCostTable(std::string(path), session.plugins());
    });
  } else if (given) {
    const int table = lua_gettop(L);
    lua_getfield(L, table, "classes");
    ReadStrings(L, -1, "costs.classes", out.truth);
    lua_getfield(L, table, "costs");
    ReadNumbers(L, -1, "costs", out.costs);
    Try(L, [&] {
      out.name = "costs";
      out.predicted = out.truth;
    });
  }
  lua_settop(L, index);
}

void PushFold(lua_State* L, const RescoredFold& fold) {
  PushTable(L, Field("learner", fold.learner), Field("dataset", fold.dataset),
            Field("candidate", NotEmpty(fold.candidate)), Field("occurrence", fold.occurrence + 1),
            Field("repeat_", fold.repeat + 1), Field("fold", fold.fold + 1),
            Field("failed", fold.failed));
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
  const std::string_view path = CheckText(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  Session& session = GetSession(L);
  auto* request = NewOwned<RescoreRequest>(L);
  auto* costs = NewOwned<CostTable>(L);
  lua_pushvalue(L, 2);
  const int options = lua_gettop(L);
  bool has_costs = false;
  ReadRescoreCosts(L, options, *costs, has_costs);
  lua_getfield(L, options, "metrics");
  int at = lua_gettop(L);
  const auto metrics = Argument<Handles<SpecHandle>>::Read(L, at);
  ReadStringField(L, options, "subgroup", request->subgroup);
  request->run = IntegerField(L, options, "run", 0);
  request->inner = FlagField(L, options, "inner");
  auto* found = NewOwned<Rescored>(L);
  auto* text = NewOwned<std::string>(L);
  Try(L, [&] {
    for (const SpecHandle& metric : *metrics) request->metrics.push_back(metric.spec);
    if (has_costs) request->costs = std::move(*costs);
    request->log = session.plugins().log();
    session.files.CheckRead(std::string(path));
    session.engines.Flush();
    *found = Rescore(std::string(path), *request);
    for (const std::string& name : found->damaged) {
      if (request->log) request->log(CF_LOG_WARN, "damaged in the store and left out: " + name);
    }
    *text = SummaryText(*found);
  });
  PushTable(L, Field("run", found->run), Field("metrics", found->metrics), Field("text", *text));
  SetList(L, "folds", found->folds, [L](const RescoredFold& fold) { PushFold(L, fold); });
  return 1;
}

void PushLearner(lua_State* L, const LearnerStatus& status) {
  PushTable(L, Field("learner", status.learner), Field("dataset", status.dataset),
            Field("inner", status.inner), Field("imported", status.imported),
            Field("in_lua", status.in_lua), Field("wanted", status.wanted),
            Field("done", status.done), Field("failed", status.failed),
            Field("stopped", status.stopped), Field("missing", status.missing),
            Field("predictions", status.predictions), Field("retried", status.retried));
  lua_createtable(L, 0, kNumFailureCauses);
  for (std::size_t cause = 0; cause < status.causes.size(); ++cause) {
    SetField(L, CauseName(static_cast<FailureCause>(cause)).data(), status.causes[cause]);
  }
  lua_setfield(L, -2, "causes");
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
  const std::string_view path = CheckText(L, 1);
  const lua_Integer run = luaL_optinteger(L, 2, 0);
  Session& session = GetSession(L);
  auto* status = NewOwned<StoreStatus>(L);
  CellStore::Counts counts;
  Try(L, [&] {
    session.files.CheckRead(std::string(path));
    session.engines.Flush();
    *status = ReadStoreStatus(std::string(path),
                              run == 0 ? std::nullopt : std::optional<std::int64_t>(run));
    counts = CountsOf(session, std::string(path));
  });
  PushTable(L, Field("found", counts.found), Field("computed", counts.computed),
            Field("cells", status->cells), Field("predictions", status->predictions),
            Field("datasets", status->datasets),
            Field("prediction_bytes", status->prediction_bytes),
            Field("file_bytes", status->file_bytes), Field("damaged", status->damaged));
  SetList(L, "learners", status->learners,
          [L](const LearnerStatus& learner) { PushLearner(L, learner); });
  SetList(L, "runs", status->runs, [L](const RunStatus& one) {
    PushTable(L, Field("run", one.id), Field("started", one.started), Field("script", one.script));
  });
  return 1;
}

}  // namespace

void OpenStores(lua_State* L) {
  AddFunctions(L, {{"has_store", Native<HasStore>},
                   {"record_composed", RecordFold},
                   {"rescore", RescoreStore},
                   {"store_problem", Native<StoreProblem>},
                   {"store_status", StatusOf}});
}

}  // namespace crossfold::lua
