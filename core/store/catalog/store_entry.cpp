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
  std::string marks;
  for (int i = 1; i <= table.n_columns; ++i) marks += (i == 1 ? "?" : ", ?") + std::to_string(i);
  return std::string("INSERT INTO ") + table.name + "(" + table.columns + ") VALUES(" + marks + ")";
}

void BindText(Statement& row, int place, const std::string& text) {
  if (text.empty()) {
    row.BindNull(place);
  } else {
    row.BindText(place, text);
  }
}

void BindNumber(Statement& row, int place, const std::optional<double>& number) {
  if (number) {
    row.Bind(place, *number);
  } else {
    row.BindNull(place);
  }
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
    try {
      copy();
      return;
    } catch (const plugin::Error&) {
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::kBadData) throw;
    }
    copied_.damaged.push_back(what);
  }

  void CopyRuns() {
    Statement insert(catalog_, Insert(kCatalogRuns));
    for (const StoredRun& run : store_.Runs()) {
      const std::string script = ToHex(Sha256Of(run.script_text));
      insert.Bind(1, id_).Bind(2, run.number).BindText(3, run.started).BindText(4, run.crossfold);
      insert.BindText(5, run.script).BindText(6, script);
      insert.Bind(7, static_cast<std::int64_t>(run.seed)).Bind(8, std::int64_t{run.finished});
      insert.Run();
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
    insert.Bind(1, id_).Bind(2, id).BindText(3, HexOfKey(record.key));
    insert.BindText(4, QuestionOf(splits, learner, record.traits.repeat)).BindText(5, data);
    BindText(insert, 6, asked.dataset);
    BindText(insert, 7, asked.learner);
    insert.BindText(8, learner.text).BindText(9, HexOfKey(splits.key));
    insert.Bind(10, record.traits.repeat + 1);
    insert.Bind(11, static_cast<std::int64_t>(record.traits.seed));
    insert.Bind(12, std::int64_t{asked.inner});
    if (asked.run == 0) {
      insert.BindNull(13);
    } else {
      insert.Bind(13, asked.run);
    }
    insert.Run();
  }

  void WriteSteps(std::int64_t series, const LearnerRecord& learner, Statement& insert) const {
    std::int64_t number = 0;
    for (const SpecRecord& step : learner.steps) {
      insert.Bind(1, id_).Bind(2, series).Bind(3, ++number).BindText(4, step.component);
      insert.BindText(5, step.component_version).BindText(6, step.sha256).Run();
    }
  }

  void CopyCells(std::int64_t series, Statement& insert) {
    std::vector<std::int64_t> folds;
    Statement row(store_.db(), "SELECT fold FROM cells WHERE series = ?1 ORDER BY fold");
    row.Bind(1, series);
    while (row.Step()) folds.push_back(row.Number(0));
    for (const std::int64_t fold : folds) {
      const std::string what =
          "cell " + std::to_string(fold) + " of series " + std::to_string(series);
      Try(what, [&] {
        const std::optional<StoredCell> cell = store_.FindCell(series, fold);
        if (!cell) return;
        if (cell->damaged_scores > 0) copied_.damaged.push_back("scores of " + what);
        const std::string result = ResultOf(store_, *cell);
        insert.Bind(1, id_).Bind(2, series).Bind(3, fold + 1);
        insert.BindText(4, NameOf(cell->row.status));
        insert.Bind(5, cell->row.n_train).Bind(6, cell->row.n_test);
        insert.Bind(7, cell->row.fit_s).Bind(8, cell->row.predict_s).BindText(9, result).Run();
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

std::string HexOfKey(std::string_view key) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : key) {
    const auto byte = static_cast<std::uint8_t>(c);
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

CopiedRows CopyStore(StoreReader& store, std::int64_t id, Database& catalog) {
  return StoreCopy(store, id, catalog).Run();
}

void WriteScores(const std::vector<CatalogScore>& scores, std::int64_t id, Database& catalog) {
  Statement insert(catalog, Insert(kCatalogScores));
  for (const CatalogScore& score : scores) {
    insert.Bind(1, id).Bind(2, score.run).Bind(3, score.experiment).BindText(4, score.dataset);
    BindText(insert, 5, score.dataset_hash);
    insert.BindText(6, score.learner);
    BindText(insert, 7, score.settings);
    insert.BindText(8, score.metric);
    BindText(insert, 9, score.metric_key);
    insert.Bind(10, score.direction).Bind(11, score.folds).Bind(12, score.defined);
    insert.Bind(13, score.failed).Bind(14, score.fallback);
    int place = 15;
    for (const auto& number : {score.score, score.low, score.high, score.confidence}) {
      BindNumber(insert, place++, number);
    }
    for (const std::string* text : {&score.method, &score.covers, &score.caution, &score.undefined,
                                    &score.design, &score.splits}) {
      BindText(insert, place++, *text);
    }
    insert.Run();
  }
}

void RemoveRows(std::int64_t id, Database& catalog) {
  for (const StoredTable* table : kCatalogTables) {
    Statement(catalog, std::string("DELETE FROM ") + table->name + " WHERE store = ?1")
        .Bind(1, id)
        .Run();
  }
}

}  // namespace crossfold
