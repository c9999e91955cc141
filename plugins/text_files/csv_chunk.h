// The rows of one chunk of a CSV text.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../reading/column_part.h"
#include "../reading/number_signs.h"
#include "csv_records.h"
#include "text_chunks.h"

namespace crossfold::reading {

// How cells are separated; shared by all chunks.
class CsvFormat {
 public:
  CsvFormat(char separator, char quote, NumberSigns signs, const std::vector<std::string>& missing);

  char separator() const { return separator_; }
  char quote() const { return quote_; }
  NumberSigns signs() const { return signs_; }
  // The cell may be quoted.
  bool MeansMissing(const CsvCell& cell) const;
  // Whether what looks like a plain number up to the separator always is one: neither the separator
  // nor a sign for "missing" can be part of a number, and decimals come after a point.
  bool plain_numbers() const { return plain_numbers_; }

 private:
  char separator_, quote_;
  NumberSigns signs_;
  const std::vector<std::string>& missing_;
  bool plain_numbers_;
};

// Puts the cells of each column into its part, and ends the parts. Returns how many rows were read.
// Throws Error at the first break of RFC 4180.
std::size_t ReadCsvChunk(const TextSource& source, const CsvFormat& format,
                         std::span<const std::string> names, const TextChunk& chunk,
                         std::span<ColumnPart* const> parts,
                         std::size_t most_rows = std::numeric_limits<std::size_t>::max());

// The place of the cell, for messages.
const char* FindCsvCell(const TextSource& source, const CsvFormat& format,
                        std::span<const std::string> names, const TextChunk& chunk, std::size_t row,
                        std::size_t column);

}  // namespace crossfold::reading
