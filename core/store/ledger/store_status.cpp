#include "crossfold/store_status.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "crossfold/cell_store.h"
#include "store/cells/cell_log.h"
#include "store/cells/cell_row.h"
#include "store/cells/store_file.h"
#include "store/ledger/noted_design.h"
#include "store/ledger/store_check.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// A store of a killed process has cells in logs; opening it adds them to the tables. If that is not
// possible they are not counted.
void TakeOverLeftLogs(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || !HasLogs(path)) return;
  try {
    CellStore::Open(path, {.for_runs = false});
  } catch (const Error&) {  // reading says what is wrong with the file itself
  }
}

std::vector<RunStatus> ReadRuns(Database& db) {
  std::vector<RunStatus> runs;
  Statement read(db, "SELECT id, started, script FROM runs ORDER BY id");
  while (read.Step()) runs.push_back({read.Number(0), read.Text(1), read.Text(2)});
  return runs;
}

// Counts the folds [first, end) of one series.
class FoldCounts {
 public:
  explicit FoldCounts(Database& db)
      : count_(db,
               "SELECT status, count(*), count(prediction) FROM cells "
               "WHERE series = ? AND fold >= ? AND fold < ? GROUP BY status"),
        notes_(db,
               "SELECT status, notes FROM cells "
               "WHERE series = ? AND fold >= ? AND fold < ? AND notes IS NOT NULL") {}

  void Add(std::int64_t series, std::int64_t first, std::int64_t end, LearnerStatus& to) {
    const ResetAtEnd reset(count_);
    count_.Bind(1, series).Bind(2, first).Bind(3, end);
    to.wanted += end - first;
    while (count_.Step()) {
      const std::int64_t n = count_.Number(1);
      (count_.Number(0) == 0 ? to.done : count_.Number(0) == 1 ? to.failed : to.stopped) += n;
      to.predictions += count_.Number(2);
    }
    AddCauses(series, first, end, to);
  }

 private:
  void AddCauses(std::int64_t series, std::int64_t first, std::int64_t end, LearnerStatus& to) {
    const ResetAtEnd reset(notes_);
    notes_.Bind(1, series).Bind(2, first).Bind(3, end);
    while (notes_.Step()) {
      CellRow row;
      row.status = static_cast<StoredStatus>(std::clamp<std::int64_t>(notes_.Number(0), 0, 2));
      row.notes = notes_.Text(1);
      try {
        const Outcome outcome = ToOutcome(row);
        if (outcome.status == OutcomeStatus::kFailed) {
          ++to.causes[static_cast<std::size_t>(CauseOf(outcome.failure))];
        }
        to.retried += std::ranges::any_of(outcome.warnings, IsTryWarning) ? 1 : 0;
      } catch (const plugin::Error&) {  // damaged
      }
    }
  }

  Statement count_, notes_;
};

// A range that several runs or batches asked for counts once.
std::vector<LearnerStatus> ReadLearners(Database& db, std::optional<std::int64_t> run) {
  Statement wanted(db, std::string("SELECT dataset, learner, inner, series, first, count "
                                   "FROM wanted ") +
                           (run ? "WHERE run = ? " : "") +
                           "ORDER BY dataset, learner, inner, series, first");
  if (run) wanted.Bind(1, *run);
  FoldCounts counts(db);
  std::vector<LearnerStatus> learners;
  std::int64_t series = 0, end = 0;
  while (wanted.Step()) {
    const std::string dataset = wanted.Text(0), learner = wanted.Text(1);
    const bool inner = wanted.Number(2) != 0;
    if (learners.empty() || learners.back().dataset != dataset ||
        learners.back().learner != learner || learners.back().inner != inner) {
      learners.push_back({learner, dataset, inner});
      series = 0;
    }
    if (wanted.Number(3) != series) end = 0;
    series = wanted.Number(3);
    if (!HasFolds({series, inner, learner, dataset, wanted.Number(4), wanted.Number(5)})) {
      db.ThrowDamaged();
    }
    const std::int64_t first = std::max(wanted.Number(4), end);
    const std::int64_t stop = std::max(wanted.Number(4) + wanted.Number(5), end);
    counts.Add(series, first, stop, learners.back());
    end = stop;
  }
  for (LearnerStatus& one : learners) {
    one.missing = one.wanted - one.done - one.failed - one.stopped;
  }
  return learners;
}

// Runs and learners whose import the run noted.
std::set<std::pair<std::int64_t, std::string>> FindImported(Database& db,
                                                            const std::string& of_run) {
  std::set<std::pair<std::int64_t, std::string>> imported;
  if (!HasFindings(db)) return imported;
  Statement design(db, "SELECT run, body FROM findings WHERE kind = 'evaluate'" + of_run);
  while (design.Step()) {
    const std::optional<JsonValue> body = ParseJson(design.Text(1));
    if (!body) continue;
    for (const NotedLearner& one : ReadDesign(*body).learners) {
      if (!one.imported.empty()) imported.emplace(design.Number(0), one.name);
    }
  }
  return imported;
}

// Adds the folds that no cell stands for, by dataset and learner.
void AddComposed(Database& db, std::optional<std::int64_t> run,
                 std::vector<LearnerStatus>& learners) {
  const std::string of_run = run ? " AND run = " + std::to_string(*run) : "";
  const auto imported = FindImported(db, of_run);
  std::map<std::pair<std::string, std::string>, LearnerStatus> found;
  // Each fold once, as the last run that has it.
  Statement fold(db,
                 "SELECT max(run), dataset_name, learner, prediction IS NULL, failure IS NULL FROM "
                 "composed WHERE 1" +
                     of_run + " GROUP BY dataset_name, learner, repeat, fold");
  while (fold.Step()) {
    const auto is_it = [&](const auto& one) {
      return one.first == fold.Number(0) && IsNameInStore(one.second, fold.Text(2));
    };
    LearnerStatus& status = found[{fold.Text(1), fold.Text(2)}];
    status.dataset = fold.Text(1);
    status.learner = fold.Text(2);
    (std::ranges::any_of(imported, is_it) ? status.imported : status.in_lua) = true;
    ++status.wanted;
    ++(fold.Number(4) != 0 ? status.done : status.failed);
    status.predictions += fold.Number(3) == 0 ? 1 : 0;
  }
  for (auto& [name, status] : found) learners.push_back(std::move(status));
}

}  // namespace

StoreStatus ReadStoreStatus(const std::filesystem::path& path, std::optional<std::int64_t> run) {
  TakeOverLeftLogs(path);
  const std::unique_ptr<Database> db = OpenStoreToRead(path);
  db->Execute("BEGIN");  // one state of the file for all counts
  StoreStatus status;
  status.runs = ReadRuns(*db);
  const auto is_asked = [&](const RunStatus& one) { return !run || one.id == *run; };
  if (run && std::ranges::none_of(status.runs, is_asked)) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot report the status of run " + std::to_string(*run) + " of store '" +
                    path.string() + "': it has no such run; the last one is run " +
                    std::to_string(status.runs.empty() ? 0 : status.runs.back().id));
  }
  status.damaged = FindDamage(*db, CheckDepth::kRows);
  status.learners = ReadLearners(*db, run);
  AddComposed(*db, run, status.learners);
  Statement cells(*db, "SELECT count(*), count(prediction), sum(length(prediction)) FROM cells");
  cells.Step();
  status.cells = cells.Number(0);
  status.predictions = cells.Number(1);
  status.prediction_bytes = cells.Number(2);
  status.datasets = db->Number("SELECT count(id) FROM datasets");
  status.file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
  return status;
}

}  // namespace crossfold
