#include "store/cells/stored_table.h"

#include <sqlite3.h>

#include <cstddef>
#include <span>

#include "encoding/fields.h"
#include "store/cells/packed_bytes.h"

namespace crossfold {
namespace {

std::string_view BytesOf(sqlite3_value* value) {
  const void* bytes = sqlite3_value_blob(value);
  const int n = sqlite3_value_bytes(value);
  if (bytes == nullptr || n <= 0) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(n)};
}

std::uint32_t AddValue(std::uint32_t sum, sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  FieldWriter fields;
  fields.Number(static_cast<std::uint8_t>(type));
  switch (type) {
    case SQLITE_NULL:
      return AddToChecksum(sum, fields.bytes());
    case SQLITE_INTEGER:
      fields.Number(std::int64_t{sqlite3_value_int64(value)});
      return AddToChecksum(sum, fields.bytes());
    case SQLITE_FLOAT:
      fields.Number(sqlite3_value_double(value));
      return AddToChecksum(sum, fields.bytes());
    default:
      const std::string_view bytes = BytesOf(value);
      fields.Number(static_cast<std::uint64_t>(bytes.size()));
      return AddToChecksum(AddToChecksum(sum, fields.bytes()), bytes);
  }
}

void RowChecksum(sqlite3_context* context, int n, sqlite3_value** values) {
  try {
    std::uint32_t sum = 0;
    for (sqlite3_value* value : std::span(values, static_cast<std::size_t>(n))) {
      sum = AddValue(sum, value);
    }
    sqlite3_result_int64(context, sum);
  } catch (const std::exception&) {
    sqlite3_result_error_nomem(context);
  }
}

std::string Called(const StoredTable& table, const std::string& values) {
  return "row_checksum('" + std::string(table.name) + "', " + values + ")";
}

}  // namespace

std::string NumberedMarks(int n) {
  std::string marks;
  for (int i = 1; i <= n; ++i) marks += (i == 1 ? "?" : ", ?") + std::to_string(i);
  return marks;
}

void AddChecksumFunction(Database& db) {
  db.Check(sqlite3_create_function_v2(db.get(), "row_checksum", -1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      nullptr, &RowChecksum, nullptr, nullptr, nullptr));
}

std::string ChecksumOf(const StoredTable& table) { return Called(table, table.columns); }

std::string IsWhole(const StoredTable& table) { return "(checksum IS " + ChecksumOf(table) + ")"; }

std::string InsertInto(const StoredTable& table, const char* verb) {
  const std::string marks = NumberedMarks(table.n_columns);
  return std::string(verb) + " INTO " + table.name + "(" + table.columns + ", checksum) VALUES(" +
         marks + ", " + Called(table, marks) + ")";
}

std::string SelectFrom(const StoredTable& table) {
  return std::string("SELECT ") + table.columns + ", " + IsWhole(table) + " FROM " + table.name +
         " ";
}

void Reseal(Database& db, const StoredTable& table, std::int64_t id) {
  Statement(db,
            std::string("UPDATE ") + table.name + " SET checksum = " + ChecksumOf(table) +
                " WHERE id = ?1",
            id)
      .Run();
}

std::string RunTotal(bool has_findings) {
  std::string total;
  for (const char* table : {"wanted", "composed", "findings"}) {
    if (!has_findings && std::string_view(table) == "findings") continue;
    total += (total.empty() ? "(" : " + ") +
             std::string("(SELECT coalesce(sum(checksum), 0) FROM ") + table +
             " t WHERE t.run = runs.id)";
  }
  return total + ")";
}

KeyedRows::KeyedRows(Database& db, const StoredTable& table, const char* key)
    : db_(db),
      table_(table),
      find_(db, std::string("SELECT id FROM ") + table.name + " WHERE " + key + " = ?1"),
      row_(db, std::string("SELECT ") + key + ", " + IsWhole(table) + " FROM " + table.name +
                   " WHERE id = ?1"),
      next_(db, std::string("SELECT coalesce(max(id), 0) + 1 FROM ") + table.name) {}

KeyedRow KeyedRows::Find(std::string_view key, bool is_text) {
  const ResetAtEnd reset_find(find_), reset_row(row_);
  if (is_text) {
    find_.BindText(1, key);
  } else {
    find_.BindBlob(1, key);
  }
  if (!find_.Step()) return {};
  const std::int64_t id = find_.Number(0);
  if (row_.Bind(1, id).Step() && row_.Bytes(0) == key) return {id, row_.Number(1) != 0};
  throw Error(ErrorKind::kBadData, "cannot read store '" + db_.path().string() +
                                       "': the index of table '" + table_.name +
                                       "' is damaged; `crossfold repair " + db_.path().string() +
                                       " NEW` recovers what is intact");
}

std::int64_t KeyedRows::NextId() {
  const ResetAtEnd reset(next_);
  return next_.Step() ? next_.Number(0) : 1;
}

WantedRows::WantedRows(Database& db)
    : find_(db, "SELECT count, " + IsWhole(kWantedTable) +
                    " FROM wanted WHERE run = ?1 AND series = ?2 AND inner = ?3 AND learner = ?4 "
                    "AND dataset = ?5 AND first = ?6"),
      put_(db, InsertInto(kWantedTable, "INSERT OR REPLACE")) {}

void WantedRows::Put(std::int64_t run, const WantedRange& range) {
  for (Statement* statement : {&find_, &put_}) {
    statement->BindAll(run, range.series, range.inner, range.learner, range.dataset, range.first);
  }
  const ResetAtEnd reset(find_);
  const bool is_there = find_.Step() && find_.Number(1) != 0;
  if (!is_there || find_.Number(0) < range.count) put_.Bind(7, range.count).Run();
}

}  // namespace crossfold
