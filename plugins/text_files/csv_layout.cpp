#include "csv_layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "../reading/ascii.h"
#include "../reading/known_names.h"
#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 7> kSeparatorNames = {
    {{"auto", kSeparatorAuto},
     {"bar", '|'},
     {"colon", ':'},
     {"comma", ','},
     {"semicolon", ';'},
     {"space", kSeparatorBlanks},
     {"tab", '\t'}}};

// A separator as messages show it.
std::string SeparatorText(char separator) {
  for (const auto& [name, character] : kSeparatorNames) {
    if (character == separator && (separator == '\t' || separator < ' ')) {
      return "\"" + std::string(name) + "\"";
    }
  }
  return "'" + std::string(1, separator) + "'";
}

void CheckCharacters(const CsvOptions& options) {
  constexpr std::string_view kNeverSeparator("\"\r\n\0", 4);
  constexpr std::string_view kNeverQuote = "\r\n\t ";
  const char quote = options.quote;
  const bool special = options.separator == kSeparatorAuto || options.separator == kSeparatorBlanks;
  if (!special && kNeverSeparator.find(options.separator) != std::string_view::npos) {
    RefuseOption("the separator must not be a quote, a line end or NUL");
  }
  if (static_cast<unsigned char>(options.separator) >= 0x80) {
    RefuseOption("the separator must be a character of ASCII");
  }
  if (quote == kNoQuote) return;
  if (static_cast<unsigned char>(quote) >= 0x80 ||
      kNeverQuote.find(quote) != std::string_view::npos) {
    RefuseOption("the quote must be a character of ASCII, and not a blank or line end");
  }
  if (quote == options.separator) RefuseOption("quote and separator are the same");
}

// Checks the separator that a first line names: a file must not set one that an option may not, or
// one of the signs for "auto" and "space".
void CheckNamed(const TextSource& source, const CsvOptions& options, char separator) {
  const bool is_character = separator == '\t' || (separator >= ' ' && separator <= '~');
  if (is_character && separator != '"' && separator != options.quote) return;
  RefuseContent("line " + std::to_string(source.first_line) +
                " names an invalid separator; leave the line out by skip_lines = " +
                std::to_string(options.skip_lines + 1));
}

void CheckThousands(const CsvOptions& options) {
  if (options.thousands == kNoThousands) return;
  if (std::string_view(",.'_ ").find(options.thousands) == std::string_view::npos) {
    RefuseOption("the thousands sign must be ',', '.', ' ', '_' or an apostrophe");
  }
  if (options.thousands == options.decimal) {
    RefuseOption("decimal sign and thousands sign are both '" + std::string(1, options.decimal) +
                 "'; name the other decimal sign, as in decimal = \"" +
                 (options.decimal == '.' ? "," : ".") + "\"");
  }
  if (options.thousands == options.quote) {
    RefuseOption("quote and thousands sign are the same");
  }
}

void CheckLayout(const CsvOptions& options) {
  CheckCharacters(options);
  if (options.decimal != '.' && options.decimal != ',') {
    RefuseOption("the decimal sign must be '.' or ','");
  }
  // Between quotes, 1,5 can be a cell of any file.
  if (options.decimal == options.separator && options.quote == kNoQuote) {
    RefuseOption("decimal sign and separator are both " + SeparatorText(options.separator) +
                 "; name the other separator, as in separator = \";\"");
  }
  CheckThousands(options);
  if (options.skip_lines < 0) RefuseOption("skip_lines must not be negative");
  if (options.comment.find_first_of("\r\n") != std::string::npos) {
    RefuseOption("the comment sign must not contain a line end");
  }
  if (!options.comment.empty() && options.comment[0] == options.quote) {
    RefuseOption("the comment sign must not begin with the quote");
  }
  if (options.header && !options.names.empty()) {
    RefuseOption(
        "names are given, but the first line names the columns; give header = false if it does "
        "not, with skip_lines = 1 to replace its names");
  }
}

// The number of fields in the first records, for each common separator.
class SeparatorChoice {
 public:
  SeparatorChoice(const TextSource& source, const CsvOptions& options)
      : source_(source), options_(options) {}

