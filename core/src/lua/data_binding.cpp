// Datasets: reading, making from Lua tables, looking into.
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "crossfold/csv.h"
#include "crossfold_plugin/view.hpp"
#include "lua/arguments.h"
#include "lua/handles.h"
#include "lua/protect.h"

namespace crossfold::lua {
namespace {

void ReadRoles(lua_State* L, int index, Roles& roles) {
  ReadStringField(L, index, "target", roles.target);
  ReadStringField(L, index, "weights", roles.weights);
  ReadStringField(L, index, "groups", roles.groups);
  ReadStringField(L, index, "time", roles.time);
  ReadStringField(L, index, "folds", roles.folds);
}

void ReadTypes(lua_State* L, int index, CsvOptions& options) {
  if (lua_getfield(L, index, "types") == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING) {
        Raise(L, "option 'types' must map column names to type names, as in { age = \"f64\" }");
      }
      const char* column = lua_tostring(L, -2);
      const char* type = lua_tostring(L, -1);
      Try(L, [&] { options.types[column] = ColumnTypeFromName(type); });
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

// native.read_csv(path, options): option names are checked by the caller.
int ReadCsvFile(lua_State* L) {
  const char* path = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  // CsvOptions allocates its defaults, so it is made under Try and owned through a holder.
  auto* holder = NewOwned<std::unique_ptr<CsvOptions>>(L);
  Try(L, [&] { *holder = std::make_unique<CsvOptions>(); });
  CsvOptions& csv = **holder;
  ReadRoles(L, 2, csv.roles);
  ReadTypes(L, 2, csv);
  if (lua_getfield(L, 2, "missing") == LUA_TTABLE) {
    csv.missing.clear();
    ReadStrings(L, -1, "option 'missing'", csv.missing);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, 2, "separator") == LUA_TSTRING) csv.separator = *lua_tostring(L, -1);
  lua_pop(L, 1);
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] { handle->view.data = ReadCsv(path, csv); });
  return 1;
}

enum class CellKind { kNumber, kBoolean, kText };

// One column under construction.
struct ColumnDraft {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::int64_t> integers;
  std::vector<bool> present, booleans;
  std::vector<std::string> texts, levels;
  CellKind kind = CellKind::kNumber;
  bool all_integers = true, any = false;
  bool categorical = false;
};

void Append(lua_State* L, ColumnDraft& draft, lua_Integer row) {
  const int type = lua_type(L, -1);
  const bool nan = type == LUA_TNUMBER && std::isnan(lua_tonumber(L, -1));
  const bool missing = IsNull(L, -1) || type == LUA_TNIL || nan;
  CellKind kind = draft.kind;
  if (!missing) {
    if (type == LUA_TNUMBER)
      kind = CellKind::kNumber;
    else if (type == LUA_TBOOLEAN)
      kind = CellKind::kBoolean;
    else if (type == LUA_TSTRING)
      kind = CellKind::kText;
    else
      Raise(L, lua_pushfstring(L,
                               "cannot make column '%s': row %d is a %s; cells are numbers, "
                               "strings, booleans or cf.null",
                               draft.name.c_str(), static_cast<int>(row), lua_typename(L, type)));
    if (draft.any && kind != draft.kind) {
      Raise(L, lua_pushfstring(L,
                               "cannot make column '%s': row %d is a %s, the rows above are of "
                               "another type",
                               draft.name.c_str(), static_cast<int>(row), lua_typename(L, type)));
    }
    draft.kind = kind;
    draft.any = true;
    if (kind == CellKind::kNumber && !lua_isinteger(L, -1)) draft.all_integers = false;
  }
  std::size_t size = 0;
  const char* text = type == LUA_TSTRING ? lua_tolstring(L, -1, &size) : "";
  const double number = missing || type != LUA_TNUMBER ? std::numeric_limits<double>::quiet_NaN()
                                                       : lua_tonumber(L, -1);
  const lua_Integer integer = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
  const bool boolean = type == LUA_TBOOLEAN && lua_toboolean(L, -1) != 0;
  Try(L, [&] {
    draft.numbers.push_back(number);
    draft.integers.push_back(integer);
    draft.booleans.push_back(boolean);
    draft.present.push_back(!missing);
    draft.texts.emplace_back(text, size);
  });
}

