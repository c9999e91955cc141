#include "arff_records.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "../reading/ascii.h"
#include "../reading/numbers.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kLineBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kLineBlanks) - first + 1);
}

// The keyword that a line begins with; a quote or brace may follow it at once.
std::string_view WordOf(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t\r'\"{"));
}

bool IsEnd(std::string_view rest) { return rest.empty() || rest.front() == '%'; }

bool IsNothing(const ArffValue& value) { return !value.quoted && value.text.empty(); }

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

void AppendUtf8(char32_t code, std::string& text) {
  const auto add = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      add(0xE0 | code >> 12);
    } else {
      add(0xF0 | code >> 18);
      add(0x80 | (code >> 12 & 0x3F));
    }
    add(0x80 | (code >> 6 & 0x3F));
  }
  add(0x80 | (code & 0x3F));
}

}  // namespace

ArffReader::ArffReader(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  std::string_view line;
  while (NextLine(line)) {
    const std::string_view word = WordOf(line);
    const std::string keyword = LowerCase(word);
    const std::string_view rest = Trimmed(line.substr(word.size()));
    if (keyword == "@data") {
      if (attributes_.empty()) Refuse(": @data comes before any @attribute");
      if (!IsEnd(rest)) Refuse(": unexpected '" + Shown(rest) + "' after @data");
      return;
    }
    if (keyword == "@attribute") {
      ReadAttribute(rest);
    } else if (keyword != "@relation") {
      Refuse(": '" + Shown(word) +
             "' is neither @relation, @attribute nor @data; is this an ARFF file?");
    }
  }
  RefuseContent("it ends before @data");
}

void ArffReader::Refuse(const std::string& finding) const {
  RefuseContent("line " + std::to_string(line_) + finding);
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
  ArffAttribute attribute;
  attribute.name = ReadToken(rest, " \t{").text;
  rest = Trimmed(rest);
  if (attribute.name.empty()) Refuse(": an attribute has no name");
  if (attribute.name.find('\0') != std::string::npos) {
    Refuse(": a NUL; the file must be text in UTF-8");
  }
  for (const ArffAttribute& other : attributes_) {
    if (other.name == attribute.name) {
      Refuse(": there is a second attribute '" + Shown(attribute.name) + "'");
    }
  }
  if (rest.empty()) Refuse(": attribute '" + Shown(attribute.name) + "' has no type");
  if (rest.front() == '{') {
    ReadDeclaredValues(rest, attribute);
  } else {
    ReadType(rest, attribute);
  }
  rest = Trimmed(rest);
  if (!IsEnd(rest)) {
    Refuse(": unexpected '" + Shown(rest) + "' after attribute '" + Shown(attribute.name) + "'");
  }
  if (attribute.type == "relational") SkipRelation(attribute.name);
  attributes_.push_back(std::move(attribute));
}

// Numbers may have their range after the type, and dates their pattern.
void ArffReader::ReadType(std::string_view& rest, ArffAttribute& attribute) {
  attribute.type = LowerCase(ReadToken(rest, " \t%[").text);
  rest = Trimmed(rest);
  if (attribute.type == "date" && !IsEnd(rest)) {
    attribute.pattern = ReadToken(rest, " \t%").text;
  } else if (!rest.empty() && rest.front() == '[') {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) Refuse(": ']' is missing");
    rest.remove_prefix(end + 1);
  }
}

// The attributes of a relation, up to its @end, are not columns.
void ArffReader::SkipRelation(const std::string& name) {
  constexpr int kDeepest = 16;
  if (++depth_ > kDeepest) Refuse(": relations are too deep");
  std::vector<ArffAttribute> outside;
  outside.swap(attributes_);
  std::string_view line;
  while (NextLine(line)) {
    const std::string_view word = WordOf(line);
    const std::string keyword = LowerCase(word);
    if (keyword == "@end") {
      attributes_.swap(outside);
      --depth_;
      return;
    }
    if (keyword != "@attribute") break;
    ReadAttribute(Trimmed(line.substr(word.size())));
  }
  Refuse(": '@end " + Shown(name) + "' is missing");
}

// The values are between commas, or between blanks if no two of them have a comma between.
void ArffReader::ReadDeclaredValues(std::string_view& rest, ArffAttribute& attribute) const {
  rest.remove_prefix(1);
  std::vector<ArffValue> values;
  std::string_view after = rest;
  bool is_read = ReadList(after, '}', Between::kCommas, values);
  if (is_read && IsNothing(values.back())) values.pop_back();  // of {} or {a, b,}
  if (is_read && values.size() == 1 && !values[0].quoted) {
    is_read = values[0].text.find_first_of(kLineBlanks) == std::string::npos;
  }
  if (!is_read) {
    after = rest;
    ReadList(after, '}', Between::kBlanksOrCommas, values);
  }
  rest = after;
  for (ArffValue& value : values) {
    if (IsNothing(value)) {
      Refuse(": attribute '" + Shown(attribute.name) +
             "' has nothing between two commas; write '' for an empty value");
    }
    attribute.values.push_back(std::move(value.text));
  }
}

