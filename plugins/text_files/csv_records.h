// A comma-separated text cut into its cells, without looking at their meaning.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "csv_options.h"
#include "text_source.h"

namespace crossfold::reading {

// One cell, inside the text it came from. Two cells have equal content if their raw strings are
// equal: only a quoted cell can hold quotes, and there they are always doubled.
struct CsvCell {
  const char* data = nullptr;  // after the opening quote; unquoted cells without blanks around
  std::size_t size : 63 = 0;
  std::size_t quoted : 1 = 0;

  std::string_view raw() const { return {data, size}; }
  // With one quote for each pair.
  std::string Content(char quote) const;
};

// Goes through the cells of a text. Any part of it can be read if it begins with a record.
class CsvCursor {
 public:
  // `names` are the columns, for messages; none while the header is read. `quote` may be kNoQuote:
  // the text has no NUL.
  CsvCursor(const TextSource& source, char separator, char quote,
            std::span<const std::string> names, const char* begin);

  const char* at() const { return at_; }
  void MoveTo(const char* position) { at_ = position; }
  // Bytes left.
  std::ptrdiff_t size() const { return end_ - at_; }

  // Reads the cell at the cursor, which then is at the separator, the end of the line or of the
  // text. Throws Error at a break of RFC 4180; `column` is 0-based.
  CsvCell ReadCell(std::size_t column);
  // Whether a cell can end before `position`.
  bool IsCellEnd(const char* position) const {
    return position == end_ || *position == separator_ || IsLineEnd(position);
  }
  // Steps over the separator; false if the record has ended.
  bool NextCell() {
    if (at_ == end_ || *at_ != separator_) return false;
    ++at_;
    return true;
  }
  // Steps over the end of the line, if there is one. REQUIRES: the record has ended.
  void EndRecord() {
    if (at_ != end_) at_ += *at_ == '\r' && at_ + 1 != end_ ? 2 : 1;
  }
  // The cells up to the end of the line or of the text, which the cursor steps over.
  std::vector<CsvCell> ReadRecord();
  // Whether nothing but line ends is left.
  bool AtBlankEnd() const;
  // Whether the text has one column and its next line is blank: others skip such a line, or take it
  // for a missing entry.
  bool AtBlankRow() const;
  // Throws Error for the record that begins at `start`, which is not as long as the header; a
  // BlankLine if there is nothing in it.
  [[noreturn]] void RefuseRecord(const char* start);

 private:
  CsvCell ReadUnquoted(std::size_t column);
  bool IsBlankLine() const { return at_ != end_ && IsLineEnd(at_); }
  std::string WayOutOf(const char* start, std::size_t size) const;
  CsvCell ReadQuoted(std::size_t column);
  bool IsLineEnd(const char* position) const {
    return *position == '\n' ||
           (*position == '\r' && (position + 1 == end_ || position[1] == '\n'));
  }
  [[noreturn]] void RefuseCell(std::size_t column, const std::string& finding) const;

  const TextSource& source_;
  const char separator_, quote_;
  const std::span<const std::string> names_;
  const char* at_;
  const char* const end_;
  const char* cell_start_ = nullptr;
  std::array<bool, 256> ends_{};  // characters that end a run of plain ones
};

// A blank line in a text of several columns, which holds nothing: the text is read without it.
struct BlankLine {};

// The names of the columns, and where the rows begin.
struct CsvHeader {
  std::vector<std::string> names;
  std::vector<std::size_t> unnamed = {};  // columns without a name in the text: c1, c2, ...
  const char* end = nullptr;
  std::vector<std::string> notes = {};
};

// Skips a byte order mark. If all records have one field more than the first line, that is a column
// without a name: the first one, as R writes row names, or the last one, if it is always empty.
// Throws Error if there is no line, or a name occurs twice and duplicates are not to be numbered;
// BlankLine if the line is blank.
CsvHeader ReadCsvHeader(const TextSource& source, char separator, const CsvOptions& options);
// The names of a text without header: `names`, or c1, c2, ... as many as the first line has fields.
// Throws Error if `names` are not as many, or one is empty or occurs twice.
CsvHeader MakeCsvHeader(const TextSource& source, char separator, char quote,
                        std::span<const std::string> names);

}  // namespace crossfold::reading
