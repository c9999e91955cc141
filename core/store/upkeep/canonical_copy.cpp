#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_export.h"
#include "encoding/fields.h"
#include "store/cells/store_file.h"
#include "store/cells/stored_table.h"
#include "store/ledger/ledger_places.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

using Ids = std::map<std::int64_t, std::int64_t>;  // in the store -> in the copy

// Numbers the ids again, in the order of their keys.
template <class KeyOf>
Ids CountAgain(const std::set<std::int64_t>& ids, const KeyOf& key_of) {
  std::vector<std::pair<std::string, std::int64_t>> keys;
  for (const std::int64_t id : ids) keys.emplace_back(key_of(id), id);
  std::sort(keys.begin(), keys.end());
  Ids anew;
  for (const auto& [key, id] : keys) anew.emplace(id, static_cast<std::int64_t>(anew.size()) + 1);
  return anew;
}

// (new id, old id), ascending by the new one.
std::vector<std::pair<std::int64_t, std::int64_t>> InOrder(const Ids& ids) {
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (const auto& [old_id, new_id] : ids) order.emplace_back(new_id, old_id);
  std::sort(order.begin(), order.end());
  return order;
}

bool StepToWhole(Statement& row, const StoredTable& table) {
  return row.Step() && row.Number(table.n_columns) != 0;
}

// Ranges that touch each other become one: a run may ask for its cells in any portions.
std::vector<WantedRange> Joined(std::vector<WantedRange> wanted) {
  const auto names = [](const WantedRange& w) {
    return std::tie(w.series, w.inner, w.learner, w.dataset);
  };
  std::sort(wanted.begin(), wanted.end(), [&](const WantedRange& a, const WantedRange& b) {
    return names(a) != names(b) ? names(a) < names(b) : a.first < b.first;
  });
  std::vector<WantedRange> joined;
  for (WantedRange& range : wanted) {
    WantedRange* last = joined.empty() ? nullptr : &joined.back();
    if (last != nullptr && names(*last) == names(range) &&
        range.first <= last->first + last->count) {
      last->count = std::max(last->count, range.first + range.count - last->first);
    } else {
      joined.push_back(std::move(range));
    }
  }
  return joined;
}

class CanonicalCopier {
 public:
  CanonicalCopier(StoreReader& from, Database& to, bool without_data)
      : from_(from), to_(to), without_data_(without_data) {}

  // Returns what is damaged and left out, by name.
  std::vector<std::string> Copy(const StoredRun& run) {
    for (WantedRange& range : from_.Wanted(run.number, damaged_)) {
      if (IsDefined(from_, range, damaged_)) wanted_.push_back(std::move(range));
    }
    wanted_ = Joined(std::move(wanted_));
    composed_ = from_.Composed(run.number, damaged_);
    findings_ = from_.Findings(run.number, damaged_);
    CountIds();
    to_.Execute(StoreSchema().c_str());
    CopyRun(run);
    CopyDatasets();
    CopySplits();
    CopyLearners();
    CopyMetrics();
    CopyPlugins();
    CopySeries();
    CopyCells();
    CopyComposed();
    CopyWanted();
    CopyFindings();
    to_.Execute((std::string("UPDATE series SET total = ") + kSeriesTotal).c_str());
    to_.Execute(("UPDATE runs SET total = " + RunTotal()).c_str());
    return std::move(damaged_);
  }

