// Datasets as scripts see them: rows, columns, selections.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "engine/data/role_names.h"

namespace crossfold::lua {
namespace {

// data:select{rows} with 1-based positions in this view.
int Select(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* positions = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the rows", *positions);
  return RunAndPush(L, [&] {
    for (std::int64_t& p : *positions) {
      if (p < 1 || p > data.view.num_rows()) {
        throw Error(ErrorKind::kInvalidArgument,
                    "cannot select row " + std::to_string(p) + " of '" + data.view.data->name() +
                        "': it has rows 1 to " + std::to_string(data.view.num_rows()));
      }
      p = data.view.row_id(p - 1);
    }
    auto rows = std::make_shared<const std::vector<std::int64_t>>(std::move(*positions));
    return DataHandle{{data.view.data, std::move(rows)}, data.target_hidden};
  });
}

// data:without_target(): the same rows, fit for prediction only.
DataHandle WithoutTarget(const DataHandle& data) { return {data.view, true}; }

// {{costs of a row}, ...} in class order.
void ReadCostRows(lua_State* L, CostMatrix& matrix) {
  matrix.n_rows = luaL_len(L, 2);
  std::vector<double>* row = NewOwned<std::vector<double>>(L);
  for (lua_Integer t = 1; t <= matrix.n_rows; ++t) {
    lua_geti(L, 2, t);
    ReadNumbers(L, -1, "a row of the costs", *row);
    lua_pop(L, 1);
    const auto size = static_cast<std::int64_t>(row->size());
    if (t == 1) matrix.n_columns = size;
    if (size != matrix.n_columns) {
      Raise(L, lua_pushfstring(L, "cannot read the costs: row %I has %I entries, row 1 has %I", t,
                               size, matrix.n_columns));
    }
    Try(L, [&] { matrix.costs.insert(matrix.costs.end(), row->begin(), row->end()); });
  }
}

// The class at stack index `index`, as its place.
std::size_t CheckClass(lua_State* L, int index, const Dataset& data) {
  const auto names = data.class_names();
  const char* name = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : "";
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  Raise(L, lua_pushfstring(L, "cannot read the costs: '%s' is not a class of dataset '%s'", name,
                           data.name().c_str()));
}

// {truth = {predicted = cost}}; what is not listed costs nothing.
void ReadNamedCosts(lua_State* L, const Dataset& data, CostMatrix& matrix) {
  const auto k = static_cast<std::size_t>(data.num_classes());
  matrix.n_rows = matrix.n_columns = data.num_classes();
  Try(L, [&] { matrix.costs.assign(k * k, 0); });
  lua_pushnil(L);
  while (lua_next(L, 2) != 0) {
    const std::size_t truth = CheckClass(L, -2, data);
    if (!lua_istable(L, -1)) Raise(L, "cannot read the costs: a class has no table of costs");
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      const std::size_t predicted = CheckClass(L, -2, data);
      if (lua_type(L, -1) != LUA_TNUMBER) Raise(L, "cannot read the costs: a cost is not a number");
      matrix.costs[truth * k + predicted] = lua_tonumber(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
}

// data:with_costs(costs): the same rows with a cost matrix, {{0, 1}, {5, 0}} in class order (rows
// by truth) or { bad = { good = 5 } }.
int WithCosts(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  auto* matrix = NewOwned<CostMatrix>(L);
  if (lua_geti(L, 2, 1) != LUA_TNIL) {
    ReadCostRows(L, *matrix);
  } else {
    lua_pop(L, 1);
    ReadNamedCosts(L, *view.data, *matrix);
  }
  return RunAndPush(L, [&] {
    return DataHandle{{Dataset::WithCosts(*view.data, *matrix), view.rows}};
  });
}

// data:roles(): { target = column, weights =, ..., coordinates = { columns }, positive = class } of
// those that there are.
int RolesOf(lua_State* L) {
  const Roles& roles = CheckData(L, 1).view.data->roles();
  PushTable(L, Field("target", NotEmpty(roles.target)), Field("weights", NotEmpty(roles.weights)),
            Field("groups", NotEmpty(roles.groups)), Field("time", NotEmpty(roles.time)),
            Field("folds", NotEmpty(roles.folds)), Field("strata", NotEmpty(roles.strata)),
            Field("positive", NotEmpty(roles.positive)));
  if (!roles.coordinates.empty()) SetField(L, "coordinates", roles.coordinates);
  return 1;
}

// data:costs(): rows by truth, nil if there are none.
int Costs(lua_State* L) {
  const Dataset& data = *CheckTrainingData(L, 1).data;
  const std::span<const double> costs = data.costs();
  if (costs.empty()) return 0;
  PushMatrix(L, costs, static_cast<std::size_t>(data.num_classes()));
  return 1;
}

std::int64_t DatasetNumRows(const DataHandle& data) { return data.view.num_rows(); }

// Rows that were left out when the data were read.
std::int64_t DroppedRows(const DataHandle& data) { return data.view.data->num_dropped_rows(); }

std::string Name(const DataHandle& data) { return data.view.data->name(); }

std::string ContentHash(const DataHandle& data) { return data.view.content_hash(); }

const char* TaskName(const DataHandle& data) {
  const Task task = data.view.data->task();
  return task == Task::kClassification ? "classification"
         : task == Task::kRegression   ? "regression"
                                       : "none";
}

// data:classes(): class names in their fixed order.
std::span<const std::string> DatasetClasses(const DataHandle& data) {
  return data.view.data->class_names();
}

// data:features(): their names.
int DatasetFeatures(lua_State* L) {
  PushList(L, CheckData(L, 1).view.data->features(),
           [L](const cf_column& feature) { lua_pushstring(L, feature.name); });
  return 1;
}

// Row ids of the view, 1-based.
int DatasetRowIds(lua_State* L) {
  return PushForRows(L, CheckData(L, 1).view,
                     [L](std::int64_t row) { lua_pushinteger(L, row + 1); });
}

// native.times(data): the times of the rows as numbers, dates in days or seconds; empty without a
// time column.
int Times(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  const std::span<const double> times = view.data->time();
  if (times.empty()) {
    lua_newtable(L);
    return 1;
  }
  return PushForRows(
      L, view, [&](std::int64_t row) { lua_pushnumber(L, times[static_cast<std::size_t>(row)]); });
}

void PushColumnEntry(lua_State* L, const Column& column, std::int64_t row) {
  if (column.is_missing(row)) {
    PushNull(L);
    return;
  }
  switch (column.dtype) {
    case CF_CAT32: {
      const auto code = static_cast<const std::int32_t*>(column.data)[row];
      PushText(L, column.levels[static_cast<std::size_t>(code)]);
      return;
    }
    case CF_BOOL8:
      lua_pushboolean(L, static_cast<const std::uint8_t*>(column.data)[row]);
      return;
    case CF_I32:
      lua_pushinteger(L, static_cast<const std::int32_t*>(column.data)[row]);
      return;
    case CF_I64:
      lua_pushinteger(L, static_cast<const std::int64_t*>(column.data)[row]);
      return;
    case CF_F32:
      lua_pushnumber(L, static_cast<double>(static_cast<const float*>(column.data)[row]));
      return;
    default:
      lua_pushnumber(L, static_cast<const double*>(column.data)[row]);
  }
}

// data:column(name): a list; categories as their names, missing cells as cf.null.
int ColumnEntries(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  const char* name = luaL_checkstring(L, 2);
  const Column* column = nullptr;
  Try(L, [&] {
    column = &data.view.data->column(name);
    if (data.target_hidden && IsRole(data.view.data->roles(), column->name)) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot read column '" + column->name + "': rows to predict show features only");
    }
  });
  return PushForRows(L, data.view, [&](std::int64_t row) { PushColumnEntry(L, *column, row); });
}

// data:target(): the target as a list.
int DatasetTarget(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  if (view.data->task() == Task::kNone) {
    Raise(L, lua_pushfstring(L,
                             "cannot read the target of '%s': it has none; read it with "
                             "target = \"<column>\"",
                             view.data->name().c_str()));
  }
  return PushForRows(L, view, [&](std::int64_t row) { PushTarget(L, *view.data, row); });
}

// The placeholder of a method that is written in Lua, until the module has added it.
int NotLoaded(lua_State* L) {
  Raise(L, "cannot call this method: the module 'crossfold' is not loaded; require it first");
}

// native.add_data_method(name, f): data:name(...) is f(data, ...).
int AddDataMethod(lua_State* L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  PushMetatable<DataHandle>(L);
  lua_getfield(L, -1, "__index");
  lua_replace(L, -2);
  lua_insert(L, 1);
  lua_settable(L, 1);
  return 0;
}

// data:notes(): what a reader of scores should know of the data.
std::vector<std::string> DatasetNotes(const DataHandle& data) { return data.view.data->notes(); }

std::string DatasetText(const DataHandle& handle) {
  const Dataset& data = *handle.view.data;
  const std::int64_t n_dropped = data.num_dropped_rows();
  std::string text = "dataset '" + Printable(data.name(), true) +
                     "': " + std::to_string(handle.view.num_rows()) + " rows" +
                     (n_dropped > 0 ? " (" + std::to_string(n_dropped) + " dropped)" : "") + ", " +
                     std::to_string(data.num_features()) + " features";
  for (const std::string& note : data.notes()) text += "\n(" + note + ")";
  return text;
}

}  // namespace

void PushTarget(lua_State* L, const Dataset& data, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  if (data.task() == Task::kClassification) {
    PushText(L, data.class_names()[static_cast<std::size_t>(data.labels()[at])]);
  } else {
    lua_pushnumber(L, data.values()[at]);
  }
}

const DataView& CheckTrainingData(lua_State* L, int arg) {
  const DataHandle& data = CheckData(L, arg);
  if (data.target_hidden) {
    luaL_argerror(L, arg, "rows to predict cannot be trained on: their target is hidden");
  }
  return data.view;
}

void OpenData(lua_State* L) {
  RegisterType<DataHandle>(L, {{"select", Select},
                               {"without_target", Native<WithoutTarget>},
                               {"with_costs", WithCosts},
                               {"costs", Costs},
                               {"roles", RolesOf},
                               {"num_rows", Native<DatasetNumRows>},
                               {"name", Native<Name>},
                               {"hash", Native<ContentHash>},
                               {"task", Native<TaskName>},
                               {"classes", Native<DatasetClasses>},
                               {"features", DatasetFeatures},
                               {"row_ids", DatasetRowIds},
                               {"column", ColumnEntries},
                               {"target", DatasetTarget},
                               {"dropped_rows", Native<DroppedRows>},
                               {"notes", Native<DatasetNotes>},
                               {"describe", NotLoaded},
                               {"filter", NotLoaded},
                               {"with_roles", NotLoaded},
                               {"__len", Native<DatasetNumRows>},
                               {"__tostring", Native<DatasetText>}});
  AddFunctions(L, {{"add_data_method", AddDataMethod}, {"times", Times}});
}

}  // namespace crossfold::lua

namespace crossfold {

void PushDataset(lua_State* L, const std::shared_ptr<const Dataset>& data) {
  luaL_checkstack(L, 4, "a dataset");
  lua::NewOwned<lua::DataHandle>(L)->view.data = data;
}

}  // namespace crossfold
