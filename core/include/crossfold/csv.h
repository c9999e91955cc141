// Reading comma-separated files (RFC 4180): quoted fields, doubled quotes, newlines in quotes, LF
// or CRLF, an optional UTF-8 byte order mark. The first line names the columns. Options for files
// that differ: other separators, quotes, decimal and thousands signs and encodings, comments, no
// names. A file compressed by gzip is unpacked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/column_types.h"
#include "crossfold/dataset.h"
#include "crossfold/reading_limits.h"
#include "crossfold/text_encoding.h"

namespace crossfold {

// Values of CsvOptions::separator that are no characters.
constexpr char kSeparatorAuto = '\2';  // the one of , ; tab | that gives equally many fields
constexpr char kSeparatorBlanks =
    '\1';  // runs of spaces and tabs; those around a line do not count
// No quote: every character of a cell stands for itself.
constexpr char kNoQuote = '\0';
// No signs between thousands.
constexpr char kNoThousands = '\0';

// One character of a separator, or "auto", "bar", "colon", "comma", "semicolon", "space" (runs of
// blanks), "tab". Throws Error with the known words and the nearest one.
char SeparatorFromName(std::string_view name);

struct CsvOptions {
  Roles roles = {};
  ColumnTypes types = {};
  // Columns as other data has them, such as FittedModel::columns(): the type of a column of that
  // name that `types` does not mention; the levels come first, in this order, whether a cell has
  // them or not. Levels that have an order keep it unless the file has others. Columns that the
  // file lacks do not matter.
  std::vector<ColumnDeclaration> like = {};
  // Rows without an entry in one of these columns, or roles as "target", are left out. Types and
  // levels are those of all rows.
  std::vector<std::string> drop_missing = {};
  // Cells that mean "missing"; in a column of categories quoted ones are levels.
  std::vector<std::string> missing = {"", "?", "NA"};
  char separator = ',';
  char quote = '"';    // ASCII
  char decimal = '.';  // or ',', as in 1,5; cells that are numbers with the other sign are texts
  // Between groups of digits before the decimals: ',' '.' '\'' '_' or ' ' (which stands for the
  // blanks U+00A0, U+2009 and U+202F, and '\'' for U+2019, too). 1,234,567 and 12,34,567 are
  // numbers, and so is 1234; 1,23 is a text.
  char thousands = kNoThousands;
  TextEncoding encoding = TextEncoding::kUtf8;
  std::int64_t skip_lines = 0;  // lines of the file, before its header
  std::string comment = {};     // lines that begin so are left out, wherever a record may begin
  // Without a header the columns are named c1, c2, ... or as `names` says.
  bool header = true;
  std::vector<std::string> names = {};
  // Maximum size of a text that is compressed or comes from a pipe or device. A line may have 1/64
  // of it, or 64 MiB if that is more.
  std::int64_t most_bytes = std::int64_t{4} << 30;
  int threads = 0;  // 0 = one a core; the dataset is the same for any number
  // Large files are mapped into memory where that is safe (docs/reading.md says when); false = they
  // are always copied.
  bool memory_map = true;
  ReadingLimits limits = {};
};

// Levels of a categorical column are sorted: by value if all are numbers, else by bytes.
// Throws Error (kIo, kBadData, kInvalidArgument, kCancelled) naming file, line, column and finding,
// such as
//   cannot read 'a.csv': line 3 has 4 fields, the header has 5
//   cannot read 'a.csv': line 7, column 'age': 'x12' is not a number (type i64 was asked for)
//   cannot read 'a.csv': line 9, column 'size': 'xl' is none of its levels; did you mean 'l'? ...
// Nothing is half-read.
std::shared_ptr<const Dataset> ReadCsv(const std::filesystem::path& path,
                                       const CsvOptions& options);

// The same for the bytes of a file in memory; `name` stands for the file in messages and names the
// dataset.
std::shared_ptr<const Dataset> ParseCsv(std::string_view text, const std::string& name,
                                        const CsvOptions& options);

}  // namespace crossfold