std::string LevelText(const ColumnDraft& draft, std::size_t row) {
  switch (draft.kind) {
    case CellKind::kText:
      return draft.texts[row];
    case CellKind::kBoolean:
      return draft.booleans[row] ? "true" : "false";
    default:
      return ToText(draft.all_integers ? Value(draft.integers[row]) : Value(draft.numbers[row]));
  }
}

// Level names in the order given, else sorted (numbers by value, texts by bytes).
std::vector<std::string> LevelsOf(const ColumnDraft& draft) {
  if (!draft.levels.empty()) return draft.levels;
  std::vector<std::string> levels;
  if (draft.kind == CellKind::kNumber) {
    std::map<double, std::string> sorted;
    for (std::size_t i = 0; i < draft.present.size(); ++i) {
      if (draft.present[i]) sorted.emplace(draft.numbers[i], LevelText(draft, i));
    }
    for (auto& [number, text] : sorted) levels.push_back(text);
    return levels;
  }
  std::map<std::string, int> sorted;
  for (std::size_t i = 0; i < draft.present.size(); ++i) {
    if (draft.present[i]) sorted.emplace(LevelText(draft, i), 0);
  }
  for (const auto& [text, unused] : sorted) levels.push_back(text);
  return levels;
}

Column FinishCategories(const ColumnDraft& draft) {
  std::vector<std::string> levels = LevelsOf(draft);
  std::map<std::string, std::int32_t> code_of;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    code_of.emplace(levels[c], static_cast<std::int32_t>(c));
  }
  std::vector<std::int32_t> codes(draft.present.size(), -1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (!draft.present[i]) continue;
    const auto found = code_of.find(LevelText(draft, i));
    if (found == code_of.end()) {
      throw Error(ErrorKind::kBadData, "cannot make column '" + draft.name + "': row " +
                                           std::to_string(i + 1) + " is '" + LevelText(draft, i) +
                                           "', which is none of its levels");
    }
    codes[i] = found->second;
  }
  return Column::Categories(draft.name, std::move(codes), std::move(levels));
}

Column Finish(const ColumnDraft& draft) {
  if (draft.categorical || draft.kind == CellKind::kText) return FinishCategories(draft);
  if (draft.kind == CellKind::kBoolean) {
    return Column::Booleans(draft.name, draft.booleans, draft.present);
  }
  if (draft.all_integers && draft.any) {
    return Column::Integers(draft.name, draft.integers, draft.present);
  }
  return Column::Doubles(draft.name, draft.numbers);
}

// Reads {name=, values=, type=, levels=} at the top of the stack.
void ReadColumn(lua_State* L, ColumnDraft& draft) {
  const int column = lua_gettop(L);
  ReadStringField(L, column, "name", draft.name);
  if (lua_getfield(L, column, "type") == LUA_TSTRING) draft.categorical = true;
  lua_pop(L, 1);
  if (lua_getfield(L, column, "levels") == LUA_TTABLE) {
    ReadStrings(L, -1, "levels", draft.levels);
  }
  lua_pop(L, 1);
  lua_getfield(L, column, "values");
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    Append(L, draft, i);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// native.dataset(name, columns, roles)
int MakeDataset(lua_State* L) {
  const char* name = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  auto* roles = NewOwned<Roles>(L);
  ReadRoles(L, 3, *roles);
  auto* columns = NewOwned<std::vector<Column>>(L);
  auto* draft = NewOwned<ColumnDraft>(L);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    *draft = ColumnDraft();
    lua_geti(L, 2, i);
    ReadColumn(L, *draft);
    lua_pop(L, 1);
    Try(L, [&] { columns->push_back(Finish(*draft)); });
  }
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] { handle->view.data = Dataset::Create(name, std::move(*columns), *roles); });
  return 1;
}

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

