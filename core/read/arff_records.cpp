#include "read/arff_records.h"

#include <algorithm>
#include <utility>

#include "crossfold/error.h"
#include "engine/text/ascii.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kLineBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kLineBlanks) - first + 1);
}

}  // namespace

ArffReader::ArffReader(std::string_view text, std::string attempt)
    : text_(text), attempt_(std::move(attempt)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  std::string_view line;
  while (NextLine(line)) {
    const std::size_t end = std::min(line.find_first_of(kLineBlanks), line.size());
    const std::string keyword = LowerCase(line.substr(0, end));
    if (keyword == "@data") {
      if (attributes_.empty()) Refuse(": @data comes before any @attribute");
      return;
    }
    if (keyword == "@attribute") {
      ReadAttribute(line.substr(end));
    } else if (keyword != "@relation") {
      Refuse(": '" + Shown(line.substr(0, end)) +
             "' is neither @relation, @attribute nor @data; is this an ARFF file?");
    }
  }
  throw Error(ErrorKind::kBadData, attempt_ + ": it ends before @data");
}

void ArffReader::Refuse(const std::string& finding) const {
  throw Error(ErrorKind::kBadData, attempt_ + ": line " + std::to_string(line_) + finding);
}

bool ArffReader::NextLine(std::string_view& line) {
  while (!text_.empty()) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    line = Trimmed(text_.substr(0, end));
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++line_;
    if (!line.empty() && line.front() != '%') return true;
  }
  return false;
}

void ArffReader::ReadAttribute(std::string_view rest) {
  rest = Trimmed(rest);
  ArffAttribute attribute;
  attribute.name = ReadToken(rest, " \t{").text;
  rest = Trimmed(rest);
  if (attribute.name.empty()) Refuse(": an attribute has no name");
  for (const ArffAttribute& other : attributes_) {
    if (other.name == attribute.name) {
      Refuse(": there is a second attribute '" + Shown(attribute.name) + "'");
    }
  }
  if (rest.empty()) Refuse(": attribute '" + Shown(attribute.name) + "' has no type");
  if (rest.front() == '{') {
    rest.remove_prefix(1);
    for (ArffValue& value : ReadList(rest, '}')) attribute.values.push_back(std::move(value.text));
  } else {
    attribute.type = LowerCase(ReadToken(rest, " \t%").text);
  }
  rest = Trimmed(rest);
  if (!rest.empty() && rest.front() != '%') {
    Refuse(": unexpected '" + Shown(rest) + "' after attribute '" + Shown(attribute.name) + "'");
  }
  attributes_.push_back(std::move(attribute));
}

// Reads one value, in quotes or up to one of `ends`; `rest` becomes the text after it.
ArffValue ArffReader::ReadToken(std::string_view& rest, std::string_view ends) const {
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) {
    const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
    ArffValue token{.text = std::string(Trimmed(rest.substr(0, end)))};
    rest.remove_prefix(end);
    return token;
  }
  const char quote = rest.front();
  ArffValue token{.quoted = true};
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      return token;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    token.text.push_back(rest[i]);
  }
  Refuse(": a quote is not closed");
}

// Reads values between commas, up to and including `end`; '\0' = up to the end of the line or a
// comment.
std::vector<ArffValue> ArffReader::ReadList(std::string_view& rest, char end) const {
  const std::string_view ends = end == '\0' ? ",%" : ",}";
  std::vector<ArffValue> values;
  while (true) {
    rest = Trimmed(rest);
    values.push_back(ReadToken(rest, ends));
    values.back().attribute = values.size() - 1;
    rest = Trimmed(rest);
    const bool is_comment = end == '\0' && !rest.empty() && rest.front() == '%';
    if (end == '\0' && (rest.empty() || is_comment)) {
      rest = {};
      return values;
    }
    if (rest.empty()) Refuse(std::string(": '") + end + "' is missing");
    const char next = rest.front();
    rest.remove_prefix(1);
    if (end != '\0' && next == end) return values;
    if (next != ',') Refuse(std::string(": a comma is missing before '") + Shown({&next, 1}) + "'");
  }
}

// Reads a sparse row such as "0 red, 4 2.5}", after its opening brace.
void ArffReader::ReadSparse(std::string_view rest, std::vector<ArffValue>& row) const {
  row.clear();
  rest = Trimmed(rest);
  if (!rest.empty() && rest.front() == '}') {
    rest.remove_prefix(1);
  } else {
    for (char next = ','; next != '}'; rest.remove_prefix(1)) {
      rest = Trimmed(rest);
      const std::string index = ReadToken(rest, " \t,}").text;
      const auto attribute = ParseInteger(index);
      const auto n = static_cast<std::int64_t>(attributes_.size());
      if (!attribute || *attribute < 0 || *attribute >= n) {
        Refuse(": '" + Shown(index) + "' is not an attribute index from 0 to " +
               std::to_string(n - 1));
      }
      rest = Trimmed(rest);
      ArffValue value = ReadToken(rest, ",}");
      value.attribute = static_cast<std::size_t>(*attribute);
      if (!row.empty() && row.back().attribute >= value.attribute) {
        Refuse(": attribute " + index + " does not come after " +
               std::to_string(row.back().attribute) + "; sparse values must ascend");
      }
      row.push_back(std::move(value));
      rest = Trimmed(rest);
      next = rest.empty() ? '\0' : rest.front();
      if (next != ',' && next != '}') Refuse(": '}' is missing");
    }
  }
  rest = Trimmed(rest);
  if (!rest.empty() && rest.front() != '%') {
    Refuse(": unexpected '" + Shown(rest) + "' after the sparse values");
  }
}

void ArffReader::CheckSize(std::size_t n_values) const {
  if (n_values == attributes_.size()) return;
  Refuse(" has " + std::to_string(n_values) + (n_values == 1 ? " value" : " values") +
         ", there are " + std::to_string(attributes_.size()) + " attributes");
}

bool ArffReader::Next(std::vector<std::string>& values) {
  std::string_view line;
  if (!NextLine(line)) return false;
  if (line.front() == '{')
    Refuse(" is sparse ('{...}'), which is not supported; write every value");
  values.clear();
  for (ArffValue& value : ReadList(line, '\0')) values.push_back(std::move(value.text));
  CheckSize(values.size());
  return true;
}

bool ArffReader::NextRow(std::vector<ArffValue>& row, bool& is_sparse) {
  std::string_view line;
  if (!NextLine(line)) return false;
  is_sparse = line.front() == '{';
  if (is_sparse) {
    ReadSparse(line.substr(1), row);
    return true;
  }
  row = ReadList(line, '\0');
  const ArffValue& last = row.back();
  if (row.size() == attributes_.size() + 1 && !last.quoted && last.text.starts_with('{')) {
    Refuse(
        " has a weight in braces, which is not supported; make it an attribute, and name that as "
        "the weights");
  }
  CheckSize(row.size());
  return true;
}

bool ArffReader::SkipRow() {
  std::string_view line;
  return NextLine(line);
}

ArffReader ArffReader::Part(std::string_view part, std::size_t lines_before) const {
  ArffReader reader = *this;
  reader.text_ = part;
  reader.line_ += lines_before;
  return reader;
}

}  // namespace crossfold
