#include "store/cells/store_file.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "files/file_descriptor.h"
#include "files/scratch_folder.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

// The tables of a store, format 3. Texts and blobs of "fields" are as in encoding/fields.h; keys
// are SHA-256 digests (32 bytes). Where nothing else is said, `checksum` covers the name of the
// table and the rest of the row (store/cells/stored_table.h). Format 2 had the same tables and
// cells with other seeds (store_file.h). Format 1 had checksums in cells, scores and findings
// alone, and no totals.
//
// A series has the cells of one learner, with one seed, on the folds of one repeat of a partition,
// or on one split that is a list. Its key covers everything that its cells are computed from; a
// cell is one fold of it.
constexpr const char* kStoreSchema = R"(
-- Files that components came from.
CREATE TABLE plugins(
  sha256 TEXT PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, build_info TEXT NOT NULL,
  path TEXT NOT NULL,               -- where it was last
  checksum INTEGER
) WITHOUT ROWID;

CREATE TABLE datasets(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,        -- Dataset::hash_with_positive()
  n_rows INTEGER NOT NULL,
  n_features INTEGER NOT NULL,
  image_bytes INTEGER NOT NULL,     -- 0 = the content is not kept
  checksum INTEGER
);
-- encoding/dataset_image.h, cut into parts of 16 MiB, each packed by zlib.
CREATE TABLE dataset_parts(
  dataset INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, checksum INTEGER,
  PRIMARY KEY(dataset, part)
) WITHOUT ROWID;

-- The rows of one repeat of a partition, or of one list.
CREATE TABLE splits(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of the dataset's hash and the definition
  dataset INTEGER NOT NULL,
  n_folds INTEGER NOT NULL,         -- 0 = a list
  definition BLOB NOT NULL,         -- encoding/split_fields.h of a plan of this repeat or list alone; zlib
  checksum INTEGER
);

CREATE TABLE learners(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of all steps: component, plugin file, every parameter
  text TEXT NOT NULL,               -- Pipeline::ToString()
  definition BLOB NOT NULL,         -- encoding/spec_fields.h: the list of its steps
  checksum INTEGER
);
CREATE TABLE metrics(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,
  text TEXT NOT NULL,               -- Spec::ToString()
  definition BLOB NOT NULL,         -- fields of one spec
  checksum INTEGER
);

CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,         -- of the rest of this row, Crossfold's version and the ABI
  learner INTEGER NOT NULL,
  splits INTEGER NOT NULL,
  repeat INTEGER NOT NULL,          -- from 0
  seed INTEGER NOT NULL,            -- Cell::seed, as signed
  probabilities INTEGER NOT NULL,   -- whether predictions have them
  separate INTEGER NOT NULL,        -- 1: without sharing, where that can matter (a tolerance)
  checksum INTEGER,                 -- also not over `total`
  total INTEGER NOT NULL DEFAULT 0  -- sum of the checksums of its rows in cells and scores
);

CREATE TABLE cells(
  series INTEGER NOT NULL,
  fold INTEGER NOT NULL,            -- from 0; of a list its number in the plan
  status INTEGER NOT NULL,          -- 0 = ok, 1 = failed by itself, 2 = failed by a limit or signal
  n_train INTEGER NOT NULL, n_test INTEGER NOT NULL,
  fit_s REAL NOT NULL, predict_s REAL NOT NULL,
  prediction BLOB,                  -- cells/stored_prediction.h; null = not kept
  notes BLOB,                       -- fields: stage, code (4), message of a failure; list of warnings
  checksum INTEGER NOT NULL,        -- over the rest of the row; of format 1 not over the seconds
  PRIMARY KEY(series, fold)
) WITHOUT ROWID;

CREATE TABLE scores(
  series INTEGER NOT NULL, fold INTEGER NOT NULL, metric INTEGER NOT NULL,
  value REAL,                       -- null = undefined
  undefined TEXT,                   -- why
  checksum INTEGER NOT NULL,        -- over the rest of the row
  PRIMARY KEY(series, fold, metric)
) WITHOUT ROWID;

-- Out-of-fold predictions of what is not a cell: ensembles and others that are put together in Lua. Never
-- looked up instead of computing them.
CREATE TABLE composed(
  run INTEGER NOT NULL, learner TEXT NOT NULL, dataset_name TEXT NOT NULL,
  dataset INTEGER NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  n_train INTEGER NOT NULL,
  prediction BLOB,                  -- with explicit row ids
  failure TEXT,                     -- null = ok
  checksum INTEGER,
  PRIMARY KEY(run, learner, dataset_name, repeat, fold)
) WITHOUT ROWID;

