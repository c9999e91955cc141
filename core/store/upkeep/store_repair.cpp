#include "crossfold/store_repair.h"

#include <sqlite3.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "store/cells/cell_commit.h"
#include "store/cells/cell_log.h"
#include "store/cells/cell_row.h"
#include "store/cells/finding_row.h"
#include "store/cells/store_file.h"
#include "store/cells/stored_table.h"
#include "store/ledger/store_check.h"

namespace crossfold {
namespace {

// Reads in the order of the key from both ends until a damaged page stops it.
bool TryStep(Statement& statement) {
  try {
    return statement.Step();
  } catch (const SqliteError&) {
    return false;
  }
}

std::string Ordered(const StoredTable& table, const char* direction) {
  std::string order, columns = table.columns;
  std::size_t at = 0;
  for (int k = 0; k < table.n_keys; ++k) {
    const std::size_t comma = columns.find(',', at);
    order += (k == 0 ? "" : ",") + columns.substr(at, comma - at) + direction;
    at = comma + 1;
  }
  return order;
}

class Repair {
 public:
  Repair(Database& from, Database& to) : from_(from), to_(to) {}

  RepairReport Run() {
    Transaction transaction(to_);
    for (const StoredTable* table : kStoredTables) Copy(*table);
    CopyFindings();
    CopyCells();
    CopyScores();
    transaction.Commit();
    TakeLeftLogs();
    RepairReport report = Report();
    report.damaged = NamesOfDamage();
    ForgetLostIds();
    return report;
  }

 private:
  void Copy(const StoredTable& table) {
    Statement insert(to_, InsertInto(table, "INSERT OR IGNORE"));
    for (const char* direction : {"", " DESC"}) {
      CopyUntilDamage(SelectFrom(table) + "ORDER BY " + Ordered(table, direction),
                      [&](const Statement& read) { InsertWhole(read, table, insert); });
    }
    if (table.n_keys == 1) CopyById(table, insert);
  }

  template <class Take>
  void CopyUntilDamage(const std::string& select, const Take& take) {
    try {
      Statement read(from_, select);
      while (TryStep(read)) take(read);
    } catch (const SqliteError&) {  // the table itself cannot be found
    }
  }

  static void InsertWhole(const Statement& read, const StoredTable& table, Statement& insert) {
    if (read.Number(table.n_columns) != 0) InsertRow(read, table.n_columns, insert);
  }

  void CopyFindings() {
    Statement insert(to_, std::string("INSERT OR IGNORE INTO findings(") + kFindingColumns +
                              ", run) VALUES(" + NumberedMarks(8) + ")");
    for (const char* direction : {"", " DESC"}) {
      CopyUntilDamage(std::string("SELECT ") + kFindingColumns +
                          ", run FROM findings ORDER BY run" + direction + ", experiment" +
                          direction + ", kind" + direction + ", name" + direction,
                      [&](const Statement& read) {
                        if (ReadFindingRow(read).is_whole) InsertRow(read, 8, insert);
                      });
    }
  }

  // A run that has lost rows counts as unfinished, because its requests are no longer known.
  void CountTotals() {
    to_.Execute((std::string("UPDATE series SET total = ") + kSeriesTotal).c_str());
    CopyUntilDamage("SELECT id, total FROM runs", [this](const Statement& run) {
      if (run.IsNull(1)) return;
      Statement(to_, "UPDATE runs SET total = ?2 WHERE id = ?1 AND ?2 = " + RunTotal(),
                run.Number(0), run.Number(1))
          .Run();
      if (to_.changes() == 1) return;
      Statement(to_, "UPDATE runs SET finished = 0 WHERE id = ?1", run.Number(0)).Run();
      if (to_.changes() == 1) Reseal(to_, kRunTable, run.Number(0));
    });
  }

  // Reads rows between damaged pages, one by one.
  void CopyById(const StoredTable& table, Statement& insert) {
    if (&table == &kPluginTable) return;
    const std::int64_t last = LastId(table.name);
    try {
      Statement read(from_, SelectFrom(table) + "WHERE id = ?");
      for (std::int64_t id = 1; id <= last; ++id) {
        const ResetAtEnd reset(read);
        read.Bind(1, id);
        if (TryStep(read)) InsertWhole(read, table, insert);
      }
    } catch (const SqliteError&) {
    }
  }

  static void InsertRow(const Statement& read, int n, Statement& insert) {
    try {
      for (int c = 0; c < n; ++c) insert.BindFrom(c + 1, read, c);
      insert.Run();
    } catch (const SqliteError& e) {
      insert.Reset();
      if (e.code() != SQLITE_CONSTRAINT && e.code() != SQLITE_MISMATCH) throw;  // else: nonsense
    }
  }

