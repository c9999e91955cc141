// Datasets from files, from Lua tables and from other datasets.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/facts/data_notes.h"
#include "arrow/category_levels.h"
#include "bindings/lua/native.h"
#include "crossfold/read_data.h"
#include "engine/data/sha256.h"
#include "engine/text/shown_text.h"
#include "files/file_bytes.h"
#include "models/view_features.h"

namespace crossfold::lua {
namespace {

// The table at the top of the stack: class -> column.
void ReadRowCosts(lua_State* L, Roles& roles) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING) {
      Raise(L,
            "option 'row_costs' must map class names to column names, as in { good = \"loss\" }");
    }
    const char* name = lua_tostring(L, -2);
    const char* column = lua_tostring(L, -1);
    Try(L, [&] { roles.row_costs[name] = column; });
    lua_pop(L, 1);
  }
}

void ReadRoles(lua_State* L, int index, Roles& roles) {
  const std::pair<const char*, std::string*> columns[] = {
      {"target", &roles.target},    {"weights", &roles.weights}, {"groups", &roles.groups},
      {"time", &roles.time},        {"folds", &roles.folds},     {"strata", &roles.strata},
      {"positive", &roles.positive}};
  for (const auto& [name, column] : columns) ReadStringField(L, index, name, *column);
  if (lua_getfield(L, index, "coordinates") == LUA_TTABLE) {
    roles.coordinates.clear();
    ReadStrings(L, -1, "option 'coordinates'", roles.coordinates);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, index, "row_costs") == LUA_TTABLE) {
    roles.row_costs.clear();
    ReadRowCosts(L, roles);
  }
  lua_pop(L, 1);
}

void ReadDropMissing(lua_State* L, int index, std::vector<std::string>& drop_missing) {
  if (lua_getfield(L, index, "drop_missing") == LUA_TTABLE) {
    ReadStrings(L, -1, "option 'drop_missing'", drop_missing);
  }
  lua_pop(L, 1);
}

void ReadInfinite(lua_State* L, int index, InfiniteEntries& infinite) {
  if (lua_getfield(L, index, "infinite") == LUA_TSTRING) {
    const char* word = lua_tostring(L, -1);
    Try(L, [&] { infinite = InfiniteEntriesFromName(word); });
  }
  lua_pop(L, 1);
}

// The type of `column` at the top of the stack: a name, or a list of levels.
void ReadType(lua_State* L, const char* column, ColumnTypes& types) {
  const int value = lua_gettop(L);
  if (lua_istable(L, value)) {
    auto* levels = NewOwned<std::vector<std::string>>(L);
    const char* what = lua_pushfstring(L, "option 'types': the levels of '%s'", column);
    ReadStrings(L, value, what, *levels);
    Try(L, [&] { types[column] = std::move(*levels); });
    lua_settop(L, value);
    return;
  }
  const char* type = lua_tostring(L, value);
  Try(L, [&] { types[column] = ColumnTypeFromName(type); });
}