CREATE TABLE runs(
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,            -- UTC, ISO 8601
  crossfold TEXT NOT NULL,          -- version
  script TEXT NOT NULL, script_text TEXT NOT NULL,
  arguments BLOB NOT NULL,          -- fields: list of texts
  seed INTEGER NOT NULL,
  finished INTEGER NOT NULL,        -- 1: it came to its end, so that it asked for all of its cells
  checksum INTEGER,                 -- also not over `total`
  total INTEGER                     -- sum of the checksums of its rows in wanted, composed and
                                    -- findings; null = it goes on, or was killed
);
-- Which cells a run asked for, whether they are there or not, and what they are in its experiment.
CREATE TABLE wanted(
  run INTEGER NOT NULL, series INTEGER NOT NULL,
  inner INTEGER NOT NULL, learner TEXT NOT NULL, dataset TEXT NOT NULL,
  first INTEGER NOT NULL, count INTEGER NOT NULL, checksum INTEGER,
  PRIMARY KEY(run, series, inner, learner, dataset, first)
) WITHOUT ROWID;
)";

// A store of an older Crossfold may lack this table, and older programs pass over it: it gets the
// table when it is opened for writing, and readers ask HasFindings first.
constexpr const char* kFindingsSchema = R"(
-- What experiments know beyond cells: designs, choices of searches, scores of what is not a cell.
CREATE TABLE IF NOT EXISTS findings(
  run INTEGER NOT NULL,
  experiment INTEGER NOT NULL,      -- of the run, from 1, in the order in which they began
  kind TEXT NOT NULL, name TEXT NOT NULL,
  body TEXT NOT NULL,               -- JSON
  dataset TEXT NOT NULL,            -- hash of the one whose rows are split; '' = none
  splits BLOB,                      -- encoding/split_fields.h; zlib
  checksum INTEGER NOT NULL,        -- over the rest of the row but for the run
  PRIMARY KEY(run, experiment, kind, name)
) WITHOUT ROWID;
)";

template <class E = Error>
[[noreturn]] void Refuse(const std::filesystem::path& path, const std::string& finding) {
  throw E(ErrorKind::kBadData, "cannot open store '" + path.string() + "': " + finding);
}

void RequireFormat(const std::filesystem::path& path, std::int64_t format) {
  if (format <= kStoreFormat) return;
  Refuse(path, "it has format " + std::to_string(format) + ", and this Crossfold knows format " +
                   std::to_string(kStoreFormat) + "; use a newer Crossfold");
}

// Before anything of it is computed again.
void RequireSameSeeds(const std::filesystem::path& path, std::int64_t format) {
  if (format >= kStoreFormat) return;
  throw Error(ErrorKind::kBadData,
              "cannot resume store '" + path.string() + "': an older Crossfold wrote it (format " +
                  std::to_string(format) + "), whose random numbers came from the names of " +
                  "learners, so that no cell of it could be used again; use another path, or that "
                  "Crossfold; status, report, rescore, diff and export still read it");
}

// SQLite does not read a file that is shorter than its first page says, such as a truncated copy,
// unless it may change the schema.
void ReadThoughCutOff(Database& db) { db.Execute("PRAGMA writable_schema = ON"); }

// Checks the first bytes, so that a file of another program is not changed. A file that was being
// made when its process ended has a journal, so SQLite opens it first.
void RequireStoreOrNothing(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    Refuse(path, "it is a folder; give the name of a file");
  }
  if (!std::filesystem::exists(path, ignored)) return;
  std::filesystem::path journal = RealPath(path);  // SQLite has the journal next to it
  journal += "-journal";
  if (std::filesystem::exists(journal, ignored)) return;
  // By SQLite and without locks: closing a file of our own would drop those that other connections
  // of this process have on it (POSIX).
  std::int64_t id = 0, format = 0, n_tables = 0;
  try {
    Database db(path, Database::Access::kImmutable);
    ReadThoughCutOff(db);
    id = db.Number("PRAGMA application_id");
    format = db.Number("PRAGMA user_version");
    if (id != kStoreId) n_tables = db.Number("SELECT count(type) FROM sqlite_schema");
  } catch (const SqliteError& e) {
    if (e.is_damage()) Refuse(path, "it is not a Crossfold store; use another path");
    throw;
  }
  if (id == kStoreId) RequireFormat(path, format);
  if (id != kStoreId && (id != 0 || n_tables != 0)) {
    Refuse(path, "it is a database of another application; use another path");
  }
}

