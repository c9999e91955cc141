// Functions for scripts to write and search catalogs of stores.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/store_catalog.h"
#include "crossfold/store_ledger.h"
#include "encoding/fields.h"
#include "encoding/split_fields.h"
#include "engine/data/sha256.h"

namespace crossfold::lua {
namespace {

std::int64_t IntegerOf(lua_State* L, int index, const char* name) {
  lua_getfield(L, index, name);
  const lua_Integer number = luaL_optinteger(L, -1, 0);
  lua_pop(L, 1);
  return number;
}

void ReadOptionalNumber(lua_State* L, int index, const char* name, std::optional<double>& out) {
  if (lua_getfield(L, index, name) != LUA_TNIL) {
    const double number = luaL_checknumber(L, -1);
    if (!std::isnan(number)) out = number;
  }
  lua_pop(L, 1);
}

// The score at the top of the stack.
void ReadCatalogScore(lua_State* L, CatalogScore& out) {
  const int one = lua_gettop(L);
  luaL_checktype(L, one, LUA_TTABLE);
  const std::pair<const char*, std::int64_t*> integers[] = {
      {"run", &out.run},          {"experiment", &out.experiment}, {"direction", &out.direction},
      {"folds", &out.folds},      {"defined", &out.defined},       {"failed", &out.failed},
      {"fallback", &out.fallback}};
  for (const auto& [name, number] : integers) *number = IntegerOf(L, one, name);
  const std::pair<const char*, std::string*> texts[] = {
      {"dataset", &out.dataset}, {"dataset_hash", &out.dataset_hash},
      {"learner", &out.learner}, {"settings", &out.settings},
      {"metric", &out.metric},   {"metric_key", &out.metric_key},
      {"method", &out.method},   {"covers", &out.covers},
      {"caution", &out.caution}, {"undefined", &out.undefined},
      {"design", &out.design},   {"splits", &out.splits}};
  for (const auto& [name, text] : texts) ReadStringField(L, one, name, *text);
  ReadOptionalNumber(L, one, "score", out.score);
  ReadOptionalNumber(L, one, "low", out.low);
  ReadOptionalNumber(L, one, "high", out.high);
  ReadOptionalNumber(L, one, "confidence", out.confidence);
}

// native.catalog_add(catalog, store, { who =, scores = { ... }, damaged = { ... } }): see
// crossfold/store_catalog.h.
int AddStore(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const char* store = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  lua_settop(L, 3);
  auto* entry = NewOwned<CatalogEntry>(L);
  ReadStringField(L, 3, "who", entry->who);
  lua_getfield(L, 3, "damaged");
  ReadStrings(L, lua_gettop(L), "damaged", entry->damaged);
  lua_getfield(L, 3, "scores");
  const int scores = lua_gettop(L);
  luaL_checktype(L, scores, LUA_TTABLE);
  const lua_Integer n = luaL_len(L, scores);
  for (lua_Integer i = 1; i <= n; ++i) {
    Try(L, [&] { entry->scores.emplace_back(); });
    lua_geti(L, scores, i);
    ReadCatalogScore(L, entry->scores.back());
    lua_pop(L, 1);
  }
  Session& session = GetSession(L);
  auto* added = NewOwned<CatalogAddition>(L);
  Try(L, [&] {
    session.files.CheckStore(catalog);
    session.files.CheckRead(store);
    session.engines.Flush();
    *added = AddToCatalog(catalog, store, *entry);
  });
  lua_createtable(L, 0, 7);
  SetText(L, "store", added->path);
  SetText(L, "who", added->who);
  SetInteger(L, "runs", added->runs);
  SetInteger(L, "cells", added->cells);
  SetInteger(L, "scores", added->scores);
  SetFlag(L, "is_new", added->is_new);
  PushTexts(L, added->damaged);
  lua_setfield(L, -2, "damaged");
  return 1;
}

// native.catalog_remove(catalog, store)
int RemoveStore(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const char* store = luaL_checkstring(L, 2);
  const Session& session = GetSession(L);
  Try(L, [&] {
    session.files.CheckStore(catalog);
    RemoveFromCatalog(catalog, store);
  });
  return 0;
}

void PushTableCell(lua_State* L, const TableCell& cell) {
  if (const auto* flag = std::get_if<bool>(&cell)) {
    lua_pushboolean(L, *flag ? 1 : 0);
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* number = std::get_if<double>(&cell)) {
    lua_pushnumber(L, *number);
  } else if (const auto* text = std::get_if<std::string>(&cell)) {
    PushText(L, *text);
  } else {
    lua_pushnil(L);
  }
}

// Returns the rows, each keyed by column name, and the names of the columns.
int PushRows(lua_State* L, const Table& table) {
  lua_createtable(L, static_cast<int>(table.rows.size()), 0);
  lua_Integer number = 0;
  for (const std::vector<TableCell>& row : table.rows) {
    lua_createtable(L, 0, static_cast<int>(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      PushTableCell(L, row[i]);
      lua_setfield(L, -2, table.columns[i].c_str());
    }
    lua_rawseti(L, -2, ++number);
  }
  PushTexts(L, table.columns);
  return 2;
}

// The stores of a catalog may be anywhere, and a sandbox has bounds.
void RequireNoBounds(const Session& session) {
  if (!session.files.restricted()) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot look at the stores of a catalog: a sandbox does not open files of other "
              "folders; run the script without --sandbox");
}

// native.catalog_list(catalog)
int ListStores(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const Session& session = GetSession(L);
  auto* table = NewOwned<Table>(L);
  Try(L, [&] {
    RequireNoBounds(session);
    *table = ListCatalog(catalog);
  });
  return PushRows(L, *table);
}

// In a sandbox nothing is written, not even to undo what a killed process has half written.
void CheckReadCatalog(const Session& session, const std::string& catalog) {
  session.files.CheckRead(catalog);
  std::error_code none;
  if (!session.files.restricted() || !std::filesystem::exists(catalog + "-journal", none)) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot read catalog '" + catalog +
                  "': a process is writing it, or was killed while it did; run crossfold catalog "
                  "list first");
}

// native.catalog_best(catalog, dataset or nil, metric or nil)
int FindBest(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const char* dataset = luaL_optstring(L, 2, "");
  const char* metric = luaL_optstring(L, 3, "");
  const Session& session = GetSession(L);
  auto* table = NewOwned<Table>(L);
  Try(L, [&] {
    CheckReadCatalog(session, catalog);
    *table = BestScores(catalog, {dataset, metric});
  });
  return PushRows(L, *table);
}

// native.catalog_find(catalog, hash)
int FindHash(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const char* hash = luaL_checkstring(L, 2);
  const Session& session = GetSession(L);
  auto* table = NewOwned<Table>(L);
  Try(L, [&] {
    CheckReadCatalog(session, catalog);
    *table = FindInCatalog(catalog, hash);
  });
  return PushRows(L, *table);
}

// native.catalog_query(catalog, sql)
int SelectRows(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  std::size_t size = 0;
  const char* sql = luaL_checklstring(L, 2, &size);
  const Session& session = GetSession(L);
  auto* table = NewOwned<Table>(L);
  Try(L, [&] {
    CheckReadCatalog(session, catalog);
    *table = QueryCatalog(catalog, {sql, size}, session.cancel());
  });
  return PushRows(L, *table);
}

// native.catalog_agree(catalog, whether inner cells count)
int Agree(lua_State* L) {
  const char* catalog = luaL_checkstring(L, 1);
  const bool inner = lua_toboolean(L, 2) != 0;
  const Session& session = GetSession(L);
  auto* table = NewOwned<Table>(L);
  Try(L, [&] {
    RequireNoBounds(session);
    *table = CompareStores(catalog, inner, session.cancel());
  });
  return PushRows(L, *table);
}

// native.stored_runs(store or archive): the numbers of its runs, and how many of them have ended.
int RunsOf(lua_State* L) {
  const char* store = luaL_checkstring(L, 1);
  Session& session = GetSession(L);
  auto* runs = NewOwned<std::vector<std::int64_t>>(L);
  std::int64_t ended = 0;
  Try(L, [&] {
    session.files.CheckRead(store);
    session.engines.Flush();
    for (const StoredRun& run : Ledger(store).runs()) {
      runs->push_back(run.number);
      ended += run.finished ? 1 : 0;
    }
  });
  PushIntegers(L, *runs);
  lua_pushinteger(L, ended);
  return 2;
}

// native.splits_hash(splits): 64 digits, of the rows of all splits.
int HashOfSplits(lua_State* L) {
  const SplitsHandle& splits = CheckSplits(L, 1);
  auto* hash = NewOwned<std::string>(L);
  Try(L, [&] {
    FieldWriter fields;
    WriteSplits(*splits.plan, fields);
    *hash = ToHex(Sha256Of(fields.bytes()));
  });
  PushText(L, *hash);
  return 1;
}

}  // namespace

void OpenCatalogs(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"catalog_add", AddStore},  {"catalog_remove", RemoveStore}, {"catalog_list", ListStores},
      {"catalog_best", FindBest}, {"catalog_find", FindHash},      {"catalog_query", SelectRows},
      {"catalog_agree", Agree},   {"splits_hash", HashOfSplits},   {"stored_runs", RunsOf},
      {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
