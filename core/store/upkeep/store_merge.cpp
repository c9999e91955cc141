#include "crossfold/store_merge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "crossfold/cell_store.h"
#include "crossfold/error.h"
#include "store/cells/cell_commit.h"
#include "store/cells/cell_log.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/store_file.h"
#include "store/cells/store_impl.h"
#include "store/cells/stored_table.h"
#include "store/ledger/ledger_places.h"
#include "store/ledger/store_check.h"
#include "store/ledger/store_reader.h"
#include "store/upkeep/finding_merge.h"

namespace crossfold {
namespace {

// The maximum size of one transaction.
constexpr std::size_t kBatchCells = 1000;
constexpr std::size_t kBatchBytes = std::size_t{64} << 20;

using Ids = std::map<std::int64_t, std::int64_t>;  // in the part -> in the merged store

bool SameBlob(const Statement& a, int column_a, const Statement& b, int column_b) {
  return a.IsNull(column_a) == b.IsNull(column_b) && a.Bytes(column_a) == b.Bytes(column_b);
}

// Copies one store into another.
class PartMerger {
 public:
  PartMerger(StoreReader& from, Database& to, MergedPart& part, MergeReport& report)
      : from_(from),
        to_(to),
        part_(part),
        report_(report),
        warn_([&report, from_store = "store '" + part.path.string() + "': "](std::string text) {
          text = from_store + text;
          if (report.conflicts.empty() || report.conflicts.back() != text) {
            report.conflicts.push_back(std::move(text));
          }
        }) {}

  void Merge() {
    // A pass over series and runs never finds these.
    for (std::string& name : FindRowsWithoutParent(from_.db())) {
      NoteDamage(std::move(name) + " in '" + part_.path.string() + "'");
    }
    {
      Transaction transaction(to_);
      MergePlugins();
      MergeDatasets();
      MergeSplits();
      MergeLearners();
      MergeMetrics();
      MergeSeries();
      MergeRuns();
      MergeWanted();
      MergeComposed();
      MergeFindings();
      CloseRuns();
      transaction.Commit();
    }
    MergeCells();
  }

 private:
  void NoteDamage(std::string what) { report_.damaged.push_back(std::move(what)); }

  // Whether the definition that `read` reads is undamaged; if not, it is left out.
  bool IsDefined(const std::string& what, const std::function<void()>& read) {
    try {
      read();
      return true;
    } catch (const SqliteError&) {
      throw;
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kBadData) throw;
      NoteDamage(what);
      return false;
    }
  }

  // The next undamaged row of a table of the part; damaged ones are reported as `noun` and their
  // key.
  bool StepToWhole(Statement& row, const StoredTable& table, const std::string& noun) {
    while (row.Step()) {
      if (row.Number(table.n_columns) != 0) return true;
      NoteDamage(noun + " " + row.Text(0));
    }
    return false;
  }

  static std::int64_t Mapped(const Ids& ids, std::int64_t id) {
    const auto found = ids.find(id);
    return found == ids.end() ? 0 : found->second;
  }

  void MergePlugins() {
    Statement row(from_.db(), SelectFrom(kPluginTable));
    Statement insert(to_, InsertInto(kPluginTable, "INSERT OR IGNORE"));
    while (StepToWhole(row, kPluginTable, "plugin")) {
      for (int c = 0; c < 5; ++c) insert.BindText(c + 1, row.Bytes(c));
      insert.Run();
    }
  }

  void MergeDatasets() {
    Statement row(from_.db(), SelectFrom(kDatasetTable));
    KeyedRows rows(to_, kDatasetTable, "hash");
    Statement insert(to_, InsertInto(kDatasetTable, "INSERT OR REPLACE"));
    while (StepToWhole(row, kDatasetTable, "dataset")) {
      const auto [known, is_whole] = rows.Find(row.Bytes(1), /*is_text=*/true);
      const std::int64_t id = known != 0 ? known : rows.NextId();
      if (known != 0) datasets_[row.Number(0)] = known;
      if (is_whole && (row.Number(4) == 0 || KeepsContent(known))) continue;
      const std::string name = "dataset " + row.Text(1).substr(0, 12);
      if (!IsDefined(name, [&] { from_.LoadDataset(row.Number(0)); })) continue;
      insert.BindAll(id, row.Bytes(1), row.Number(2), row.Number(3), row.Number(4)).Run();
      datasets_[row.Number(0)] = id;
      CopyParts(row.Number(0));
    }
  }

