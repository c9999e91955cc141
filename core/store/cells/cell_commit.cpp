#include "store/cells/cell_commit.h"

#include "store/cells/cell_keys.h"

namespace crossfold {
namespace {

// Whether two rows are equal, as far as both have the values.
bool Agree(const CellRow& a, const CellRow& b) {
  return HaveSameNotes(a, b) && a.n_train == b.n_train && a.n_test == b.n_test &&
         (!a.prediction || !b.prediction || a.prediction == b.prediction);
}

// Sets the durability of commits as long as it exists.
class FullySynchronous {
 public:
  explicit FullySynchronous(Database& db) : db_(db) { db_.Execute("PRAGMA synchronous = FULL"); }
  ~FullySynchronous() {
    try {
      db_.Execute("PRAGMA synchronous = NORMAL");
    } catch (const Error&) {  // stays safer than needed
    }
  }
  FullySynchronous(const FullySynchronous&) = delete;
  FullySynchronous& operator=(const FullySynchronous&) = delete;

 private:
  Database& db_;
};

}  // namespace

CellCommit::CellCommit(Database& db, const Warn& warn)
    : db_(db),
      warn_(warn),
      insert_cell_(db, InsertCell("INSERT OR IGNORE")),
      replace_cell_(db, InsertCell("INSERT OR REPLACE")),
      find_cell_(
          db, std::string("SELECT ") + kCellColumns + " FROM cells WHERE series = ? AND fold = ?"),
      insert_score_(db, InsertScore("INSERT OR IGNORE")),
      replace_score_(db, InsertScore("INSERT OR REPLACE")),
      find_score_(db, std::string("SELECT ") + kScoreColumns +
                          " FROM scores WHERE series = ? AND fold = ? AND metric = ?"),
      drop_scores_(db, "DELETE FROM scores WHERE series = ? AND fold = ?"),
      sum_scores_(db, "SELECT sum(checksum) FROM scores WHERE series = ? AND fold = ?"),
      change_total_(db, "UPDATE series SET total = total + ?2 WHERE id = ?1"),
      find_series_(db, "SELECT id FROM series WHERE key = ?"),
      find_metric_(db, "SELECT id FROM metrics WHERE key = ?"),
      name_series_(db,
                   "SELECT l.text, s.repeat FROM series s JOIN learners l ON l.id = s.learner "
                   "WHERE s.id = ?") {}

void CellCommit::Write(std::span<const FinishedCell> cells) {
  if (cells.empty()) return;
  const FullySynchronous synchronous(db_);
  Transaction transaction(db_);
  totals_.clear();
  for (const FinishedCell& cell : cells) {
    if (cell.series.id != 0) {
      WriteOne(cell);
      continue;
    }
    FinishedCell resolved = cell;
    if (Resolve(resolved)) WriteOne(resolved);
  }
  for (const auto& [series, change] : totals_) {
    if (change != 0) change_total_.Bind(1, series).Bind(2, change).Run();
  }
  transaction.Commit();
}

bool CellCommit::Resolve(FinishedCell& cell) {
  const auto find = [](Statement& statement, StoredId& id) {
    const ResetAtEnd reset(statement);
    if (!statement.BindBlob(1, BytesOf(id.key)).Step()) return false;
    id.id = statement.Number(0);
    return true;
  };
  if (!find(find_series_, cell.series)) return false;
  std::erase_if(cell.scores, [&](StoredScore& one) { return !find(find_metric_, one.metric); });
  return true;
}

void CellCommit::WriteOne(const FinishedCell& cell) {
  if (cell.row && !WriteRow(cell)) return;
  for (const StoredScore& one : cell.scores) WriteScore(cell, one);
}

bool CellCommit::WriteRow(const FinishedCell& cell) {
  const std::int64_t checksum = BindCell(insert_cell_, cell.series.id, cell.fold, *cell.row);
  insert_cell_.Run();
  if (db_.changes() == 1) {
    totals_[cell.series.id] += checksum;
    return true;
  }
  replaced_checksum_ = 0;
  const Verdict verdict = Compare(cell);
  if (verdict == Verdict::kDiffers) WarnOf(cell);
  if (verdict == Verdict::kDiffers || verdict == Verdict::kWorse) return false;
  if (verdict == Verdict::kSame) return true;
  if (verdict == Verdict::kBetter) DropScores(cell);
  BindCell(replace_cell_, cell.series.id, cell.fold, *cell.row);
  replace_cell_.Run();
  totals_[cell.series.id] += checksum - replaced_checksum_;
  return true;
}

void CellCommit::DropScores(const FinishedCell& cell) {
  {
    const ResetAtEnd reset(sum_scores_);
    sum_scores_.Bind(1, cell.series.id).Bind(2, cell.fold).Step();
    totals_[cell.series.id] -= sum_scores_.Number(0);
  }
  drop_scores_.Bind(1, cell.series.id).Bind(2, cell.fold).Run();
}

// A usable result is never replaced by an unusable one.
CellCommit::Verdict CellCommit::Compare(const FinishedCell& cell) {
  const ResetAtEnd reset(find_cell_);
  find_cell_.Bind(1, cell.series.id).Bind(2, cell.fold);
  if (!find_cell_.Step()) return Verdict::kBetter;
  const auto [stored, is_whole, checksum] = ReadCellRow(find_cell_, 0, cell.series.id, cell.fold);
  replaced_checksum_ = checksum;
  if (!is_whole || stored.status == StoredStatus::kStopped) return Verdict::kBetter;
  if (cell.row->status == StoredStatus::kStopped) return Verdict::kWorse;
  if (Agree(stored, *cell.row)) {
    return !stored.prediction && cell.row->prediction ? Verdict::kMore : Verdict::kSame;
  }
  const bool tried_again = cell.replaces && stored.status == StoredStatus::kFailed;
  return tried_again ? Verdict::kBetter : Verdict::kDiffers;
}

void CellCommit::WriteScore(const FinishedCell& cell, const StoredScore& one) {
  const ScoreRow row{cell.series.id, cell.fold, one.metric.id, one.score};
  BindScore(insert_score_, row);
  insert_score_.Run();
  if (db_.changes() == 0) return CompareScore(cell, row);
  totals_[row.series] += ChecksumOf(row);
}

// With the score that is stored already; a damaged one is replaced.
void CellCommit::CompareScore(const FinishedCell& cell, const ScoreRow& row) {
  ReadScore stored;
  {
    const ResetAtEnd reset(find_score_);
    find_score_.Bind(1, row.series).Bind(2, row.fold).Bind(3, row.metric);
    if (find_score_.Step()) stored = ReadScoreRow(find_score_);
  }
  if (stored.is_whole) {
    if (!AreSame(stored.row.score, row.score)) WarnOf(cell);
    return;
  }
  BindScore(replace_score_, row);
  replace_score_.Run();
  totals_[row.series] += ChecksumOf(row) - stored.checksum;
}

void CellCommit::WarnOf(const FinishedCell& cell) {
  if (!warn_) return;
  const ResetAtEnd reset(name_series_);
  if (!name_series_.Bind(1, cell.series.id).Step()) return;
  warn_("learner '" + name_series_.Text(0) + "' is not reproducible: repeat " +
        std::to_string(name_series_.Number(1) + 1) + ", fold " + std::to_string(cell.fold + 1) +
        " gave a different result from the one in store '" + db_.path().string() +
        "', which is kept");
}

}  // namespace crossfold
