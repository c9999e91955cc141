// Functions for scripts to write and search catalogs of stores.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/store_catalog.h"
#include "crossfold/store_ledger.h"
#include "encoding/fields.h"
#include "encoding/split_fields.h"
#include "engine/data/sha256.h"

namespace crossfold::lua {
namespace {

// Field `name`; nullopt for nil and NaN.
std::optional<double> GivenNumber(lua_State* L, int index, const char* name) {
  const double number = NumberField(L, index, name, std::nan(""));
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

// The score at the top of the stack.
void ReadCatalogScore(lua_State* L, CatalogScore& out) {
  const int one = lua_gettop(L);
  luaL_checktype(L, one, LUA_TTABLE);
  const std::pair<const char*, std::int64_t*> integers[] = {
      {"run", &out.run},          {"experiment", &out.experiment}, {"direction", &out.direction},
      {"folds", &out.folds},      {"defined", &out.defined},       {"failed", &out.failed},
      {"fallback", &out.fallback}};
  for (const auto& [name, number] : integers) *number = IntegerField(L, one, name, 0);
  const std::pair<const char*, std::string*> texts[] = {
      {"dataset", &out.dataset}, {"dataset_hash", &out.dataset_hash},
      {"learner", &out.learner}, {"settings", &out.settings},
      {"metric", &out.metric},   {"metric_key", &out.metric_key},
      {"method", &out.method},   {"covers", &out.covers},
      {"caution", &out.caution}, {"undefined", &out.undefined},
      {"design", &out.design},   {"splits", &out.splits}};
  for (const auto& [name, text] : texts) ReadStringField(L, one, name, *text);
  out.score = GivenNumber(L, one, "score");
  out.low = GivenNumber(L, one, "low");
  out.high = GivenNumber(L, one, "high");
  out.confidence = GivenNumber(L, one, "confidence");
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
  ReadStrings(L, -1, "damaged", entry->damaged);
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
  PushTable(L, Field("store", added->path), Field("who", added->who), Field("runs", added->runs),
            Field("cells", added->cells), Field("scores", added->scores),
            Field("is_new", added->is_new), Field("damaged", added->damaged));
  return 1;
}

// native.catalog_remove(catalog, store)
void RemoveStore(const char* catalog, const char* store, const Session& session) {
  session.files.CheckStore(catalog);
  RemoveFromCatalog(catalog, store);
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
  PushList(L, table.rows, [&](const std::vector<TableCell>& row) {
    lua_createtable(L, 0, static_cast<int>(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      PushTableCell(L, row[i]);
      lua_setfield(L, -2, table.columns[i].c_str());
    }
  });
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
Table ListStores(const char* catalog, const Session& session) {
  RequireNoBounds(session);
  return ListCatalog(catalog);
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
Table FindBest(const char* catalog, std::optional<const char*> dataset,
               std::optional<const char*> metric, const Session& session) {
  CheckReadCatalog(session, catalog);
  return BestScores(catalog, {dataset.value_or(""), metric.value_or("")});
}

// native.catalog_find(catalog, hash)
Table FindHash(const char* catalog, const char* hash, const Session& session) {
  CheckReadCatalog(session, catalog);
  return FindInCatalog(catalog, hash);
}

// native.catalog_query(catalog, sql)
Table SelectRows(const char* catalog, std::string_view sql, const Session& session) {
  CheckReadCatalog(session, catalog);
  return QueryCatalog(catalog, std::string(sql), session.cancel());
}

// native.catalog_agree(catalog, whether inner cells count)
Table Agree(const char* catalog, bool inner, const Session& session) {
  RequireNoBounds(session);
  return CompareStores(catalog, inner, session.cancel());
}

// native.stored_runs(store or archive): the numbers of its runs, and how many of them have ended.
std::tuple<std::vector<std::int64_t>, std::int64_t> RunsOf(const char* store, Session& session) {
  session.files.CheckRead(store);
  session.engines.Flush();
  std::vector<std::int64_t> runs;
  std::int64_t ended = 0;
  for (const StoredRun& run : Ledger(store).runs()) {
    runs.push_back(run.number);
    ended += run.finished ? 1 : 0;
  }
  return {std::move(runs), ended};
}

// native.splits_hash(splits): 64 digits, of the rows of all splits.
std::string HashOfSplits(const SplitsHandle& splits) {
  FieldWriter fields;
  WriteSplits(*splits.plan, fields);
  return ToHex(Sha256Of(fields.bytes()));
}

}  // namespace

void OpenCatalogs(lua_State* L) {
  AddFunctions(L, {{"catalog_add", AddStore},
                   {"catalog_remove", Native<RemoveStore>},
                   {"catalog_list", Native<ListStores, PushRows>},
                   {"catalog_best", Native<FindBest, PushRows>},
                   {"catalog_find", Native<FindHash, PushRows>},
                   {"catalog_query", Native<SelectRows, PushRows>},
                   {"catalog_agree", Native<Agree, PushRows>},
                   {"splits_hash", Native<HashOfSplits>},
                   {"stored_runs", Native<RunsOf>}});
}

}  // namespace crossfold::lua