 private:
  void CountIds() {
    std::set<std::int64_t> series, splits, learners, datasets;
    for (const WantedRange& range : wanted_) series.insert(range.series);
    for (const std::int64_t id : series) {
      learners.insert(from_.Series(id).learner);
      splits.insert(from_.Series(id).splits);
    }
    for (const std::int64_t id : splits) datasets.insert(from_.Splits(id).dataset);
    for (const ComposedRecord& one : composed_) datasets.insert(one.dataset);
    for (const FindingRow& one : findings_) {
      const std::int64_t id = one.dataset.empty() ? 0 : from_.DatasetWithHash(one.dataset);
      if (id != 0) datasets.insert(id);
    }
    series_ = CountAgain(series, [this](auto id) { return from_.Series(id).key; });
    learners_ = CountAgain(learners, [this](auto id) { return from_.Learner(id).key; });
    splits_ = CountAgain(splits, [this](auto id) { return from_.Splits(id).key; });
    datasets_ = CountAgain(datasets, [this](auto id) { return from_.DatasetOf(id).hash; });
    for (WantedRange& range : wanted_) range.series = series_.at(range.series);
    wanted_ = Joined(std::move(wanted_));
    CountFolds();
  }

  // Which folds, each once, and the metrics of their scores.
  void CountFolds() {
    std::map<std::int64_t, std::int64_t> old_ids;
    for (const auto& [old_id, new_id] : series_) old_ids[new_id] = old_id;
    std::set<std::int64_t> metrics;
    for (const WantedRange& range : wanted_) {
      for (std::int64_t i = 0; i < range.count; ++i) {
        folds_.emplace(range.series, range.first + i);
      }
      FindMetrics(range, old_ids[range.series], metrics);
    }
    metrics_ = CountAgain(metrics, [this](auto id) { return from_.Metric(id).key; });
    old_series_ = std::move(old_ids);
  }

  // Of scores that are whole. What is damaged shows when the cells are copied.
  void FindMetrics(const WantedRange& range, std::int64_t old_series,
                   std::set<std::int64_t>& metrics) {
    Statement read(from_.db(), std::string("SELECT ") + kScoreColumns +
                                   " FROM scores WHERE series = ?1 AND fold >= ?2 AND fold < ?3");
    read.Bind(1, old_series).Bind(2, range.first).Bind(3, range.first + range.count);
    try {
      while (read.Step()) {
        const auto [row, is_whole, checksum] = ReadScoreRow(read);
        if (is_whole && IsReadable([&] { from_.Metric(row.metric); })) metrics.insert(row.metric);
      }
    } catch (const SqliteError& e) {
      if (!e.is_damage()) throw;
    }
  }

  void CopyRun(const StoredRun& run) {
    FieldWriter arguments;
    arguments.Texts(run.arguments);
    Statement(to_, InsertInto(kRunTable), 1, "", run.crossfold, "", run.script_text,
              Blob{arguments.bytes()}, run.seed, 1)
        .Run();
  }

  void CopyDatasets() {
    Statement row(from_.db(), SelectFrom(kDatasetTable) + "WHERE id = ?1");
    Statement insert(to_, InsertInto(kDatasetTable));
    for (const auto& [new_id, old_id] : InOrder(datasets_)) {
      row.Bind(1, old_id);
      if (!StepToWhole(row, kDatasetTable)) {
        from_.FailDamaged("dataset " + std::to_string(old_id));
      }
      insert
          .BindAll(new_id, row.Bytes(1), row.Number(2), row.Number(3),
                   without_data_ ? 0 : row.Number(4))
          .Run();
      row.Reset();
      if (without_data_) continue;
      from_.LoadDataset(old_id);  // a damaged one is reported for this store, not for the copy
      CopyParts(new_id, old_id);
    }
  }

  void CopyParts(std::int64_t new_id, std::int64_t old_id) {
    Statement row(from_.db(),
                  "SELECT part, bytes FROM dataset_parts WHERE dataset = ?1 ORDER BY part", old_id);
    Statement insert(to_, InsertInto(kDatasetPartTable));
    while (row.Step()) insert.BindAll(new_id, row.Number(0), Blob{row.Bytes(1)}).Run();
  }