// One value, in quotes or up to one of `ends`; `rest` continues after it.
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
    if (rest[i] == '\\' && i + 1 < rest.size()) {
      AppendEscape(rest, ++i, token.text);
    } else {
      token.text.push_back(rest[i]);
    }
  }
  Refuse(": a quote is not closed");
}

// Appends what a backslash before `at` means there, as Java and Weka have it; `at` becomes the last
// character that it takes. A backslash before a letter or digit that means nothing is one.
void ArffReader::AppendEscape(std::string_view text, std::size_t& at, std::string& value) const {
  constexpr std::string_view kLetters = "abfnrtv", kMeanings = "\a\b\f\n\r\t\v";
  const char c = text[at];
  if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
    value.push_back(kMeanings[known]);
    return;
  }
  if (IsOctal(c)) {
    char32_t code = 0;
    const std::size_t end = at + (c <= '3' ? 3 : 2);
    for (; at < std::min(end, text.size()) && IsOctal(text[at]); ++at) {
      code = code * 8 + static_cast<char32_t>(text[at] - '0');
    }
    --at;
    if (code == 0) Refuse(": a NUL in quotes, which no value can have");
    return AppendUtf8(code, value);
  }
  if (c == 'u') {
    const char32_t code = ReadUnicode(text, at);
    if (code > 0) return AppendUtf8(code, value);
  }
  if (IsUpper(c) || IsLower(c) || IsDigit(c)) value.push_back('\\');
  value.push_back(c);
}

// The character of "u00e4", or of two such halves of one ("ud83d\ude00"); 0 if four hexadecimal
// digits do not follow.
char32_t ArffReader::ReadUnicode(std::string_view text, std::size_t& at) const {
  const auto digits = [&](std::size_t begin) -> std::optional<char32_t> {
    std::uint32_t code = 0;
    const std::string_view four = text.substr(std::min(begin, text.size()), 4);
    const auto [end, problem] = std::from_chars(four.data(), four.data() + four.size(), code, 16);
    const bool is_whole = four.size() == 4 && end == four.data() + 4 && problem == std::errc();
    return is_whole ? std::optional<char32_t>(code) : std::nullopt;
  };
  const auto is_half = [](char32_t code, char32_t first) {
    return code >= first && code < first + 0x400;
  };
  std::optional<char32_t> code = digits(at + 1);
  if (!code) return 0;
  at += 4;
  if (is_half(*code, 0xD800) && text.substr(at + 1).starts_with("\\u")) {
    const auto second = digits(at + 3);
    if (second && is_half(*second, 0xDC00)) {
      at += 6;
      return 0x10000 + ((*code - 0xD800) << 10) + (*second - 0xDC00);
    }
  }
  if (*code == 0 || is_half(*code, 0xD800) || is_half(*code, 0xDC00)) {
    Refuse(": '\\" + std::string(text.substr(at - 4, 5)) + "' is not a character");
  }
  return *code;
}

// Values up to `end`, which is taken too; '\0' = up to the end of the line or a comment. Returns
// false if only blanks are between two of them where commas are wanted; `rest` is then at the
// second one. Where blanks separate, a comma may end the list.
bool ArffReader::ReadList(std::string_view& rest, char end, Between between,
                          std::vector<ArffValue>& values) const {
  const bool commas = between == Between::kCommas;
  const std::string_view ends =
      end == '\0' ? (commas ? ",%" : ",% \t\r") : (commas ? ",}" : ",} \t\r");
  const auto is_over = [&] {
    rest = Trimmed(rest);
    if (end == '\0' ? !IsEnd(rest) : rest.empty() || rest.front() != end) return false;
    rest.remove_prefix(end == '\0' ? rest.size() : 1);
    return true;
  };
  values.clear();
  while (true) {
    rest = Trimmed(rest);
    values.push_back(ReadToken(rest, ends));
    values.back().attribute = values.size() - 1;
    if (is_over()) return true;
    if (rest.empty()) Refuse(std::string(": '") + end + "' is missing");
    if (rest.front() == ',') {
      rest.remove_prefix(1);
      if (!commas && is_over()) return true;
    } else if (commas) {
      return false;
    }
  }
}