  // A damaged number of rows must not make this loop endless.
  std::int64_t LastId(const char* table) {
    constexpr std::int64_t kMax = 100'000'000;
    std::int64_t last = to_.Number(std::string("SELECT max(id) FROM ") + table);
    for (const char* users : {"SELECT max(series) FROM wanted", "SELECT max(learner) FROM series",
                              "SELECT max(splits) FROM series"}) {
      last = std::max(last, to_.Number(users));
    }
    return std::min(last, kMax);
  }

  // Reads series by series, so that a damaged page costs only what is on it; then fold by fold
  // around it.
  void CopyCells() {
    Statement insert(to_, InsertCell("INSERT OR IGNORE"));
    const std::string select =
        std::string("SELECT series, fold, ") + kCellColumns + " FROM cells WHERE series = ?";
    try {
      Statement up(from_, select + " ORDER BY fold");
      Statement down(from_, select + " ORDER BY fold DESC");
      Statement one(from_, select + " AND fold = ?");
      Statement series(to_,
                       "SELECT s.id, max(p.n_folds, 1), coalesce(w.n_folds, 0) FROM series s "
                       "LEFT JOIN splits p ON p.id = s.splits LEFT JOIN (SELECT series, "
                       "max(first + count) AS n_folds FROM wanted GROUP BY series) w "
                       "ON w.series = s.id");
      while (series.Step()) {
        const std::int64_t id = series.Number(0);
        if (CopySeries(up, id, insert)) continue;
        CopySeries(down, id, insert);
        // Bounds the loop for damaged numbers.
        const std::int64_t end =
            std::min(std::max(series.Number(1), series.Number(2)), from_.num_bytes());
        for (std::int64_t fold = 0; fold < end; ++fold) CopyFold(one, id, fold, insert);
      }
    } catch (const SqliteError& e) {
      if (!e.is_damage()) throw;
    }
  }

  // Whether all of it could be read.
  bool CopySeries(Statement& read, std::int64_t id, Statement& insert) {
    const ResetAtEnd reset(read);
    try {
      read.Bind(1, id);
      while (read.Step()) CopyCell(read, insert);
      return true;
    } catch (const SqliteError& e) {
      if (!e.is_damage()) throw;
      return false;
    }
  }

  void CopyFold(Statement& read, std::int64_t id, std::int64_t fold, Statement& insert) {
    const ResetAtEnd reset(read);
    read.Bind(1, id).Bind(2, fold);
    if (TryStep(read)) CopyCell(read, insert);
  }

  void CopyCell(const Statement& read, Statement& insert) {
    if (ReadCellRow(read, 2, read.Number(0), read.Number(1)).is_whole) InsertRow(read, 10, insert);
  }

  // Saves rows with a correct checksum, of cells and metrics that are saved: the id of a lost one
  // may be used again.
  void CopyScores() {
    Statement insert(to_, InsertScore("INSERT OR IGNORE"));
    const std::set<std::int64_t> metrics = SavedMetrics();
    try {
      Statement cells(to_, "SELECT series, fold FROM cells");
      Statement read(from_, std::string("SELECT ") + kScoreColumns +
                                " FROM scores WHERE series = ? AND fold = ?");
      while (cells.Step()) {
        const ResetAtEnd reset(read);
        read.Bind(1, cells.Number(0)).Bind(2, cells.Number(1));
        while (TryStep(read)) {
          const auto [row, is_whole, checksum] = ReadScoreRow(read);
          if (is_whole && metrics.contains(row.metric)) InsertRow(read, 6, insert);
        }
      }
    } catch (const SqliteError& e) {
      if (!e.is_damage()) throw;
    }
  }

  std::set<std::int64_t> SavedMetrics() {
    std::set<std::int64_t> ids;
    Statement row(to_, "SELECT id FROM metrics");
    while (row.Step()) ids.insert(row.Number(0));
    return ids;
  }

  std::vector<std::string> NamesOfDamage() {
    try {
      return FindDamage(from_, CheckDepth::kRows);
    } catch (const SqliteError& e) {  // a table cannot be found
      return {e.what()};
    }
  }

  // Cells that a killed process had not moved into the tables yet.
  void TakeLeftLogs() {
    const CellCommit::Warn silent;
    CellCommit(to_, silent).Write(ReadLeftLogs(from_.path()));
  }

