// Puts finished cells into the tables.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"

namespace crossfold {

class CellCommit {
 public:
  using Warn = std::function<void(const std::string&)>;
  // Both must outlive this.
  CellCommit(Database& db, const Warn& warn);

  // Writes the cells in one transaction, which is on the disk when it returns. Cells with id 0 are
  // found by their keys; those whose series or metric the file does not know are left out. Throws
  // SqliteError.
  void Write(std::span<const FinishedCell> cells);

 private:
  void WriteOne(const FinishedCell& cell);
  // A cell for a place where another one is stored already.
  enum class Verdict {
    kSame,
    kMore,     // the same with its prediction
    kBetter,   // the stored one is unusable
    kWorse,    // it was stopped; the other one was not
    kDiffers,  // both are results
  };
  // Whether the stored row says what `cell` says.
  bool WriteRow(const FinishedCell& cell);
  Verdict Compare(const FinishedCell& cell);
  void DropScores(const FinishedCell& cell);
  void WriteScore(const FinishedCell& cell, const StoredScore& one);
  void CompareScore(const FinishedCell& cell, const ScoreRow& row);
  bool Resolve(FinishedCell& cell);
  void WarnOf(const FinishedCell& cell);

  Database& db_;
  const Warn& warn_;
  std::map<std::int64_t, std::int64_t> totals_;  // changes of the totals of series
  std::int64_t replaced_checksum_ = 0;           // of the row that Compare saw
  Statement insert_cell_, replace_cell_, find_cell_, insert_score_, replace_score_, find_score_,
      drop_scores_, sum_scores_, change_total_;
  Statement find_series_, find_metric_, name_series_;
};

}  // namespace crossfold
