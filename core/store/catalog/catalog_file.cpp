#include "store/catalog/catalog_file.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "crossfold/error.h"
#include "files/file_bytes.h"
#include "store/catalog/catalog_schema.h"
#include "store/cells/sqlite.h"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const std::filesystem::path& path, const std::string& finding) {
  throw Error(ErrorKind::kBadData, "cannot open catalog '" + path.string() + "': " + finding);
}

[[noreturn]] void RefuseDamaged(const std::filesystem::path& path, std::string finding) {
  // It may be text of the file.
  std::ranges::replace_if(
      finding, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  throw Error(ErrorKind::kBadData, "cannot read catalog '" + path.string() + "': it is damaged (" +
                                       finding + "); remove it and add the stores again");
}

// Refuses a file of something else before SQLite touches it. Returns whether it has content.
bool RequireCatalogOrNothing(const std::filesystem::path& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (status.type() == std::filesystem::file_type::not_found) return false;
  if (!std::filesystem::is_regular_file(status)) Refuse(path, "it is not a file; use another path");
  constexpr std::size_t kHeader = 72;
  std::optional<std::string> read = ReadBeginning(path, kHeader);
  if (!read) Refuse(path, "it cannot be read; check its permissions");
  std::string header = *std::move(read);
  header.resize(kHeader);
  // Zeros are what is half written when the first process is killed.
  if (std::ranges::all_of(header, [](char byte) { return byte == 0; })) return false;
  std::uint32_t id = 0;
  for (std::size_t i = 68; i < 72; ++i) id = id << 8 | static_cast<std::uint8_t>(header[i]);
  if (!BeginsDatabase(header) || id != kCatalogId) {
    Refuse(path, "it is not a Crossfold catalog; use another path");
  }
  // Versions of the format to write and read; 2 would make SQLite read a write-ahead log.
  if (header[18] != 1 || header[19] != 1) {
    RefuseDamaged(path, "it has a write-ahead log, which no catalog has");
  }
  return true;
}

// The statements that made everything in the file: a forged one could have other views.
std::string SchemaOf(Database& db) {
  return db.Text(
      "SELECT group_concat(sql, ';' || char(10)) FROM (SELECT sql FROM sqlite_schema "
      "WHERE sql IS NOT NULL ORDER BY rowid)");
}

void RequireWhole(Database& db) {
  const std::int64_t format = db.Number("PRAGMA user_version");
  if (format > kCatalogFormat) {
    Refuse(db.path(), "it has format " + std::to_string(format) + ", and this Crossfold reads " +
                          std::to_string(kCatalogFormat) + "; use a newer Crossfold");
  }
  if ("\n" + SchemaOf(db) + ";\n" != kCatalogSchema) {
    RefuseDamaged(db.path(), "its tables are not those of a catalog");
  }
  if (const std::string found = db.Text("PRAGMA integrity_check(1)"); found != "ok") {
    RefuseDamaged(db.path(), "SQLite: " + found);
  }
  const std::string store =
      db.Text("SELECT path FROM stores WHERE checksum IS NOT " + CatalogChecksum());
  if (!store.empty()) RefuseDamaged(db.path(), "what it has of '" + store + "'");
}

void Make(Database& db) {
  Transaction transaction(db);
  if (db.Number("PRAGMA application_id") != kCatalogId) {  // no other process was faster
    db.Execute(kCatalogSchema);
    db.Execute(("PRAGMA application_id = " + std::to_string(kCatalogId)).c_str());
    db.Execute(("PRAGMA user_version = " + std::to_string(kCatalogFormat)).c_str());
  }
  transaction.Commit();
}

// A process that was killed while it wrote leaves a journal. A connection that only reads cannot
// undo what is half written, so one that may write does.
void UndoHalfWritten(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path.string() + "-journal", ignored)) return;
  Database db(path, Database::Access::kWrite);
  db.Number("SELECT count(type) FROM sqlite_schema");
}

}  // namespace

std::string CatalogChecksum() {
  std::string sum = "(row_checksum('stores', id, path, who, added, modified, bytes, damaged)";
  for (const StoredTable* table : kCatalogTables) {
    const std::string name = table->name;
    sum += " + (SELECT coalesce(sum(" + ChecksumOf(*table) + "), 0) FROM " + name + " WHERE " +
           name + ".store = stores.id)";
  }
  return sum + ")";
}

void ThrowOfCatalog(const std::filesystem::path& path, const SqliteError& e) {
  const std::string text = e.what(), begin = " store '" + path.string() + "': ";
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) throw e;
  if (e.is_damage()) RefuseDamaged(path, "SQLite cannot read it");
  throw Error(ErrorKind::kIo,
              "cannot use catalog '" + path.string() + "': " + text.substr(at + begin.size()));
}

std::unique_ptr<Database> OpenCatalogFile(const std::filesystem::path& path) {
  return OnCatalog(path, [&] {
    RequireCatalogOrNothing(path);
    auto db = std::make_unique<Database>(path, Database::Access::kCreate);
    if (db->Number("PRAGMA application_id") != kCatalogId) Make(*db);
    RequireWhole(*db);
    return db;
  });
}

std::unique_ptr<Database> OpenCatalogToRead(const std::filesystem::path& path) {
  return OnCatalog(path, [&] {
    RequireCatalogOrNothing(path);
    UndoHalfWritten(path);
    if (!RequireCatalogOrNothing(path)) {
      throw Error(ErrorKind::kIo, "cannot read catalog '" + path.string() +
                                      "': there is none; crossfold catalog add makes it");
    }
    auto db = std::make_unique<Database>(path, Database::Access::kRead);
    db->Execute("BEGIN");  // one state of the catalog, whoever writes meanwhile
    RequireWhole(*db);
    return db;
  });
}

}  // namespace crossfold
