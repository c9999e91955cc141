#include "crossfold/data_report.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/table.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

// Returns "5.0209e-08", or the shortest text that reads back as the same if that is not longer.
std::string ShortTiny(double value) {
  const std::string exact = FormatShortest(value);
  const std::string rounded = FormatScientific(value, 4);
  return exact.size() <= rounded.size() ? exact : rounded;
}

// Returns about 5 significant digits, without trailing zeros.
std::string Short(double value) {
  const double size = value < 0 ? -value : value;
  if (size >= 1e9) return FormatShortest(value);
  if (size != 0 && size < 1e-4) return ShortTiny(value);
  int digits = 4;
  for (double limit = 10; digits > 0 && size >= limit; limit *= 10) --digits;
  for (double limit = 1; digits < 8 && size != 0 && size < limit; limit /= 10) ++digits;
  std::string text = FormatFixed(value, digits);
  if (text.find('.') == std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string Short(const std::optional<double>& value) { return value ? Short(*value) : "-"; }

// Returns an extreme of a column; whole numbers have all digits.
std::string Short(const std::optional<double>& value, const std::optional<std::int64_t>& whole) {
  return whole ? std::to_string(*whole) : Short(value);
}

std::string Share(std::int64_t n, std::int64_t of) {
  const double share = static_cast<double>(n) / static_cast<double>(of);
  if (share > 0 && share < 0.001) return "<0.1%";  // as the findings say it
  if (share < 1 && share > 0.999) return ">99.9%";
  return FormatFixed(100 * share, 1) + "%";
}

// Returns a text on one line that is short enough for a table.
std::string Cell(std::string_view text) {
  constexpr std::size_t kMaxLength = 30;  // bytes
  std::size_t n = std::min(text.size(), kMaxLength);
  while (n < text.size() && n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) --n;
  return std::string(text.substr(0, n)) + (n < text.size() ? "..." : "");
}

bool HasNumbers(const ColumnFacts& column) { return column.n_levels == 0 && column.type[0] != 'c'; }

std::string Missing(const ColumnFacts& column, std::int64_t n_rows) {
  if (column.n_missing == 0) return "0";
  return std::to_string(column.n_missing) + " (" + Share(column.n_missing, n_rows) + ")";
}

// Returns "setosa 50, versicolor 50, ...".
std::string MostFrequent(const ColumnFacts& column) {
  std::string text;
  for (const ValueCount& value : column.most_frequent) {
    text += (text.empty() ? "" : ", ") + Cell(value.value) + " " + std::to_string(value.count);
  }
  const bool more = static_cast<std::int64_t>(column.most_frequent.size()) < column.n_distinct;
  return text + (more ? ", ..." : "");
}

std::string NumberBlock(const DataReport& report) {
  Table table;
  table.columns = {"number", "role",   "type", "missing", "distinct",
                   "min",    "median", "mean", "max",     "sd"};
  for (const ColumnFacts& c : report.columns) {
    if (!HasNumbers(c)) continue;
    table.rows.push_back({Cell(c.name), c.role, c.type, Missing(c, report.n_rows), c.n_distinct,
                          Short(c.min, c.whole_min), Short(c.median), Short(c.mean),
                          Short(c.max, c.whole_max), Short(c.sd)});
  }
  return table.rows.empty() ? "" : "\n" + ToText(table);
}

std::string LevelBlock(const DataReport& report) {
  Table table;
  table.columns = {"category", "role", "type", "missing", "distinct", "most frequent"};
  for (const ColumnFacts& c : report.columns) {
    if (HasNumbers(c)) continue;
    table.rows.push_back(
        {Cell(c.name), c.role, c.type, Missing(c, report.n_rows), c.n_distinct, MostFrequent(c)});
  }
  return table.rows.empty() ? "" : "\n" + ToText(table);
}

std::string ClassBlock(const DataReport& report) {
  if (report.classes.empty()) return "";
  Table table;
  table.columns = {"class", "rows", "share"};
  for (const ValueCount& c : report.classes) {
    table.rows.push_back({Cell(c.value), c.count, Share(c.count, report.n_rows)});
  }
  return "\n" + ToText(table);
}

// Returns `text` as a paragraph after a bullet, in lines for a terminal.
std::string Wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 98;
  std::string lines = "  *";
  std::size_t width = lines.size();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (width + 1 + end > kWidth && width > 3) {
      lines += "\n   ";
      width = 3;
    }
    lines += " ";
    lines += text.substr(0, end);
    width += 1 + end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + "\n";
}

std::string FindingBlock(const DataReport& report) {
  if (report.findings.empty()) return "\nNothing striking was found.\n";
  std::string text;
  for (const bool warnings : {true, false}) {
    std::string block;
    for (const DataFinding& finding : report.findings) {
      if (finding.is_warning == warnings) block += Wrapped(finding.message);
    }
    if (!block.empty()) text += (warnings ? "\nWarnings\n" : "\nNotes\n") + block;
  }
  return text;
}

JsonValue Counts(const std::vector<ValueCount>& values) {
  JsonList list;
  for (const ValueCount& value : values) {
    list.push_back(JsonObject{{"value", value.value}, {"count", value.count}});
  }
  return list;
}

JsonValue ColumnJson(const ColumnFacts& c) {
  JsonObject column = {{"name", c.name},
                       {"type", c.type},
                       {"role", c.role},
                       {"missing", c.n_missing},
                       {"distinct", c.n_distinct}};
  if (HasNumbers(c)) {
    column.push_back({"min", c.whole_min ? JsonValue(c.whole_min) : c.min});
    column.push_back({"median", c.median});
    column.push_back({"mean", c.mean});
    column.push_back({"max", c.whole_max ? JsonValue(c.whole_max) : c.max});
    column.push_back({"sd", c.sd});
  } else {
    column.push_back({"levels", c.n_levels});
    column.push_back({"most_frequent", Counts(c.most_frequent)});
  }
  return column;
}

}  // namespace

std::string ToText(const DataReport& report) {
  std::string text =
      Printable(report.name, true) + ": " + std::to_string(report.n_rows) +
      (report.n_rows == 1 ? " row" : " rows") +
      (report.n_dropped_rows > 0 ? " (" + std::to_string(report.n_dropped_rows) + " dropped), "
                                 : ", ") +
      std::to_string(report.columns.size()) +
      (report.columns.size() == 1 ? " column, " : " columns, ") +
      std::to_string(report.n_features) + (report.n_features == 1 ? " feature" : " features");
  text += report.task == "none" ? ", no target\n" : ", " + report.task + "\n";
  return text + NumberBlock(report) + LevelBlock(report) + ClassBlock(report) +
         FindingBlock(report);
}

std::string ToJson(const DataReport& report) {
  JsonList columns, findings;
  for (const ColumnFacts& column : report.columns) columns.push_back(ColumnJson(column));
  for (const DataFinding& finding : report.findings) {
    findings.push_back(JsonObject{{"kind", finding.kind},
                                  {"warning", finding.is_warning},
                                  {"columns", finding.columns},
                                  {"message", finding.message}});
  }
  return JsonText(JsonObject{{"name", report.name},
                             {"task", report.task},
                             {"rows", report.n_rows},
                             {"features", report.n_features},
                             {"dropped_rows", report.n_dropped_rows},
                             {"duplicate_rows", report.n_duplicate_rows},
                             {"contradicting_rows", report.n_contradicting_rows},
                             {"classes", Counts(report.classes)},
                             {"columns", std::move(columns)},
                             {"findings", std::move(findings)}},
                  2) +
         "\n";
}

}  // namespace crossfold
