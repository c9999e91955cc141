#include "crossfold/table.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

bool IsNumber(const TableCell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

[[maybe_unused]] bool HasRightShape(const Table& table) {
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size()) return false;
    for (const TableCell& cell : row) {
      const double* number = std::get_if<double>(&cell);
      if (number != nullptr && std::isnan(*number)) return false;  // undefined is Null
    }
  }
  return true;
}

// Returns the number of characters of a UTF-8 text, which is the number of bytes that do not
// continue a character.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// Keeps a cell on its line and removes control sequences.
std::string OneLine(std::string text) { return Printable(std::move(text), /*one_line=*/true); }

// Returns a number with `digits` decimals, or more if these would give 0 for a number other than 0,
// or 1 for a number below 1, which a reader would take as exact. Numbers below 1e-9 get an
// exponent; a number that differs from 1 by less than that is rounded to 1.
std::string RoundedText(double value, int digits) {
  constexpr double kMinFixed = 1e-9;
  const double size = std::fabs(value);
  const double half = 0.5 * std::pow(10.0, -digits);
  if (size > 0 && size < half) {
    if (size < kMinFixed) return FormatScientific(value, 1);
    return FormatFixed(value, static_cast<int>(std::ceil(-std::log10(size))) + 1);
  }
  const double rest = 1 - size;
  if (rest >= kMinFixed && rest < half) {
    return FormatFixed(value, static_cast<int>(std::ceil(-std::log10(rest))));
  }
  return FormatFixed(value, digits);
}

// Returns the limit below which a number of the column is a zero with a rounding error. It is about
// 45 times the spacing of doubles at the largest number, which is a typical error of sums of some
// numbers of that size.
double NoiseOf(const Table& table, std::size_t column) {
  constexpr double kNoise = 1e-14;
  double largest = 0;
  for (const auto& row : table.rows) {
    const double* number = std::get_if<double>(&row[column]);
    if (number != nullptr && std::isfinite(*number)) {
      largest = std::max(largest, std::fabs(*number));
    }
  }
  return kNoise * largest;
}

struct TextOfCell {
  int digits;
  double noise;

  std::string operator()(Null) const { return "-"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    return RoundedText(std::fabs(value) < noise ? 0 : value, digits);
  }
  std::string operator()(const std::string& value) const { return OneLine(value); }
};

// One column, formatted but not yet padded.
struct TextColumn {
  std::string header;
  std::vector<std::string> cells;
  std::vector<bool> right;  // one per cell
  bool header_right = false;
  std::size_t width = 0;
};

TextColumn FormatColumn(const Table& table, std::size_t column, int digits) {
  TextColumn result;
  result.header = OneLine(table.columns[column]);
  result.width = Width(result.header);
  bool has_number = false, has_other = false;
  const TextOfCell text_of{digits, NoiseOf(table, column)};
  for (const auto& row : table.rows) {
    const TableCell& cell = row[column];
    result.cells.push_back(std::visit(text_of, cell));
    result.right.push_back(IsNumber(cell));
    result.width = std::max(result.width, Width(result.cells.back()));
    has_number |= IsNumber(cell);
    has_other |= !IsNumber(cell) && !std::holds_alternative<Null>(cell);
  }
  result.header_right = has_number && !has_other;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (std::holds_alternative<Null>(table.rows[i][column])) result.right[i] = result.header_right;
  }
  return result;
}

// Returns the width of the last column in a line of `width` after `before` characters.
std::size_t RoomAfter(std::size_t before, const TextColumn& last, int width) {
  constexpr std::size_t kMinWidth = 20;
  const auto whole = static_cast<std::size_t>(width);
  return std::max({whole > before ? whole - before : 0, kMinWidth, Width(last.header)});
}

// Returns lines of at most `room` characters; a longer word has a line of its own.
std::vector<std::string> Wrapped(const std::string& text, std::size_t room) {
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && Width(lines.back()) + 1 + Width(word) > room) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

void AppendPadded(const std::string& cell, std::size_t width, bool right, std::string* line) {
  const std::size_t used = Width(cell);
  const std::string padding(width - std::min(width, used), ' ');
  *line += right ? padding + cell : cell + padding;
}

