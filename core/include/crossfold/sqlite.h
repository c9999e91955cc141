// Reading the rows of an SQLite database: a table, or what a query gives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/csv.h"
#include "crossfold/dataset.h"

namespace crossfold {

struct SqliteOptions {
  // One of them: a SELECT, or the name of a table or view. SQLite promises no order of rows without
  // ORDER BY; the rows of a table are read in the order of its rowid, where it has one.
  std::string query = {}, table = {};
  Roles roles = {};
  // As in CsvOptions: overrides of the types, columns as other data has them, and rows to leave
  // out.
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  std::int64_t most_bytes = std::int64_t{4} << 30;  // of all cells in memory
  std::int64_t most_text_bytes = 0;     // of one string, also inside the query; 0 = SQLite's limit
  const CancelToken* cancel = nullptr;  // checked while the query runs; may be null
};

// Columns get their types from their cells, whatever the table declares: i64 if all are INTEGER,
// else f64 if all are INTEGER or REAL, else categorical (numbers as their shortest text; levels
// sorted as in ReadCsv). NULL is missing; a column of NULL only is f64. A column that `types`
// mentions is read from the texts of its cells as ReadCsv does; as bool, INTEGER 0 and 1 are false
// and true. BLOB is refused, unless its column is ignored.
//
// The file is opened for reading only; a query that writes, attaches another file or holds several
// statements is refused, and so are PRAGMAs and extensions. Throws Error (kIo, kBadData,
// kInvalidArgument, kCancelled), such as
//   cannot read 'a.db': there is no table 'irsi'; did you mean 'iris'? known: iris
std::shared_ptr<const Dataset> ReadSqlite(const std::filesystem::path& path,
                                          const SqliteOptions& options);

// Whether the file begins as an SQLite database does; false if it cannot be read.
bool IsSqlite(const std::filesystem::path& path);

}  // namespace crossfold
