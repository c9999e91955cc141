// A table of results, and the formats in which people and programs read it. The locale does not
// affect numbers; every format ends with a newline.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "crossfold/value.h"

namespace crossfold {

// A cell is Null if there is no value: "-" for people, an empty cell in CSV, "null" in JSON. A
// double is never NaN; an undefined value is Null.
using TableCell = std::variant<Null, bool, std::int64_t, double, std::string>;

struct Table {
  std::vector<std::string> columns;          // distinct
  std::vector<std::vector<TableCell>> rows;  // each as long as columns
};

// Returns aligned columns for people. Numbers are right-aligned. Doubles have `digits` decimals, or
// more if rounding would give 0 for a number other than 0 or 1 for a number below 1; a number that
// is only rounding noise compared with the largest one of its column is 0. Each row is one line
// (control characters become spaces). The text is empty if there are no columns. With a `width`,
// the strings of the last column wrap at blanks where a line would be longer.
std::string ToText(const Table& table, int digits = 4, int width = 0);
// Returns CSV (RFC 4180) with the shortest numbers that read back as the same. Strings are quoted
// so that the source "csv" reads them back.
std::string ToCsv(const Table& table);
// Returns a LaTeX tabular with rules above, below and under the header (\toprule ... of booktabs).
// Numbers are right-aligned as in ToText, and characters that LaTeX would read as commands are
// escaped.
std::string ToLatex(const Table& table, int digits = 4);
// Returns an array of objects with keys in column order. An infinity is the string "inf" or "-inf".
std::string ToJson(const Table& table);

}  // namespace crossfold
