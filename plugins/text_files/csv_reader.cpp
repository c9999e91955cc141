#include "csv_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../reading/ascii.h"
#include "../reading/column_assembly.h"
#include "../reading/column_part.h"
#include "../reading/column_plan.h"
#include "../reading/numbers.h"
#include "../reading/part_threads.h"
#include "../reading/plain_decimal.h"
#include "../reading/refusal.h"
#include "crossfold_plugin/utf8.hpp"
#include "csv_layout.h"
#include "csv_records.h"
#include "decoded_text.h"
#include "reading_memory.h"
#include "text_chunks.h"

namespace crossfold::reading {
namespace {

// How cells are separated; shared by all chunks.
class CsvFormat {
 public:
  CsvFormat(char separator, const CsvOptions& options);

  char separator() const { return separator_; }
  char quote() const { return quote_; }
  NumberSigns signs() const { return signs_; }
  // The cell may be quoted.
  bool MeansMissing(const CsvCell& cell) const;
  // Whether what looks like a plain number up to the separator always is one: neither the separator
  // nor a sign for "missing" can be part of a number, and decimals come after a point.
  bool plain_numbers() const { return plain_numbers_; }
  bool fill() const { return fill_; }

 private:
  char separator_, quote_;
  NumberSigns signs_;
  const std::vector<std::string>& missing_;
  bool fill_, plain_numbers_;
};

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

CsvFormat::CsvFormat(char separator, const CsvOptions& options)
    : separator_(separator),
      quote_(options.quote),
      signs_{options.decimal, options.thousands},
      missing_(options.missing),
      fill_(options.fill),
      plain_numbers_(signs_.decimal == '.' && !IsNumberCharacter(separator) &&
                     !IsNumberCharacter(quote_) &&
                     std::none_of(missing_.begin(), missing_.end(), [](const std::string& marker) {
                       return !marker.empty() && IsNumberCharacter(marker[0]);
                     })) {}

bool CsvFormat::MeansMissing(const CsvCell& cell) const {
  return std::any_of(missing_.begin(), missing_.end(),
                     [&](const std::string& marker) { return cell.raw() == marker; });
}

bool IsBlankUpTo(const char* begin, const char* end) { return std::all_of(begin, end, IsBlank); }

// Rows of a chunk that are shorter than the header and were filled.
struct FilledRows {
  std::size_t n = 0;
  const char* first = nullptr;
};

// Puts the cells of each column into its part, and ends the parts. Returns how many rows were read.
// Throws Error at the first break of RFC 4180, BlankLine at a blank line in a text of several
// columns.
std::size_t ReadCsvChunk(const TextSource& source, const CsvFormat& format,
                         std::span<const std::string> names, const TextChunk& chunk,
                         std::span<ColumnPart* const> parts, FilledRows& filled,
                         std::size_t most_rows = std::numeric_limits<std::size_t>::max()) {
  CsvCursor cursor(source, format.separator(), format.quote(), names, chunk.begin);
  constexpr std::size_t kRowsBetweenLooks = 64;
  std::size_t row = 0;
  for (; cursor.at() < chunk.end && row < most_rows; ++row) {
    if (row % kRowsBetweenLooks == 0) source.Progress(cursor.at());
    if (cursor.AtBlankEnd()) break;
    const char* const start = cursor.at();
    if (cursor.AtBlankRow()) cursor.RefuseRecord(start);
    std::size_t column = 0;
    do {
      if (column == parts.size()) {
        if (!format.fill() || cursor.ReadCell(column).size > 0) cursor.RefuseRecord(start);
        continue;
      }
      ColumnPart& part = *parts[column];
      if (!format.plain_numbers() || !PutPlainNumber(cursor, row, part)) {
        PutCell(format, cursor.ReadCell(column), row, part);
      }
      ++column;
    } while (cursor.NextCell());
    if (column < parts.size()) {
      const bool is_blank = column == 1 && IsBlankUpTo(start, cursor.at());
      if (!format.fill() || is_blank) cursor.RefuseRecord(start);
      if (filled.n++ == 0) filled.first = start;
      for (; column < parts.size(); ++column) parts[column]->PutMissing(row);
    }
    cursor.EndRecord();
  }
  for (ColumnPart* part : parts) part->End(row);
  return row;
}

// The place of the cell, for messages.
const char* FindCsvCell(const TextSource& source, const CsvFormat& format,
                        std::span<const std::string> names, const TextChunk& chunk, std::size_t row,
                        std::size_t column) {
  CsvCursor cursor(source, format.separator(), format.quote(), names, chunk.begin);
  for (std::size_t i = 0; i < row; ++i) cursor.ReadRecord();
  const std::vector<CsvCell> record = cursor.ReadRecord();
  return record[std::min(column, record.size() - 1)].data;
}

bool IsEmpty(const cf::SourceColumn& column) {
  for (std::int64_t row = 0; row < column.n_rows; ++row) {
    if (!IsMissing(column, row)) return false;
  }
  return true;
}

// Whether every row has an entry, and no other row has the same.
bool HasDistinctEntries(const cf::SourceColumn& column) {
  std::vector<std::uint64_t> entries;
  for (std::int64_t row = 0; row < column.n_rows; ++row) {
    if (IsMissing(column, row)) return false;
    const auto i = static_cast<std::size_t>(row);
    if (column.dtype == CF_CAT32) {
      entries.push_back(
          static_cast<std::uint64_t>(static_cast<const std::int32_t*>(column.data)[i]));
    } else if (column.dtype == CF_F64 || column.dtype == CF_I64) {
      entries.push_back(static_cast<const std::uint64_t*>(column.data)[i]);
    } else {
      return column.n_rows == 1;
    }
  }
  std::sort(entries.begin(), entries.end());
  return std::adjacent_find(entries.begin(), entries.end()) == entries.end();
}

constexpr std::int64_t kLongestLine = std::int64_t{64}
                                      << 20;  // bytes; more if most_bytes allows it

// Files that are often mistaken for CSV, by their first bytes.
void RefuseOtherFormats(std::string_view text) {
  const std::pair<std::string_view, const char*> formats[] = {
      {{"SQLite format 3\0", 16},
       "an SQLite database; read a table or a query of it (docs/reading.md)"},
      {"\xD0\xCF\x11\xE0", "an Excel workbook; save the sheet as CSV"},
      {"<!", "HTML or XML, perhaps an error page; save the data as CSV"},
      {"<html", "HTML, perhaps an error page; save the data as CSV"},
      {"<?xml", "XML; save the data as CSV"},
      {"[{", "JSON; save the data as CSV"},
      {"{\"", "JSON; save the data as CSV"}};
  for (const auto& [begin, words] : formats) {
    if (text.starts_with(begin)) RefuseContent(std::string("it is ") + words);
  }
  // Both ends: PAR1 may be the name of a first column.
  if (text.starts_with("PAR1") && text.ends_with("PAR1")) {
    RefuseContent("it is a Parquet file; bring it in through Arrow, or save it as CSV");
  }
}

// Columns are typed by a sample, then all chunks are read at once, straight into the memory of the
// columns. If a chunk shows that a column has a different type, only that column is read again.
class CsvReader {
 public:
  CsvReader(const CsvLayout& layout, const cf::SourceInput& input, const CsvOptions& options,
            const ChunkedReading& reading)
      : source_(layout.source()),
        input_(input),
        options_(options),
        reading_(reading),
        memory_(input.max_bytes()),
        format_(layout.separator(), options) {}