  // A cell is lost if a run asked for it and it is missing; some may never have been computed.
  RepairReport Report() {
    std::map<std::string, RepairReport::Learner> learners;
    const auto add = [&](const char* sql, auto member) {
      Statement read(to_, sql);
      while (read.Step()) {
        RepairReport::Learner& one = learners[read.Text(0)];
        one.learner = read.Text(0);
        one.*member += read.Number(1);
      }
    };
    add("SELECT coalesce(l.text, ''), count(*) FROM cells c LEFT JOIN series s ON s.id = c.series "
        "LEFT JOIN learners l ON l.id = s.learner GROUP BY 1",
        &RepairReport::Learner::saved);
    AddLost(learners);
    RepairReport report;
    for (auto& [name, one] : learners) {
      report.saved += one.saved;
      report.lost += one.lost;
      report.learners.push_back(std::move(one));
    }
    return report;
  }

  // A lost id may be used again, so nothing may still refer to it. A series gets its learner and
  // split back from the next run that asks for it (Definitions).
  void ForgetLostIds() {
    Transaction transaction(to_);
    for (const std::string& sql : std::initializer_list<std::string>{
             "UPDATE series SET learner = 0 WHERE learner NOT IN (SELECT id FROM learners)",
             "UPDATE series SET splits = 0 WHERE splits NOT IN (SELECT id FROM splits)",
             "UPDATE series SET checksum = " + ChecksumOf(kSeriesTable),
             "DELETE FROM dataset_parts WHERE dataset NOT IN (SELECT id FROM datasets)",
             "DELETE FROM wanted WHERE run NOT IN (SELECT id FROM runs) OR "
             "series NOT IN (SELECT id FROM series) OR first < 0 OR count < 1 OR "
             "first >= 1 << 40 OR count >= 1 << 40",
             "DELETE FROM wanted WHERE EXISTS (SELECT 1 FROM series s JOIN splits p "
             "ON p.id = s.splits WHERE s.id = wanted.series AND p.n_folds > 0 AND "
             "first + count > p.n_folds)",
             "DELETE FROM composed WHERE run NOT IN (SELECT id FROM runs)",
             "DELETE FROM findings WHERE run NOT IN (SELECT id FROM runs)"}) {
      to_.Execute(sql.c_str());
    }
    CountTotals();
    transaction.Commit();
  }

  void AddLost(std::map<std::string, RepairReport::Learner>& learners) {
    Statement wanted(to_,
                     "SELECT coalesce(l.text, ''), w.series, w.first, w.count FROM wanted w LEFT "
                     "JOIN series s ON s.id = w.series LEFT JOIN learners l ON l.id = s.learner "
                     "ORDER BY w.series, w.first");
    Statement there(to_, "SELECT count(*) FROM cells WHERE series = ? AND fold >= ? AND fold < ?");
    std::int64_t series = 0, end = 0;
    while (wanted.Step()) {
      if (wanted.Number(1) != series) end = 0;
      series = wanted.Number(1);
      const std::int64_t first = std::max(wanted.Number(2), end);
      end = std::max(wanted.Number(2) + wanted.Number(3), end);
      const ResetAtEnd reset(there);
      there.Bind(1, series).Bind(2, first).Bind(3, end).Step();
      RepairReport::Learner& one = learners[wanted.Text(0)];
      one.learner = wanted.Text(0);
      one.lost += end - first - there.Number(0);
    }
  }

  Database& from_;
  Database& to_;
};

// The first page says where the tables are.
void RequireFirstPage(Database& db) {
  bool is_store = false;
  try {
    is_store = db.Number("PRAGMA application_id") == kStoreId &&
               db.Number("SELECT count(type) FROM sqlite_schema") > 0;
  } catch (const SqliteError& e) {  // not a database
    if (!e.is_damage()) throw;
  }
  if (is_store) return;
  throw Error(ErrorKind::kBadData, "cannot repair store '" + db.path().string() +
                                       "': it is not a Crossfold store, or its first page is "
                                       "damaged; restore the file from a copy");
}

}  // namespace

RepairReport RepairStore(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code ignored;
  if (std::filesystem::exists(to, ignored)) {
    throw Error(ErrorKind::kIo, "cannot repair store '" + from.string() + "' into '" + to.string() +
                                    "': the file exists already; use another path");
  }
  const std::unique_ptr<Database> source = OpenDamagedStore(from);
  RequireFirstPage(*source);
  const std::string attempt =
      "cannot repair store '" + from.string() + "' into '" + to.string() + "': ";
  RepairReport report;
  MakeStoreFile(to, attempt, [&](const std::filesystem::path& file) {
    const std::unique_ptr<Database> target = OpenStoreFile(file);
    target->set_name(to);
    report = Repair(*source, *target).Run();
    CopyFormat(*source, *target);
  });
  return report;
}

}  // namespace crossfold
