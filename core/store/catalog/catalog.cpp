#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "crossfold/error.h"
#include "crossfold/store_catalog.h"
#include "engine/text/utc_time.h"
#include "store/catalog/catalog_file.h"
#include "store/catalog/catalog_schema.h"
#include "store/catalog/store_entry.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// The absolute path without symbolic links, as far as it exists.
std::string PlaceOf(const std::filesystem::path& store) {
  // An absolute one, as that of a relative path that does not exist stays relative.
  const std::filesystem::path whole = std::filesystem::absolute(store);
  std::error_code failure;
  const std::filesystem::path found = std::filesystem::weakly_canonical(whole, failure);
  return (failure ? whole : found).string();
}

// The name of the file's owner, or its number if the machine does not know it.
std::string OwnerOf(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return "unknown";
  std::array<char, 4096> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(facts.st_uid, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->pw_name : "user " + std::to_string(facts.st_uid);
}

// What tells whether a file has changed. A store's last cells may be in its write-ahead log.
struct FileState {
  bool exists = false;
  std::int64_t modified = 0;  // nanoseconds since 1970
  std::int64_t bytes = 0;
};

void AddFile(const std::string& path, FileState& state) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0 || facts.st_size == 0) return;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const std::int64_t modified = facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec;
  state.exists = true;
  state.modified = std::max(state.modified, modified);
  state.bytes += facts.st_size;
}

FileState StateOf(const std::string& path) {
  FileState state;
  AddFile(path, state);
  if (state.exists) AddFile(path + "-wal", state);
  return state;
}

// The row of a store, or the id of a new one.
struct StoreRow {
  std::int64_t id = 0;
  std::string who;
  bool is_new = false;
};

StoreRow FindRow(Database& db, const std::string& path) {
  Statement find(db, "SELECT id, who FROM stores WHERE path = ?1", path);
  if (find.Step()) return {find.Number(0), find.Text(1), false};
  return {db.Number("SELECT coalesce(max(id), 0) + 1 FROM stores"), "", true};
}

void WriteRow(Database& db, std::int64_t id, const CatalogAddition& added, const FileState& file) {
  Statement(db, "INSERT OR REPLACE INTO stores VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)", id,
            added.path, added.who, UtcTime(), file.modified, file.bytes, added.damaged.size())
      .Run();
  Statement(db, "UPDATE stores SET checksum = " + CatalogChecksum() + " WHERE id = ?1", id).Run();
}

}  // namespace

CatalogAddition AddToCatalog(const std::filesystem::path& catalog,
                             const std::filesystem::path& store, const CatalogEntry& entry) {
  CatalogAddition added;
  added.path = PlaceOf(store);
  const FileState file = StateOf(added.path);  // first, so that what is written later is a change
  const StorePlace place(store);
  StoreReader reader(place.path());
  OnCatalog(catalog, [&] {
    const std::unique_ptr<Database> db = OpenCatalogFile(catalog);
    db->LiftBound();
    Transaction transaction(*db);
    const StoreRow row = FindRow(*db, added.path);
    added.is_new = row.is_new;
    added.who = !entry.who.empty() ? entry.who : row.is_new ? OwnerOf(added.path) : row.who;
    RemoveRows(row.id, *db);
    CopiedRows copied = CopyStore(reader, row.id, *db);
    WriteScores(entry.scores, row.id, *db);
    added.runs = copied.runs;
    added.cells = copied.cells;
    added.scores = std::ssize(entry.scores);
    added.damaged = entry.damaged;
    added.damaged.insert(added.damaged.end(), copied.damaged.begin(), copied.damaged.end());
    std::ranges::sort(added.damaged);
    added.damaged.erase(std::unique(added.damaged.begin(), added.damaged.end()),
                        added.damaged.end());
    WriteRow(*db, row.id, added, file);
    transaction.Commit();
  });
  return added;
}

void RemoveFromCatalog(const std::filesystem::path& catalog, const std::filesystem::path& store) {
  OnCatalog(catalog, [&] {
    OpenCatalogToRead(catalog);  // makes none
    const std::unique_ptr<Database> db = OpenCatalogFile(catalog);
    db->LiftBound();
    Transaction transaction(*db);
    const StoreRow row = FindRow(*db, PlaceOf(store));
    if (row.is_new) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot remove '" + store.string() + "' from catalog '" + catalog.string() +
                      "': it is not in it; crossfold catalog list shows what is");
    }
    RemoveRows(row.id, *db);
    Statement(*db, "DELETE FROM stores WHERE id = ?1", row.id).Run();
    transaction.Commit();
  });
}

Table ListCatalog(const std::filesystem::path& catalog) {
  return OnCatalog(catalog, [&] {
    const std::unique_ptr<Database> db = OpenCatalogToRead(catalog);
    Statement rows(*db,
                   "SELECT path, who, added, "
                   "(SELECT count(run) FROM runs WHERE store = id) AS runs, "
                   "(SELECT count(fold) FROM cells WHERE store = id) AS cells, "
                   "(SELECT count(run) FROM scores WHERE store = id) AS scores, damaged, "
                   "modified, bytes FROM stores ORDER BY path");
    Table table;
    table.columns = {"store", "who", "added", "runs", "cells", "scores", "damaged", "state"};
    while (rows.Step()) {
      const FileState now = StateOf(rows.Text(0));
      const bool is_same = now.modified == rows.Number(7) && now.bytes == rows.Number(8);
      const std::string state = !now.exists ? "gone" : is_same ? "current" : "changed";
      table.rows.push_back({rows.Text(0), rows.Text(1), rows.Text(2), rows.Number(3),
                            rows.Number(4), rows.Number(5), rows.Number(6), state});
    }
    return table;
  });
}

}  // namespace crossfold