// A line of data. Its values are between commas; if these do not give one for each attribute,
// blanks separate, too.
void ArffReader::ReadDense(std::string_view line, std::vector<ArffValue>& row) const {
  const std::size_t n = attributes_.size();
  const auto fits = [&](std::vector<ArffValue>& values) {
    const bool has_weight = TakeWeight(values, n);
    return values.size() == n + (has_weight ? 1 : 0);
  };
  std::string_view rest = line, again = line;
  const bool has_commas = ReadList(rest, '\0', Between::kCommas, row);
  const std::size_t n_values = row.size();
  const bool is_read = has_commas && fits(row);
  const auto has_empty = [](const std::vector<ArffValue>& values) {
    return std::ranges::any_of(values, IsNothing);
  };
  if (is_read && !has_empty(row)) return;
  std::vector<ArffValue> words;
  ReadList(again, '\0', Between::kBlanksOrCommas, words);
  if (fits(words) && !(is_read && has_empty(words))) {
    row = std::move(words);
    return;
  }
  if (is_read) return;  // an empty value is refused with its attribute
  if (!has_commas) Refuse(": a comma is missing before '" + Shown(rest.substr(0, 1)) + "'");
  Refuse(" has " + std::to_string(n_values) + (n_values == 1 ? " value" : " values") +
         ", there are " + std::to_string(n) + " attributes");
}

// Takes a weight in braces, such as {0.5}, off the last value, or after `n_values`. Returns whether
// there was one.
bool ArffReader::TakeWeight(std::vector<ArffValue>& row, std::size_t n_values) const {
  ArffValue& last = row.back();
  if (last.quoted || !last.text.ends_with('}')) return false;
  const std::size_t brace = last.text.rfind('{');
  if (brace == std::string::npos || (brace == 0 && row.size() <= n_values)) return false;
  if (brace > 0 && !IsBlank(last.text[brace - 1])) return false;
  const std::string_view inside =
      std::string_view(last.text).substr(brace + 1, last.text.size() - brace - 2);
  ArffValue weight{.text = std::string(Trimmed(inside)), .attribute = attributes_.size()};
  if (!ParseDouble(weight.text)) return false;
  last.text = std::string(Trimmed(std::string_view(last.text).substr(0, brace)));
  if (brace == 0) row.pop_back();
  row.push_back(std::move(weight));
  return true;
}

// "0 red, 4 2.5}": after the opening brace. Without commas blanks separate.
void ArffReader::ReadSparse(std::string_view rest, std::vector<ArffValue>& row) const {
  const std::string_view ends = rest.find(',') == std::string_view::npos ? ",} \t" : ",}";
  row.clear();
  for (rest = Trimmed(rest); !rest.starts_with('}'); rest = Trimmed(rest)) {
    const std::string index = ReadToken(rest, " \t,}").text;
    const auto attribute = ParseInteger(index);
    const auto n = static_cast<std::int64_t>(attributes_.size());
    if (!attribute || *attribute < 0 || *attribute >= n) {
      Refuse(": '" + Shown(index) + "' is not an attribute index from 0 to " +
             std::to_string(n - 1));
    }
    rest = Trimmed(rest);
    ArffValue value = ReadToken(rest, ends);
    value.attribute = static_cast<std::size_t>(*attribute);
    if (!row.empty() && row.back().attribute >= value.attribute) {
      Refuse(": attribute " + index + " does not come after " +
             std::to_string(row.back().attribute) + "; sparse values must ascend");
    }
    row.push_back(std::move(value));
    rest = Trimmed(rest);
    if (rest.empty()) Refuse(": '}' is missing");
    if (rest.front() == ',') rest.remove_prefix(1);
  }
  rest = Trimmed(rest.substr(1));
  if (rest.starts_with(',')) rest = Trimmed(rest.substr(1));
  if (IsEnd(rest)) return;
  std::vector<ArffValue> weight = {ReadToken(rest, "%")};
  if (!TakeWeight(weight, 0) || weight.size() != 1) {
    Refuse(": unexpected '" + Shown(weight[0].text) + "' after the sparse values");
  }
  row.push_back(std::move(weight[0]));
}

void ArffReader::ReadRow(std::string_view line, std::vector<ArffValue>& row) const {
  if (line.starts_with('{')) {
    ReadSparse(line.substr(1), row);
  } else {
    ReadDense(line, row);
  }
}

bool ArffReader::NextRow(std::vector<ArffValue>& row, bool& is_sparse) {
  std::string_view line;
  if (!NextLine(line)) return false;
  is_sparse = line.front() == '{';
  ReadRow(line, row);
  return true;
}

bool ArffReader::SkipRow(bool& has_weight) {
  std::string_view line;
  if (!NextLine(line)) return false;
  if (line.find('{', 1) == std::string_view::npos) return true;
  try {
    std::vector<ArffValue> row;
    ReadRow(line, row);
    has_weight = has_weight || (!row.empty() && row.back().attribute == attributes_.size());
  } catch (const cf::Error&) {
    // NextRow reports it in its turn.
  }
  return true;
}

ArffReader ArffReader::Part(std::string_view part, std::size_t lines_before) const {
  ArffReader reader = *this;
  reader.text_ = part;
  reader.line_ += lines_before;
  return reader;
}

}  // namespace crossfold::reading
