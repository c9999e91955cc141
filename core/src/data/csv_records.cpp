#include "data/csv_records.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "crossfold/error.h"

namespace crossfold {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

class CsvSplitter {
 public:
  CsvSplitter(const CsvSource& source, char separator)
      : source_(source),
        separator_(separator),
        at_(source.text.data()),
        end_(source.text.data() + source.text.size()) {
    for (const char c : {separator, '"', '\n', '\r'}) ends_[static_cast<unsigned char>(c)] = true;
  }

  CsvRecords Run() {
    CheckText();
    ReadHeader();
    while (at_ != end_) ReadRow();
    if (records_.cells.empty()) source_.Refuse("it has no rows, only a header");
    return std::move(records_);
  }

 private:
  void CheckText() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const auto nul = source_.text.find('\0');
    if (nul != std::string_view::npos) {
      const char* position = source_.text.data() + nul;
      const char* line_start = position;
      while (line_start != source_.text.data() && line_start[-1] != '\n') --line_start;
      source_.Refuse("line " + std::to_string(source_.LineOf(position)) + ", byte " +
                     std::to_string(position - line_start + 1) +
                     ": a NUL; the file must be text in UTF-8");
    }
    if (source_.text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    if (at_ == end_) source_.Refuse("it is empty; the first line must name the columns");
  }

  void ReadHeader() {
    ReadRecord();
    for (const CsvCell& cell : record_) names_.push_back(cell.Content());
    std::map<std::string_view, std::size_t> position_of;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string position = std::to_string(i + 1);
      if (names_[i].empty()) source_.Refuse("line 1, column " + position + " has no name");
      const auto [first, is_new] = position_of.emplace(names_[i], i + 1);
      if (is_new) continue;
      source_.Refuse("line 1: columns " + std::to_string(first->second) + " and " + position +
                     " are both named '" + Shown(names_[i]) + "'");
    }
    records_.names = names_;
  }

  void ReadRow() {
    const char* start = at_;
    ReadRecord();
    const bool blank = record_.size() == 1 && record_[0].raw().empty() && !record_[0].quoted &&
                       (*start == '\n' || *start == '\r');
    if (blank && at_ == end_) return;
    if (record_.size() != names_.size()) {
      const std::string n_names = std::to_string(names_.size());
      const std::string header = "the header has " + n_names + (blank ? " fields" : "");
      const std::string found = blank ? "is blank"
                                      : "has " + std::to_string(record_.size()) +
                                            (record_.size() == 1 ? " field" : " fields");
      source_.Refuse("line " + std::to_string(source_.LineOf(start)) + " " + found + ", " + header);
    }
    records_.cells.insert(records_.cells.end(), record_.begin(), record_.end());
  }

  // The fields up to the end of the line or of the text.
  void ReadRecord() {
    record_.clear();
    for (;;) {
      field_start_ = at_;
      record_.push_back(at_ != end_ && *at_ == '"' ? ReadQuoted() : ReadUnquoted());
      if (at_ == end_ || *at_ != separator_) break;
      ++at_;
    }
    if (at_ != end_) at_ += *at_ == '\r' && at_ + 1 != end_ ? 2 : 1;
  }

  CsvCell ReadUnquoted() {
    const char* first = at_;
    while (at_ != end_ && !ends_[static_cast<unsigned char>(*at_)]) ++at_;
    if (at_ != end_ && *at_ == '"') {
      RefuseField("a quote inside an unquoted field; quote the whole field and double its quotes");
    }
    if (!AtFieldEnd()) {
      RefuseField("a carriage return without a line feed; end lines with LF or CRLF");
    }
    const char* last = at_;
    while (first != last && IsBlank(*first)) ++first;
    while (first != last && IsBlank(last[-1])) --last;
    return {first, static_cast<std::size_t>(last - first), 0};
  }

  CsvCell ReadQuoted() {
    const char* first = ++at_;
    for (;;) {
      const auto* quote = static_cast<const char*>(
          at_ == end_ ? nullptr : std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
      if (quote == nullptr) RefuseField("the quote is never closed");
      at_ = quote + 1;
      if (at_ == end_ || *at_ != '"') break;
      ++at_;
    }
    if (!AtFieldEnd()) RefuseField("text after the closing quote; double quotes inside a field");
    return {first, static_cast<std::size_t>(at_ - 1 - first), 1};
  }

  bool AtFieldEnd() const {
    if (at_ == end_ || *at_ == separator_ || *at_ == '\n') return true;
    return *at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n');
  }

  [[noreturn]] void RefuseField(const std::string& finding) const {
    const std::size_t column = record_.size();
    const std::string name =
        column < names_.size() ? "'" + Shown(names_[column]) + "'" : std::to_string(column + 1);
    source_.Refuse("line " + std::to_string(source_.LineOf(field_start_)) + ", column " + name +
                   ": " + finding);
  }

  const CsvSource& source_;
  const char separator_;
  const char* at_;
  const char* const end_;
  const char* field_start_ = nullptr;
  std::array<bool, 256> ends_{};  // characters that end a run of plain ones
  std::vector<CsvCell> record_;
  std::vector<std::string> names_;  // empty while the header is read
  CsvRecords records_;
};

}  // namespace

std::string CsvCell::Content() const {
  std::string content;
  content.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    content += data[i];
    if (data[i] == '"') ++i;  // the second of a doubled pair
  }
  return content;
}

std::size_t CsvSource::LineOf(const char* position) const {
  return static_cast<std::size_t>(std::count(text.data(), position, '\n')) + 1;
}

void CsvSource::Refuse(const std::string& finding) const {
  throw Error(ErrorKind::kBadData, attempt + ": " + finding);
}

CsvRecords SplitCsv(const CsvSource& source, char separator) {
  return CsvSplitter(source, separator).Run();
}

std::string Shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;  // bytes
  std::size_t length = std::min(text.size(), kLongest);
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  if (length < text.size()) {
    while (length > 0 && continues(length)) --length;  // no half character
  }
  std::string shown(text.substr(0, length));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace crossfold
