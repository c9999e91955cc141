#include "read/arff_records.h"

#include <algorithm>
#include <utility>

#include "crossfold/error.h"
#include "engine/text/ascii.h"
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
  attribute.name = ReadToken(rest, " \t{");
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
    if (!ReadList(rest, '}', false, attribute.values)) Refuse(": a comma is missing");
  } else {
    attribute.type = LowerCase(ReadToken(rest, " \t%["));
    rest = Trimmed(rest);
    if (rest.starts_with('[')) rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
  }
  rest = Trimmed(rest);
  if (!rest.empty() && rest.front() != '%') {
    Refuse(": unexpected '" + Shown(rest) + "' after attribute '" + Shown(attribute.name) + "'");
  }
  attributes_.push_back(std::move(attribute));
}

// Reads one value, in quotes or up to one of `ends`; `rest` becomes the text after it.
std::string ArffReader::ReadToken(std::string_view& rest, std::string_view ends) const {
  if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) {
    const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
    std::string token(Trimmed(rest.substr(0, end)));
    rest.remove_prefix(end);
    return token;
  }
  const char quote = rest.front();
  std::string token;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      return token;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    token.push_back(rest[i]);
  }
  Refuse(": a quote is not closed");
}

// Reads values up to and including `end`; '\0' = up to the end of the line or a comment. Returns
// false if there is no comma between two of them and blanks do not separate.
bool ArffReader::ReadList(std::string_view& rest, char end, bool blanks_separate,
                          std::vector<std::string>& values) const {
  const std::string_view ends = end != '\0' ? ",}" : blanks_separate ? ",% \t\r" : ",%";
  values.clear();
  while (true) {
    rest = Trimmed(rest);
    values.push_back(ReadToken(rest, ends));
    rest = Trimmed(rest);
    if (end == '\0' && (rest.empty() || rest.front() == '%')) return true;
    if (rest.empty()) Refuse(std::string(": '") + end + "' is missing");
    const bool is_end = end != '\0' && rest.front() == end;
    if (is_end || rest.front() == ',')
      rest.remove_prefix(1);
    else if (!blanks_separate)
      return false;
    if (is_end) return true;
  }
}

bool ArffReader::Next(std::vector<std::string>& values) {
  std::string_view line;
  if (!NextLine(line)) return false;
  if (line.front() == '{')
    Refuse(" is sparse ('{...}'), which is not supported; write every value");
  for (const bool blanks_separate : {false, true}) {
    std::string_view rest = line;
    const bool is_read = ReadList(rest, '\0', blanks_separate, values);
    if (values.back().empty() && values.size() > attributes_.size()) values.pop_back();
    if (is_read && values.size() == attributes_.size()) return true;
  }
  Refuse(" has " + std::to_string(values.size()) + (values.size() == 1 ? " value" : " values") +
         ", there are " + std::to_string(attributes_.size()) + " attributes");
}

}  // namespace crossfold
