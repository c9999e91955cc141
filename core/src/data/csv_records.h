// A comma-separated text cut into its cells, without looking at their meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold {

// One cell, inside the text it came from. Two cells have equal content if their raw texts are
// equal: only a quoted cell can hold quotes, and there they are always doubled.
struct CsvCell {
  const char* data = nullptr;  // behind the opening quote; unquoted cells without blanks around
  std::size_t size : 63 = 0;
  std::size_t quoted : 1 = 0;

  std::string_view raw() const { return {data, size}; }
  std::string Content() const;
};

// The text and how messages name it.
struct CsvSource {
  std::string_view text;
  std::string attempt;  // "cannot read 'a.csv'"

  // 1-based; found by counting, for messages only.
  std::size_t LineOf(const char* position) const;
  // Throws Error(kBadData) "<attempt>: <finding>".
  [[noreturn]] void Refuse(const std::string& finding) const;
};

// A rectangle of cells under a header.
struct CsvRecords {
  std::vector<std::string> names;
  std::vector<CsvCell> cells;  // row by row, without the header

  std::size_t num_rows() const { return cells.size() / names.size(); }
  const CsvCell& cell(std::size_t row, std::size_t column) const {
    return cells[row * names.size() + column];
  }
};

// The cells live as long as source.text. Throws Error(kBadData) at the first break of RFC 4180 or
// of the rules in csv.h.
CsvRecords SplitCsv(const CsvSource& source, char separator);

// A cell or name as messages show it: no control characters, cut if it is long.
std::string Shown(std::string_view text);

}  // namespace crossfold
