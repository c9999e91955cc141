#include <sqlite3.h>

#include <cstddef>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/sqlite.h"
#include "data/column_plans.h"
#include "data/csv_records.h"
#include "data/file_bytes.h"
#include "data/sqlite_column.h"
#include "data/sqlite_query.h"
#include "text/utf8.h"

namespace crossfold {
namespace {

class SqliteDatasetReader {
 public:
  SqliteDatasetReader(const CsvSource& source, const SqliteOptions& options, SqliteQuery& query)
      : source_(source), options_(options), query_(query) {}

  std::vector<Column> Run() {
    names_ = query_.column_names();
    CheckNames();
    CheckColumnOptions(source_, names_, options_.types, options_.roles, options_.drop_missing);
    for (const std::string& name : names_) {
      columns_.emplace_back(PlanColumn(name, options_.types, options_.like));
    }
    while (query_.Step()) ReadRow();
    if (n_rows_ == 0) source_.Refuse("it gives no rows");
    std::vector<Column> finished;
    for (const SqliteColumn& column : columns_) {
      if (!column.is_ignored()) finished.push_back(column.Finish(source_));
    }
    if (finished.empty()) {
      throw Error(ErrorKind::kInvalidArgument, source_.attempt + ": every column is ignored");
    }
    return finished;
  }

 private:
  void CheckNames() const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (names_[i] != names_[j]) continue;
        source_.Refuse("columns " + std::to_string(j + 1) + " and " + std::to_string(i + 1) +
                       " are both named '" + Shown(names_[i]) + "'; rename one with AS");
      }
      if (names_[i].empty()) {
        source_.Refuse("column " + std::to_string(i + 1) + " has no name; name it with AS");
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
                   "it is a BLOB; leave the column out (types: ignore), or make text or numbers of "
                   "it in the query, as in hex(...)");
    }
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, place));
    if (bytes == nullptr) throw std::bad_alloc();
    const std::string_view text(bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, place)));
    if (text.find('\0') != std::string_view::npos) {
      RefuseCell(i, "its text holds a NUL; cut it in the query, as in substr(...)");
    }
    if (FirstNoUtf8(text)) {
      RefuseCell(i, "its text is not UTF-8; mend it, or leave the column out (types: ignore)");
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
    source_.Refuse("after " + std::to_string(n_rows_) +
                   " rows its cells take more than the limit of " +
                   std::to_string(options_.most_bytes) +
                   " bytes; choose rows or columns in the query, or raise most_bytes");
  }

  [[noreturn]] void RefuseCell(std::size_t column, const std::string& finding) const {
    source_.Refuse("row " + std::to_string(n_rows_) + ", column '" + Shown(names_[column]) +
                   "': " + finding);
  }

  const CsvSource& source_;
  const SqliteOptions& options_;
  SqliteQuery& query_;
  std::vector<std::string> names_;
  std::vector<SqliteColumn> columns_;
  std::int64_t n_rows_ = 0;
  std::int64_t unsummed_ = 0;  // bytes of texts since the last sum
};

std::vector<Column> ReadColumns(SqliteQuery& query, const CsvSource& source,
                                const SqliteOptions& options) {
  if (options.table.empty()) {
    query.Prepare(options.query);
  } else {
    query.PrepareTable(options.table);
  }
  return SqliteDatasetReader(source, options, query).Run();
}

// Nothing if another program wrote to the file meanwhile.
std::optional<std::vector<Column>> ReadAlone(const std::filesystem::path& path,
                                             const CsvSource& source,
                                             const SqliteOptions& options) {
  SqliteQuery query(path, source.attempt, options, true);
  try {
    auto columns = ReadColumns(query, source, options);
    if (!query.WasChanged()) return columns;
  } catch (const Error& error) {
    if (!query.WasChanged() || error.kind() == ErrorKind::kCancelled) throw;
  }
  return std::nullopt;
}

}  // namespace

std::shared_ptr<const Dataset> ReadSqlite(const std::filesystem::path& path,
                                          const SqliteOptions& options) {
  const CsvSource source{{}, "cannot read '" + path.string() + "'"};
  if (options.query.empty() == options.table.empty()) {
    throw Error(ErrorKind::kInvalidArgument,
                source.attempt + (options.query.empty()
                                      ? ": name a table, or give a query"
                                      : ": a query and a table exclude each other; give one"));
  }
  const std::string name = options.table.empty() ? path.stem().string() : options.table;
  auto columns = ReadAlone(path, source, options);
  if (!columns) {
    SqliteQuery query(path, source.attempt, options, false);
    columns = ReadColumns(query, source, options);
  }
  return Dataset::Create(name, *std::move(columns), options.roles, options.drop_missing);
}

bool IsSqlite(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (IsPipeOrDevice(path)) return false;  // it can be read only once
  std::string first(kMagic.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(first.data(), static_cast<std::streamsize>(first.size())) && first == kMagic;
}

}  // namespace crossfold
