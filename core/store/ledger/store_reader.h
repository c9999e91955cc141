// Reads the tables of a store as records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_ledger.h"
#include "crossfold_plugin/error.hpp"
#include "encoding/spec_fields.h"
#include "files/scratch_folder.h"
#include "store/cells/cell_keys.h"
#include "store/cells/cell_row.h"
#include "store/cells/finding_row.h"
#include "store/cells/sqlite.h"
#include "store/cells/stored_table.h"

namespace crossfold {

// A store in a file of its own, or inside an archive that ExportRun wrote. An archive's store is
// extracted into a folder that goes away with this object.
class StorePlace {
 public:
  // Throws Error.
  explicit StorePlace(const std::filesystem::path& file);
  StorePlace(const StorePlace&) = delete;
  StorePlace& operator=(const StorePlace&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<ScratchFolder> folder_;
};

struct DatasetRecord {
  std::string hash;
  std::int64_t n_rows = 0;
  std::int64_t image_bytes = 0;  // 0 = the content is not kept
};

struct SplitsRecord {
  std::string key;
  std::int64_t dataset = 0;
  std::int64_t n_folds = 0;  // 0 = a list
};

struct LearnerRecord {
  std::string key, text;
  std::vector<SpecRecord> steps;
};

struct MetricRecord {
  std::string key, text;
  SpecRecord spec;
};

struct SeriesRecord {
  std::string key;
  std::int64_t learner = 0, splits = 0;
  SeriesTraits traits;
};

struct StoredCell {
  CellRow row;
  std::vector<std::pair<std::int64_t, Score>> scores;  // by the metric's id, ascending
  std::int64_t damaged_scores = 0;                     // the number of those left out
};

// A fold that was combined in the script.
struct ComposedRecord {
  std::string learner, dataset_name;
  std::int64_t dataset = 0, repeat = 0, fold = 0, n_train = 0;
  std::optional<std::string> prediction;
  std::optional<std::string> failure;
};

// The name of an incomplete run: "what run 2 asked for, combined or noted (rows are missing or were
// added)".
std::string NameOfMissingRows(std::int64_t run);

// Calls read(); false = it met damaged rows, by plugin::Error or Error(kBadData).
template <class Read>
bool IsReadable(const Read& read) {
  try {
    read();
    return true;
  } catch (const plugin::Error&) {
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kBadData) throw;
  }
  return false;
}

// The key of a row as 64 digits.
std::string HexOfKey(std::string_view key);

// Not thread-safe. Every function throws Error(kBadData) for a damaged or missing row, with the way
// to save what is undamaged.
class StoreReader {
 public:
  // Takes over what a killed process left next to the store, if possible.
  explicit StoreReader(const std::filesystem::path& path);

  Database& db() const { return *db_; }
  std::vector<StoredRun> Runs() const;
  // The run with this number; 0 = the last one with outer cells. Throws Error for an unknown
  // number.
  StoredRun Choose(std::int64_t number) const;
  // 0 = none.
  std::int64_t LastWithResults() const;
  // `damaged` gets the names of rows that are left out, here and below. Of `composed` it gets those
  // of the whole run, because a damaged row may be any of them.
  std::vector<WantedRange> Wanted(std::int64_t run, std::vector<std::string>& damaged) const;
  std::vector<ComposedRecord> Composed(std::int64_t run, std::vector<std::string>& damaged) const;
  std::vector<ComposedRecord> Composed(std::int64_t run, const std::string& learner,
                                       const std::string& dataset_name,
                                       std::vector<std::string>& damaged) const;
  // Whether no row of a run's `wanted`, `composed` and `findings`, or of a series, is missing or
  // was added. The rows themselves may be damaged.
  bool IsComplete(std::int64_t run) const;
  bool IsCompleteSeries(std::int64_t id);
  // The findings of a run, by experiment, kind and name. `damaged` also gets the name of the run if
  // it is not complete.
  std::vector<FindingRow> Findings(std::int64_t run, std::vector<std::string>& damaged) const;

  const DatasetRecord& DatasetOf(std::int64_t id);
  const SplitsRecord& Splits(std::int64_t id);
  const LearnerRecord& Learner(std::int64_t id);
  const MetricRecord& Metric(std::int64_t id);
  const SeriesRecord& Series(std::int64_t id);

  // The datasets that the experiments of a run noted, by their names there, the last one first.
  std::map<std::string, std::vector<std::int64_t>> NotedDatasets(std::int64_t run) const;
  // The dataset with this hash; 0 = none.
  std::int64_t DatasetWithHash(const std::string& hash) const;
  // The dataset; null = its content is not kept. It stays in memory.
  std::shared_ptr<const Dataset> LoadDataset(std::int64_t id);
  // The splits as bytes of encoding/split_fields.h.
  std::string SplitsDefinition(std::int64_t id);
  // The splits of a finding; null if there are none or the dataset is not kept. Throws
  // Error(kBadData) for damaged data.
  std::shared_ptr<const SplitPlan> SplitsOf(const FindingRow& finding);
  // A plan of this repeat or list alone; null if the dataset is not kept. The last ones stay in
  // memory.
  std::shared_ptr<const SplitPlan> LoadSplits(std::int64_t id);
  // The cell; nullopt = there is none. Damaged scores are only counted.
  std::optional<StoredCell> FindCell(std::int64_t series, std::int64_t fold);
  // Throws Error(kBadData) "cannot read store 'a.cfdb': WHAT is damaged; ...".
  [[noreturn]] void FailDamaged(const std::string& what) const;

 private:
  // Maximum size of an unpacked dataset, by the size of its packed parts.
  std::int64_t MostImageBytes(std::int64_t dataset) const;
  void ReadScores(std::int64_t series, std::int64_t fold, StoredCell& cell);
  // All runs, and whether each is undamaged.
  std::vector<std::pair<StoredRun, bool>> ReadRuns() const;
  // Throws Error(kBadData) if a run after this one is damaged, because its content is unknown.
  void RequireWholeAfter(std::int64_t run) const;

  std::unique_ptr<Database> db_;
  mutable std::map<std::int64_t, std::vector<std::string>> damaged_composed_;  // by run
  std::unique_ptr<Statement> find_cell_, find_scores_, is_complete_;
  std::map<std::int64_t, DatasetRecord> datasets_;
  std::map<std::int64_t, SplitsRecord> splits_;
  std::map<std::int64_t, LearnerRecord> learners_;
  std::map<std::int64_t, MetricRecord> metrics_;
  std::map<std::int64_t, SeriesRecord> series_;
  std::map<std::int64_t, std::shared_ptr<const Dataset>> contents_;
  std::list<std::pair<std::int64_t, std::shared_ptr<const SplitPlan>>> plans_;  // last used first
};

// The place of a series' fold in a plan of this repeat or list alone.
inline std::int64_t SplitInPlan(const SplitsRecord& splits, std::int64_t fold) {
  return splits.n_folds == 0 ? 0 : fold;
}

}  // namespace crossfold
