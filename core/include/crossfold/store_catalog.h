// A catalog: one file that has the experiments of many stores, to be searched with SQL. It is made
// of the stores alone, and can be made again. docs/catalog.md describes its tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/table.h"

namespace crossfold {

// The mean score of a learner in one experiment of a run, as scripts compute it (cf.catalog). Empty
// strings and nullopt mean that there is no value.
struct CatalogScore {
  std::int64_t run = 0, experiment = 0;
  std::string dataset, dataset_hash;  // the name in the experiment, Dataset::content_hash()
  std::string learner, settings;      // the name in the experiment, the learner as text
  std::string metric, metric_key;     // key: StoredMetricKey(); "" = written in Lua
  std::int64_t direction = 0;         // 1 = higher is better, -1 = lower is better
  std::int64_t folds = 0, defined = 0, failed = 0, fallback = 0;
  std::optional<double> score, low, high, confidence;
  std::string method, covers, caution;  // of the interval
  std::string undefined;                // why there is no score, or no interval
  std::string design, splits;           // as text; a hash of the rows
};

struct CatalogEntry {
  std::string who;  // "" = as before, or the owner of the file
  std::vector<CatalogScore> scores;
  std::vector<std::string> damaged;  // what scores could not be read from, by name
};

struct CatalogAddition {
  std::string path, who;
  std::int64_t runs = 0, cells = 0, scores = 0;
  bool is_new = false;
  std::vector<std::string> damaged;  // what the store has and the catalog lacks, by name
};

// Adds a store, or an archive of ExportRun, to the catalog, which is made if there is none. What it
// had of the store is replaced in one transaction. Throws Error for a file that is not a catalog,
// which is not changed, and for a store that cannot be read.
CatalogAddition AddToCatalog(const std::filesystem::path& catalog,
                             const std::filesystem::path& store, const CatalogEntry& entry);
// Removes what the catalog has of a store, which may be gone. Throws Error if it has nothing.
void RemoveFromCatalog(const std::filesystem::path& catalog, const std::filesystem::path& store);

// The following only read the catalog. They throw Error for a damaged one.

// One row per store: path, who, added, runs, cells, scores, damaged, state. The state is "current",
// "changed" since it was added, or "gone".
Table ListCatalog(const std::filesystem::path& catalog);

struct BestScoresRequest {
  std::string dataset;  // a name, or the beginning of a hash; "" = all
  std::string metric;   // "" = all
};
// The rows of the view `best` by dataset, metric and rank. Throws Error if none fits.
Table BestScores(const std::filesystem::path& catalog, const BestScoresRequest& request);

// Where a hash occurs whose first 4 or more digits are `hash`: what, hash, name, who, store, cells.
// `cells` is Null for a plugin that is not of a learner, such as that of a metric.
Table FindInCatalog(const std::filesystem::path& catalog, const std::string& hash);

// Runs one SELECT of SQLite. Throws Error for any other statement, for a result of more than 256
// MiB, and when `cancel` is set.
Table QueryCatalog(const std::filesystem::path& catalog, const std::string& sql,
                   const CancelToken* cancel = nullptr);

// Compares the cells that several stores have: the same rows of the same data, and the same learner
// with the same parameters. One row per dataset, learner and pair of stores: dataset, learner,
// settings, inner, first, first_store, second, second_store, cells, same_inputs, equal, different,
// unknown, reason, finding. `first` and `second` are who; `same_inputs` counts the cells with the
// same seed, plugins and version, too; `unknown` those whose hashes differ and whose stores cannot
// be read. The reason is that of the first cell that is not equal (crossfold/store_diff.h).
Table CompareStores(const std::filesystem::path& catalog, bool inner,
                    const CancelToken* cancel = nullptr);

}  // namespace crossfold
