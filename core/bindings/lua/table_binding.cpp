// Numbers and tables as text, names for error messages, and figures over a few numbers.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/nearest_name.h"
#include "crossfold/summary.h"
#include "crossfold/table.h"
#include "crossfold/terminal_width.h"
#include "crossfold/whole_file.h"
#include "engine/text/format_number.h"
#include "store/cells/sqlite.h"

namespace crossfold::lua {
namespace {

// native.known_names(wrong, {names}): "did you mean 'k'? known: distance, k".
int KnownNamesText(lua_State* L) {
  const char* wrong = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* names = NewOwned<std::vector<std::string>>(L);
  ReadStrings(L, 2, "the names", *names);
  return RunAndPush(L, [&] { return KnownNames(wrong, *names); });
}

// native.format_number(x [, digits]): shortest text that reads back, or fixed decimals.
int FormatNumber(lua_State* L) {
  lua_settop(L, 2);
  if (lua_isinteger(L, 1) && lua_isnoneornil(L, 2)) {
    const lua_Integer number = lua_tointeger(L, 1);
    return RunAndPush(L, [&] { return std::to_string(number); });
  }
  const double number = luaL_checknumber(L, 1);
  const lua_Integer digits = luaL_optinteger(L, 2, -1);
  luaL_argcheck(L, digits <= 17, 2, "at most 17 decimals");
  return RunAndPush(L, [&] {
    return digits < 0 ? FormatShortest(number) : FormatFixed(number, static_cast<int>(digits));
  });
}

// native.summary{numbers}: {n =, mean =, sd =, min =, max =, median =, mode =}; what does not exist
// is left out.
int SummaryOf(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto* numbers = NewOwned<std::vector<double>>(L);
  const lua_Integer n = luaL_len(L, 1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    const double number = luaL_checknumber(L, -1);
    if (!std::isfinite(number)) {
      Raise(L,
            lua_pushfstring(L, "cannot summarise: number %d is not finite", static_cast<int>(i)));
    }
    Try(L, [&] { numbers->push_back(number); });
    lua_pop(L, 1);
  }
  Summary summary;
  Try(L, [&] { summary = Summarize(*numbers); });
  PushTable(L, Field("n", summary.n), Field("mean", summary.mean), Field("sd", summary.sd),
            Field("min", summary.min), Field("max", summary.max), Field("median", summary.median),
            Field("mode", summary.mode));
  return 1;
}

// Reads the cell at the top of the stack.
void ReadCellInto(lua_State* L, TableCell& cell) {
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
      cell = lua_toboolean(L, -1) != 0;
      return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, -1)) {
        cell = static_cast<std::int64_t>(lua_tointeger(L, -1));
      } else if (!std::isnan(lua_tonumber(L, -1))) {
        cell = static_cast<double>(lua_tonumber(L, -1));
      }
      return;
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(L, -1, &size);
      Try(L, [&] { cell.emplace<std::string>(text, size); });
      return;
    }
    default:
      return;  // nil and cf.null: there is no value
  }
}

// Arguments 1 (column names) and 2 (rows, each a table keyed by column name) as a Table on the
// stack.
Table& ReadTable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* table = NewOwned<Table>(L);
  ReadStrings(L, 1, "the columns", table->columns);
  const lua_Integer n = luaL_len(L, 2);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 2, i);
    luaL_checktype(L, -1, LUA_TTABLE);
    Try(L, [&] { table->rows.emplace_back(table->columns.size()); });
    for (std::size_t c = 0; c < table->columns.size(); ++c) {
      lua_getfield(L, -1, table->columns[c].c_str());
      ReadCellInto(L, table->rows.back()[c]);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return *table;
}

// Argument 3, 4 if there is none.
int CheckDigits(lua_State* L) {
  const lua_Integer digits = luaL_optinteger(L, 3, 4);
  luaL_argcheck(L, digits >= 0 && digits <= 17, 3, "0 to 17 decimals");
  return static_cast<int>(digits);
}

