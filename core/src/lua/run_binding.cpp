// Running cells.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cross_prediction.h"
#include "crossfold/error.h"
#include "crossfold/run.h"
#include "crossfold/score.h"
#include "lua/arguments.h"
#include "lua/handles.h"
#include "lua/planning.h"
#include "lua/protect.h"
#include "lua/session.h"

namespace crossfold::lua {
namespace {

// Field `name` of the cell at `cell` as a T; raises if it is none. Leaves it on the stack, where
// the collector sees it.
template <class T>
const T& CheckField(lua_State* L, int cell, const char* name, const char* type,
                    lua_Integer number) {
  lua_getfield(L, cell, name);
  const T* object = ToOwned<T>(L, -1);
  if (object == nullptr) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: its '%s' is a %s, not a %s",
                             static_cast<int>(number), name, luaL_typename(L, -1), type));
  }
  return *object;
}

// `absent` is the value of a field that is nil; 0 = there has to be one.
lua_Integer CheckIntegerField(lua_State* L, const char* name, lua_Integer number,
                              lua_Integer absent = 0) {
  if (lua_getfield(L, -1, name) == LUA_TNIL && absent != 0) {
    lua_pop(L, 1);
    return absent;
  }
  int is_integer = 0;
  const lua_Integer value = lua_tointegerx(L, -1, &is_integer);
  if (is_integer == 0) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: its '%s' is a %s, not an integer",
                             static_cast<int>(number), name, luaL_typename(L, -1)));
  }
  lua_pop(L, 1);
  return value;
}

// What is remembered from one cell to the next while a batch is read. Owned by Lua.
struct BatchReader {
  std::vector<CellBlock> blocks;
  const void* metrics_table = nullptr;  // identity of the table that `metrics` came from
  std::shared_ptr<const MetricList> metrics;
};

void ReadMetrics(lua_State* L, BatchReader& reader, lua_Integer number) {
  const int type = lua_getfield(L, -1, "metrics");
  const void* table = lua_topointer(L, -1);
  if (type == LUA_TNIL) {
    reader.metrics.reset();
    reader.metrics_table = nullptr;
  } else if (table != reader.metrics_table) {
    if (type != LUA_TTABLE) Raise(L, "a cell's 'metrics' must be a list of metrics");
    auto* list = NewOwned<std::shared_ptr<MetricList>>(L);
    Try(L, [&] { *list = std::make_shared<MetricList>(); });
    const lua_Integer n = luaL_len(L, -2);
    for (lua_Integer m = 1; m <= n; ++m) {
      lua_geti(L, -2, m);
      const auto* spec = ToOwned<SpecHandle>(L, -1);
      if (spec == nullptr || spec->spec->component().metric == nullptr) {
        Raise(L,
              lua_pushfstring(L, "cannot run cell %d: metric %d is a %s, not a metric",
                              static_cast<int>(number), static_cast<int>(m), luaL_typename(L, -1)));
      }
      Try(L, [&] { (*list)->push_back(spec->spec); });
      lua_pop(L, 1);
    }
    reader.metrics = *list;
    reader.metrics_table = table;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

Keep ReadKeep(lua_State* L, lua_Integer number) {
  Keep keep = Keep::kNothing;
  if (lua_getfield(L, -1, "keep") == LUA_TSTRING) {
    const std::string_view text = lua_tostring(L, -1);
    if (text == "labels") {
      keep = Keep::kLabels;
    } else if (text == "probabilities") {
      keep = Keep::kProbabilities;
    } else if (text != "none") {
      Raise(L, lua_pushfstring(L,
                               "cannot run cell %d: keep = '%s' is none of labels, "
                               "probabilities, none",
                               static_cast<int>(number), lua_tostring(L, -1)));
    }
  }
  lua_pop(L, 1);
  return keep;
}

// The cell table is at the top of the stack.
void ReadCell(lua_State* L, BatchReader& reader, lua_Integer number) {
  const int cell = lua_gettop(L);
  const auto& learner = CheckField<PipelineHandle>(L, cell, "learner", "learner", number);
  const auto& splits = CheckField<SplitsHandle>(L, cell, "splits", "split plan", number);
  lua_pushvalue(L, cell);
  const lua_Integer split = CheckIntegerField(L, "split", number);
  const lua_Integer count = CheckIntegerField(L, "count", number, 1);
  const lua_Integer seed = CheckIntegerField(L, "seed", number);
  const Keep keep = ReadKeep(L, number);
  ReadMetrics(L, reader, number);
  if (split < 1 || split > splits.plan->size()) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: there is no split %d, the plan has %d",
                             static_cast<int>(number), static_cast<int>(split),
                             static_cast<int>(splits.plan->size())));
  }
  if (count < 1 || count > splits.plan->size() - split + 1) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: count = %d from split %d on, the plan has %d",
                             static_cast<int>(number), static_cast<int>(count),
                             static_cast<int>(split), static_cast<int>(splits.plan->size())));
  }
  Try(L, [&] {
    const CellBlock* last = reader.blocks.empty() ? nullptr : &reader.blocks.back();
    const bool like_last = last != nullptr && last->learner == learner.pipeline &&
                           last->splits == splits.plan && last->metrics == reader.metrics;
    const Dataset& data = *splits.plan->view().data;
    if (!like_last) {
      CheckCompatible(*learner.pipeline, data);
      const bool new_metrics = last == nullptr || last->metrics != reader.metrics ||
                               last->splits->view().data.get() != &data;
      if (reader.metrics && new_metrics) {
        for (const auto& metric : *reader.metrics) CheckMetric(*metric, data);
      }
    }
    AppendCells(reader.blocks, {learner.pipeline, splits.plan, split - 1, count,
                                static_cast<std::uint64_t>(seed), reader.metrics, keep});
  });
  lua_settop(L, cell);
}

