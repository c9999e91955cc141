#include "store/ledger/store_check.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>

#include "store/cells/cell_row.h"
#include "store/cells/finding_row.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/store_file.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

std::string Place(std::int64_t series, std::int64_t fold) {
  return "series " + std::to_string(series) + ", fold " + std::to_string(fold + 1);
}

class StoreChecker {
 public:
  explicit StoreChecker(Database& db) : db_(db) {}

  std::vector<std::string> Run(CheckDepth depth) {
    for (const StoredTable* table : kStoredTables) {
      const bool is_large = table == &kDatasetPartTable || table == &kComposedTable;
      if (!is_large || depth != CheckDepth::kTables) CheckTable(*table);
    }
    if (HasFindings(db_)) CheckFindings();
    CheckTotals();
    CheckParts();
    CheckReferences();
    if (depth != CheckDepth::kTables) CheckCells();
    if (depth == CheckDepth::kFile) CheckFile();
    return std::move(damaged_);
  }

  std::vector<std::string> RunOnReferences() {
    CheckReferences();
    return std::move(damaged_);
  }

 private:
  // Calls take(row) on every row, and stops at an unreadable page, which it reports.
  void ForEach(const std::string& sql, const std::string& what,
               const std::function<void(const Statement&)>& take) {
    try {
      Statement row(db_, sql);
      while (row.Step()) take(row);
    } catch (const SqliteError& e) {
      if (!e.is_damage()) throw;
      damaged_.push_back("a page of " + what);
    }
  }

  void CheckTable(const StoredTable& table) {
    const std::string what = "table '" + std::string(table.name) + "'";
    ForEach(SelectFrom(table) + "WHERE NOT " + IsWhole(table), what, [&](const Statement& row) {
      std::string key = row.Text(0);
      for (int c = 1; c < table.n_keys; ++c) key += ", " + row.Text(c);
      damaged_.push_back("row " + key + " of " + what);
    });
  }

  void CheckFindings() {
    ForEach(std::string("SELECT ") + kFindingColumns + " FROM findings", "table 'findings'",
            [this](const Statement& row) {
              const ReadFinding read = ReadFindingRow(row);
              if (!read.is_whole) damaged_.push_back(NameOf(read.row));
            });
  }

  void CheckTotals() {
    ForEach("SELECT id FROM runs WHERE total <> " + RunTotal(HasFindings(db_)),
            "what runs asked for", [this](const Statement& row) {
              damaged_.push_back("what run " + row.Text(0) +
                                 " asked for, combined or noted (rows are missing or were "
                                 "added)");
            });
    ForEach(std::string("SELECT id FROM series WHERE total <> ") + kSeriesTotal,
            "the cells or scores", [this](const Statement& row) {
              damaged_.push_back("cells or scores of series " + row.Text(0) +
                                 " (rows are missing or were added; a run does not fix that, "
                                 "`crossfold repair` does)");
            });
  }

  void CheckParts() {
    const std::string n = std::to_string(kDatasetPartBytes);
    ForEach("SELECT id FROM datasets WHERE (image_bytes + " + n + " - 1) / " + n +
                " > (SELECT count(*) FROM dataset_parts p WHERE p.dataset = datasets.id)",
            "the content of datasets", [this](const Statement& row) {
              damaged_.push_back("the content of dataset " + row.Text(0) + " (parts are missing)");
            });
  }

  // Rows whose series or run is missing are not in a total.
  void CheckReferences() {
    for (const auto& [table, parent, column] :
         {std::tuple("cells", "series", "series"), std::tuple("scores", "series", "series"),
          std::tuple("wanted", "series", "series"), std::tuple("wanted", "runs", "run"),
          std::tuple("composed", "runs", "run"), std::tuple("composed", "datasets", "dataset"),
          std::tuple("series", "learners", "learner"), std::tuple("series", "splits", "splits"),
          std::tuple("splits", "datasets", "dataset"), std::tuple("scores", "metrics", "metric")}) {
      CheckReference(table, parent, column);
    }
    // An older Crossfold that removed runs left their findings.
    if (HasFindings(db_) && HasAllChecksums(db_)) CheckReference("findings", "runs", "run");
  }

  void CheckReference(const std::string& table, const std::string& parent,
                      const std::string& column) {
    // In a repaired store, 0 refers to a lost row.
    ForEach("SELECT " + column + ", count(*) FROM " + table + " WHERE " + column + " <> 0 AND " +
                column + " NOT IN (SELECT id FROM " + parent + ") GROUP BY 1",
            "table '" + table + "'", [&](const Statement& row) {
              const std::string rows = row.Number(1) == 1 ? " row" : " rows";
              damaged_.push_back(row.Text(1) + rows + " of table '" + table + "', as row " +
                                 row.Text(0) + " of table '" + parent + "' is missing");
            });
  }

  void CheckCells() {
    ForEach(std::string("SELECT series, fold, ") + kCellColumns + " FROM cells", "table 'cells'",
            [this](const Statement& row) {
              const std::int64_t series = row.Number(0), fold = row.Number(1);
              if (!ReadCellRow(row, 2, series, fold).is_whole) {
                damaged_.push_back("the cell of " + Place(series, fold));
              }
            });
    ForEach(std::string("SELECT ") + kScoreColumns + " FROM scores", "table 'scores'",
            [this](const Statement& row) {
              const ReadScore read = ReadScoreRow(row);
              if (!read.is_whole) {
                damaged_.push_back("a score of " + Place(read.row.series, read.row.fold));
              }
            });
  }

  void CheckFile() {
    if (CheckFileBy("quick_check(5)")) CheckFileBy("integrity_check(5)");
  }

  // Whether the file is undamaged. The full check counts rows of indices in one step, which would
  // not end in a tree that refers to its pages from many places.
  bool CheckFileBy(const std::string& check) {
    const std::size_t n_damaged = damaged_.size();
    ForEach("PRAGMA " + check, "the file", [this](const Statement& row) {
      if (row.Bytes(0) != "ok") damaged_.push_back("the file: " + row.Text(0));
    });
    return damaged_.size() == n_damaged;
  }

  Database& db_;
  std::vector<std::string> damaged_;
};

}  // namespace

std::vector<std::string> FindDamage(Database& db, CheckDepth depth) {
  return StoreChecker(db).Run(depth);
}

std::vector<std::string> FindRowsWithoutParent(Database& db) {
  return StoreChecker(db).RunOnReferences();
}

}  // namespace crossfold
