// Reading and running cells.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "bindings/lua/run_settings.h"
#include "crossfold/cell.h"
#include "crossfold/cross_prediction.h"
#include "crossfold/error.h"
#include "crossfold/score.h"

namespace crossfold::lua {
namespace {

// Cells as scripts write them: { learner =, splits =, split =, count =, seed =, metrics =, keep =,
// isolate =, purpose = { learner =, dataset =, inner = } }.

// The cells read so far, and what is remembered from one to the next. Owned by Lua.
struct CellReader {
  std::vector<CellBlock> blocks;
  const void* metrics_table = nullptr;  // identity of the table that `metrics` came from
  std::shared_ptr<const MetricList> metrics;
  const void* purpose_table = nullptr;  // the same for `purpose`
  std::shared_ptr<const CellPurpose> purpose;
  // All different ones, by their fields.
  std::map<std::tuple<std::string, std::string, bool, ShardPart>,
           std::shared_ptr<const CellPurpose>>
      purposes;
};

// Reads the purpose that is at the top of the stack (nil = none) and pops it.
void ReadPurpose(lua_State* L, CellReader& reader) {
  const int type = lua_type(L, -1);
  const void* table = lua_topointer(L, -1);
  if (type == LUA_TNIL) {
    reader.purpose.reset();
    reader.purpose_table = nullptr;
  } else if (table != reader.purpose_table) {
    if (type != LUA_TTABLE) Raise(L, "a cell's 'purpose' must be a table");
    const int index = lua_gettop(L);
    auto* read = NewOwned<CellPurpose>(L);
    ReadStringField(L, index, "learner", read->learner);
    ReadStringField(L, index, "dataset", read->dataset);
    lua_getfield(L, index, "inner");
    read->inner = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    if (lua_getfield(L, index, "mine") != LUA_TNIL) {
      read->part = lua_toboolean(L, -1) != 0 ? ShardPart::kOwn : ShardPart::kOther;
    }
    lua_pop(L, 1);
    Try(L, [&] {
      std::shared_ptr<const CellPurpose>& known =
          reader.purposes[{read->learner, read->dataset, read->inner, read->part}];
      if (known == nullptr) known = std::make_shared<const CellPurpose>(*read);
      reader.purpose = known;
    });
    reader.purpose_table = table;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

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

// `absent` is the value of a field that is nil; 0 = it must be given.
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

void ReadMetrics(lua_State* L, CellReader& reader, lua_Integer number) {
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

Keep ReadCellKeep(lua_State* L, lua_Integer number) {
  Keep keep = Keep::kNothing;
  if (lua_getfield(L, -1, "keep") == LUA_TSTRING) {
    const std::string_view text = lua_tostring(L, -1);
    if (text == "labels") {
      keep = Keep::kLabels;
    } else if (text == "probabilities") {
      keep = Keep::kProbabilities;
    } else if (text != "none") {
      Raise(L, lua_pushfstring(L,
                               "cannot run cell %d: keep = '%s' is not one of labels, "
                               "probabilities, none",
                               static_cast<int>(number), lua_tostring(L, -1)));
    }
  }
  lua_pop(L, 1);
  return keep;
}

std::optional<Isolation> ReadCellIsolation(lua_State* L, lua_Integer number) {
  std::optional<Isolation> own;
  if (lua_getfield(L, -1, "isolate") != LUA_TNIL) {
    own = ToIsolation(L, -1);
    if (!own) {
      Raise(L, lua_pushfstring(L, "cannot run cell %d: its 'isolate' is not one of %s",
                               static_cast<int>(number), kIsolationNames.data()));
    }
  }
  lua_pop(L, 1);
  return own;
}

void CheckSplitRange(lua_State* L, const SplitPlan& plan, lua_Integer split, lua_Integer count,
                     lua_Integer number) {
  if (split < 1 || split > plan.size()) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: there is no split %d, the plan has %d",
                             static_cast<int>(number), static_cast<int>(split),
                             static_cast<int>(plan.size())));
  }
  if (count < 1 || count > plan.size() - split + 1) {
    Raise(L, lua_pushfstring(L, "cannot run cell %d: count = %d from split %d on, the plan has %d",
                             static_cast<int>(number), static_cast<int>(count),
                             static_cast<int>(split), static_cast<int>(plan.size())));
  }
}

// Refuses cells that could not run; what the last block shares was checked with it.
void CheckCells(const CellReader& reader, const Pipeline& learner, const SplitPlan& splits) {
  const CellBlock* last = reader.blocks.empty() ? nullptr : &reader.blocks.back();
  if (last != nullptr && last->learner.get() == &learner && last->splits.get() == &splits &&
      last->metrics == reader.metrics) {
    return;
  }
  const Dataset& data = *splits.view().data;
  CheckCompatible(learner, data);
  RequireTrainingRows(splits);
  if (reader.metrics) {
    for (const auto& metric : *reader.metrics) CheckMetricOfLearner(*metric, learner.learner());
  }
  const bool new_metrics = last == nullptr || last->metrics != reader.metrics ||
                           last->splits->view().data.get() != &data;
  if (!reader.metrics || !new_metrics) return;
  for (const auto& metric : *reader.metrics) CheckMetric(*metric, data);
}

// The cell table is at the top of the stack.
void ReadCell(lua_State* L, const RunSettings& settings, CellReader& reader, lua_Integer number) {
  const int cell = lua_gettop(L);
  const auto& learner = CheckField<PipelineHandle>(L, cell, "learner", "learner", number);
  const auto& splits = CheckField<SplitsHandle>(L, cell, "splits", "split plan", number);
  lua_pushvalue(L, cell);
  const lua_Integer split = CheckIntegerField(L, "split", number);
  const lua_Integer count = CheckIntegerField(L, "count", number, 1);
  const lua_Integer seed = CheckIntegerField(L, "seed", number);
  const Keep keep = ReadCellKeep(L, number);
  const std::optional<Isolation> isolation = ReadCellIsolation(L, number);
  ReadMetrics(L, reader, number);
  lua_getfield(L, -1, "purpose");
  ReadPurpose(L, reader);
  CheckSplitRange(L, *splits.plan, split, count, number);
  Try(L, [&] {
    CheckCells(reader, *learner.pipeline, *splits.plan);
    AppendCells(reader.blocks,
                {learner.pipeline, splits.plan, split - 1, count, static_cast<std::uint64_t>(seed),
                 reader.metrics, keep, ChooseIsolation(settings, *learner.pipeline, isolation),
                 reader.purpose});
  });
  lua_settop(L, cell);
}

// Reads the list of cells at `index`. Refuses cells that could not run.
void ReadCells(lua_State* L, int index, const RunSettings& settings, CellReader& reader) {
  const lua_Integer n = luaL_len(L, index);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, index, i);
    if (!lua_istable(L, -1)) {
      Raise(L, lua_pushfstring(L, "cannot run cell %d: it is a %s, not a table",
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    ReadCell(L, settings, reader, i);
    lua_pop(L, 1);
  }
}

// native.run(cells, how): outcomes, or nil and the reason if how.stop was asked for and a cell
// failed; raises the cancelled value if the host asked to stop. See run_settings.h for `how` and
// above for cells. A cell with a `count` is for that number of consecutive splits.
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
  PushList(L, (*made)->repeats, [&](const Prediction& repeat) {
    auto* handle = NewOwned<PredictionHandle>(L);
    handle->prediction = std::shared_ptr<const Prediction>(*made, &repeat);
    handle->data = handle->truth = splits.plan->view().data;
  });
  return 1;
}

// native.take_task(dataset, learner): nil if this is not a shard; else whether the next piece of
// work that cannot be cut, a fold of that learner on that dataset, is for this one.
std::optional<bool> TakeTask(const char* dataset, const char* learner, Session& session) {
  return session.engine().TakeTask(dataset, learner);
}

// native.leave_task(): a fold of the experiment that has no cell is left to another shard.
void LeaveTask(Session& session) { ++session.counts.elsewhere; }

// native.check_learner(learner, data), native.check_metric(metric, data): raise what would stop
// every cell, before any runs.
void CheckLearnerFits(const PipelineHandle& learner, const DataView& view) {
  CheckCompatible(*learner.pipeline, *view.data);
}

void CheckMetricFits(const SpecHandle& metric, const DataView& view) {
  CheckMetric(*metric.spec, *view.data);
}

}  // namespace

void OpenRuns(lua_State* L) {
  AddFunctions(L, {{"run", Run},
                   {"cross_predict", CrossPredictRows},
                   {"take_task", Native<TakeTask>},
                   {"leave_task", Native<LeaveTask>},
                   {"check_learner", Native<CheckLearnerFits>},
                   {"check_metric", Native<CheckMetricFits>}});
}

}  // namespace crossfold::lua
