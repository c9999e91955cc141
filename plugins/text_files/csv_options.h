// The form of comma-separated text, as given to a reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold::reading {

// Values of CsvOptions::separator that are not characters.
constexpr char kSeparatorAuto = '\2';  // the one of , ; tab | that gives the same number of fields
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
  // Cells that mean "missing"; in a column of categories quoted ones are levels.
  std::vector<std::string> missing = {"", "?", "NA"};
  char separator = ',';
  char quote = '"';    // ASCII
  char decimal = '.';  // or ',', as in 1,5; cells that are numbers with the other sign are strings
  // Between groups of digits before the decimals: ',' '.' '\'' '_' or ' ' (which stands for the
  // blanks U+00A0, U+2009 and U+202F, and '\'' for U+2019, too). 1,234,567 and 12,34,567 are
  // numbers, and so is 1234; 1,23 is a string.
  char thousands = kNoThousands;
  std::int64_t skip_lines = 0;  // lines of the file, before its header
  std::string comment = {};  // lines that begin with it are left out, wherever a record may begin
  bool fill = false;         // rows that are shorter than the header get missing entries
  bool number_duplicates = false;  // columns of the same name are called x, x.2, x.3
  // Without a header the columns are named c1, c2, ... or as `names` says.
  bool header = true;
  std::vector<std::string> names = {};
  // Maximum size of a text that is compressed or comes from a pipe or device. A line may have 1/64
  // of it, or 64 MiB if that is more.
  std::int64_t most_bytes = std::int64_t{4} << 30;
};

}  // namespace crossfold::reading
