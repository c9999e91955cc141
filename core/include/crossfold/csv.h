// Reading comma-separated files (RFC 4180): quoted fields, doubled quotes, newlines in quotes, LF
// or CRLF, an optional UTF-8 byte order mark. The first line names the columns.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

enum class ColumnType {
  kInfer,  // i64, else f64, else bool (true/false), else categorical
  kF64,
  kF32,
  kI32,
  kI64,
  kBool,
  kCategorical,
  kIgnore  // the column is left out
};

// "f64", "f32", "i32", "i64", "bool", "categorical", "ignore", and "numeric" for f64.
// Throws Error with the known names and the nearest one.
ColumnType ColumnTypeFromName(std::string_view name);

struct CsvOptions {
  Roles roles = {};
  // Overrides of the inference, by column.
  std::map<std::string, ColumnType, std::less<>> types = {};
  // Columns as other data has them, such as FittedModel::columns(): the type of a column of that
  // name that `types` does not mention; the levels come first, in this order, whether a cell has
  // them or not. Those that the file lacks do not matter.
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> missing = {"", "?", "NA"};  // unquoted cells that mean "missing"
  char separator = ',';
  int threads = 0;  // 0 = one a core; the dataset is the same for any number
  // Large files are mapped into memory where that is safe (docs/reading.md says when); false = they
  // are always copied.
  bool memory_map = true;
};

// Levels of a categorical column are sorted: by value if all are numbers, else by bytes.
// Throws Error (kIo, kBadData, kInvalidArgument) naming file, line, column and finding, such as
//   cannot read 'a.csv': line 3 has 4 fields, the header has 5
//   cannot read 'a.csv': line 7, column 'age': 'x12' is not a number (type i64 was asked for)
// Nothing is half-read.
std::shared_ptr<const Dataset> ReadCsv(const std::filesystem::path& path,
                                       const CsvOptions& options);

// The same for text in memory; `name` stands for the file in messages and names the dataset.
std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options);

}  // namespace crossfold
