#include "csv_records.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "../reading/ascii.h"
#include "../reading/numbers.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

// After a byte order mark.
const char* BeginOf(const TextSource& source, const std::string& empty) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::size_t first = source.text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (first == source.text.size()) RefuseContent(empty);
  return source.text.data() + first;
}

// Returns what is wrong with names of columns, which are at `place`; empty if nothing is.
std::string WrongNames(std::span<const std::string> names, const std::string& place) {
  std::map<std::string_view, std::size_t> position_of;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::string position = std::to_string(i + 1);
    if (name.empty()) return place + ", column " + position + " has no name";
    const auto [known, is_new] = position_of.emplace(name, i + 1);
    if (is_new) continue;
    return place + ": columns " + std::to_string(known->second) + " and " + position +
           " are both named '" + Shown(name) + "'";
  }
  return "";
}

// Returns the way out if a header of one name looks like several with a different separator; else
// "".
std::string OtherSeparator(std::span<const std::string> names) {
  if (names.size() != 1) return "";
  for (const char sign : {';', '\t', '|'}) {
    if (names[0].find(sign) == std::string::npos) continue;
    return std::string(" with ") + (sign == '\t' ? "tabs" : std::string("'") + sign + "'") +
           " in it; give separator = \"auto\"";
  }
  return "";
}

// Two lines of one cell each, with the same number of another separator in them, have several
// columns.
void RefuseOtherSeparator(const TextSource& source, const CsvCell& name, CsvCursor cursor) {
  const std::string_view first = name.raw();
  if (name.quoted || first.find_first_of(";\t|") == std::string_view::npos) return;
  const char* const start = cursor.at();
  const std::vector<CsvCell> next = cursor.ReadRecord();
  if (next.size() != 1 || next[0].quoted) return;
  const std::string_view second = next[0].raw();
  for (const char sign : {';', '\t', '|'}) {
    const auto n = std::count(first.begin(), first.end(), sign);
    if (n == 0 || n != std::count(second.begin(), second.end(), sign)) continue;
    const std::string shown = sign == '\t' ? "tabs" : "'" + std::string(1, sign) + "'";
    const std::string option = sign == '\t' ? "tab" : std::string(1, sign);
    const auto line = source.LineOf(start);
    RefuseContent("lines " + std::to_string(line - 1) + " and " + std::to_string(line) +
                  " have one field with " + shown + " in it; give separator = \"" + option +
                  "\", or quote the name if it is one");
  }
}

}  // namespace

CsvCursor::CsvCursor(const TextSource& source, char separator, char quote,
                     std::span<const std::string> names, const char* begin)
    : source_(source),
      separator_(separator),
      quote_(quote),
      names_(names),
      at_(begin),
      end_(source.text.data() + source.text.size()) {
  for (const char c : {separator, quote, '\n', '\r'}) ends_[static_cast<unsigned char>(c)] = true;
}

CsvCell CsvCursor::ReadCell(std::size_t column) {
  cell_start_ = at_;
  return at_ != end_ && *at_ == quote_ ? ReadQuoted(column) : ReadUnquoted(column);
}

CsvCell CsvCursor::ReadUnquoted(std::size_t column) {
  const char* first = at_;
  while (at_ != end_ && !ends_[static_cast<unsigned char>(*at_)]) ++at_;
  if (at_ != end_ && *at_ == quote_) {
    if (std::all_of(first, at_, IsBlank)) return ReadQuoted(column);
    RefuseCell(column,
               "a quote inside an unquoted field; quote the whole field and double its quotes, or "
               "give quote = false");
  }
  if (!IsCellEnd(at_)) {
    RefuseCell(column, "a carriage return without a line feed; end lines with LF or CRLF");
  }
  const char* last = at_;
  while (first != last && IsBlank(*first)) ++first;
  while (first != last && IsBlank(last[-1])) --last;
  return {first, static_cast<std::size_t>(last - first), 0};
}

CsvCell CsvCursor::ReadQuoted(std::size_t column) {
  const char* first = ++at_;
  for (;;) {
    const auto* quote = static_cast<const char*>(
        at_ == end_ ? nullptr : std::memchr(at_, quote_, static_cast<std::size_t>(end_ - at_)));
    if (quote == nullptr)
      RefuseCell(column, "the quote is never closed; close it, or give quote = false");
    at_ = quote + 1;
    if (at_ == end_ || *at_ != quote_) break;
    ++at_;
  }
  const char* const last = at_ - 1;
  while (!IsCellEnd(at_) && IsBlank(*at_)) ++at_;
  if (!IsCellEnd(at_)) {
    RefuseCell(column, "text after the closing quote; double quotes inside a field");
  }
  return {first, static_cast<std::size_t>(last - first), 1};
}