  void CopySplits() {
    Statement row(from_.db(), SelectFrom(kSplitsTable) + "WHERE id = ?1");
    Statement insert(to_, InsertInto(kSplitsTable));
    for (const auto& [new_id, old_id] : InOrder(splits_)) {
      const SplitsRecord& splits = from_.Splits(old_id);
      row.Bind(1, old_id);
      if (!StepToWhole(row, kSplitsTable)) from_.FailDamaged("split " + std::to_string(old_id));
      insert
          .BindAll(new_id, Blob{splits.key}, datasets_.at(splits.dataset), splits.n_folds,
                   Blob{row.Bytes(4)})
          .Run();
      row.Reset();
    }
  }

  // The place of a plugin's file is left out.
  void TakeSpec(SpecRecord spec, FieldWriter& fields) {
    plugins_.insert(spec.sha256);
    spec.path.clear();
    WriteSpec(spec, fields);
  }

  void CopyLearners() {
    Statement insert(to_, InsertInto(kLearnerTable));
    for (const auto& [new_id, old_id] : InOrder(learners_)) {
      const LearnerRecord& learner = from_.Learner(old_id);
      FieldWriter steps;
      steps.Length(learner.steps.size());
      for (const SpecRecord& step : learner.steps) TakeSpec(step, steps);
      insert.BindAll(new_id, Blob{learner.key}, learner.text, Blob{steps.bytes()}).Run();
    }
  }

  void CopyMetrics() {
    Statement insert(to_, InsertInto(kMetricTable));
    for (const auto& [new_id, old_id] : InOrder(metrics_)) {
      const MetricRecord& metric = from_.Metric(old_id);
      FieldWriter spec;
      TakeSpec(metric.spec, spec);
      insert.BindAll(new_id, Blob{metric.key}, metric.text, Blob{spec.bytes()}).Run();
    }
  }

  void CopyPlugins() {
    Statement row(from_.db(), SelectFrom(kPluginTable) + "WHERE sha256 = ?1");
    Statement insert(to_, InsertInto(kPluginTable));
    for (const std::string& sha256 : plugins_) {
      row.BindText(1, sha256);
      if (!StepToWhole(row, kPluginTable)) {
        from_.FailDamaged("plugin " + sha256.substr(0, 12));
      }
      insert.BindAll(sha256, row.Bytes(1), row.Bytes(2), row.Bytes(3), "").Run();
      row.Reset();
    }
  }

  void CopySeries() {
    Statement insert(to_, InsertInto(kSeriesTable));
    for (const auto& [new_id, old_id] : InOrder(series_)) {
      const SeriesRecord& series = from_.Series(old_id);
      const SeriesTraits& traits = series.traits;
      insert
          .BindAll(new_id, Blob{series.key}, learners_.at(series.learner),
                   splits_.at(series.splits), traits.repeat, traits.seed, traits.probabilities,
                   traits.separate)
          .Run();
    }
  }

  // Without seconds.
  void CopyCells() {
    Statement insert(to_, InsertCell()), insert_score(to_, InsertScore());
    for (const auto& [series, fold] : folds_) {
      std::optional<StoredCell> cell = FindCell(series, fold);
      if (!cell) continue;
      CellRow& row = cell->row;
      row.fit_s = row.predict_s = 0;
      row.notes = NotesWithoutTries(row);
      BindCell(insert, series, fold, row);
      insert.Run();
      CopyScores(series, fold, *cell, insert_score);
    }
  }

  // nullopt = there is none, or a damaged one.
  std::optional<StoredCell> FindCell(std::int64_t series, std::int64_t fold) {
    std::optional<StoredCell> cell;
    if (!IsReadable([&] { cell = from_.FindCell(old_series_.at(series), fold); })) {
      damaged_.push_back(NameOfCell(series, fold));
    }
    return cell;
  }

  std::string NameOfCell(std::int64_t series, std::int64_t fold) {
    const auto range = std::ranges::find(wanted_, series, &WantedRange::series);
    const SeriesRecord& record = from_.Series(old_series_.at(series));
    LedgerPlace place;
    place.learner = range->learner;
    place.dataset = range->dataset;
    place.inner = range->inner;
    place.candidate = from_.Learner(record.learner).text;
    place.repeat = record.traits.repeat;
    place.fold = fold;
    return NameOf(place);
  }