// data:with_folds(column): the same rows, with the predefined folds in that column, which is then
// no feature.
int WithFolds(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const char* column = luaL_checkstring(L, 2);
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    const Dataset& data = *view.data;
    Roles roles = data.roles();
    if (roles.folds == column) {
      handle->view = view;
      return;
    }
    roles.folds = data.column(column).name;
    handle->view.data = Dataset::Create(
        data.name(), std::vector<Column>(data.columns().begin(), data.columns().end()), roles);
    handle->view.rows = view.rows;
  });
  return 1;
}

int NumRows(lua_State* L) {
  lua_pushinteger(L, CheckData(L, 1).view.num_rows());
  return 1;
}

int Name(lua_State* L) {
  PushText(L, CheckData(L, 1).view.data->name());
  return 1;
}

int ContentHash(lua_State* L) {
  PushText(L, CheckData(L, 1).view.data->content_hash());
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
int Classes(lua_State* L) {
  const auto names = CheckData(L, 1).view.data->class_names();
  lua_createtable(L, static_cast<int>(names.size()), 0);
  for (std::size_t c = 0; c < names.size(); ++c) {
    PushText(L, names[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  return 1;
}

// data:features(): their names.
int Features(lua_State* L) {
  const auto features = CheckData(L, 1).view.data->features();
  lua_createtable(L, static_cast<int>(features.size()), 0);
  for (std::size_t j = 0; j < features.size(); ++j) {
    lua_pushstring(L, features[j].name);
    lua_rawseti(L, -2, static_cast<lua_Integer>(j + 1));
  }
  return 1;
}

// Row ids of the view, 1-based.
int RowIds(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  const std::int64_t n = view.num_rows();
  lua_createtable(L, static_cast<int>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) {
    lua_pushinteger(L, view.row_id(i) + 1);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

void PushEntry(lua_State* L, const Column& column, std::int64_t row) {
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

bool IsRole(const Roles& roles, const std::string& name) {
  return name == roles.target || name == roles.weights || name == roles.groups ||
         name == roles.time || name == roles.folds;
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
    PushEntry(L, *column, data.view.row_id(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

// data:target(): the target as a list.
int Target(lua_State* L) {
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

int ToString(lua_State* L) {
  const DataView& view = CheckData(L, 1).view;
  lua_pushfstring(L, "dataset '%s': %d rows, %d features", view.data->name().c_str(),
                  static_cast<int>(view.num_rows()), static_cast<int>(view.data->num_features()));
  return 1;
}

constexpr luaL_Reg kMethods[] = {{"select", Select},
                                 {"without_target", WithoutTarget},
                                 {"with_folds", WithFolds},
                                 {"num_rows", NumRows},
                                 {"name", Name},
                                 {"hash", ContentHash},
                                 {"task", TaskName},
                                 {"classes", Classes},
                                 {"features", Features},
                                 {"row_ids", RowIds},
                                 {"column", ColumnEntries},
                                 {"target", Target},
                                 {nullptr, nullptr}};
constexpr luaL_Reg kMetamethods[] = {
    {"__len", NumRows}, {"__tostring", ToString}, {nullptr, nullptr}};
constexpr luaL_Reg kFunctions[] = {
    {"read_csv", ReadCsvFile}, {"dataset", MakeDataset}, {nullptr, nullptr}};

}  // namespace

const DataView& CheckTrainingData(lua_State* L, int arg) {
  const DataHandle& data = CheckData(L, arg);
  if (data.target_hidden) {
    luaL_argerror(L, arg, "rows to predict cannot be trained on: their target is hidden");
  }
  return data.view;
}

void OpenData(lua_State* L) {
  RegisterType<DataHandle>(L, kDataName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
