// A row of the table `findings`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "store/cells/sqlite.h"

namespace crossfold {

struct FindingRow {
  std::int64_t experiment = 0;
  std::string kind, name, body, dataset;
  std::optional<std::string> splits;  // packed
};

// The value of the column `checksum`: it covers everything but the run, so that rows can be copied.
std::int64_t ChecksumOf(const FindingRow& row);

// What all readers and writers of `findings` name, after the run: from column 0 and parameter 2 on.
inline constexpr const char* kFindingColumns =
    "experiment, kind, name, body, dataset, splits, checksum";
// SQL that inserts a row; parameter 1 is the run.
std::string InsertFinding(const char* verb);
void BindFinding(Statement& statement, std::int64_t run, const FindingRow& row);
struct ReadFinding {
  FindingRow row;
  bool is_whole = false;  // the checksum fits
};
ReadFinding ReadFindingRow(const Statement& statement);

// "what experiment 2 noted (fold 1, 1, 3)".
std::string NameOf(const FindingRow& row);

}  // namespace crossfold
