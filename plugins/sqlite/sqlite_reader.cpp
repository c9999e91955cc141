#include "sqlite_reader.h"

#include <sqlite3.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../number_text.h"
#include "../reading/category_levels.h"
#include "../reading/column_assembly.h"
#include "../reading/column_plan.h"
#include "../reading/refusal.h"
#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/utf8.hpp"
#include "sqlite_query.h"

namespace crossfold::reading {
namespace {

// The cells of one column of a query, in the order of its rows.
class SqliteColumn {
 public:
  explicit SqliteColumn(ColumnPlan plan) : plan_(std::move(plan)) {}

  bool is_ignored() const { return plan_.type == ColumnType::kIgnore; }
  void PutNull() { Put(Kind::kNull, 0); }
  void PutInteger(std::int64_t value) { Put(Kind::kInteger, value); }
  void PutReal(double value);
  // UTF-8 without NUL.
  void PutText(std::string_view text);
  // Returns about how many bytes it has in memory.
  std::int64_t size_in_bytes() const;

  // Throws Error if a cell does not fit the required type.
  cf::SourceColumn Finish(std::int64_t n_rows) const;

 private:
  enum class Kind : std::uint8_t { kNull, kInteger, kReal, kText };
  void Put(Kind kind, std::int64_t content) {
    kinds_.push_back(kind);
    contents_.push_back(content);
    seen_[static_cast<std::size_t>(kind)] = true;
  }
  bool has(Kind kind) const { return seen_[static_cast<std::size_t>(kind)]; }
  double NumberAt(std::size_t row) const;
  std::string TextAt(std::size_t row) const;
  std::optional<cf::SourceColumn> FinishAs(ColumnType type) const;
  cf::SourceColumn FinishAsFound() const;

  ColumnPlan plan_;
  std::vector<Kind> kinds_;
  std::vector<std::int64_t> contents_;  // integer, bits of a real, code of a text
  LevelSet texts_;
  std::int64_t text_bytes_ = 0;
  bool seen_[4] = {};
};

void SqliteColumn::PutReal(double value) { Put(Kind::kReal, std::bit_cast<std::int64_t>(value)); }

void SqliteColumn::PutText(std::string_view text) {
  constexpr std::int64_t kBytesOfLevel = 100;
  const std::size_t before = texts_.size();
  Put(Kind::kText, texts_.CodeOf(text));
  if (texts_.size() > before) text_bytes_ += static_cast<std::int64_t>(text.size()) + kBytesOfLevel;
}

std::int64_t SqliteColumn::size_in_bytes() const {
  return text_bytes_ + static_cast<std::int64_t>(kinds_.size()) * 9;
}

double SqliteColumn::NumberAt(std::size_t row) const {
  switch (kinds_[row]) {
    case Kind::kInteger:
      return static_cast<double>(contents_[row]);
    case Kind::kReal:
      return std::bit_cast<double>(contents_[row]);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string SqliteColumn::TextAt(std::size_t row) const {
  switch (kinds_[row]) {
    case Kind::kInteger:
      if (plan_.type == ColumnType::kBool && contents_[row] >= 0 && contents_[row] <= 1) {
        return contents_[row] == 1 ? "true" : "false";
      }
      return std::to_string(contents_[row]);
    case Kind::kReal:
      return bundled::NumberText(std::bit_cast<double>(contents_[row]));
    default:
      return texts_.level(static_cast<std::size_t>(contents_[row]));
  }
}

cf::SourceColumn SqliteColumn::Finish(std::int64_t n_rows) const {
  if (plan_.type == ColumnType::kIgnore) {
    return cf::SourceColumn::Unused(plan_.name, n_rows);
  }
  if (plan_.type == ColumnType::kInfer) return FinishAsFound();
  auto column = FinishAs(plan_.type);
  return column ? *std::move(column) : FinishAsFound();
}

cf::SourceColumn SqliteColumn::FinishAsFound() const {
  if (has(Kind::kText)) return *FinishAs(ColumnType::kCategorical);
  if (has(Kind::kInteger) && !has(Kind::kReal)) {
    std::vector<bool> present;
    if (has(Kind::kNull)) {
      for (const Kind kind : kinds_) present.push_back(kind != Kind::kNull);
    }
    return cf::SourceColumn::Integers(plan_.name, contents_, present);
  }
  std::vector<double> values(kinds_.size());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = NumberAt(row);
  return cf::SourceColumn::Doubles(plan_.name, std::move(values));
}

// From the cells as text, as readers of text files do. Returns nothing if a cell does not fit a
// preferred type.
std::optional<cf::SourceColumn> SqliteColumn::FinishAs(ColumnType type) const {
  ColumnPlan plan = plan_;
  plan.type = type;
  ColumnAssembly assembly(std::move(plan), 1);
  assembly.Start(CellKind::kNone, kinds_.size());
  ColumnPart& part = assembly.BeginPart(0, 0);
  for (std::size_t row = 0; row < kinds_.size(); ++row) {
    if (kinds_[row] == Kind::kNull) {
      part.PutMissing(row);
      continue;
    }
    part.Put(row, TextAt(row), nullptr);
    if (!part.bad()) continue;
    if (!plan_.firm && !plan_.closed) return std::nullopt;
    RefuseContent("row " + std::to_string(row + 1) + ", column '" + Shown(plan_.name) +
                  "': " + assembly.Finding(*part.bad()));
  }
  part.End(kinds_.size());
  assembly.Settle(kinds_.size());
  return assembly.Finish();
}

class SqliteColumnsReader {
 public:
  SqliteColumnsReader(const SqliteOptions& options, const cf::SourceInput& input,
                      SqliteQuery& query)
      : options_(options), input_(input), query_(query) {}

  cf::Columns Run() {
    names_ = query_.column_names();
    CheckNames();
    for (const std::string& name : names_) {
      columns_.emplace_back(PlanColumn(name, input_.HintOf(name)));
    }
    while (query_.Step()) ReadRow();
    if (n_rows_ == 0) RefuseContent("it gives no rows");
    cf::Columns finished;
    for (const SqliteColumn& column : columns_) finished.push_back(column.Finish(n_rows_));
    return finished;
  }

 private:
  void CheckNames() const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (names_[i] != names_[j]) continue;
        RefuseContent("columns " + std::to_string(j + 1) + " and " + std::to_string(i + 1) +
                      " are both named '" + Shown(names_[i]) + "'; rename one with AS");
      }
      if (plugin::FirstInvalidUtf8(names_[i])) {
        RefuseContent("the name of column " + std::to_string(i + 1) + ", '" + Shown(names_[i]) +
                      "', is not UTF-8; name it with AS");
      }
      if (names_[i].empty()) {
        RefuseContent("column " + std::to_string(i + 1) + " has no name; name it with AS");
      }
    }
  }

