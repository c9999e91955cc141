#include "bindings/lua/cell_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/score.h"

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

}  // namespace

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

}  // namespace crossfold::lua