  cf::Columns Run() {
    FindChunks();
    StartColumns();
    ReadChunks();
    RefuseBadCells();
    SettleColumns();
    CheckComplete();
    NoteDigits();
    SettleUnnamed();
    for (const std::string& note : header_.notes) {
      if (source_.context != nullptr) source_.context->Log(CF_LOG_INFO, note.c_str());
    }
    return std::move(columns_);
  }

 private:
  void FindChunks() {
    const RecordEnds ends(source_.text, options_.quote, reading_);
    if (ends.first_nul()) RefuseByte(*ends.first_nul(), "a NUL; " + WayOutOfNul(source_.text));
    RefuseLongLine(ends);
    if (!ends.is_ascii()) CheckUtf8();
    header_ = options_.header
                  ? ReadCsvHeader(source_, format_.separator(), options_)
                  : MakeCsvHeader(source_, format_.separator(), format_.quote(), options_.names);
    const auto first = static_cast<std::size_t>(header_.end - source_.text.data());
    chunks_ = ends.ChunksFrom(first, header_.names.size() * reading_.bytes_per_column);
    most_rows_ = static_cast<std::size_t>(ends.MaxRecordsFrom(first));
    memory_.AddTable(header_.names.size(), most_rows_);
  }

  // The cells and names of a line take many times its size in memory.
  void RefuseLongLine(const RecordEnds& ends) const {
    const std::int64_t most = std::max(kLongestLine, options_.most_bytes / 64);
    const auto place = ends.FirstLongRecord(static_cast<std::size_t>(most));
    if (!place) return;
    RefuseContent("line " + std::to_string(source_.LineOf(source_.text.data() + *place)) +
                  " is longer than " + std::to_string(most) +
                  " bytes; end it or close its quote, or raise most_bytes to 64 times its length");
  }

