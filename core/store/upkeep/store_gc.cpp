#include "crossfold/store_gc.h"

#include <memory>
#include <string>
#include <vector>

#include "crossfold/cell_store.h"
#include "crossfold/store_findings.h"
#include "store/cells/cell_log.h"
#include "store/cells/store_file.h"
#include "store/cells/stored_table.h"
#include "store/ledger/store_check.h"

namespace crossfold {
namespace {

// Cells that none of the remaining runs asked for.
constexpr const char* kUnwanted =
    "NOT EXISTS (SELECT 1 FROM wanted w WHERE w.series = cells.series AND "
    "cells.fold >= w.first AND cells.fold < w.first + w.count)";

void RequireUnused(const std::filesystem::path& path) {
  const std::vector<std::int64_t> users = FindUsers(path);
  if (users.empty()) return;
  throw Error(ErrorKind::kIo, "cannot make store '" + path.string() + "' smaller: process " +
                                  std::to_string(users.front()) +
                                  " uses it; try again when that has ended");
}

std::int64_t RemoveRows(Database& db, const std::string& table, const std::string& where) {
  Statement remove(db, "DELETE FROM " + table + " WHERE " + where);
  remove.Run();
  return db.changes();
}

std::int64_t RemoveUnused(Database& db, const std::string& table, const std::string& uses) {
  return RemoveRows(db, table, "id NOT IN (" + uses + ")");
}

void RemoveOldRuns(Database& db, std::int64_t keep, GcReport& report) {
  // A stopped run has not asked for all of its cells, so only finished runs replace others. A run
  // that opened a lockbox stays.
  const std::string old =
      "(SELECT id FROM runs WHERE (SELECT count(*) FROM runs newer WHERE newer.script = "
      "runs.script "
      "AND newer.id > runs.id AND newer.finished = 1) >= " +
      std::to_string(keep) + " AND id NOT IN (SELECT run FROM findings WHERE kind = '" +
      kLockboxFinding + "'))";
  RemoveRows(db, "wanted", "run IN " + old);
  RemoveRows(db, "composed", "run IN " + old);
  report.runs = RemoveRows(db, "runs", "id IN " + old);
  // Also those of runs that an older Crossfold removed.
  RemoveRows(db, "findings", "run NOT IN (SELECT id FROM runs)");
}

void RemoveUnwanted(Database& db, GcReport& report) {
  db.Execute("CREATE INDEX temp_wanted ON wanted(series, first)");
  report.predictions =
      db.Number(std::string("SELECT count(prediction) FROM cells WHERE ") + kUnwanted);
  report.cells = RemoveRows(db, "cells", kUnwanted);
  db.Execute("DROP INDEX temp_wanted");
  RemoveRows(db, "scores",
             "NOT EXISTS (SELECT 1 FROM cells c WHERE c.series = scores.series AND "
             "c.fold = scores.fold)");
  RemoveUnused(db, "series", "SELECT series FROM wanted");
  report.learners = RemoveUnused(db, "learners", "SELECT learner FROM series");
  RemoveUnused(db, "splits", "SELECT splits FROM series");
  RemoveUnused(db, "metrics", "SELECT metric FROM scores");
  report.datasets =
      RemoveUnused(db, "datasets",
                   "SELECT dataset FROM splits UNION SELECT dataset FROM composed UNION SELECT "
                   "d.id FROM datasets d JOIN findings f ON f.dataset = d.hash");
  RemoveRows(db, "dataset_parts", "dataset NOT IN (SELECT id FROM datasets)");
  db.Execute((std::string("UPDATE series SET total = ") + kSeriesTotal).c_str());
}

// With a damaged row, cells that a run asked for might be removed. The removal may take many steps,
// as runs and ranges are compared with each other, so the bound on them is lifted for an undamaged
// store.
void RequireWhole(Database& db) {
  std::vector<std::string> damaged = FindDamage(db, CheckDepth::kTables);
  if (damaged.empty() && db.Text("PRAGMA quick_check(1)") != "ok") damaged.push_back("a page");
  if (damaged.empty()) return db.LiftBound();
  const std::string path = db.path().string();
  throw Error(ErrorKind::kBadData, "cannot make store '" + path + "' smaller: " + damaged.front() +
                                       (damaged.size() == 1 ? "" : " and more") +
                                       " is damaged; `crossfold repair " + path +
                                       " NEW` recovers what is intact");
}

// False = another connection reads what was there before.
bool MakeFileSmaller(Database& db) {
  db.Execute("PRAGMA busy_timeout = 2000");  // milliseconds; who reads may do so for long
  return db.Number("PRAGMA wal_checkpoint(TRUNCATE)") == 0;
}

}  // namespace

GcReport CollectStoreGarbage(const std::filesystem::path& path, const GcOptions& options) {
  if (options.runs < 0) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot make store '" + path.string() + "' smaller: runs is " +
                    std::to_string(options.runs) + "; it must be 0 or more");
  }
  OpenStoreToRead(path);  // never makes a file
  RequireUnused(path);
  if (HasLogs(path)) CellStore::Open(path, {.for_runs = false});  // cells that a killed process left
  const std::unique_ptr<Database> db = OpenStoreFile(path);
  GcReport report;
  db->Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  report.bytes_before = static_cast<std::int64_t>(std::filesystem::file_size(path));
  {
    Transaction transaction(*db);
    RequireUnused(path);  // one that opens it from now on waits for this transaction
    RequireWhole(*db);
    RemoveOldRuns(*db, options.runs, report);
    RemoveUnwanted(*db, report);
    transaction.Commit();
  }
  db->Execute("VACUUM");
  report.is_read = !MakeFileSmaller(*db);
  report.bytes_after = static_cast<std::int64_t>(std::filesystem::file_size(path));
  return report;
}

}  // namespace crossfold