  bool KeepsContent(std::int64_t dataset) {
    return to_.Number("SELECT image_bytes FROM datasets WHERE id = " + std::to_string(dataset)) !=
           0;
  }

  void CopyParts(std::int64_t dataset) {
    Statement row(from_.db(), "SELECT part, bytes FROM dataset_parts WHERE dataset = ?", dataset);
    Statement insert(to_, InsertInto(kDatasetPartTable, "INSERT OR REPLACE"));
    while (row.Step()) {
      insert.BindAll(datasets_.at(dataset), row.Number(0), Blob{row.Bytes(1)}).Run();
    }
  }

  void MergeSplits() {
    Statement row(from_.db(), SelectFrom(kSplitsTable));
    KeyedRows rows(to_, kSplitsTable);
    Statement insert(to_, InsertInto(kSplitsTable, "INSERT OR REPLACE"));
    while (StepToWhole(row, kSplitsTable, "split")) {
      const std::int64_t id = row.Number(0);
      const KeyedRow known = rows.Find(row.Bytes(1));
      if (known.id != 0) splits_[id] = known.id;
      if (known.is_whole) continue;
      const std::int64_t dataset = Mapped(datasets_, row.Number(2));
      const std::string name = "split " + std::to_string(id);
      if (!IsDefined(name, [&] { from_.SplitsDefinition(id); })) continue;
      if (dataset == 0) {
        NoteDamage(name);
        continue;
      }
      splits_[id] = known.id != 0 ? known.id : rows.NextId();
      insert.BindAll(splits_[id], Blob{row.Bytes(1)}, dataset, row.Number(3), Blob{row.Bytes(4)})
          .Run();
    }
  }

  // Copies learners and metrics, which have equal tables.
  template <class Read>
  void MergeSpecs(const StoredTable& table, const std::string& noun, Ids& ids, const Read& read) {
    Statement row(from_.db(), SelectFrom(table));
    KeyedRows rows(to_, table);
    Statement insert(to_, InsertInto(table, "INSERT OR REPLACE"));
    while (StepToWhole(row, table, noun)) {
      const std::int64_t id = row.Number(0);
      const KeyedRow known = rows.Find(row.Bytes(1));
      if (known.id != 0) ids[id] = known.id;
      if (known.is_whole) continue;
      if (!IsDefined(noun + " '" + row.Text(2) + "'", [&] { read(id); })) continue;
      ids[id] = known.id != 0 ? known.id : rows.NextId();
      insert.BindAll(ids[id], Blob{row.Bytes(1)}, row.Bytes(2), Blob{row.Bytes(3)}).Run();
    }
  }
  void MergeLearners() {
    MergeSpecs(kLearnerTable, "learner", learners_, [this](std::int64_t id) { from_.Learner(id); });
  }
  void MergeMetrics() {
    MergeSpecs(kMetricTable, "metric", metrics_, [this](std::int64_t id) { from_.Metric(id); });
  }

  // A series whose learner or split is lost keeps its cells; the next run that asks for it, or a
  // later part, restores them.
  void MergeSeries() {
    Statement row(from_.db(), SelectFrom(kSeriesTable));
    KeyedRows rows(to_, kSeriesTable);
    Statement insert(to_, InsertInto(kSeriesTable, "INSERT OR REPLACE"));
    Statement total(to_,
                    std::string("UPDATE series SET total = ") + kSeriesTotal + " WHERE id = ?1");
    Statement adopt(to_,
                    "UPDATE series SET learner = max(learner, ?1 * (learner = 0)), "
                    "splits = max(splits, ?2 * (splits = 0)) "
                    "WHERE id = ?3 AND (learner = 0 OR splits = 0)");
    while (StepToWhole(row, kSeriesTable, "series")) {
      const std::int64_t learner = Mapped(learners_, row.Number(2));
      const std::int64_t splits = Mapped(splits_, row.Number(3));
      if (!from_.IsCompleteSeries(row.Number(0))) {
        NoteDamage("rows of series " + row.Text(0) + ", which are missing or were added,");
      }
      const KeyedRow known = rows.Find(row.Bytes(1));
      const std::int64_t id = known.id != 0 ? known.id : rows.NextId();
      series_[row.Number(0)] = id;
      if (known.is_whole) {
        adopt.BindAll(learner, splits, id).Run();
        if (to_.changes() == 1) Reseal(to_, kSeriesTable, id);
        continue;
      }
      insert.Bind(1, id).BindBlob(2, row.Bytes(1)).Bind(3, learner).Bind(4, splits);
      for (int c = 4; c < 8; ++c) insert.Bind(c + 1, row.Number(c));
      insert.Run();
      total.Bind(1, id).Run();  // of one that was damaged
    }
  }

