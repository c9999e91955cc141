// Tables whose rows have one kind of checksum, and the statements that make and check it. The rows
// of `cells`, `scores` and `findings` have checksums of their own (cell_row.h, finding_row.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/cells/sqlite.h"

namespace crossfold {

struct StoredTable {
  const char* name;
  const char* columns;  // columns of the checksum, in addition to the name; the key is first
  int n_columns, n_keys;
};

inline constexpr StoredTable kPluginTable{"plugins", "sha256, id, version, build_info, path", 5, 1};
inline constexpr StoredTable kDatasetTable{"datasets", "id, hash, n_rows, n_features, image_bytes",
                                           5, 1};
inline constexpr StoredTable kDatasetPartTable{"dataset_parts", "dataset, part, bytes", 3, 2};
inline constexpr StoredTable kSplitsTable{"splits", "id, key, dataset, n_folds, definition", 5, 1};
inline constexpr StoredTable kLearnerTable{"learners", "id, key, text, definition", 4, 1};
inline constexpr StoredTable kMetricTable{"metrics", "id, key, text, definition", 4, 1};
inline constexpr StoredTable kSeriesTable{
    "series", "id, key, learner, splits, repeat, seed, probabilities, separate", 8, 1};
inline constexpr StoredTable kRunTable{
    "runs", "id, started, crossfold, script, script_text, arguments, seed, finished", 8, 1};
inline constexpr StoredTable kComposedTable{
    "composed", "run, learner, dataset_name, repeat, fold, dataset, n_train, prediction, failure",
    9, 5};
inline constexpr StoredTable kWantedTable{
    "wanted", "run, series, inner, learner, dataset, first, count", 7, 6};

inline constexpr const StoredTable* kStoredTables[] = {
    &kPluginTable, &kDatasetTable, &kDatasetPartTable, &kSplitsTable,   &kLearnerTable,
    &kMetricTable, &kSeriesTable,  &kRunTable,         &kComposedTable, &kWantedTable};

// Gives a connection the function row_checksum(table, value, ...): CRC-32 over the name and the
// type and content of every value. Throws SqliteError.
void AddChecksumFunction(Database& db);

// The parameters of a statement: "?1, ?2, ?3".
std::string NumberedMarks(int n);

// SQL expressions: the correct checksum of a row, and whether the row has it.
std::string ChecksumOf(const StoredTable& table);
std::string IsWhole(const StoredTable& table);
// SQL that inserts a row with its checksum; parameters as `columns`. `verb` as in "INSERT OR
// REPLACE".
std::string InsertInto(const StoredTable& table, const char* verb = "INSERT");
// SQL that selects the same columns, followed by whether the row is undamaged.
std::string SelectFrom(const StoredTable& table);
// Computes the checksum again of a row that was undamaged and then changed.
void Reseal(Database& db, const StoredTable& table, std::int64_t id);

// Totals detect removed, added and exchanged rows: a series has the sum of the checksums of its
// cells and scores, a run that of its rows in `wanted`, `composed` and `findings`. SQL expressions
// for the correct total of a row of `series` and of `runs`.
inline constexpr const char* kSeriesTotal =
    "((SELECT coalesce(sum(checksum), 0) FROM cells WHERE cells.series = series.id) + "
    "(SELECT coalesce(sum(checksum), 0) FROM scores WHERE scores.series = series.id))";
// The totals are without findings for a store that lacks the table.
std::string RunTotal(bool has_findings = true);

// Finds a row by a unique key. It reads the row itself, so that a damaged index cannot give another
// row. Throws Error(kBadData) if index and row disagree.
struct KeyedRow {
  std::int64_t id = 0;  // 0 = there is none
  bool is_whole = false;
};
class KeyedRows {
 public:
  // `key` is the name of the column.
  KeyedRows(Database& db, const StoredTable& table, const char* key = "key");
  KeyedRow Find(std::string_view key, bool is_text = false);
  std::int64_t NextId();

 private:
  Database& db_;
  const StoredTable& table_;
  Statement find_, row_, next_;
};

// Cells that a run asked for: a row of `wanted`.
struct WantedRange {
  std::int64_t series = 0;
  bool inner = false;
  std::string learner, dataset;  // names in the experiment
  std::int64_t first = 0, count = 0;
};

// More than any split has; sums of two do not overflow.
inline constexpr std::int64_t kMaxFolds = std::int64_t{1} << 40;

// Whether these can be the numbers of folds.
inline bool HasFolds(const WantedRange& range) {
  return range.first >= 0 && range.first < kMaxFolds && range.count > 0 && range.count < kMaxFolds;
}

// Writes rows of `wanted`. Of two ranges with the same start the longer one stays; a damaged one is
// replaced.
class WantedRows {
 public:
  explicit WantedRows(Database& db);
  void Put(std::int64_t run, const WantedRange& range);

 private:
  Statement find_, put_;
};

}  // namespace crossfold