  void ReadRow() {
    ++n_rows_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!columns_[i].is_ignored()) ReadCell(i);
    }
    constexpr std::int64_t kRowsBetweenSums = 1024;
    if (n_rows_ % kRowsBetweenSums == 0) CheckSize();
  }

  void ReadCell(std::size_t i) {
    sqlite3_stmt* row = query_.row();
    const int place = static_cast<int>(i);
    switch (sqlite3_column_type(row, place)) {
      case SQLITE_NULL:
        return columns_[i].PutNull();
      case SQLITE_INTEGER:
        return columns_[i].PutInteger(sqlite3_column_int64(row, place));
      case SQLITE_FLOAT:
        return columns_[i].PutReal(sqlite3_column_double(row, place));
      case SQLITE_TEXT:
        break;
      default:
        RefuseCell(i,
                   "it is a BLOB; leave the column out (types: ignore), or convert it to text or a "
                   "number in the query, as in hex(...)");
    }
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, place));
    if (bytes == nullptr) throw std::bad_alloc();
    const std::string_view text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, place)));
    if (text.find('\0') != std::string_view::npos) {
      RefuseCell(i, "its text holds a NUL; cut it in the query, as in substr(...)");
    }
    if (plugin::FirstInvalidUtf8(text)) {
      RefuseCell(i, "its text is not UTF-8; fix it, or leave the column out (types: ignore)");
    }
    columns_[i].PutText(text);
    unsummed_ += static_cast<std::int64_t>(text.size());
    if (unsummed_ > options_.most_bytes / 16) CheckSize();
  }

  void CheckSize() {
    unsummed_ = 0;
    std::int64_t bytes = 0;
    for (const SqliteColumn& column : columns_) bytes += column.size_in_bytes();
    if (bytes <= options_.most_bytes) return;
    RefuseContent("after " + std::to_string(n_rows_) +
                  " rows its cells take more than the limit of " +
                  std::to_string(options_.most_bytes) +
                  " bytes; choose rows or columns in the query, or raise most_bytes");
  }

  [[noreturn]] void RefuseCell(std::size_t column, const std::string& finding) const {
    RefuseContent("row " + std::to_string(n_rows_) + ", column '" + Shown(names_[column]) +
                  "': " + finding);
  }

  const SqliteOptions& options_;
  const cf::SourceInput& input_;
  SqliteQuery& query_;
  std::vector<std::string> names_;
  std::vector<SqliteColumn> columns_;
  std::int64_t n_rows_ = 0;
  std::int64_t unsummed_ = 0;  // bytes of strings since the last sum
};

cf::Columns ReadColumns(SqliteQuery& query, const SqliteOptions& options,
                        const cf::SourceInput& input) {
  if (options.table.empty()) {
    query.Prepare(options.query);
  } else {
    query.PrepareTable(options.table);
  }
  return SqliteColumnsReader(options, input, query).Run();
}

// Returns nothing if another program wrote to the file meanwhile.
std::optional<cf::Columns> ReadAlone(const std::filesystem::path& path,
                                     const SqliteOptions& options, const cf::SourceInput& input,
                                     const cf::Context& context) {
  SqliteQuery query(path, options.most_text_bytes, context, true);
  try {
    cf::Columns columns = ReadColumns(query, options, input);
    if (!query.WasChanged()) return columns;
  } catch (const cf::Error& error) {
    if (!query.WasChanged() || error.code() == CF_E_CANCELLED) throw;
  }
  return std::nullopt;
}

}  // namespace

cf::Columns ReadSqlite(const std::filesystem::path& path, const SqliteOptions& options,
                       const cf::SourceInput& input, const cf::Context& context) {
  if (options.query.empty() == options.table.empty()) {
    RefuseOption(options.query.empty() ? "name a table, or give a query"
                                       : "a query and a table exclude each other; give one");
  }
  if (auto columns = ReadAlone(path, options, input, context)) return *std::move(columns);
  SqliteQuery query(path, options.most_text_bytes, context, false);
  return ReadColumns(query, options, input);
}

}  // namespace crossfold::reading