  // A column without a name is an index or an empty one, as a rule, and rarely meant as a feature:
  // a column without entries is left out, and so is the first one if it names the rows.
  void SettleUnnamed() {
    for (auto unnamed = header_.unnamed.rbegin(); unnamed != header_.unnamed.rend(); ++unnamed) {
      const auto column = columns_.begin() + static_cast<std::ptrdiff_t>(*unnamed);
      if (input_.HintOf(column->name) != nullptr) continue;
      const std::string keep = "; types = { " + column->name + " = \"categorical\" } keeps it";
      const std::string subject = "column " + std::to_string(*unnamed + 1) + " has no name";
      const bool is_only = columns_.size() == 1;
      if (!is_only && IsEmpty(*column)) {
        header_.notes.push_back(subject + " and no entries: it is left out");
        columns_.erase(column);
      } else if (!is_only && *unnamed == 0 && HasDistinctEntries(*column)) {
        header_.notes.push_back(subject + " and a different entry in every row, as names of rows " +
                                "have: it is left out" + keep);
        columns_.erase(column);
      } else {
        header_.notes.push_back(subject + " and is called '" + column->name + "'; types = { " +
                                column->name + " = \"ignore\" } leaves it out");
      }
    }
  }

  void NoteDigits() {
    for (const ColumnAssembly& column : columns_being_read_) {
      std::string note =
          column.Note([&](const char* position) { return source_.LineOf(position); });
      if (!note.empty()) header_.notes.push_back(std::move(note));
    }
  }

  // Blocks are checked at the same time; the first error of the text is reported.
  void CheckUtf8() const {
    const std::size_t block = reading_.chunk_bytes;
    const std::size_t n_blocks = (source_.text.size() + block - 1) / block;
    ForEachPart(reading_.threads, n_blocks, [&](std::size_t i) {
      if (reading_.check) reading_.check();
      const std::size_t end = std::min(source_.text.size(), (i + 1) * block);
      const auto wrong = plugin::FirstInvalidUtf8(source_.text, i * block, end);
      if (!wrong) return;
      RefuseByte(*wrong, "this is not UTF-8; " + WayOutOfBytes(source_.text));
    });
  }

  [[noreturn]] void RefuseByte(std::size_t byte, const std::string& finding) const {
    const std::size_t line_end = source_.text.substr(0, byte).rfind('\n');
    const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
    RefuseContent("line " + std::to_string(source_.LineOf(source_.text.data() + byte)) + ", byte " +
                  std::to_string(byte - line_start + 1) + ": " + finding);
  }

  void StartColumns() {
    constexpr std::size_t kSampleRows = 100;
    std::vector<ColumnPart> sample(header_.names.size());
    std::vector<ColumnPart*> pointers;
    for (ColumnPart& part : sample) {
      part.Begin(ColumnType::kInfer, true, nullptr);
      pointers.push_back(&part);
    }
    if (!chunks_.empty()) {
      FilledRows filled;
      ReadCsvChunk(source_, format_, header_.names, chunks_[0], pointers, filled, kSampleRows);
    }
    for (std::size_t i = 0; i < sample.size(); ++i) {
      columns_being_read_.emplace_back(
          PlanColumn(header_.names[i], input_.HintOf(header_.names[i])), chunks_.size());
      columns_being_read_[i].Start(sample[i].kind(), most_rows_);
    }
  }

  void ReadChunks() {
    std::vector<std::size_t> n_rows(chunks_.size());
    std::vector<FilledRows> filled(chunks_.size());
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      n_rows[i] = ReadChunk(
          i, [](const ColumnAssembly&) { return true; }, filled[i]);
    });
    for (const std::size_t n : n_rows) n_rows_ += n;
    NoteFilled(filled);
    if (n_rows_ == 0) RefuseContent("it has no rows, only a header");
  }

  void NoteFilled(const std::vector<FilledRows>& filled) {
    FilledRows all;
    for (const FilledRows& part : filled) {
      if (all.n == 0) all.first = part.first;
      all.n += part.n;
    }
    if (all.n == 0) return;
    header_.notes.push_back(std::to_string(all.n) + (all.n == 1 ? " row is" : " rows are") +
                            " shorter than the header and filled with missing entries" +
                            (all.n == 1 ? " (line " : " (the first: line ") +
                            std::to_string(source_.LineOf(all.first)) + ")");
  }

