#include "csv_chunk.h"

#include <algorithm>

#include "../reading/plain_decimal.h"

namespace crossfold::reading {
namespace {

constexpr std::string_view kNumberCharacters = "+-.0123456789";

bool IsNumberCharacter(char c) { return kNumberCharacters.find(c) != std::string_view::npos; }

void PutCell(const CsvFormat& format, const CsvCell& cell, std::size_t row, ColumnPart& part) {
  if (part.type() == ColumnType::kIgnore) return;
  if (format.MeansMissing(cell)) {
    return cell.quoted ? part.PutQuotedMissing(row, cell.raw()) : part.PutMissing(row);
  }
  if (cell.quoted && cell.raw().find(format.quote()) != std::string_view::npos) {
    return part.Put(row, cell.Content(format.quote()), cell.data, format.signs());
  }
  part.Put(row, cell.raw(), cell.data, format.signs());
}

// Reads the cell at the cursor if it is a plain number that the part takes as it is.
bool PutPlainNumber(CsvCursor& cursor, std::size_t row, ColumnPart& part) {
  const bool real = part.type() == ColumnType::kF64;
  if (!real && part.type() != ColumnType::kI64) return false;
  if (cursor.size() < kPlainDecimalReach) return false;
  const PlainDecimal number = ReadPlainDecimal(cursor.at());
  if (real ? !number.has_exact_double() : !number.has_integer()) return false;
  if (!cursor.IsCellEnd(number.end)) return false;
  if (real) {
    part.PutValue(row, number.ToDouble());
  } else {
    part.PutValue(row, number.ToInteger());
  }
  cursor.MoveTo(number.end);
  return true;
}

}  // namespace

CsvFormat::CsvFormat(char separator, char quote, NumberSigns signs,
                     const std::vector<std::string>& missing)
    : separator_(separator),
      quote_(quote),
      signs_(signs),
      missing_(missing),
      plain_numbers_(signs.decimal == '.' && !IsNumberCharacter(separator) &&
                     !IsNumberCharacter(quote) &&
                     std::none_of(missing.begin(), missing.end(), [](const std::string& marker) {
                       return !marker.empty() && IsNumberCharacter(marker[0]);
                     })) {}

bool CsvFormat::MeansMissing(const CsvCell& cell) const {
  return std::any_of(missing_.begin(), missing_.end(),
                     [&](const std::string& marker) { return cell.raw() == marker; });
}

std::size_t ReadCsvChunk(const TextSource& source, const CsvFormat& format,
                         std::span<const std::string> names, const TextChunk& chunk,
                         std::span<ColumnPart* const> parts, std::size_t most_rows) {
  CsvCursor cursor(source, format.separator(), format.quote(), names, chunk.begin);
  constexpr std::size_t kRowsBetweenLooks = 64;
  std::size_t row = 0;
  for (; cursor.at() < chunk.end && row < most_rows; ++row) {
    if (row % kRowsBetweenLooks == 0) source.Progress(cursor.at());
    if (cursor.AtBlankEnd()) break;
    const char* const start = cursor.at();
    std::size_t column = 0;
    do {
      if (column == parts.size()) cursor.RefuseRecord(start);
      ColumnPart& part = *parts[column];
      if (!format.plain_numbers() || !PutPlainNumber(cursor, row, part)) {
        PutCell(format, cursor.ReadCell(column), row, part);
      }
      ++column;
    } while (cursor.NextCell());
    if (column != parts.size()) cursor.RefuseRecord(start);
    cursor.EndRecord();
  }
  for (ColumnPart* part : parts) part->End(row);
  return row;
}

const char* FindCsvCell(const TextSource& source, const CsvFormat& format,
                        std::span<const std::string> names, const TextChunk& chunk, std::size_t row,
                        std::size_t column) {
  CsvCursor cursor(source, format.separator(), format.quote(), names, chunk.begin);
  for (std::size_t i = 0; i < row; ++i) cursor.ReadRecord();
  return cursor.ReadRecord()[column].data;
}

}  // namespace crossfold::reading