void CountOutcomes(Session& session, const OutcomeTable& outcomes) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes.status(i) != OutcomeStatus::kCancelled) ++session.counts.cells;
    if (outcomes.status(i) == OutcomeStatus::kFailed) ++session.counts.failed;
  }
}

// native.run(cells, workers): raises the cancelled value if the host asked to stop. A cell with a
// `count` stands for so many consecutive splits.
int Run(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  Session& session = GetSession(L);
  const lua_Integer workers = luaL_optinteger(L, 2, session.options.workers);
  luaL_argcheck(L, workers >= 0 && workers <= 4096, 2, "workers must lie in 0 .. 4096");
  auto* reader = NewOwned<BatchReader>(L);
  const lua_Integer n = luaL_len(L, 1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    if (!lua_istable(L, -1)) {
      Raise(L, lua_pushfstring(L, "cannot run cell %d: it is a %s, not a table",
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    ReadCell(L, *reader, i);
    lua_pop(L, 1);
  }
  auto* handle = NewOwned<OutcomesHandle>(L);
  Try(L, [&] {
    const auto outcomes = std::make_shared<OutcomeTable>(std::move(reader->blocks));
    handle->outcomes = outcomes;
    handle->count = outcomes->size();
    if (session.planning() != nullptr) {
      session.planning()->AddCells(outcomes->blocks(), session.run_options(workers));
      return TakePlanned(*outcomes);
    }
    RunAndScore(outcomes->blocks(), session.run_options(workers),
                [&](std::size_t i, Outcome&& outcome) { outcomes->Take(i, std::move(outcome)); });
    CountOutcomes(session, *outcomes);
    if (session.cancel() != nullptr && session.cancel()->cancelled()) {
      throw Error(ErrorKind::kCancelled, "cancelled");
    }
  });
  return 1;
}

// Raises for the first split that failed.
void RequireNoFailures(const SplitPlan& splits, const CrossPrediction& made) {
  if (made.failures.empty()) return;
  const FailedSplit& first = made.failures.front();
  throw Error(ErrorKind::kFailed,
              "cannot predict across folds: " + std::to_string(made.failures.size()) + " of " +
                  std::to_string(splits.size()) + " splits failed, the first is repeat " +
                  std::to_string(splits.repeat_of(first.split) + 1) + ", fold " +
                  std::to_string(splits.fold_of(first.split) + 1) + " at " + first.failure.stage +
                  ": " + first.failure.message + "; cf.evaluate keeps what did not fail");
}

// native.cross_predict(learner, splits, seed, probabilities, workers): a list of predictions, one a
// repeat.
int CrossPredictRows(lua_State* L) {
  const PipelineHandle& learner = CheckPipeline(L, 1);
  const SplitsHandle& splits = CheckSplits(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  const Keep keep = lua_toboolean(L, 4) != 0 ? Keep::kProbabilities : Keep::kLabels;
  Session& session = GetSession(L);
  const lua_Integer workers = luaL_optinteger(L, 5, session.options.workers);
  luaL_argcheck(L, workers >= 0 && workers <= 4096, 5, "workers must lie in 0 .. 4096");
  auto* made = NewOwned<std::shared_ptr<CrossPrediction>>(L);
  Try(L, [&] {
    const SplitPlan& plan = *splits.plan;
    CheckCompatible(*learner.pipeline, *plan.view().data);
    const CellBlock block{learner.pipeline, splits.plan, 0, plan.size(), seed, nullptr, keep};
    if (session.planning() != nullptr) {
      session.planning()->AddCells({&block, 1}, session.run_options(workers));
      *made = std::make_shared<CrossPrediction>();
      return;
    }
    *made = std::make_shared<CrossPrediction>(CrossPredict(block, session.run_options(workers)));
    session.counts.cells += static_cast<std::uint64_t>(plan.size());
    session.counts.failed += (*made)->failures.size();
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

OutcomesHandle& CheckOutcomes(lua_State* L) {
  return CheckOwned<OutcomesHandle>(L, 1, kOutcomesName);
}

// Index into the shared vectors for the 1-based argument `arg`.
std::size_t CheckPlace(lua_State* L, int arg) {
  const OutcomesHandle& all = CheckOutcomes(L);
  const lua_Integer i = luaL_checkinteger(L, arg);
  luaL_argcheck(L, i >= 1 && static_cast<std::size_t>(i) <= all.count, arg,
                "there is no such outcome");
  return all.first + static_cast<std::size_t>(i - 1);
}

int NumOutcomes(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(CheckOutcomes(L).count));
  return 1;
}

// outcomes:slice(first, count)
int Slice(lua_State* L) {
  const OutcomesHandle& all = CheckOutcomes(L);
  const lua_Integer first = luaL_checkinteger(L, 2);
  const lua_Integer count = luaL_checkinteger(L, 3);
  const auto size = static_cast<lua_Integer>(all.count);
  luaL_argcheck(L, first >= 1 && first - 1 <= size, 2, "out of range");
  luaL_argcheck(L, count >= 0 && count <= size - (first - 1), 3, "out of range");
  auto* handle = NewOwned<OutcomesHandle>(L);
  *handle = CheckOutcomes(L);
  handle->first += static_cast<std::size_t>(first - 1);
  handle->count = static_cast<std::size_t>(count);
  return 1;
}

// outcomes:ok(i)
int Ok(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushboolean(L, CheckOutcomes(L).outcomes->status(i) == OutcomeStatus::kOk);
  return 1;
}

// outcomes:score(i, m): the value, or nil and the reason (a failure's text if the cell failed).
int ScoreOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  const lua_Integer m = luaL_checkinteger(L, 3);
  if (outcomes.status(i) != OutcomeStatus::kOk) {
    lua_pushnil(L);
    PushText(L, outcomes.failure(i).message);
    return 2;
  }
  luaL_argcheck(L, m >= 1 && static_cast<std::size_t>(m) <= outcomes.num_metrics(i), 3,
                "there is no such metric");
  const auto metric = static_cast<std::size_t>(m - 1);
  const std::string* undefined = outcomes.undefined(i, metric);
  if (undefined == nullptr) {
    lua_pushnumber(L, outcomes.score(i, metric));
    return 1;
  }
  lua_pushnil(L);
  PushText(L, *undefined);
  return 2;
}

// outcomes:failure(i): nil, or {stage =, code =, message =}.
int FailureOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  if (outcomes.status(i) == OutcomeStatus::kOk) {
    lua_pushnil(L);
    return 1;
  }
  const Failure& failure = outcomes.failure(i);
  lua_createtable(L, 0, 3);
  PushText(L, failure.stage);
  lua_setfield(L, -2, "stage");
  lua_pushinteger(L, failure.code);
  lua_setfield(L, -2, "code");
  PushText(L, failure.message);
  lua_setfield(L, -2, "message");
  return 1;
}

int WarningsOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  PushTexts(L, CheckOutcomes(L).outcomes->warnings(i));
  return 1;
}

// outcomes:prediction(i): what the cell's `keep` asked for; nil if nothing was kept.
int PredictionOf(lua_State* L) {
  const std::size_t place = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  if (outcomes.is_planned() && outcomes.block_of(place).keep != Keep::kNothing) {
    auto* handle = NewOwned<PredictionHandle>(L);
    const CellBlock& block = outcomes.block_of(place);
    Try(L, [&] { handle->prediction = PlannedPrediction(block, outcomes.split_of(place)); });
    handle->data = handle->truth = block.splits->view().data;
    return 1;
  }
  const Prediction* prediction = outcomes.prediction(place);
  if (prediction == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  auto* handle = NewOwned<PredictionHandle>(L);
  // Shares the outcomes' memory and keeps it alive.
  handle->prediction = std::shared_ptr<const Prediction>(CheckOutcomes(L).outcomes, prediction);
  handle->data = outcomes.block_of(place).splits->view().data;
  handle->truth = handle->data;
  return 1;
}

// outcomes:is_planned(): whether the cells did not run (see planning.h).
int IsPlanned(lua_State* L) {
  lua_pushboolean(L, CheckOutcomes(L).outcomes->is_planned() ? 1 : 0);
  return 1;
}

// outcomes:sizes(i): training rows, test rows. outcomes:seconds(i): fit, predict.
int Sizes(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushinteger(L, CheckOutcomes(L).outcomes->n_train(i));
  lua_pushinteger(L, CheckOutcomes(L).outcomes->n_test(i));
  return 2;
}

int Seconds(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushnumber(L, CheckOutcomes(L).outcomes->fit_s(i));
  lua_pushnumber(L, CheckOutcomes(L).outcomes->predict_s(i));
  return 2;
}

constexpr luaL_Reg kOutcomeMethods[] = {{"slice", Slice},          {"ok", Ok},
                                        {"score", ScoreOf},        {"failure", FailureOf},
                                        {"warnings", WarningsOf},  {"prediction", PredictionOf},
                                        {"sizes", Sizes},          {"seconds", Seconds},
                                        {"is_planned", IsPlanned}, {nullptr, nullptr}};
constexpr luaL_Reg kOutcomeMetamethods[] = {{"__len", NumOutcomes}, {nullptr, nullptr}};

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

constexpr luaL_Reg kFunctions[] = {{"run", Run},
                                   {"cross_predict", CrossPredictRows},
                                   {"check_learner", CheckLearnerFits},
                                   {"check_metric", CheckMetricFits},
                                   {nullptr, nullptr}};

}  // namespace

void OpenRuns(lua_State* L) {
  RegisterType<OutcomesHandle>(L, kOutcomesName, kOutcomeMethods, kOutcomeMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
