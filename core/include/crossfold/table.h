// A table of results, and the forms in which people and programs read it. Numbers are written
// without the locale; every form ends with a newline.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "crossfold/value.h"

namespace crossfold {

// Null = there is no value: "-" for people, an empty cell in CSV, "null" in JSON. A double is never
// NaN: what is undefined is Null.
using TableCell = std::variant<Null, bool, std::int64_t, double, std::string>;

struct Table {
  std::vector<std::string> columns;          // distinct
  std::vector<std::vector<TableCell>> rows;  // each as long as columns
};

// Aligned columns for people: numbers to the right, doubles with `digits` decimals, or more where
// these would make 0 of what is not 0 or 1 of what is below 1; 0 for what is but rounding noise
// beside the largest number of its column; one line a row (control characters become spaces).
// Nothing if there are no columns. With a `width` the texts of the last column go on below where a
// line would have more characters, broken at blanks.
std::string ToText(const Table& table, int digits = 4, int width = 0);
// RFC 4180, shortest round-trip numbers. Texts are quoted so that the source "csv" gets them back.
std::string ToCsv(const Table& table);
// A LaTeX tabular with rules above, below and under the header (\toprule ... of booktabs): numbers
// to the right as in ToText, characters that LaTeX would read as commands escaped.
std::string ToLatex(const Table& table, int digits = 4);
// An array of objects; keys in column order. An infinity is the string "inf" or "-inf".
std::string ToJson(const Table& table);

}  // namespace crossfold