void AppendLine(std::string line, std::string* text) {
  line.erase(line.find_last_not_of(' ') + 1);
  *text += line + '\n';
}

template <class AppendCell>
void AppendRow(const std::vector<TextColumn>& columns, AppendCell append, std::string* text) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) line += "  ";
    append(columns[c], &line);
  }
  AppendLine(std::move(line), text);
}

std::string LatexText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '<':
      case '>':
        escaped += std::string("\\ensuremath{") + c + "}";
        break;
      default:
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
  }
  return escaped;
}

// Quotes are needed as in RFC 4180, and also if our own reader would trim the text or read it as a
// missing cell.
bool NeedsQuotes(const std::string& text) {
  if (text.empty() || text == "?" || text == "NA") return true;
  if (text.find_first_of(",\"\r\n") != std::string::npos) return true;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  return is_blank(text.front()) || is_blank(text.back());
}

std::string CsvText(const std::string& text) {
  if (!NeedsQuotes(text)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

struct CsvOfCell {
  std::string operator()(Null) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return FormatShortest(value); }
  std::string operator()(const std::string& value) const { return CsvText(value); }
};

JsonValue JsonOfCell(const TableCell& cell) {
  const double* number = std::get_if<double>(&cell);
  // JSON has no infinity.
  if (number != nullptr && std::isinf(*number)) return FormatShortest(*number);
  return std::visit([](const auto& value) { return JsonValue(value); }, cell);
}

}  // namespace

std::string ToText(const Table& table, int digits, int width) {
  assert(HasRightShape(table));
  if (table.columns.empty()) return "";
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns.push_back(FormatColumn(table, c, digits));
  }
  TextColumn& last = columns.back();
  std::size_t before = 0;  // characters before the last column
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) before += columns[c].width + 2;
  if (width > 0) last.width = std::min(last.width, RoomAfter(before, last, width));
  std::string text;
  AppendRow(
      columns,
      [](const TextColumn& column, std::string* line) {
        AppendPadded(column.header, column.width, column.header_right, line);
      },
      &text);
  AppendRow(
      columns, [](const TextColumn& column, std::string* line) { line->append(column.width, '-'); },
      &text);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string> lines = {last.cells[r]};
    if (Width(lines.front()) > last.width) lines = Wrapped(lines.front(), last.width);
    AppendRow(
        columns,
        [&](const TextColumn& column, std::string* line) {
          const bool is_last = &column == &last;
          AppendPadded(is_last ? lines.front() : column.cells[r], column.width, column.right[r],
                       line);
        },
        &text);
    for (std::size_t l = 1; l < lines.size(); ++l) {
      AppendLine(std::string(before, ' ') + lines[l], &text);
    }
  }
  return text;
}

std::string ToLatex(const Table& table, int digits) {
  assert(HasRightShape(table));
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns.push_back(FormatColumn(table, c, digits));
  }
  if (columns.empty()) return "";
  std::string text = "\\begin{tabular}{";
  for (const TextColumn& column : columns) text += column.header_right ? 'r' : 'l';
  text += "}\n\\toprule\n";
  const auto append_row = [&](const auto& cell_of) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += " & ";
      text += LatexText(cell_of(columns[c]));
    }
    text += " \\\\\n";
  };
  append_row([](const TextColumn& column) { return column.header; });
  text += "\\midrule\n";
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    append_row([r](const TextColumn& column) { return column.cells[r]; });
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string ToCsv(const Table& table) {
  assert(HasRightShape(table));
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) text += ',';
    text += CsvText(table.columns[c]);
  }
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ',';
      text += std::visit(CsvOfCell(), row[c]);
    }
    text += '\n';
  }
  return text;
}

std::string ToJson(const Table& table) {
  assert(HasRightShape(table));
  JsonList rows;
  for (const auto& row : table.rows) {
    JsonObject object;
    for (std::size_t c = 0; c < row.size(); ++c) {
      object.push_back({table.columns[c], JsonOfCell(row[c])});
    }
    rows.push_back(std::move(object));
  }
  return JsonText(std::move(rows), 2) + '\n';
}

}  // namespace crossfold
