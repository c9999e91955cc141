#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/store_catalog.h"
#include "crossfold/table.h"
#include "store/catalog/catalog_file.h"
#include "store/cells/sqlite.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxResultBytes = std::size_t{256} << 20;
constexpr int kMaxValueBytes = 64 << 20;
constexpr int kStepsBetweenLooks = 100'000;

// Allows what a SELECT needs and nothing else.
int Authorize(void*, int action, const char*, const char* name, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:  // these two take code
      return std::string_view(name) == "load_extension" ||
                     std::string_view(name) == "fts3_tokenizer"
                 ? SQLITE_DENY
                 : SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

int IsCancelled(void* cancel) {
  const auto* token = static_cast<const CancelToken*>(cancel);
  return token != nullptr && token->cancelled() ? 1 : 0;
}

struct Finalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalizer>;

class Query {
 public:
  Query(Database& catalog, const std::string& sql, const CancelToken* cancel)
      : db_(catalog), sql_(sql), cancel_(cancel) {
    sqlite3* db = db_.get();
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_set_authorizer(db, &Authorize, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
    sqlite3_progress_handler(db, kStepsBetweenLooks, &IsCancelled,
                             const_cast<CancelToken*>(cancel));
  }

  Table Run() {
    const Prepared statement = PrepareOne();
    Table table;
    table.columns = ColumnsOf(statement.get());
    for (int code = sqlite3_step(statement.get()); code != SQLITE_DONE;
         code = sqlite3_step(statement.get())) {
      if (code != SQLITE_ROW) Fail(code);
      table.rows.push_back(ReadRow(statement.get()));
    }
    return table;
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    std::string shown = sql_.substr(0, 200);
    std::ranges::replace_if(
        shown, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    throw Error(ErrorKind::kInvalidArgument, "cannot query catalog '" + db_.path().string() +
                                                 "': " + finding + "; the query is: " + shown);
  }

  [[noreturn]] void Fail(int code) const {
    if (code == SQLITE_INTERRUPT) StopIfCancelled(cancel_);
    if (code == SQLITE_AUTH) Refuse("it may only be read, by one SELECT");
    if (code == SQLITE_ERROR || code == SQLITE_TOOBIG || code == SQLITE_MISMATCH)
      Refuse(sqlite3_errmsg(db_.get()));
    db_.Throw(code);
  }

  // The statement at the beginning of `text`, which becomes the rest; null = there is none.
  Prepared Prepare(std::string_view& text) const {
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v2(db_.get(), text.data(), static_cast<int>(text.size()),
                                        &statement, &tail);
    Prepared prepared(statement);
    if (code != SQLITE_OK) Fail(code);
    text.remove_prefix(static_cast<std::size_t>(tail - text.data()));
    return prepared;
  }

  Prepared PrepareOne() const {
    if (sql_.find('\0') != std::string::npos) Refuse("it has a zero byte");
    std::string_view rest = sql_;
    Prepared first = Prepare(rest);
    if (first == nullptr) Refuse("it has no statement");
    if (Prepare(rest) != nullptr) Refuse("it has several statements; use one");
    if (sqlite3_stmt_readonly(first.get()) == 0 || sqlite3_column_count(first.get()) == 0) {
      Refuse("it may only be read, by one SELECT");
    }
    return first;
  }

  // Distinct names: the second "k" is "k (2)".
  static std::vector<std::string> ColumnsOf(sqlite3_stmt* statement) {
    std::vector<std::string> names;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const std::string name = sqlite3_column_name(statement, i);
      std::string distinct = name;
      for (int n = 2; std::ranges::find(names, distinct) != names.end(); ++n) {
        distinct = name + " (" + std::to_string(n) + ")";
      }
      names.push_back(std::move(distinct));
    }
    return names;
  }

  std::vector<TableCell> ReadRow(sqlite3_stmt* statement) {
    std::vector<TableCell> row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      row.push_back(ReadCell(statement, i));
      n_bytes_ += sizeof(TableCell) + static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
    }
    if (n_bytes_ > kMaxResultBytes) Refuse("its result has more than 256 MiB; use LIMIT");
    return row;
  }

  TableCell ReadCell(sqlite3_stmt* statement, int i) const {
    switch (sqlite3_column_type(statement, i)) {
      case SQLITE_NULL:
        return Null();
      case SQLITE_INTEGER:
        return std::int64_t{sqlite3_column_int64(statement, i)};
      case SQLITE_FLOAT:
        return sqlite3_column_double(statement, i);
      case SQLITE_BLOB:
        Refuse("column " + std::to_string(i + 1) + " is a blob; use hex() of it");
      default:
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
        const auto n = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        return std::string(text == nullptr ? "" : text, text == nullptr ? 0 : n);
    }
  }

  Database& db_;
  const std::string& sql_;
  const CancelToken* cancel_;
  std::size_t n_bytes_ = 0;
};

// As QueryCatalog on an open catalog, which then only reads: every other statement, function that
// loads code and PRAGMA is refused by SQLite's authorizer.
Table RunQuery(Database& catalog, const std::string& sql, const CancelToken* cancel) {
  return Query(catalog, sql, cancel).Run();
}

// A string of SQL.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

bool IsHash(const std::string& text) {
  constexpr std::size_t kMin = 4, kMax = 64;
  return text.size() >= kMin && text.size() <= kMax &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The row must be readable where a string may have a zero byte.
void RequireText(const std::string& text, const std::string& attempt) {
  if (text.find('\0') == std::string::npos) return;
  throw Error(ErrorKind::kInvalidArgument, attempt + ": it has a zero byte");
}

[[noreturn]] void RefuseUnknown(Database& db, const std::filesystem::path& catalog,
                                const std::string& what, const std::string& wanted) {
  std::vector<std::string> known;
  Statement names(db, "SELECT DISTINCT " + what + " FROM best ORDER BY 1");
  while (names.Step()) known.push_back(names.Text(0));
  throw Error(ErrorKind::kInvalidArgument,
              "cannot find " + what + " '" + wanted + "' in catalog '" + catalog.string() +
                  "': no score is of it; " + KnownNames(wanted, known));
}

// Throws unless the column of `best` has what is wanted.
void RequireKnown(Database& db, const std::filesystem::path& catalog, const std::string& what,
                  const std::string& wanted, const std::string& condition) {
  if (wanted.empty()) return;
  if (db.Number("SELECT count(store) FROM best WHERE " + condition) > 0) return;
  RefuseUnknown(db, catalog, what, wanted);
}

constexpr const char* kBestColumns =
    "dataset, metric, rank, learner, settings, score, low, high, method, covers, confidence, "
    "caution, undefined, folds, defined, failed, fallback, design, splits, dataset_hash, "
    "metric_key, direction, who, store, run";

// What has hashes: the word for it, the hash, its name, the store, the number of cells, the table.
constexpr const char* kPlaces[] = {
    "SELECT 'dataset' AS what, hash, "
    "(SELECT group_concat(DISTINCT dataset) FROM series s WHERE s.store = d.store AND "
    "s.dataset_hash = d.hash) AS name, store, "
    "(SELECT count(fold) FROM cells c JOIN series s USING (store, series) WHERE s.store = d.store "
    "AND s.dataset_hash = d.hash) AS cells FROM datasets d",
    "SELECT 'plugin', sha256, id || ' ' || version, store, "
    "nullif((SELECT count(fold) FROM cells c WHERE c.store = p.store AND EXISTS (SELECT 1 FROM "
    "steps t WHERE t.store = c.store AND t.series = c.series AND t.plugin_sha256 = p.sha256)), 0) "
    "FROM plugins p",
    "SELECT 'cells', key, coalesce(learner, settings) || ' on ' || coalesce(dataset, "
    "substr(dataset_hash, 1, 12)) || ', repeat ' || repeat, store, "
    "(SELECT count(fold) FROM cells c WHERE c.store = s.store AND c.series = s.series) "
    "FROM series s",
    "SELECT 'result', result, coalesce(learner, settings) || ' on ' || coalesce(dataset, "
    "substr(dataset_hash, 1, 12)) || ', repeat ' || repeat || ', fold ' || fold, store, 1 "
    "FROM cells JOIN series USING (store, series)",
    "SELECT 'script', script_sha256, script, store, "
    "(SELECT count(fold) FROM cells c JOIN series s USING (store, series) WHERE s.store = r.store "
    "AND s.run = r.run) FROM runs r",
    "SELECT 'splits', splits, coalesce(dataset, substr(dataset_hash, 1, 12)), store, "
    "sum((SELECT count(fold) FROM cells c WHERE c.store = s.store AND c.series = s.series)) "
    "FROM series s GROUP BY splits, store"};

}  // namespace

Table QueryCatalog(const std::filesystem::path& catalog, const std::string& sql,
                   const CancelToken* cancel) {
  return OnCatalog(catalog, [&] { return RunQuery(*OpenCatalogToRead(catalog), sql, cancel); });
}

Table BestScores(const std::filesystem::path& catalog, const BestScoresRequest& request) {
  RequireText(request.dataset + request.metric, "cannot find scores");
  return OnCatalog(catalog, [&] {
    const std::unique_ptr<Database> db = OpenCatalogToRead(catalog);
    std::string of_dataset = "dataset = " + Quoted(request.dataset);
    if (IsHash(request.dataset)) {
      of_dataset = "(" + of_dataset + " OR dataset_hash GLOB '" + request.dataset + "*')";
    }
    // A dataset is its content, which may have other names.
    of_dataset = "(" + of_dataset + " OR dataset_hash IN (SELECT dataset_hash FROM best WHERE " +
                 of_dataset + "))";
    const std::string of_metric = "metric = " + Quoted(request.metric);
    RequireKnown(*db, catalog, "dataset", request.dataset, of_dataset);
    RequireKnown(*db, catalog, "metric", request.metric, of_metric);
    const std::string where = (request.dataset.empty() ? "true" : of_dataset) + " AND " +
                              (request.metric.empty() ? "true" : of_metric);
    return RunQuery(
        *db,
        std::string("SELECT ") + kBestColumns + " FROM best WHERE " + where +
            " ORDER BY min(dataset) OVER (PARTITION BY dataset_hash), dataset_hash, "
            "metric, CASE WHEN metric_key IS NULL THEN store END, direction, rank IS NULL, rank, "
            "learner, who, store, run",
        nullptr);
  });
}

Table FindInCatalog(const std::filesystem::path& catalog, const std::string& hash) {
  if (!IsHash(hash)) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot find '" + hash + "' in catalog '" + catalog.string() +
                    "': it is not the beginning of a SHA-256; give 4 to 64 digits 0-9 and a-f");
  }
  return OnCatalog(catalog, [&] {
    const std::unique_ptr<Database> db = OpenCatalogToRead(catalog);
    std::string sql;
    for (const char* place : kPlaces)
      sql += (sql.empty() ? "" : " UNION ALL ") + std::string(place);
    return RunQuery(*db,
                    "SELECT what, hash, name, who, path AS store, cells FROM (" + sql +
                        ") f JOIN stores t ON t.id = f.store WHERE hash GLOB '" + hash +
                        "*' ORDER BY what, hash, path, name",
                    nullptr);
  });
}

}  // namespace crossfold