  // A run is recognized by everything that was recorded. One that was stopped before its end is
  // also the same if it began at another time: shards, and runs that were stopped and resumed.
  void MergeRuns() {
    Statement row(from_.db(), SelectFrom(kRunTable) + "ORDER BY id");
    Statement find(to_,
                   "SELECT id FROM runs WHERE crossfold = ?2 AND script = ?3 AND script_text = ?4 "
                   "AND arguments = ?5 AND seed = ?6 AND finished = ?7 AND "
                   "(started = ?1 OR finished = 0) ORDER BY id LIMIT 1");
    Statement insert(to_, InsertInto(kRunTable));
    const auto bind = [&row](Statement& statement, int place) {
      for (int c = 1; c <= 7; ++c) statement.BindFrom(place++, row, c);
    };
    while (StepToWhole(row, kRunTable, "run")) {
      if (!from_.IsComplete(row.Number(0))) NoteDamage(NameOfMissingRows(row.Number(0)));
      const ResetAtEnd reset(find);
      bind(find, 1);
      if (find.Step()) {
        const std::int64_t run = runs_[row.Number(0)] = find.Number(0);
        if (IsClosed(to_, run)) closed_runs_.insert(run);
        continue;
      }
      const std::int64_t run = runs_[row.Number(0)] = NextRun();
      bind(insert.Bind(1, run), 2);
      insert.Run();
      if (IsClosed(from_.db(), row.Number(0))) closed_runs_.insert(run);
    }
  }

  std::int64_t NextRun() { return to_.Number("SELECT coalesce(max(id), 0) + 1 FROM runs"); }

  // Whether a run has a correct total.
  static bool IsClosed(Database& db, std::int64_t run) {
    return db.Number("SELECT total IS " + RunTotal(HasFindings(db)) +
                     " FROM runs WHERE id = " + std::to_string(run)) != 0;
  }

  void CloseRuns() {
    Statement close(to_, "UPDATE runs SET total = " + RunTotal() + " WHERE id = ?1");
    for (const std::int64_t run : closed_runs_) close.Bind(1, run).Run();
  }

  void MergeWanted() {
    WantedRows rows(to_);
    for (const auto& [run, merged] : runs_) {
      for (WantedRange& range : from_.Wanted(run, report_.damaged)) {
        const std::int64_t series = Mapped(series_, range.series);
        if (series == 0) continue;
        if (!crossfold::IsDefined(from_, range)) {
          NoteDamage(crossfold::NameOf(range));
          continue;
        }
        range.series = series;
        rows.Put(merged, range);
      }
    }
  }

  // The findings of experiments. Parts of one run have the same design, and each has the folds that
  // it ran.
  void MergeFindings() {
    if (!HasFindings(from_.db())) return;
    const auto differs = [this](const std::string& name) {
      warn_(name + " differs from that in store '" + to_.path().string() + "', which is kept");
    };
    FindingMerge(
        from_.db(), to_, [this](std::int64_t run) { return Mapped(runs_, run); },
        [this](std::string name) { NoteDamage(std::move(name)); }, differs)
        .Merge();
  }

