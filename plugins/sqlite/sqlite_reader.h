// Reading the rows of an SQLite database: a table, or the result of a query.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "crossfold_plugin/source.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct SqliteOptions {
  // One of them: a SELECT, or the name of a table or view. SQLite promises no order of rows without
  // ORDER BY; the rows of a table are read in the order of its rowid, where it has one.
  std::string query = {}, table = {};
  std::int64_t most_bytes = std::int64_t{4} << 30;  // of all cells in memory
  std::int64_t most_text_bytes = 0;  // of one string, also inside the query; 0 = SQLite's limit
};

// Columns get their types from their cells, whatever the table declares: i64 if all are INTEGER,
// else f64 if all are INTEGER or REAL, else categorical (numbers as their shortest text; levels
// sorted as in CSV files). NULL is missing; a column of NULL only is f64. A column for which a type
// is given is read from the strings of its cells; as bool, INTEGER 0 and 1 are false and true. BLOB
// is refused, unless its column is not needed.
//
// The file is opened for reading only; a query that writes, attaches another file or holds several
// statements is refused, and so are PRAGMAs and extensions. Throws Error, such as
//   there is no table 'irsi'; did you mean 'iris'? known: iris
cf::Columns ReadSqlite(const std::filesystem::path& path, const SqliteOptions& options,
                       const cf::SourceInput& input, const cf::Context& context);

}  // namespace crossfold::reading