  // Reads the columns that `is_wanted` names.
  template <class Wanted>
  std::size_t ReadChunk(std::size_t chunk, Wanted is_wanted) {
    FilledRows filled;
    return ReadChunk(chunk, is_wanted, filled);
  }
  template <class Wanted>
  std::size_t ReadChunk(std::size_t chunk, Wanted is_wanted, FilledRows& filled) {
    if (reading_.check) reading_.check();
    ColumnPart unwanted;
    std::vector<ColumnPart*> parts;
    for (ColumnAssembly& column : columns_being_read_) {
      parts.push_back(is_wanted(column) ? &column.BeginPart(chunk, chunks_[chunk].first_row)
                                        : &unwanted);
    }
    const std::size_t n_rows =
        ReadCsvChunk(source_, format_, header_.names, chunks_[chunk], parts, filled);
    memory_.AddLevels(parts);
    return n_rows;
  }

  // Columns that do not fit a preferred type are read again.
  void RefuseBadCells() {
    std::set<const ColumnAssembly*> again;
    for (ColumnAssembly& column : columns_being_read_) {
      const BadCell* bad = column.FirstBad();
      if (bad == nullptr) continue;
      if (column.plan().firm || column.plan().closed) {
        RefuseContent("line " + std::to_string(source_.LineOf(bad->position)) + ", column '" +
                      Shown(column.plan().name) + "': " + column.Finding(*bad));
      }
      column.Infer();
      again.insert(&column);
    }
    if (again.empty()) return;
    ForEachPart(reading_.threads, chunks_.size(), [&](std::size_t i) {
      ReadChunk(i, [&](const ColumnAssembly& column) { return again.contains(&column); });
    });
  }

  void SettleColumns() {
    columns_ = FinishColumns(
        columns_being_read_, n_rows_, chunks_.size(), reading_.threads, [&](std::size_t i) {
          ReadChunk(i, [i](const ColumnAssembly& column) { return column.NeedsRewrite(i); });
        });
  }

  // The host would refuse this too, but does not know the line.
  void CheckComplete() const {
    std::vector<const cf::SourceColumn*> complete, dropping;
    for (const cf::SourceColumn& column : columns_) {
      const cf_column_hint* hint = input_.HintOf(column.name);
      if (HasFlag(hint, CF_HINT_COMPLETE) && column.dtype != 0) complete.push_back(&column);
      if (HasFlag(hint, CF_HINT_DROP_MISSING)) dropping.push_back(&column);
    }
    for (const cf::SourceColumn* column : complete) {
      for (std::int64_t row = 0; row < column->n_rows; ++row) {
        if (!IsMissing(*column, row)) continue;
        const bool dropped =
            std::any_of(dropping.begin(), dropping.end(),
                        [row](const cf::SourceColumn* other) { return IsMissing(*other, row); });
        if (dropped) continue;
        RefuseContent("line " + std::to_string(LineOfCell(row, column->name)) + ", column '" +
                      Shown(column->name) + "': " + MissingFinding(*input_.HintOf(column->name)));
      }
    }
  }

  std::size_t LineOfCell(std::int64_t row, std::string_view name) const {
    const auto column = static_cast<std::size_t>(
        std::find(header_.names.begin(), header_.names.end(), name) - header_.names.begin());
    auto chunk = chunks_.end() - 1;
    while (chunk->first_row > row) --chunk;
    return source_.LineOf(FindCsvCell(source_, format_, header_.names, *chunk,
                                      static_cast<std::size_t>(row - chunk->first_row), column));
  }

  const TextSource& source_;
  const cf::SourceInput& input_;
  const CsvOptions& options_;
  const ChunkedReading& reading_;
  ReadingMemory memory_;
  const CsvFormat format_;
  CsvHeader header_;
  std::vector<TextChunk> chunks_;
  std::size_t most_rows_ = 0, n_rows_ = 0;
  std::vector<ColumnAssembly> columns_being_read_;
  cf::Columns columns_;
};

}  // namespace

cf::Columns ReadCsvText(const TextSource& source, const cf::SourceInput& input,
                        const CsvOptions& options, const ChunkedReading& reading) {
  RefuseOtherFormats(source.text);
  const auto read = [&](bool skip_blank_lines) {
    const CsvLayout layout(source, options, skip_blank_lines);
    return CsvReader(layout, input, options, reading).Run();
  };
  try {
    return read(false);
  } catch (const BlankLine&) {  // rarely: looking for them first would cost every text a pass
    return read(true);
  }
}

}  // namespace crossfold::reading