  char Choose() const {
    std::vector<Fields> fitting, seen;
    for (const char candidate : {',', ';', '\t', '|'}) {
      if (candidate == options_.decimal || candidate == options_.quote) continue;
      const Fields fields = Count(candidate);
      if (fields.first > 1 || fields.other != fields.first) seen.push_back(fields);
      if (fields.first > 1 && fields.other == fields.first) fitting.push_back(fields);
    }
    if (fitting.size() == 1) return fitting[0].separator;
    if (seen.empty()) return options_.decimal == ',' ? ';' : ',';  // one column
    if (fitting.empty()) RefuseAll(seen);
    std::string found;
    for (const Fields& fields : fitting) {
      found += (found.empty() ? "" : " and ") + SeparatorText(fields.separator) + " (" +
               std::to_string(fields.first) + " fields)";
    }
    RefuseOption("the separator may be " + found +
                 "; name it, as in separator = " + OptionText(fitting[0].separator));
  }

 private:
  // The number of fields of the first record, and of the first record with a different number, if
  // there is one.
  struct Fields {
    char separator = ',';
    std::size_t first = 0, other = 0;
    const char *first_at = nullptr, *other_at = nullptr;
  };

  static std::string OptionText(char separator) {
    return separator == '\t' ? SeparatorText('\t') : "\"" + std::string(1, separator) + "\"";
  }

  // Reports the separator that fits the most lines, and the first line that it does not fit.
  [[noreturn]] void RefuseAll(const std::vector<Fields>& seen) const {
    const Fields& best =
        *std::max_element(seen.begin(), seen.end(), [](const Fields& a, const Fields& b) {
          return a.other_at != b.other_at ? a.other_at < b.other_at : a.other < b.other;
        });
    const auto line = [&](const char* at) { return std::to_string(source_.LineOf(at)); };
    RefuseOption("no separator gives the first lines the same number of fields: with " +
                 SeparatorText(best.separator) + " line " + line(best.first_at) + " has " +
                 std::to_string(best.first) + ", line " + line(best.other_at) + " has " +
                 std::to_string(best.other) +
                 "; name it, as in separator = " + OptionText(best.separator) +
                 ", or leave out lines before the header by skip_lines");
  }

  Fields Count(char separator) const {
    constexpr std::size_t kMostRecords = 100;
    Fields found{.separator = separator};
    std::size_t fields = 1, records = 0, length = 0;
    bool in_quotes = false;
    const char* begin = source_.text.data();
    const auto end_record = [&] {
      if (length == 0) return;  // blank lines are reported later
      if (records++ == 0) {
        found.first = found.other = fields;
        found.first_at = begin;
      } else if (fields != found.first) {
        found.other = fields;
        found.other_at = begin;
      }
    };
    for (const char& c : source_.text) {
      if (c == options_.quote && c != kNoQuote) in_quotes = !in_quotes;
      if (c == '\n' && !in_quotes) {
        end_record();
        if (records == kMostRecords || found.other != found.first) return found;
        fields = 1;
        length = 0;
        begin = &c + 1;
        continue;
      }
      if (c != '\r') ++length;
      if (c == separator && !in_quotes) ++fields;
    }
    end_record();
    return found;
  }

  const TextSource& source_;
  const CsvOptions& options_;
};

}  // namespace

char SeparatorFromName(std::string_view name) {
  const bool is_word = name.size() != 1 || name[0] == kSeparatorAuto || name[0] == kSeparatorBlanks;
  if (!is_word) return name[0];
  std::vector<std::string> known;
  for (const auto& [word, character] : kSeparatorNames) {
    if (word == name) return character;
    known.emplace_back(word);
  }
  RefuseOption("separator '" + Shown(name) + "' must be one character or a word; " +
               KnownNames(name, known));
}