void ReadTypes(lua_State* L, int index, ColumnTypes& types) {
  if (lua_getfield(L, index, "types") == LUA_TTABLE) {
    lua_pushnil(L);
    while (lua_next(L, -2) != 0) {
      if (lua_type(L, -2) != LUA_TSTRING ||
          (lua_type(L, -1) != LUA_TSTRING && !lua_istable(L, -1))) {
        Raise(L,
              "option 'types' must map column names to type names, or to lists of levels in their "
              "order, as in { age = \"f64\", size = { \"small\", \"large\" } }");
      }
      ReadType(L, lua_tostring(L, -2), types);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

void ReadLike(lua_State* L, int index, std::vector<ColumnDeclaration>& like) {
  lua_getfield(L, index, "like");
  if (const auto* model = ToOwned<ModelHandle>(L, -1)) {
    Try(L, [&] { like = model->model->columns(); });
  } else if (const auto* handle = ToOwned<OutlineHandle>(L, -1)) {
    Try(L, [&] { like = handle->outline->columns(); });
  }
  lua_pop(L, 1);
}

// Maximum size of the columns of a file, which exist twice while a dataset is made of them.
std::int64_t BytesToRead(const Session& session) {
  if (session.budget == nullptr) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(session.budget->rest() / 2);
}

// Before a dataset is made, because the collector does not know the size of unused datasets.
void MakeRoom(lua_State* L, const Session& session) {
  if (session.budget != nullptr && session.budget->is_low()) lua_gc(L, LUA_GCCOLLECT);
}

void ReadThreads(lua_State* L, int index, ReadRequest& request) {
  request.threads = GetSession(L).options.workers;
  if (lua_getfield(L, index, "threads") == LUA_TNUMBER) {
    const lua_Integer threads = lua_tointeger(L, -1);
    if (threads < 1 || threads > 4096) Raise(L, "option 'threads' must be between 1 and 4096");
    request.threads = static_cast<int>(threads);
  }
  lua_pop(L, 1);
}

// The Lua types that a value of the parameter may have, as options.check takes them. False stands
// for the Null of a parameter that may have none.
const char* LuaTypesOf(const ParamSpec& param) {
  const bool nullable = (param.flags & CF_PF_NULLABLE) != 0;
  if (IsObject(param)) return nullable ? "table|string|boolean" : "table|string";
  switch (param.type) {
    case CF_P_BOOL:
      return "boolean";
    case CF_P_INT:
      return nullable ? "integer|boolean" : "integer";
    case CF_P_REAL:
      return nullable ? "number|boolean" : "number";
    case CF_P_STRING:
    case CF_P_CHOICE:
      return nullable ? "string|boolean" : "string";
    default:
      return nullable ? "table|boolean" : "table";
  }
}

// native.find_source(path, format or nil): the id of the source that reads it, its short id, and
// its parameters as options.check takes them, { header = { "boolean", doc = "..." }, ... }.
std::shared_ptr<const Component> FindSourceOf(std::string_view path,
                                              std::optional<const char*> format, Session& session) {
  const std::string location(path);
  session.files.CheckRead(location);
  ReadRequest request;
  request.format = format.value_or("");
  request.sandboxed = session.budget != nullptr;
  return FindSource(session.plugins(), location, request);
}

int PushSource(lua_State* L, const std::shared_ptr<const Component>& source) {
  PushText(L, source->id);
  PushText(L, ShortId(source->id));
  lua_newtable(L);
  for (const ParamSpec& param : source->params) {
    lua_newtable(L);
    lua_pushstring(L, LuaTypesOf(param));
    lua_rawseti(L, -2, 1);
    SetField(L, "doc", param.doc);
    if (!param.choices.empty()) SetField(L, "names", param.choices);
    lua_setfield(L, -2, param.name.c_str());
  }
  return 3;
}

// False is the Null of a parameter that is not a boolean.
void FalseIsNull(const Component& source, ParamValues& values) {
  for (const ParamSpec& param : source.params) {
    const auto given = values.find(param.name);
    if (given == values.end() || param.type == CF_P_BOOL) continue;
    const auto* flag = std::get_if<bool>(&given->second);
    if (flag != nullptr && !*flag) given->second = Null{};
  }
}

// What the memory of the run leaves for columns: all of it in memory, if it is not very little, and
// a quarter for those that can be in scratch files. A sandbox has no such files, because it limits
// the disk, too.
void LimitReading(std::uint64_t run_memory, bool sandboxed, ReadingLimits& limits) {
  constexpr std::int64_t kLeast = std::int64_t{64} << 20;
  const auto memory = std::max(static_cast<std::int64_t>(run_memory), kLeast);
  limits.memory = std::min(limits.memory, memory);
  if (!sandboxed) limits.in_memory = memory / 4;
}

// native.read(path, { format =, parameters = { ... }, threads =, roles, types, like,
// drop_missing }): the caller has checked the names and types of the options.
int ReadFile(lua_State* L) {
  const std::string_view path = CheckText(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  // It allocates its defaults, so it is made under Try and owned by a holder.
  auto* holder = NewOwned<std::unique_ptr<ReadRequest>>(L);
  Try(L, [&] { *holder = std::make_unique<ReadRequest>(); });
  ReadRequest& request = **holder;
  ReadStringField(L, 2, "format", request.format);
  ReadRoles(L, 2, request.roles);
  ReadTypes(L, 2, request.types);
  ReadLike(L, 2, request.like);
  ReadDropMissing(L, 2, request.drop_missing);
  ReadInfinite(L, 2, request.infinite);
  ReadThreads(L, 2, request);
  lua_getfield(L, 2, "parameters");
  ReadParams(L, -1, request.options);
  lua_pop(L, 1);
  Session& session = GetSession(L);
  MakeRoom(L, session);
  return RunAndPush(L, [&] {
    const std::string location(path);
    session.files.CheckRead(location);
    request.sandboxed = session.budget != nullptr;
    request.limits = {.cancel = session.cancel(), .memory = BytesToRead(session)};
    const std::uint64_t run_memory = session.options.run_memory;
    if (run_memory > 0) LimitReading(run_memory, request.sandboxed, request.limits);
    FalseIsNull(*FindSource(session.plugins(), location, request), request.options);
    auto data = ReadData(session.plugins(), location, request);
    return DataHandle{{HoldDataset(session.budget, std::move(data)), nullptr}};
  });
}

// native.file_sha256(path): 64 digits; nil of what is not a regular file, which cannot be read
// twice.
std::optional<std::string> FileHash(std::string_view path, const Session& session) {
  const std::string location(path);
  session.files.CheckRead(location);
  if (!std::filesystem::is_regular_file(location)) return std::nullopt;
  return ToHex(Sha256Of(ReadFileBytes(location)));
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
  bool categorical = false, ordered = false;

  // Whether it is of numbers with decimals, beside which a whole number is not exact.
  bool LosesDigits() const {
    if (categorical || kind != CellKind::kNumber || all_integers) return false;
    return std::ranges::any_of(integers, [](std::int64_t integer) {
      constexpr double kEnd = 9223372036854775808.0;  // 2^63
      const auto rounded = static_cast<double>(integer);
      return rounded >= kEnd || static_cast<std::int64_t>(rounded) != integer;
    });
  }
};

void Append(lua_State* L, ColumnDraft& draft, lua_Integer row) {
  const int type = lua_type(L, -1);
  const bool nan = type == LUA_TNUMBER && std::isnan(lua_tonumber(L, -1));
  const bool missing = IsNull(L, -1) || nan;
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
      // -0.0 and 0.0 are one class.
      return ToText(draft.all_integers ? Value(draft.integers[row])
                                       : Value(draft.numbers[row] + 0.0));
  }
}

Column FinishCategories(const ColumnDraft& draft) {
  LevelSet found;
  std::vector<std::int32_t> codes(draft.present.size(), -1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (draft.present[i]) codes[i] = found.CodeOf(LevelText(draft, i));
  }
  OrderedLevels ordered = OrderLevels(found, draft.levels);
  const bool is_closed = !draft.levels.empty();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (codes[i] < 0) continue;
    codes[i] = ordered.code_of_found[static_cast<std::size_t>(codes[i])];
    if (!is_closed || static_cast<std::size_t>(codes[i]) < draft.levels.size()) continue;
    throw Error(ErrorKind::kBadData, "cannot make column '" + draft.name + "': row " +
                                         std::to_string(i + 1) + " is '" + LevelText(draft, i) +
                                         "', which is not one of its levels");
  }
  Column column = Column::Categories(draft.name, std::move(codes), std::move(ordered.levels));
  column.ordered = draft.ordered;
  return column;
}

// native.order_levels({names}): each once, in the order that classes have where nothing declares
// it.
std::vector<std::string> OrderedNames(const Strings<"the levels">& names) {
  LevelSet found;
  for (const std::string& name : *names) found.CodeOf(name);
  return OrderLevels(found, {}).levels;
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

std::string RoundedNote(const std::string& name) {
  return "'" + Shown(name) +
         "' has whole numbers beyond 2^53 among numbers with decimals, and f64 rounds them";
}

// Reads {name=, values=, type=, levels=} at the top of the stack; a list as the type is the levels
// in their order.
void ReadColumn(lua_State* L, ColumnDraft& draft) {
  const int column = lua_gettop(L);
  ReadStringField(L, column, "name", draft.name);
  draft.categorical = lua_getfield(L, column, "type") != LUA_TNIL;
  draft.ordered = lua_istable(L, -1);
  if (!draft.ordered) lua_getfield(L, column, "levels");
  if (lua_istable(L, -1)) {
    ReadStrings(L, -1, "levels", draft.levels);
    draft.categorical = true;
  }
  lua_settop(L, column);
  if (lua_getfield(L, column, "values") != LUA_TTABLE) {
    Raise(L, lua_pushfstring(L, "cannot make column '%s': its values are a %s, not a list",
                             draft.name.c_str(), luaL_typename(L, -1)));
  }
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    Append(L, draft, i);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

// native.dataset(name, columns, options): roles and drop_missing
int MakeDataset(lua_State* L) {
  const char* name = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  auto* roles = NewOwned<Roles>(L);
  ReadRoles(L, 3, *roles);
  auto* drop_missing = NewOwned<std::vector<std::string>>(L);
  ReadDropMissing(L, 3, *drop_missing);
  InfiniteEntries infinite = InfiniteEntries::kRefuse;
  ReadInfinite(L, 3, infinite);
  auto* columns = NewOwned<std::vector<Column>>(L);
  auto* notes = NewOwned<std::vector<std::string>>(L);
  auto* typed = NewOwned<std::set<std::string>>(L);
  auto* draft = NewOwned<ColumnDraft>(L);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    *draft = ColumnDraft();
    lua_geti(L, 2, i);
    ReadColumn(L, *draft);
    lua_pop(L, 1);
    Try(L, [&] {
      columns->push_back(Finish(*draft));
      if (draft->categorical) typed->insert(draft->name);
      if (draft->LosesDigits()) notes->push_back(RoundedNote(draft->name));
    });
  }
  Session& session = GetSession(L);
  MakeRoom(L, session);
  return RunAndPush(L, [&] {
    SettleInfiniteEntries(*columns, infinite, std::string("cannot make dataset '") + name + "'");
    auto data = Dataset::Create(name, std::move(*columns), *roles, *drop_missing);
    const LogSink log = [&](std::int32_t level, const std::string& message) {
      if (const LogSink host = session.plugins().log()) host(level, message);
    };
    data = WithDataNotes(
        std::move(data), std::move(*notes),
        [&](const Column& column) { return typed->contains(column.name); }, log);
    return DataHandle{{HoldDataset(session.budget, std::move(data)), nullptr}};
  });
}

// native.with_roles(data, { target =, ... }): the same rows; a role that is not named stays, "" is
// none.
int WithRoles(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* roles = NewOwned<Roles>(L);
  Try(L, [&] { *roles = view.data->roles(); });
  ReadRoles(L, 2, *roles);
  // The positive class is one of the old target.
  if (lua_getfield(L, 2, "positive") == LUA_TNIL && roles->target != view.data->roles().target) {
    roles->positive.clear();
  }
  return RunAndPush(L, [&] {
    return DataHandle{{Dataset::WithRoles(*view.data, *roles), view.rows}};
  });
}

// One column of native.with_features: entries for the rows of a view.
struct NewFeature {
  std::string name;
  std::vector<double> values;
  std::vector<std::string> levels;  // not empty: the values are level numbers from 1
};

// Reads {name =, values =, levels =} at the top of the stack.
void ReadNewFeature(lua_State* L, NewFeature& feature) {
  const int column = lua_gettop(L);
  ReadStringField(L, column, "name", feature.name);
  if (lua_getfield(L, column, "levels") == LUA_TTABLE) {
    ReadStrings(L, -1, "levels", feature.levels);
  }
  lua_pop(L, 1);
  lua_getfield(L, column, "values");
  if (const auto* array = ToOwned<NumberArray>(L, -1)) {
    Try(L, [&] { feature.values = array->numbers; });
    lua_pop(L, 1);
    return;
  }
  luaL_argcheck(L, lua_istable(L, -1), 3, "a column has no values");
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    const double value = luaL_checknumber(L, -1);
    Try(L, [&] { feature.values.push_back(value); });
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

Column ColumnOf(const NewFeature& feature) {
  if (feature.levels.empty()) return Column::Doubles(feature.name, feature.values);
  std::vector<std::int32_t> codes;
  for (const double level : feature.values) codes.push_back(static_cast<std::int32_t>(level) - 1);
  return Column::Categories(feature.name, std::move(codes), feature.levels);
}

// native.with_features(data, {kept feature, ...}, {{name =, values =, levels =}, ...}): the same
// rows with other features; `values`, a list or an array of native.member_answers, has one number
// per row of `data`.
int ReplaceFeatures(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  auto* kept = NewOwned<std::vector<std::string>>(L);
  ReadStrings(L, 2, "the kept features", *kept);
  auto* features = NewOwned<std::vector<NewFeature>>(L);
  const lua_Integer n = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 3, i);
    luaL_argcheck(L, lua_istable(L, -1), 3, "a list of columns is expected");
    Try(L, [&] { features->emplace_back(); });
    ReadNewFeature(L, features->back());
    lua_pop(L, 1);
  }
  return RunAndPush(L, [&] {
    std::vector<Column> columns;
    for (const NewFeature& feature : *features) columns.push_back(ColumnOf(feature));
    return DataHandle{WithFeatures(data.view, *kept, columns), data.target_hidden};
  });
}

}  // namespace

void OpenDatasetMakers(lua_State* L) {
  AddFunctions(L, {{"find_source", Native<FindSourceOf, PushSource>},
                   {"read", ReadFile},
                   {"file_sha256", Native<FileHash>},
                   {"dataset", MakeDataset},
                   {"order_levels", Native<OrderedNames>},
                   {"with_features", ReplaceFeatures},
                   {"with_roles", WithRoles}});
}

}  // namespace crossfold::lua