void SetFormat(Database& db, std::int64_t format) {
  db.Execute(("PRAGMA user_version = " + std::to_string(format)).c_str());
}

void Make(Database& db) {
  Transaction transaction(db);
  if (db.Number("PRAGMA application_id") == kStoreId) return;  // another process was faster
  if (db.Number("SELECT count(type) FROM sqlite_schema") != 0) {
    Refuse(db.path(), "it is a database of another application; use another path");
  }
  db.Execute(StoreSchema().c_str());
  db.Execute(("PRAGMA application_id = " + std::to_string(kStoreId)).c_str());
  SetFormat(db, kStoreFormat);
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
  const auto read = [&db](const char* table) {
    db.Number(std::string("SELECT count(*) FROM (SELECT 1 FROM ") + table + " LIMIT 1)");
    // A view can have rows without end.
    const std::string other = "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = '";
    if (db.Number(other + table + "'") != 0) {
      Refuse(db.path(), "its '" + std::string(table) + "' is not a table; use another path");
    }
  };
  for (const StoredTable* table : kStoredTables) read(table->name);
  read("cells");
  read("scores");
}

void RequireFile(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return;
  throw Error(ErrorKind::kIo, "cannot open store '" + path.string() +
                                  "': there is no such file; a run with --store makes it");
}

// A store of format 1 has none in most tables. The columns count, not the number of the format,
// which a flipped bit may have changed.
bool HasChecksums(Database& db) {
  return db.Number("SELECT count(*) FROM pragma_table_info('wanted') WHERE name = 'checksum'") != 0;
}

// Makes format 2 of format 1. What is there counts as undamaged, as nothing says otherwise.
void Upgrade(Database& db) {
  Transaction transaction(db);
  if (HasChecksums(db)) return;  // another process was faster
  for (const StoredTable* table : kStoredTables) {
    const std::string name = table->name;
    db.Execute(("ALTER TABLE " + name + " ADD COLUMN checksum INTEGER").c_str());
    db.Execute(("UPDATE " + name + " SET checksum = " + ChecksumOf(*table)).c_str());
  }
  db.Execute("ALTER TABLE series ADD COLUMN total INTEGER NOT NULL DEFAULT 0");
  db.Execute((std::string("UPDATE series SET total = ") + kSeriesTotal).c_str());
  // An older Crossfold that removed runs left their findings.
  db.Execute("DELETE FROM findings WHERE run NOT IN (SELECT id FROM runs)");
  db.Execute("ALTER TABLE runs ADD COLUMN total INTEGER");
  db.Execute(("UPDATE runs SET total = " + RunTotal() + " WHERE finished = 1").c_str());
  SetFormat(db, kFormatOfNamedSeeds);
  transaction.Commit();
}

// Shows a store of format 1 as one of format 2 to readers, by views of the connection.
void ViewAsUpgraded(Database& db) {
  if (HasChecksums(db)) return;
  db.Execute("PRAGMA temp_store = MEMORY");
  const auto view = [&db](const StoredTable& table, const std::string& more) {
    const std::string name = table.name;
    db.Execute(("CREATE TEMP VIEW " + name + " AS SELECT " + table.columns + ", " +
                ChecksumOf(table) + " AS checksum" + more + " FROM main." + name)
                   .c_str());
  };
  for (const StoredTable* table : kStoredTables) {
    if (table == &kSeriesTable) {
      view(*table, std::string(", ") + kSeriesTotal + " AS total");
    } else {
      view(*table, table != &kRunTable ? ""
                                       : ", CASE finished WHEN 1 THEN " +
                                             RunTotal(HasFindings(db)) + " END AS total");
    }
  }
}

std::string WithoutComments(std::string_view rest) {
  std::string schema;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    line = line.substr(0, line.find("--"));
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    schema += line;
    if (line.ends_with(',')) continue;
    schema += '\n';
  }
  return schema;
}

}  // namespace

std::string StoreSchema() {
  return WithoutComments(kStoreSchema) + WithoutComments(kFindingsSchema);
}

bool HasAllChecksums(Database& db) {
  return db.Number("SELECT count(*) FROM temp.sqlite_schema") == 0;
}

bool HasFindings(Database& db) {
  return db.Number(
             "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
             "name = 'findings'") != 0;
}

