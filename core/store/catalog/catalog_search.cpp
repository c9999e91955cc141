#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "crossfold/store_catalog.h"
#include "store/catalog/catalog_file.h"
#include "store/catalog/catalog_query.h"

namespace crossfold {
namespace {

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
