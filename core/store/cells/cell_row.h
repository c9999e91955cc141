// A finished cell as the tables `cells` and `scores` have it, and as it is written to the log of
// its process before that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/outcome.h"
#include "encoding/fields.h"
#include "engine/data/sha256.h"
#include "store/cells/sqlite.h"

namespace crossfold {

class CellClaim;

enum class StoredStatus : std::int64_t { kOk = 0, kFailed = 1, kStopped = 2 };

// A row of `cells` without its key.
struct CellRow {
  StoredStatus status = StoredStatus::kOk;
  std::int64_t n_train = 0, n_test = 0;
  double fit_s = 0, predict_s = 0;
  std::optional<std::string> prediction;  // PackPrediction
  std::string notes;                      // "" = none
};

// The value of the column `checksum`.
std::int64_t ChecksumOf(std::int64_t series, std::int64_t fold, const CellRow& row);

// Makes the row without prediction and scores. Warnings of metrics are not part of a cell, as runs
// may ask for different metrics.
CellRow ToCellRow(const Outcome& outcome);
// The inverse. Throws plugin::Error for a row that ToCellRow did not make.
Outcome ToOutcome(const CellRow& row);
// The notes without the tries that failed before, which are not part of the result. Any notes are
// safe; damaged ones stay as they are.
std::string NotesWithoutTries(const CellRow& row);
// Whether status and notes agree, apart from tries that failed before: they are not part of the
// result.
bool HaveSameNotes(const CellRow& a, const CellRow& b);

// Reads kCellColumns, which all readers of `cells` select, from column `first` on.
inline constexpr const char* kCellColumns =
    "status, n_train, n_test, fit_s, predict_s, prediction, notes, checksum";
struct ReadRow {
  CellRow row;
  bool is_whole = false;  // the checksum fits
  std::int64_t checksum = 0;
};
ReadRow ReadCellRow(const Statement& statement, int first, std::int64_t series, std::int64_t fold);
// SQL that inserts a row of `cells`; `verb` as in "INSERT OR REPLACE".
std::string InsertCell(const char* verb = "INSERT");
// Returns the checksum.
std::int64_t BindCell(Statement& statement, std::int64_t series, std::int64_t fold,
                      const CellRow& row);

// A row of `scores`. Ids differ from store to store, so the checksum is computed again for a copy.
struct ScoreRow {
  std::int64_t series = 0, fold = 0, metric = 0;
  Score score;
};
// The value of the column `checksum`: it covers everything else.
std::int64_t ChecksumOf(const ScoreRow& row);

// The columns that all readers and writers of `scores` use, from column 0 and parameter 1 on.
// SQLite has no -0 in a column of reals; it is kept as the blob '-0.0', which SQLite's own
// conversion reads as -0.
inline constexpr const char* kScoreColumns = "series, fold, metric, value, undefined, checksum";
std::string InsertScore(const char* verb = "INSERT");
void BindScore(Statement& statement, const ScoreRow& row);
struct ReadScore {
  ScoreRow row;
  bool is_whole = false;  // the checksum fits
  std::int64_t checksum = 0;
};
ReadScore ReadScoreRow(const Statement& statement);
bool AreSame(const Score& a, const Score& b);

// A place in the tables, by number and by what it means.
struct StoredId {
  std::int64_t id = 0;
  Digest key{};
};

struct StoredScore {
  StoredId metric;
  Score score;
};

// A cell to be kept.
struct FinishedCell {
  StoredId series;
  std::int64_t fold = 0;
  std::optional<CellRow> row;  // nullopt = there already; only scores are new
  bool replaces = false;       // a row that was seen and is unusable
  std::vector<StoredScore> scores;
  std::shared_ptr<const CellClaim> claim;  // held until the cell is in the tables; or null
};

// The record has no ids, as another process may put it into the file.
void WriteFinishedCell(const FinishedCell& cell, FieldWriter& fields);
FinishedCell ReadFinishedCell(FieldReader& fields);

}  // namespace crossfold