  // The last run comes first: if several runs of the part become one, it replaced the earlier ones.
  void MergeComposed() {
    const std::string key =
        "run = ?1 AND learner = ?2 AND dataset_name = ?3 AND repeat = ?4 AND fold = ?5";
    Statement row(from_.db(), SelectFrom(kComposedTable) + "ORDER BY run DESC");
    std::set<std::tuple<std::int64_t, std::string, std::string, std::int64_t, std::int64_t>> seen;
    Statement find(to_, "SELECT prediction, failure FROM composed WHERE " + key + " AND " +
                            IsWhole(kComposedTable));
    Statement insert(to_, InsertInto(kComposedTable, "INSERT OR REPLACE"));
    const auto bind = [&](Statement& statement, std::int64_t run) {
      statement.BindAll(run, row.Bytes(1), row.Bytes(2), row.Number(3), row.Number(4));
    };
    while (StepToWhole(row, kComposedTable, "what was combined in run")) {
      const std::int64_t run = Mapped(runs_, row.Number(0));
      const std::int64_t dataset = Mapped(datasets_, row.Number(5));
      if (run == 0 || dataset == 0) continue;
      if (!seen.emplace(run, row.Text(1), row.Text(2), row.Number(3), row.Number(4)).second)
        continue;
      const ResetAtEnd reset(find);
      bind(find, run);
      if (find.Step()) {
        if (!SameBlob(find, 0, row, 7) || !SameBlob(find, 1, row, 8)) {
          warn_("learner '" + row.Text(1) + "' is not reproducible: repeat " +
                std::to_string(row.Number(3) + 1) + ", fold " + std::to_string(row.Number(4) + 1) +
                " gave a different result from the one in store '" + to_.path().string() +
                "', which is kept");
        }
        continue;
      }
      bind(insert, run);
      insert.Bind(6, dataset).Bind(7, row.Number(6));
      insert.BindFrom(8, row, 7).BindFrom(9, row, 8).Run();
    }
  }

  void MergeCells() {
    CellCommit commit(to_, warn_);
    Statement row(from_.db(), std::string("SELECT series, fold, ") + kCellColumns +
                                  " FROM cells ORDER BY series, fold");
    Statement known(to_, "SELECT 1 FROM cells WHERE series = ? AND fold = ?");
    std::vector<FinishedCell> batch;
    std::size_t bytes = 0;
    while (row.Step()) {
      std::optional<FinishedCell> cell = ReadCell(row);
      if (!cell) continue;
      ++part_.cells;
      {
        const ResetAtEnd reset(known);
        if (!known.Bind(1, cell->series.id).Bind(2, cell->fold).Step()) ++part_.added;
      }
      bytes += cell->row->prediction ? cell->row->prediction->size() : 0;
      batch.push_back(std::move(*cell));
      if (batch.size() < kBatchCells && bytes < kBatchBytes) continue;
      commit.Write(batch);
      batch.clear();
      bytes = 0;
    }
    commit.Write(batch);
  }

  // nullopt = it is damaged, which is reported.
  std::optional<FinishedCell> ReadCell(const Statement& row) {
    const std::int64_t series = row.Number(0), fold = row.Number(1);
    ReadRow read = ReadCellRow(row, 2, series, fold);
    const std::int64_t merged = Mapped(series_, series);
    if (!read.is_whole || merged == 0) {
      NoteDamage(NameOf(series, fold));
      return std::nullopt;
    }
    FinishedCell cell;
    cell.series.id = merged;
    cell.fold = fold;
    cell.row = std::move(read.row);
    AddScores(series, fold, cell);
    return cell;
  }

  void AddScores(std::int64_t series, std::int64_t fold, FinishedCell& cell) {
    if (!scores_) {
      scores_.emplace(from_.db(), std::string("SELECT ") + kScoreColumns +
                                      " FROM scores WHERE series = ? AND fold = ?");
    }
    const ResetAtEnd reset(*scores_);
    scores_->Bind(1, series).Bind(2, fold);
    bool is_whole = true;
    while (scores_->Step()) {
      const ReadScore read = ReadScoreRow(*scores_);
      const std::int64_t metric = Mapped(metrics_, read.row.metric);
      is_whole = is_whole && read.is_whole && metric != 0;
      if (!read.is_whole || metric == 0) continue;
      StoredScore& score = cell.scores.emplace_back();
      score.metric.id = metric;
      score.score = read.row.score;
    }
    if (!is_whole) NoteDamage("a score of " + NameOf(series, fold));
  }