std::vector<CsvCell> CsvCursor::ReadRecord() {
  constexpr std::size_t kMostFields = std::size_t{1} << 22;
  std::vector<CsvCell> record;
  do {
    if (record.size() == kMostFields) {
      RefuseContent("line " + std::to_string(source_.LineOf(cell_start_)) + " has more than " +
                    std::to_string(kMostFields) + " fields; check the separator");
    }
    if (record.size() == source_.most_columns) {
      RefuseContent("it has more than " + std::to_string(source_.most_columns) +
                    " columns, the maximum for the memory that is left; give it more memory");
    }
    record.push_back(ReadCell(record.size()));
  } while (NextCell());
  EndRecord();
  return record;
}

bool CsvCursor::AtBlankEnd() const {
  return IsBlankLine() && std::all_of(at_, end_, [](char c) { return c == '\n' || c == '\r'; });
}

bool CsvCursor::AtBlankRow() const {
  if (names_.size() != 1) return false;
  const char* at = at_;
  while (at != end_ && IsBlank(*at) && *at != separator_) ++at;
  return at == end_ || IsLineEnd(at);
}

void CsvCursor::RefuseRecord(const char* start) {
  at_ = start;
  const std::vector<CsvCell> record = ReadRecord();
  const std::size_t size = record.size();
  at_ = start;
  if (AtBlankRow()) {
    RefuseContent("line " + std::to_string(source_.LineOf(start)) +
                  " is blank; take it out, or write \"\" if the entry is missing");
  }
  if (size == 1 && record[0].size == 0 && record[0].quoted == 0) throw BlankLine();
  RefuseContent("line " + std::to_string(source_.LineOf(start)) + " has " + std::to_string(size) +
                (size == 1 ? " field" : " fields") + ", the header has " +
                std::to_string(names_.size()) + WayOutOf(start, size));
}

// Returns the way out for a record whose size differs from the header; "" if there is none.
std::string CsvCursor::WayOutOf(const char* start, std::size_t size) const {
  const std::string other = OtherSeparator(names_);
  if (!other.empty()) return other;
  const std::string_view text(start, static_cast<std::size_t>(end_ - start));
  for (const char* sign : {"#", "//", "%"}) {
    if (!text.starts_with(sign) && (names_.size() != 1 || !names_[0].starts_with(sign))) continue;
    return std::string("; if lines that begin with it are comments, give comment = \"") + sign +
           "\"";
  }
  const std::string line = std::to_string(source_.LineOf(start) - 1);
  if (names_.size() == 1 && size > 1) {
    return "; if the table begins there, give skip_lines = " + line;
  }
  CsvCursor record(source_, separator_, quote_, names_, start);
  const CsvCell last = record.ReadRecord().back();
  if (size < names_.size() || (size == names_.size() + 1 && last.size == 0)) {
    return "; if fields are left out at the end of lines, give ragged = \"fill\"";
  }
  return "";
}

void CsvCursor::RefuseCell(std::size_t column, const std::string& finding) const {
  const std::string name =
      column < names_.size() ? "'" + Shown(names_[column]) + "'" : std::to_string(column + 1);
  RefuseContent("line " + std::to_string(source_.LineOf(cell_start_)) + ", column " + name + ": " +
                finding);
}

namespace {

// Gives columns of the same name different ones: x, x.2, x.3.
void NumberDuplicates(CsvHeader& header) {
  std::set<std::string_view> taken(header.names.begin(), header.names.end());
  std::set<std::string_view> seen;
  for (std::string& name : header.names) {
    if (seen.insert(name).second) continue;
    const std::string old = name;
    std::string made;
    for (int i = 2; made.empty() || taken.contains(made); ++i) made = old + "." + std::to_string(i);
    header.notes.push_back("another column is called '" + Shown(old) + "': it gets the name '" +
                           Shown(made) + "'");
    name = std::move(made);
    taken.insert(name);
    seen.insert(name);
  }
}

// The first cells of records, which may be names of rows: distinct, and not numbers unless they are
// quoted, as R writes them, or count the rows from 0 or 1. 1,50 may be one number.
class RowNames {
 public:
  void Add(const CsvCell& cell, char quote) {
    const std::string name = cell.Content(quote);
    const std::int64_t number = ParseInteger(name).value_or(-1);
    if (seen_.empty()) first_ = number;
    counts_ = counts_ && first_ >= 0 && first_ <= 1 &&
              number == first_ + static_cast<std::int64_t>(seen_.size());
    quoted_ = quoted_ && cell.quoted != 0;
    numbers_ = numbers_ && IsDecimalNumber(name);
    distinct_ = distinct_ && seen_.insert(name).second;
  }
  bool AreNames() const {
    return distinct_ && (quoted_ || !numbers_ || (counts_ && seen_.size() > 1));
  }