std::unique_ptr<Database> OpenStoreFile(const std::filesystem::path& path, bool for_runs) {
  RequireStoreOrNothing(path);
  auto db = std::make_unique<Database>(path, Database::Access::kCreate);
  if (db->Number("PRAGMA application_id") != kStoreId) Make(*db);
  RequireFormat(path, db->Number("PRAGMA user_version"));
  if (for_runs) RequireSameSeeds(path, db->Number("PRAGMA user_version"));
  UseWriteAheadLog(*db);
  db->Execute("PRAGMA synchronous = NORMAL");
  RequireTables(*db);
  if (!HasFindings(*db)) db->Execute(WithoutComments(kFindingsSchema).c_str());
  if (!HasChecksums(*db)) Upgrade(*db);
  return db;
}

void CopyFormat(Database& from, Database& to) {
  SetFormat(to, std::max<std::int64_t>(from.Number("PRAGMA user_version"), kFormatOfNamedSeeds));
}

void MakeStoreFile(const std::filesystem::path& to, const std::string& attempt,
                   const std::function<void(const std::filesystem::path& file)>& write) {
  try {
    const ScratchFolder scratch = ScratchFolder::NextTo(to);
    const std::filesystem::path file = scratch.File("store.cfdb");
    write(file);
    // The last process that closes it puts the write-ahead log into the file, if there is room.
    if (std::filesystem::exists(scratch.File("store.cfdb-wal"))) {
      throw Error(ErrorKind::kIo,
                  attempt + "not all of it could be written; make room on the disk");
    }
    int failure = ::renameat2(AT_FDCWD, file.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    // Some file systems do not know the flag.
    if (failure != 0 && errno == EINVAL) failure = ::rename(file.c_str(), to.c_str());
    if (failure != 0) throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& e) {
    throw Error(ErrorKind::kIo, attempt + "it cannot be written (" + e.code().message() +
                                    "); choose another place");
  }
}

std::unique_ptr<Database> OpenDamagedStore(const std::filesystem::path& path) {
  RequireFile(path);
  const auto open = [&path](Database::Access access) {
    // What another process was writing is in the write-ahead log; SQLite reads it if it can.
    auto db = std::make_unique<Database>(path, access);
    ReadThoughCutOff(*db);
    try {
      ViewAsUpgraded(*db);
    } catch (const SqliteError& e) {  // its tables cannot be found, which who reads them meets
      if (!e.is_damage()) throw;
    }
    return db;
  };
  try {
    return open(Database::Access::kRead);
  } catch (const SqliteError&) {
    std::error_code ignored;
    if (std::filesystem::exists(RealPath(path).string() + "-wal", ignored)) throw;
    // As in OpenStoreToRead, for a read-only folder.
    return open(Database::Access::kImmutable);
  }
}

namespace {

[[noreturn]] void RefuseEmpty(const std::filesystem::path& path) {
  Refuse<EmptyStoreError>(path, "nothing was stored in it yet; a run with --store fills it");
}

std::unique_ptr<Database> OpenWithTables(const std::filesystem::path& path,
                                         Database::Access access) {
  auto db = std::make_unique<Database>(path, access);
  if (db->Number("SELECT count(type) FROM sqlite_schema") == 0) RefuseEmpty(path);
  RequireTables(*db);
  ViewAsUpgraded(*db);
  return db;
}

}  // namespace

std::unique_ptr<Database> OpenStoreToRead(const std::filesystem::path& path) {
  RequireFile(path);
  RequireStoreOrNothing(path);
  std::error_code ignored;
  std::unique_ptr<Database> db;
  try {
    db = OpenWithTables(path, Database::Access::kRead);
  } catch (const SqliteError& e) {
    // A read-only folder has no place for SQLite's shared memory. Without a write-ahead log
    // everything is in the file.
    std::filesystem::path wal = RealPath(path), journal = wal;
    wal += "-wal";
    journal += "-journal";
    if (e.is_damage() || std::filesystem::exists(wal, ignored)) throw;
    // Only the creation of the tables has a journal, which the next writer rolls back: without it
    // the file has half of them.
    if (std::filesystem::exists(journal, ignored)) RefuseEmpty(path);
    db = OpenWithTables(path, Database::Access::kImmutable);
  }
  if (db->Number("PRAGMA application_id") != kStoreId) {
    Refuse(path, "it is not a Crossfold store; use another path");
  }
  return db;
}

}  // namespace crossfold