  std::string NameOf(std::int64_t series, std::int64_t fold) {
    Statement name(from_.db(),
                   "SELECT coalesce(l.text, '?'), s.repeat FROM series s LEFT JOIN learners l ON "
                   "l.id = s.learner WHERE s.id = ?");
    std::string text = "series " + std::to_string(series);
    if (name.Bind(1, series).Step()) {
      text = name.Text(0) + ", repeat " + std::to_string(name.Number(1) + 1);
    }
    return text + ", fold " + std::to_string(fold + 1) + " of '" + part_.path.string() + "'";
  }

  StoreReader& from_;
  Database& to_;
  MergedPart& part_;
  MergeReport& report_;
  const CellCommit::Warn warn_;
  Ids datasets_, splits_, learners_, metrics_, series_, runs_;
  std::set<std::int64_t> closed_runs_;  // of the merged store, with a total that is right
  std::optional<Statement> scores_;
};

void RequireParts(const std::filesystem::path& out, std::span<const std::filesystem::path> parts) {
  const std::string attempt = "cannot merge stores into '" + out.string() + "': ";
  if (parts.empty()) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there are none; name the files to merge");
  }
  for (const std::filesystem::path& part : parts) {
    std::error_code ignored;
    if (!std::filesystem::exists(part, ignored)) {
      throw Error(ErrorKind::kIo, attempt + "there is no file '" + part.string() +
                                      "'; give the stores of shards that have run");
    }
    if (std::filesystem::equivalent(out, part, ignored)) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + "it is one of them; the first file is the one to write to");
    }
  }
}

// The first process that has the store open; 0 = none.
std::int64_t UserOf(const std::filesystem::path& part) {
  const std::vector<std::int64_t> users = FindUsers(part);
  return users.empty() ? 0 : users.front();
}

// The first part decides which seeds the cells of a new store have.
void RequireSameSeeds(const std::filesystem::path& path, Database& from, Database& to) {
  if (to.Number("SELECT count(*) FROM (SELECT 1 FROM series LIMIT 1)") == 0) CopyFormat(from, to);
  const auto is_old = [](Database& db) { return db.Number("PRAGMA user_version") < kStoreFormat; };
  if (is_old(from) == is_old(to)) return;
  throw Error(ErrorKind::kBadData,
              "cannot merge store '" + path.string() + "': random numbers in the " +
                  (is_old(from) ? "part" : "merged store") +
                  " came from the names of learners, as an older Crossfold computed it, and those "
                  "in the other did not; merge stores of one version");
}

void MergeOne(const std::filesystem::path& path, Database& to, MergeReport& report) {
  MergedPart& part = report.parts.emplace_back();
  part.path = path;
  part.user = UserOf(path);
  try {
    const StorePlace place(path);
    StoreReader from(place.path());
    RequireSameSeeds(path, from.db(), to);
    PartMerger(from, to, part, report).Merge();
  } catch (const EmptyStoreError&) {  // it adds nothing
  } catch (const SqliteError& e) {
    if (!e.is_damage()) throw;
    throw Error(ErrorKind::kBadData,
                "cannot merge store '" + path.string() + "': " + e.what() +
                    "; recover what is intact with crossfold repair, and merge that file");
  }
}

}  // namespace

MergeReport MergeStores(const std::filesystem::path& out,
                        std::span<const std::filesystem::path> parts) {
  RequireParts(out, parts);
  MergeReport report;
  const auto merge = [&](const std::filesystem::path& file) {
    const std::shared_ptr<CellStore> store = CellStore::Open(file, {.for_runs = false});
    for (const std::filesystem::path& part : parts) {
      const CellStore::Impl::Locked locked = store->impl().Lock();
      locked.db.set_name(out);
      MergeOne(part, locked.db, report);
      locked.definitions.Forget();
    }
  };
  std::error_code ignored;
  if (std::filesystem::exists(out, ignored)) {
    merge(out);
  } else {
    MakeStoreFile(out, "cannot merge stores into '" + out.string() + "': ", merge);
  }
  return report;
}

}  // namespace crossfold
