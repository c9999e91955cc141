#include "store/catalog/store_entry.h"

#include <map>
#include <optional>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold_plugin/error.hpp"
#include "encoding/fields.h"
#include "engine/data/sha256.h"
#include "store/catalog/catalog_schema.h"
#include "store/cells/stored_table.h"

namespace crossfold {
namespace {

std::string Insert(const StoredTable& table) {
  return std::string("INSERT INTO ") + table.name + "(" + table.columns + ") VALUES(" +
         NumberedMarks(table.n_columns) + ")";
}

std::optional<std::string_view> OrNull(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

// A hash of what a cell is asked for: the rows, the components and all their parameters. Cells with
// equal questions may have other seeds, plugins and versions.
std::string QuestionOf(const SplitsRecord& splits, const LearnerRecord& learner,
                       std::int64_t repeat) {
  Sha256 hash;
  hash.AddText(splits.key);
  hash.AddInteger(static_cast<std::uint64_t>(repeat));
  for (const SpecRecord& step : learner.steps) {
    hash.AddText(step.component);
    hash.AddInteger(step.given.size());
    for (const auto& [name, value] : step.given) {
      hash.AddText(name);
      hash.AddText(ToText(value));
    }
  }
  return ToHex(hash.Finish());
}

// A hash of a cell's status, prediction, failure and scores.
std::string ResultOf(StoreReader& store, const StoredCell& cell) {
  Sha256 hash;
  hash.AddInteger(static_cast<std::uint64_t>(cell.row.status));
  hash.AddText(cell.row.prediction.value_or(""));
  hash.AddText(NotesWithoutTries(cell.row));
  for (const auto& [metric, score] : cell.scores) {
    hash.AddText(store.Metric(metric).key);
    FieldWriter value;
    value.Number(score.defined ? score.value : 0.0);
    hash.AddText(value.bytes());
    hash.AddText(score.defined ? "" : score.undefined);
  }
  return ToHex(hash.Finish());
}

const char* NameOf(StoredStatus status) {
  switch (status) {
    case StoredStatus::kOk:
      return "ok";
    case StoredStatus::kFailed:
      return "failed";
    case StoredStatus::kStopped:
      return "stopped";
  }
  return "";
}

// Which run asked for a series last, and what it is there.
struct Asked {
  std::int64_t run = 0;
  bool inner = false;
  std::string learner, dataset;  // names in the experiment
};

class StoreCopy {
 public:
  StoreCopy(StoreReader& store, std::int64_t id, Database& catalog)
      : store_(store), id_(id), catalog_(catalog) {}

  CopiedRows Run() {
    CopyRuns();
    CopyDatasets();
    CopyPlugins();
    CopySeries();
    return std::move(copied_);
  }

 private:
  // Calls copy(), or notes that `what` is damaged.
  template <class Copy>
  void Try(const std::string& what, const Copy& copy) {
    if (!IsReadable(copy)) copied_.damaged.push_back(what);
  }

  void CopyRuns() {
    Statement insert(catalog_, Insert(kCatalogRuns));
    for (const StoredRun& run : store_.Runs()) {
      const std::string script = ToHex(Sha256Of(run.script_text));
      insert
          .BindAll(id_, run.number, run.started, run.crossfold, run.script, script, run.seed,
                   run.finished)
          .Run();
      ++copied_.runs;
      for (WantedRange& range : store_.Wanted(run.number, copied_.damaged)) {
        Asked& asked = asked_[range.series];
        if (asked.run != 0 && range.inner && !asked.inner) continue;
        asked = {run.number, range.inner, std::move(range.learner), std::move(range.dataset)};
      }
    }
  }

  // Copies the rows of a table of the store whose columns have the same names.
  void CopyTable(const StoredTable& from, const StoredTable& to, const char* columns,
                 const char* name) {
    Statement row(store_.db(), std::string("SELECT ") + columns + ", " + IsWhole(from) + " FROM " +
                                   from.name + " ORDER BY 1");
    Statement insert(catalog_, Insert(to));
    const int n = to.n_columns - 1;
    while (row.Step()) {
      if (row.Number(n) == 0) {
        copied_.damaged.push_back(name + (" " + row.Text(0)));
        continue;
      }
      insert.Bind(1, id_);
      for (int i = 0; i < n; ++i) insert.BindFrom(i + 2, row, i);
      insert.Run();
    }
  }

  void CopyDatasets() {
    CopyTable(kDatasetTable, kCatalogDatasets, "hash, n_rows, n_features", "dataset");
  }

  void CopyPlugins() { CopyTable(kPluginTable, kCatalogPlugins, "sha256, id, version", "plugin"); }

  void CopySeries() {
    std::vector<std::int64_t> ids;
    Statement row(store_.db(), "SELECT id FROM series ORDER BY id");
    while (row.Step()) ids.push_back(row.Number(0));
    Statement series(catalog_, Insert(kCatalogSeries)), step(catalog_, Insert(kCatalogSteps)),
        cell(catalog_, Insert(kCatalogCells));
    for (const std::int64_t one : ids) {
      const std::string what = "series " + std::to_string(one);
      Try(what, [&] {
        const SeriesRecord& record = store_.Series(one);
        const SplitsRecord& splits = store_.Splits(record.splits);
        const std::string& data = store_.DatasetOf(splits.dataset).hash;
        const LearnerRecord& learner = store_.Learner(record.learner);
        WriteSeries(one, record, splits, data, learner, series);
        WriteSteps(one, learner, step);
        if (!store_.IsCompleteSeries(one)) copied_.damaged.push_back("cells of " + what);
        CopyCells(one, cell);
      });
    }
  }

  void WriteSeries(std::int64_t id, const SeriesRecord& record, const SplitsRecord& splits,
                   const std::string& data, const LearnerRecord& learner, Statement& insert) {
    const Asked asked = asked_.contains(id) ? asked_[id] : Asked();
    const SeriesTraits& traits = record.traits;
    insert
        .BindAll(id_, id, HexOfKey(record.key), QuestionOf(splits, learner, traits.repeat), data,
                 OrNull(asked.dataset), OrNull(asked.learner), learner.text, HexOfKey(splits.key),
                 traits.repeat + 1, traits.seed, asked.inner,
                 asked.run == 0 ? std::nullopt : std::optional(asked.run))
        .Run();
  }

  void WriteSteps(std::int64_t series, const LearnerRecord& learner, Statement& insert) const {
    std::int64_t number = 0;
    for (const SpecRecord& step : learner.steps) {
      insert.BindAll(id_, series, ++number, step.component, step.component_version, step.sha256)
          .Run();
    }
  }

  void CopyCells(std::int64_t series, Statement& insert) {
    std::vector<std::int64_t> folds;
    Statement row(store_.db(), "SELECT fold FROM cells WHERE series = ?1 ORDER BY fold", series);
    while (row.Step()) folds.push_back(row.Number(0));
    for (const std::int64_t fold : folds) {
      const std::string what =
          "cell " + std::to_string(fold) + " of series " + std::to_string(series);
      Try(what, [&] {
        const std::optional<StoredCell> cell = store_.FindCell(series, fold);
        if (!cell) return;
        if (cell->damaged_scores > 0) copied_.damaged.push_back("scores of " + what);
        insert
            .BindAll(id_, series, fold + 1, NameOf(cell->row.status), cell->row.n_train,
                     cell->row.n_test, cell->row.fit_s, cell->row.predict_s,
                     ResultOf(store_, *cell))
            .Run();
        ++copied_.cells;
      });
    }
  }

  StoreReader& store_;
  std::int64_t id_;
  Database& catalog_;
  CopiedRows copied_;
  std::map<std::int64_t, Asked> asked_;  // by series
};

}  // namespace

CopiedRows CopyStore(StoreReader& store, std::int64_t id, Database& catalog) {
  return StoreCopy(store, id, catalog).Run();
}

void WriteScores(const std::vector<CatalogScore>& scores, std::int64_t id, Database& catalog) {
  Statement insert(catalog, Insert(kCatalogScores));
  for (const CatalogScore& score : scores) {
    insert
        .BindAll(id, score.run, score.experiment, score.dataset, OrNull(score.dataset_hash),
                 score.learner, OrNull(score.settings), score.metric, OrNull(score.metric_key),
                 score.direction, score.folds, score.defined, score.failed, score.fallback,
                 score.score, score.low, score.high, score.confidence, OrNull(score.method),
                 OrNull(score.covers), OrNull(score.caution), OrNull(score.undefined),
                 OrNull(score.design), OrNull(score.splits))
        .Run();
  }
}

void RemoveRows(std::int64_t id, Database& catalog) {
  for (const StoredTable* table : kCatalogTables) {
    Statement(catalog, std::string("DELETE FROM ") + table->name + " WHERE store = ?1", id).Run();
  }
}

}  // namespace crossfold
