// Datasets as scripts see them: rows, columns, selections.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/lua.h"
#include "engine/data/role_names.h"

namespace crossfold::lua {
namespace {

// data:select{rows} with 1-based positions in this view.
int Select(lua_State* L) {
  DataHandle& data = CheckData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* positions = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the rows", *positions);
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    for (std::int64_t& p : *positions) {
      if (p < 1 || p > data.view.num_rows()) {
        throw Error(ErrorKind::kInvalidArgument,
                    "cannot select row " + std::to_string(p) + " of '" + data.view.data->name() +
                        "': it has rows 1 to " + std::to_string(data.view.num_rows()));
      }
      p = data.view.row_id(p - 1);
    }
    handle->view.data = data.view.data;
    handle->view.rows = std::make_shared<const std::vector<std::int64_t>>(std::move(*positions));
  });
  handle->target_hidden = data.target_hidden;
  return 1;
}

// data:without_target(): the same rows, fit for prediction only.
int WithoutTarget(lua_State* L) {
  DataHandle& data = CheckData(L, 1);
  auto* handle = NewOwned<DataHandle>(L);
  handle->view = data.view;
  handle->target_hidden = true;
  return 1;
}

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
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    handle->view.data = Dataset::WithCosts(*view.data, *matrix);
    handle->view.rows = view.rows;
  });
  return 1;
}

// data:roles(): { target = column, weights =, ..., coordinates = { columns } } of those that a
// column has.
int RolesOf(lua_State* L) {
  const Roles& roles = CheckData(L, 1).view.data->roles();
  lua_createtable(L, 0, 6);
  const struct {
    const char* name;
    const std::string& column;
  } named[] = {{"target", roles.target}, {"weights", roles.weights}, {"groups", roles.groups},
               {"time", roles.time},     {"folds", roles.folds},     {"strata", roles.strata}};
  for (const auto& role : named) {
    if (!role.column.empty()) SetText(L, role.name, role.column);
  }
  if (!roles.coordinates.empty()) {
    PushTexts(L, roles.coordinates);
    lua_setfield(L, -2, "coordinates");
  }
  return 1;
}

// data:costs(): rows by truth, nil if there are none.
int Costs(lua_State* L) {
  const Dataset& data = *CheckTrainingData(L, 1).data;
  const std::span<const double> costs = data.costs();
  if (costs.empty()) return 0;
  const auto k = static_cast<int>(data.num_classes());
  lua_createtable(L, k, 0);
  for (int t = 0; t < k; ++t) {
    lua_createtable(L, k, 0);
    for (int p = 0; p < k; ++p) {
      lua_pushnumber(L, costs[static_cast<std::size_t>(t * k + p)]);
      lua_rawseti(L, -2, p + 1);
    }
    lua_rawseti(L, -2, t + 1);
  }
  return 1;
}

int DatasetNumRows(lua_State* L) {
  lua_pushinteger(L, CheckData(L, 1).view.num_rows());
  return 1;
}

// Rows that were left out when the data were read.
int DroppedRows(lua_State* L) {
  lua_pushinteger(L, CheckData(L, 1).view.data->num_dropped_rows());
  return 1;
}

int Name(lua_State* L) {
  PushText(L, CheckData(L, 1).view.data->name());
  return 1;
}

int ContentHash(lua_State* L) {
  auto* hash = NewOwned<std::string>(L);
  Try(L, [&] { *hash = CheckData(L, 1).view.content_hash(); });
  PushText(L, *hash);
  return 1;
}

int TaskName(lua_State* L) {
  const Task task = CheckData(L, 1).view.data->task();
  lua_pushstring(L, task == Task::kClassification ? "classification"
                    : task == Task::kRegression   ? "regression"
                                                  : "none");
  return 1;
}

// data:classes(): class names in their fixed order.
int DatasetClasses(lua_State* L) {
  const auto names = CheckData(L, 1).view.data->class_names();
  lua_createtable(L, static_cast<int>(names.size()), 0);
  for (std::size_t c = 0; c < names.size(); ++c) {
    PushText(L, names[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  return 1;
}

// data:features(): their names.
int DatasetFeatures(lua_State* L) {
  const auto features = CheckData(L, 1).view.data->features();
  lua_createtable(L, static_cast<int>(features.size()), 0);
  for (std::size_t j = 0; j < features.size(); ++j) {
    lua_pushstring(L, features[j].name);
    lua_rawseti(L, -2, static_cast<lua_Integer>(j + 1));
  }
  return 1;
}

// Row ids of the view, 1-based.
int DatasetRowIds(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  const std::int64_t n = view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    lua_pushinteger(L, view.row_id(i) + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// native.times(data): the times of the rows as numbers, dates in days or seconds; empty without a
// time column.
int Times(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  const std::span<const double> times = view.data->time();
  const std::int64_t n = times.empty() ? 0 : view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    lua_pushnumber(L, times[static_cast<std::size_t>(view.row_id(i))]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
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
  const std::int64_t n = data.view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    PushColumnEntry(L, *column, data.view.row_id(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// data:target(): the target as a list.
int DatasetTarget(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const Dataset& data = *view.data;
  if (data.task() == Task::kNone) {
    Raise(L, lua_pushfstring(L,
                             "cannot read the target of '%s': it has none; read it with "
                             "target = \"<column>\"",
                             data.name().c_str()));
  }
  const std::int64_t n = view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(view.row_id(i));
    if (data.task() == Task::kClassification) {
      PushText(L, data.class_names()[static_cast<std::size_t>(data.labels()[row])]);
    } else {
      lua_pushnumber(L, data.values()[row]);
    }
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
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

int DatasetToString(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  const std::int64_t n_dropped = view.data->num_dropped_rows();
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = Printable(view.data->name(), true); });
  lua_pushfstring(
      L, "dataset '%s': %d rows%s, %d features", name->c_str(), static_cast<int>(view.num_rows()),
      n_dropped > 0 ? lua_pushfstring(L, " (%d dropped)", static_cast<int>(n_dropped)) : "",
      static_cast<int>(view.data->num_features()));
  return 1;
}

}  // namespace

const DataView& CheckTrainingData(lua_State* L, int arg) {
  const DataHandle& data = CheckData(L, arg);
  if (data.target_hidden) {
    luaL_argerror(L, arg, "rows to predict cannot be trained on: their target is hidden");
  }
  return data.view;
}

void OpenData(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"add_data_method", AddDataMethod}, {"times", Times}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMethods[] = {{"select", Select},
                                          {"without_target", WithoutTarget},
                                          {"with_costs", WithCosts},
                                          {"costs", Costs},
                                          {"roles", RolesOf},
                                          {"num_rows", DatasetNumRows},
                                          {"name", Name},
                                          {"hash", ContentHash},
                                          {"task", TaskName},
                                          {"classes", DatasetClasses},
                                          {"features", DatasetFeatures},
                                          {"row_ids", DatasetRowIds},
                                          {"column", ColumnEntries},
                                          {"target", DatasetTarget},
                                          {"dropped_rows", DroppedRows},
                                          {"describe", NotLoaded},
                                          {"filter", NotLoaded},
                                          {"with_roles", NotLoaded},
                                          {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {
      {"__len", DatasetNumRows}, {"__tostring", DatasetToString}, {nullptr, nullptr}};
  RegisterType<DataHandle>(L, kDataName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua

namespace crossfold {

void PushDataset(lua_State* L, const std::shared_ptr<const Dataset>& data) {
  luaL_checkstack(L, 4, "a dataset");
  lua::NewOwned<lua::DataHandle>(L)->view.data = data;
}

}  // namespace crossfold