// native.table_text(columns, rows, digits), without the last newline, for print();
// native.table_csv(columns, rows), native.table_json(columns, rows): whole files.
int TableText(lua_State* L) {
  const int digits = CheckDigits(L);
  const Table& table = ReadTable(L);
  return RunAndPush(L, [&] {
    std::string text = ToText(table, digits);
    text.pop_back();
    return text;
  });
}

// native.table_latex(columns, rows, digits): a whole tabular.
int TableLatex(lua_State* L) {
  const int digits = CheckDigits(L);
  const Table& table = ReadTable(L);
  return RunAndPush(L, [&] { return ToLatex(table, digits); });
}

int TableCsv(lua_State* L) {
  const Table& table = ReadTable(L);
  return RunAndPush(L, [&] { return ToCsv(table); });
}

int TableJson(lua_State* L) {
  const Table& table = ReadTable(L);
  return RunAndPush(L, [&] { return ToJson(table); });
}

// native.fail(message [, ...]): raises with the position of the innermost line that is not Crossfold's; with more
// values `message` is a format of them, as of string.format.
int Fail(lua_State* L) {
  luaL_checkstring(L, 1);
  if (lua_gettop(L) > 1) {
    lua_getfield(L, 1, "format");
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
  }
  Raise(L, luaL_checkstring(L, -1));
}

int FinishEntry(lua_State* L, int, lua_KContext) { return lua_gettop(L); }

int CallEntry(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, &FinishEntry);
  return lua_gettop(L);
}

// native.entry(f): f wrapped in a C function. `return cf.evaluate{...}` replaces the caller's frame
// if it calls Lua, but not if it calls C, and error positions need that frame.
int Entry(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_pushcclosure(L, &CallEntry, 1);
  return 1;
}

// native.defaults(): {seed =, workers =, time_limit =} of this state; time_limit = seconds of a cell
// or 0.
int Defaults(lua_State* L) {
  const LuaOptions& options = GetSession(L).options;
  PushTable(L, Field("seed", options.seed), Field("workers", options.workers),
            Field("time_limit", options.isolated.limits.seconds));
  return 1;
}

// native.count_cell(ok): a cell ran outside native.run (a learner written in Lua).
void CountCell(bool ok, Session& session) { session.engine().CountCell(ok); }

// native.output_width(): the width of what is printed, in columns; nil if unknown.
std::optional<int> OutputColumns() {
  const int columns = OutputWidth();
  return columns > 0 ? std::optional(columns) : std::nullopt;
}

// native.begin_folds(n): an experiment of n folds begins.
void BeginFolds(Session& session, std::int64_t n) {
  if (n > 0) session.engine().BeginFolds(static_cast<std::size_t>(n));
}

// native.count_failure(): a cell that ran has failed after all, such as by a metric written in Lua.
void CountFailure(Session& session) { session.engine().CountFailure(); }

// A mistake such as cf.report{ store = path, file = path } must not destroy results of days.
void RequireNoStore(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored) || !IsDatabaseFile(path)) return;
  throw Error(
      ErrorKind::kInvalidArgument,
      "cannot write '" + path + "': it is a store or another database; choose another place");
}

// native.write_text(path, text): replaces what is in the file, unless that is a database.
void WriteText(std::string_view path, std::string_view text, const Session& session) {
  const std::string name(path);
  if (session.files.restricted()) return session.files.Make(name, text);
  session.files.CheckWrite(name);
  RequireNoStore(name);
  WriteWholeFile(name, text);
}

}  // namespace

void OpenTables(lua_State* L) {
  AddFunctions(L, {{"known_names", KnownNamesText},
                   {"format_number", FormatNumber},
                   {"summary", SummaryOf},
                   {"table_text", TableText},
                   {"table_latex", TableLatex},
                   {"table_csv", TableCsv},
                   {"table_json", TableJson},
                   {"output_width", Native<OutputColumns>},
                   {"fail", Fail},
                   {"entry", Entry},
                   {"defaults", Defaults},
                   {"begin_folds", Native<BeginFolds>},
                   {"count_cell", Native<CountCell>},
                   {"count_failure", Native<CountFailure>},
                   {"write_text", Native<WriteText>}});
}

}  // namespace crossfold::lua
