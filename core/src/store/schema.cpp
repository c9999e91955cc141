#include "store/schema.h"

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "store/store_file.h"

namespace crossfold {
namespace {

constexpr std::array kTables = {"plugins",  "datasets", "dataset_parts", "splits",
                                "learners", "metrics",  "series",        "cells",
                                "scores",   "composed", "runs",          "wanted"};

[[noreturn]] void Refuse(const std::filesystem::path& path, const std::string& finding) {
  throw Error(ErrorKind::kBadData, "cannot open store '" + path.string() + "': " + finding);
}

std::uint32_t BigEndian(const char* bytes) {
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

void RequireFormat(const std::filesystem::path& path, std::int64_t format) {
  if (format <= kStoreFormat) return;
  Refuse(path, "it has format " + std::to_string(format) + ", and this Crossfold knows format " +
                   std::to_string(kStoreFormat) + "; use a newer Crossfold");
}

// Looks at the first bytes, so that a file of somebody else is not touched. A file that was being
// made when its process ended has a journal and is looked at by SQLite first.
void RequireStoreOrNothing(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    Refuse(path, "it is a folder; give the name of a file");
  }
  std::array<char, 100> header{};
  std::ifstream file(path, std::ios::binary);
  file.read(header.data(), header.size());
  if (file.gcount() == 0) return;
  std::filesystem::path journal = path;
  journal += "-journal";
  if (std::filesystem::exists(journal, ignored)) return;
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  const bool is_sqlite = static_cast<std::size_t>(file.gcount()) == header.size() &&
                         std::string_view(header.data(), kMagic.size()) == kMagic;
  if (!is_sqlite || BigEndian(&header[68]) != kStoreId) {
    Refuse(path, std::string("it is ") +
                     (is_sqlite ? "a database of another application" : "no store of Crossfold") +
                     "; use another path");
  }
  RequireFormat(path, BigEndian(&header[60]));
}

void Make(Database& db) {
  Transaction transaction(db);
  if (db.Number("PRAGMA application_id") == kStoreId) return;  // another process was faster
  if (db.Number("SELECT count(*) FROM sqlite_schema") != 0) {
    Refuse(db.path(), "it is a database of another application; use another path");
  }
  db.Execute(kStoreSchema);
  db.Execute(("PRAGMA application_id = " + std::to_string(kStoreId)).c_str());
  db.Execute(("PRAGMA user_version = " + std::to_string(kStoreFormat)).c_str());
  transaction.Commit();
}

// While others open the same new file, SQLite may refuse the change instead of waiting.
void UseWriteAheadLog(Database& db) {
  constexpr int kTries = 500;
  for (int i = 0; i < kTries; ++i) {
    try {
      if (db.Text("PRAGMA journal_mode = WAL") == "wal") return;
    } catch (const SqliteError& e) {
      if (e.is_damage() || i + 1 == kTries) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw Error(ErrorKind::kIo, "cannot write to store '" + db.path().string() +
                                  "': SQLite cannot keep a write-ahead log there; use a path on a "
                                  "local disk");
}

// Reads a page of every table: what is missing or damaged there shows before anything runs.
void RequireTables(Database& db) {
  for (const char* table : kTables) {
    db.Number(std::string("SELECT count(*) FROM (SELECT 1 FROM ") + table + " LIMIT 1)");
  }
}

void RequireFile(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return;
  throw Error(ErrorKind::kIo, "cannot open store '" + path.string() +
                                  "': there is no such file; a run with --store makes it");
}

}  // namespace

std::unique_ptr<Database> OpenStoreFile(const std::filesystem::path& path) {
  RequireStoreOrNothing(path);
  auto db = std::make_unique<Database>(path, Database::Access::kCreate);
  if (db->Number("PRAGMA application_id") != kStoreId) Make(*db);
  RequireFormat(path, db->Number("PRAGMA user_version"));
  UseWriteAheadLog(*db);
  db->Execute("PRAGMA synchronous = NORMAL");
  RequireTables(*db);
  return db;
}

std::unique_ptr<Database> OpenDamagedStore(const std::filesystem::path& path) {
  RequireFile(path);
  // What another process was writing is in the write-ahead log; SQLite reads it if it can.
  return std::make_unique<Database>(path, Database::Access::kRead);
}

std::unique_ptr<Database> OpenStoreToRead(const std::filesystem::path& path) {
  RequireFile(path);
  RequireStoreOrNothing(path);
  std::error_code ignored;
  std::unique_ptr<Database> db;
  try {
    db = std::make_unique<Database>(path, Database::Access::kRead);
    RequireTables(*db);
  } catch (const SqliteError& e) {
    // A folder that cannot be written to has no place for SQLite's shared memory. Without a
    // write-ahead log everything is in the file.
    std::filesystem::path wal = path;
    wal += "-wal";
    if (e.is_damage() || std::filesystem::exists(wal, ignored)) throw;
    db = std::make_unique<Database>(path, Database::Access::kImmutable);
    RequireTables(*db);
  }
  if (db->Number("PRAGMA application_id") != kStoreId) {
    Refuse(path, "it is no store of Crossfold; use another path");
  }
  return db;
}

}  // namespace crossfold