  void CopyScores(std::int64_t series, std::int64_t fold, const StoredCell& cell,
                  Statement& insert) {
    std::map<std::int64_t, const Score*> scores;
    for (const auto& [metric, score] : cell.scores) {
      const auto anew = metrics_.find(metric);
      if (anew != metrics_.end()) scores[anew->second] = &score;
    }
    if (cell.damaged_scores > 0 || scores.size() < cell.scores.size()) {
      damaged_.push_back("scores of " + NameOfCell(series, fold));
    }
    for (const auto& [metric, score] : scores) {
      BindScore(insert, {series, fold, metric, *score});
      insert.Run();
    }
  }

  void CopyComposed() {
    Statement insert(to_, InsertInto(kComposedTable));
    for (const ComposedRecord& one : composed_) {
      insert
          .BindAll(1, one.learner, one.dataset_name, one.repeat, one.fold,
                   datasets_.at(one.dataset), one.n_train, BlobOf(one.prediction), one.failure)
          .Run();
    }
  }

  void CopyWanted() {
    Statement insert(to_, InsertInto(kWantedTable));
    for (const WantedRange& range : wanted_) {
      insert
          .BindAll(1, range.series, range.inner, range.learner, range.dataset, range.first,
                   range.count)
          .Run();
    }
  }

  void CopyFindings() {
    Statement insert(to_, InsertFinding("INSERT"));
    for (const FindingRow& one : findings_) {
      BindFinding(insert, 1, one);
      insert.Run();
    }
  }

  StoreReader& from_;
  Database& to_;
  const bool without_data_;
  std::vector<WantedRange> wanted_;  // with new ids, after CountIds
  std::vector<ComposedRecord> composed_;
  std::vector<FindingRow> findings_;
  std::set<std::pair<std::int64_t, std::int64_t>> folds_;  // of new series
  Ids series_, splits_, learners_, metrics_, datasets_;
  std::map<std::int64_t, std::int64_t> old_series_;  // new id -> old one
  std::set<std::string> plugins_;                    // SHA-256
  std::vector<std::string> damaged_;
};

std::vector<std::string> WriteCopy(const std::filesystem::path& store,
                                   const std::filesystem::path& copy,
                                   const ExportOptions& options) {
  StoreReader from(store);
  const StoredRun run = from.Choose(options.run);
  Database to(copy, Database::Access::kCreate);
  to.Execute("PRAGMA page_size = 4096");
  to.Execute("PRAGMA encoding = 'UTF-8'");
  to.Execute("PRAGMA auto_vacuum = NONE");
  to.Execute("PRAGMA journal_mode = MEMORY");  // a copy that is not finished is thrown away
  Transaction transaction(to);
  std::vector<std::string> damaged = CanonicalCopier(from, to, options.without_data).Copy(run);
  to.Execute(("PRAGMA application_id = " + std::to_string(kStoreId)).c_str());
  CopyFormat(from.db(), to);
  transaction.Commit();
  to.Execute("VACUUM");
  return damaged;
}

}  // namespace

std::vector<std::string> WriteCanonicalCopy(const std::filesystem::path& store,
                                            const std::filesystem::path& copy,
                                            const ExportOptions& options) {
  std::filesystem::path temporary = copy;
  temporary += ".tmp";
  std::error_code error;
  std::filesystem::remove(temporary, error);
  std::vector<std::string> damaged;
  try {
    damaged = WriteCopy(store, temporary, options);
  } catch (...) {
    std::filesystem::remove(temporary, error);
    throw;
  }
  std::filesystem::rename(temporary, copy, error);
  if (error) {
    const std::string why = error.message();
    std::filesystem::remove(temporary, error);
    throw Error(ErrorKind::kIo, "cannot write '" + copy.string() + "': " + why);
  }
  return damaged;
}

}  // namespace crossfold