CsvLayout::CsvLayout(const TextSource& file, const CsvOptions& options, bool skip_blank_lines)
    : options_(options),
      skip_blank_lines_(skip_blank_lines),
      source_(file),
      separator_(options.separator) {
  CheckLayout(options_);
  const bool blanks = separator_ == kSeparatorBlanks;
  if (options_.skip_lines > 0 || !options_.comment.empty() || blanks || skip_blank_lines_ ||
      separator_ == kSeparatorAuto) {
    SkipByteOrderMark();
  }
  SkipLines();
  TakeNamedSeparator();
  if (!options_.comment.empty() || blanks || skip_blank_lines_) CopyLines();
  if (blanks) separator_ = '\t';
  if (separator_ == kSeparatorAuto) separator_ = SeparatorChoice(source_, options_).Choose();
}

void CsvLayout::SkipByteOrderMark() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (source_.text.starts_with(kByteOrderMark)) source_.text.remove_prefix(kByteOrderMark.size());
}

void CsvLayout::SkipLines() {
  for (std::int64_t i = 0; i < options_.skip_lines; ++i) {
    const std::size_t end = source_.text.find('\n');
    if (end == std::string_view::npos) {
      RefuseContent("it has " + std::to_string(i + (source_.text.empty() ? 0 : 1)) +
                    " lines, and skip_lines leaves out " + std::to_string(options_.skip_lines));
    }
    source_.text.remove_prefix(end + 1);
    ++source_.first_line;
  }
}

// Excel and other programs use a first line such as sep=; it is not a row.
void CsvLayout::TakeNamedSeparator() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF", kName = "sep=";
  std::string_view line = source_.text.substr(0, source_.text.find('\n'));
  const std::size_t size = std::min(line.size() + 1, source_.text.size());
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > 2 && line.front() == '"' && line.back() == '"') {
    line = line.substr(1, line.size() - 2);
  }
  if (line.size() != kName.size() + 1 || !line.starts_with(kName)) return;
  const char named = line.back();
  CheckNamed(source_, options_, named);
  if (separator_ != ',' && separator_ != kSeparatorAuto && separator_ != named) {
    RefuseOption("line " + std::to_string(source_.first_line) + " says that the separator is " +
                 SeparatorText(named) + ", the option says " + SeparatorText(separator_) +
                 "; leave the option out, or the line by skip_lines = " +
                 std::to_string(options_.skip_lines + 1));
  }
  source_.text.remove_prefix(size);
  ++source_.first_line;
  separator_ = named;
}

// The text without lines of comments and with a tab for each run of blanks.
void CsvLayout::CopyLines() {
  copy_.reserve(source_.text.size());
  std::size_t at = 0;
  while (at < source_.text.size()) {
    if (IsLeftOut(at)) {
      const std::size_t end = source_.text.find('\n', at);
      at = end == std::string_view::npos ? source_.text.size() : end + 1;
      source_.left_out.push_back(copy_.size());
    } else {
      at = CopyLine(at);
    }
  }
  source_.text = copy_;
}

bool CsvLayout::IsLeftOut(std::size_t at) const {
  if (BeginsComment(at)) return true;
  if (!skip_blank_lines_) return false;
  const std::string_view line = source_.text.substr(at, source_.text.find('\n', at) - at);
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool CsvLayout::BeginsComment(std::size_t at) const {
  if (options_.comment.empty()) return false;
  std::string_view rest = source_.text.substr(at);
  if (separator_ == kSeparatorBlanks) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  }
  return rest.starts_with(options_.comment);
}

// Copies the record at `at`, which may be of several lines, and returns where it ends.
std::size_t CsvLayout::CopyLine(std::size_t at) {
  const bool blanks = separator_ == kSeparatorBlanks;
  const std::string_view text = source_.text;
  const std::size_t start = copy_.size();
  bool in_quotes = false;
  while (at < text.size()) {
    const char c = text[at++];
    if (c == options_.quote && c != kNoQuote) in_quotes = !in_quotes;
    if (in_quotes || !blanks || !IsBlank(c)) {
      copy_ += c;
      if (c == '\n' && !in_quotes) break;
      continue;
    }
    while (at < text.size() && IsBlank(text[at])) ++at;
    const bool at_end = at == text.size() || text[at] == '\n' ||
                        (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] == '\n'));
    if (copy_.size() > start && !at_end) copy_ += '\t';
  }
  return at;
}

}  // namespace crossfold::reading