 private:
  std::set<std::string> seen_;
  std::int64_t first_ = -1;
  bool distinct_ = true, quoted_ = true, numbers_ = true, counts_ = true;
};

// Finds out whether all records have one field more than the header, and which it is.
void AddSurplusColumn(const TextSource& source, char separator, char quote, CsvHeader& header) {
  const std::size_t n = header.names.size();
  CsvCursor cursor(source, separator, quote, header.names, header.end);
  // Below a header of one name, this is a title above the table.
  if (n == 1 || cursor.size() == 0 || cursor.ReadRecord().size() != n + 1) return;
  cursor.MoveTo(header.end);
  bool ends_empty = true;
  RowNames first;
  while (cursor.size() > 0 && !cursor.AtBlankEnd()) {
    source.Progress(cursor.at());
    const std::vector<CsvCell> record = cursor.ReadRecord();
    if (record.size() == 1 && record[0].size == 0) continue;
    if (record.size() != n + 1) return;
    ends_empty = ends_empty && record.back().size == 0;
    first.Add(record[0], quote);
  }
  if (!ends_empty && !first.AreNames()) return;
  const std::size_t place = ends_empty ? n : 0;
  for (std::size_t& column : header.unnamed) column += place == 0 ? 1 : 0;
  header.unnamed.insert(place == 0 ? header.unnamed.begin() : header.unnamed.end(), place);
  header.names.insert(header.names.begin() + static_cast<std::ptrdiff_t>(place),
                      "c" + std::to_string(place + 1));
}

}  // namespace

CsvHeader ReadCsvHeader(const TextSource& source, char separator, const CsvOptions& options) {
  const char quote = options.quote;
  const char* const begin = BeginOf(source, "it is empty; the first line must name the columns");
  CsvCursor cursor(source, separator, quote, {}, begin);
  CsvHeader header;
  const std::vector<CsvCell> cells = cursor.ReadRecord();
  header.end = cursor.at();
  const std::string number = std::to_string(source.LineOf(begin)), line = "line " + number;
  if (cells.size() == 1 && cells[0].size == 0) {
    if (cursor.size() > 0) throw BlankLine();
    RefuseContent(line + " is blank; it must name the columns");
  }
  if (cells.size() == 1 && cursor.size() > 0) RefuseOtherSeparator(source, cells[0], cursor);
  for (const CsvCell& cell : cells) {
    header.names.push_back(cell.Content(quote));
    if (!header.names.back().empty()) continue;
    header.unnamed.push_back(header.names.size() - 1);
    header.names.back() = "c" + std::to_string(header.names.size());
  }
  if (options.number_duplicates) NumberDuplicates(header);
  AddSurplusColumn(source, separator, quote, header);
  const std::string wrong = WrongNames(header.names, line);
  if (wrong.empty()) return header;
  RefuseContent(wrong + "; rename one, or give duplicate_names = \"number\"");
}

CsvHeader MakeCsvHeader(const TextSource& source, char separator, char quote,
                        std::span<const std::string> names) {
  CsvHeader header;
  header.end = BeginOf(source, "it is empty");
  const std::size_t n = CsvCursor(source, separator, quote, {}, header.end).ReadRecord().size();
  header.names.assign(names.begin(), names.end());
  if (names.empty()) {
    for (std::size_t i = 0; i < n; ++i) header.names.push_back("c" + std::to_string(i + 1));
    return header;
  }
  std::string wrong = WrongNames(header.names, "option names");
  if (wrong.empty() && names.size() != n) {
    wrong = "line " + std::to_string(source.LineOf(header.end)) + " has " + std::to_string(n) +
            (n == 1 ? " field, names has " : " fields, names has ") + std::to_string(names.size());
  }
  if (wrong.empty()) return header;
  RefuseOption(wrong);
}

std::string CsvCell::Content(char quote) const {
  std::string content;
  content.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    content += data[i];
    if (data[i] == quote) ++i;  // the second of a doubled pair
  }
  return content;
}

}  // namespace crossfold::reading
