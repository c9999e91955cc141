#include "store/upkeep/run_tables.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/store_ledger.h"
#include "crossfold/table.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// A long table that is written to a CSV file in portions.
class CsvFile {
 public:
  CsvFile(std::filesystem::path path, std::vector<std::string> columns)
      : path_(std::move(path)), file_(path_, std::ios::binary) {
    table_.columns = std::move(columns);
    const std::string header = ToCsv(table_);
    header_size_ = header.size();
    file_ << header;
  }

  void Add(std::vector<TableCell> row) {
    table_.rows.push_back(std::move(row));
    if (table_.rows.size() == kPortion) WriteRows();
  }

  // Throws Error(kIo).
  void Finish() {
    WriteRows();
    file_.close();
    if (!file_) {
      throw Error(ErrorKind::kIo, "cannot write '" + path_.string() + "'; make room on the disk");
    }
  }

 private:
  static constexpr std::size_t kPortion = 10'000;

  void WriteRows() {
    const std::string text = ToCsv(table_);
    file_.write(text.data() + header_size_,
                static_cast<std::streamsize>(text.size() - header_size_));
    table_.rows.clear();
  }

  const std::filesystem::path path_;
  std::ofstream file_;
  Table table_;
  std::size_t header_size_ = 0;
};

// Learner, dataset, ... up to fold, as in both tables of cells.
std::vector<TableCell> PlaceCells(const LedgerEntry& entry) {
  std::vector<TableCell> cells = {entry.learner, entry.dataset, entry.inner, entry.candidate,
                                  entry.occurrence + 1};
  if (entry.splits_id == 0) {
    cells.emplace_back(Null{});
  } else {
    cells.emplace_back(entry.splits_id);
  }
  cells.emplace_back(entry.repeat + 1);
  cells.emplace_back(entry.fold + 1);
  return cells;
}

const std::vector<std::string> kPlaceColumns = {"learner",    "dataset", "inner",  "candidate",
                                                "occurrence", "split",   "repeat", "fold"};

std::vector<std::string> Columns(const std::vector<std::string>& more) {
  std::vector<std::string> columns = kPlaceColumns;
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

// Classes of all datasets of the copy, in the order of their first occurrence.
std::vector<std::string> AllClasses(StoreReader& reader) {
  std::vector<std::string> classes;
  std::unordered_set<std::string> known;
  Statement row(reader.db(), "SELECT id FROM datasets ORDER BY id");
  while (row.Step()) {
    const auto data = reader.LoadDataset(row.Number(0));
    if (!data) continue;
    for (const std::string& name : data->class_names()) {
      if (known.insert(name).second) classes.push_back(name);
    }
  }
  return classes;
}

class PredictionFile {
 public:
  PredictionFile(const std::filesystem::path& path, std::vector<std::string> classes,
                 bool with_truth)
      : classes_(std::move(classes)), with_truth_(with_truth), file_(path, ColumnNames()) {
    for (std::size_t c = 0; c < classes_.size(); ++c) place_of_class_.emplace(classes_[c], c);
  }

  void Add(const LedgerEntry& entry) {
    if (!entry.has_prediction) return;
    const Prediction& p = entry.outcome.prediction;
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      std::vector<TableCell> row = PlaceCells(entry);
      row.emplace_back(p.rows[i] + 1);
      if (with_truth_) row.push_back(Truth(*entry.data, p.rows[i]));
      row.push_back(p.labels.empty() ? TableCell(p.values[i])
                                     : ClassName(*entry.data, p.labels[i]));
      AddProbabilities(*entry.data, p, i, row);
      file_.Add(std::move(row));
    }
  }
  void Finish() { file_.Finish(); }

 private:
  std::vector<std::string> ColumnNames() const {
    std::vector<std::string> more = {"row", "truth", "prediction"};
    if (!with_truth_) more.erase(more.begin() + 1);
    for (const std::string& name : classes_) more.push_back("p(" + name + ")");
    return Columns(more);
  }

  static TableCell ClassName(const Dataset& data, std::int32_t label) {
    return data.class_names()[static_cast<std::size_t>(label)];
  }

  static TableCell Truth(const Dataset& data, std::int64_t row) {
    const auto r = static_cast<std::size_t>(row);
    if (data.task() == Task::kRegression) return data.values()[r];
    return ClassName(data, data.labels()[r]);
  }

  void AddProbabilities(const Dataset& data, const Prediction& p, std::size_t i,
                        std::vector<TableCell>& row) const {
    const std::size_t first = row.size();
    row.resize(first + classes_.size(), Null{});
    if (p.probabilities.empty()) return;
    const auto k = static_cast<std::size_t>(p.n_classes);
    for (std::size_t c = 0; c < k; ++c) {
      row[first + place_of_class_.at(data.class_names()[c])] = p.probabilities[i * k + c];
    }
  }

  const std::vector<std::string> classes_;
  std::unordered_map<std::string, std::size_t> place_of_class_;
  const bool with_truth_;
  CsvFile file_;
};

void AddScores(const LedgerEntry& entry, CsvFile& file) {
  const auto add = [&](const TableCell& metric, const TableCell& value, const TableCell& reason) {
    std::vector<TableCell> row = PlaceCells(entry);
    row.insert(row.end(), {metric, value, reason});
    file.Add(std::move(row));
  };
  if (!entry.finished) return add(Null{}, Null{}, std::string("not finished"));
  if (entry.outcome.status != OutcomeStatus::kOk) {
    const Failure& failure = entry.outcome.failure;
    return add(Null{}, Null{}, "failed at " + failure.stage + ": " + failure.message);
  }
  for (const auto& [metric, score] : entry.scores) {
    if (score.defined) {
      add(metric, score.value, Null{});
    } else {
      add(metric, Null{}, score.undefined);
    }
  }
}

std::vector<std::string> WriteCells(const std::filesystem::path& store,
                                    const std::filesystem::path& folder,
                                    std::vector<std::string> classes, bool with_truth) {
  PredictionFile predictions(folder / "predictions.csv", std::move(classes), with_truth);
  CsvFile scores(folder / "scores.csv", Columns({"metric", "value", "undefined"}));
  std::vector<std::string> damaged =
      Ledger(store).Visit(1, LedgerPart::kAll, [&](const LedgerEntry& entry) {
        predictions.Add(entry);
        AddScores(entry, scores);
      });
  predictions.Finish();
  scores.Finish();
  return damaged;
}

// One line per row: the fold that tests it in a partition ("" = none), or its part in a list.
void AddSplit(std::int64_t id, const SplitsRecord& record, const SplitPlan& plan, CsvFile& file) {
  const std::string hash = plan.view().data->content_hash();
  const auto add = [&](std::int64_t row, TableCell fold, TableCell part) {
    file.Add({id, hash, row + 1, std::move(fold), std::move(part)});
  };
  if (record.n_folds == 0) {
    const SplitRows rows = plan.Rows(0);
    for (const std::int64_t row : rows.train) add(row, Null{}, std::string("train"));
    for (const std::int64_t row : rows.test) add(row, Null{}, std::string("test"));
    return;
  }
  const std::vector<std::int32_t>& folds = plan.partitions().front().fold_of_row;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const std::int64_t row = plan.view().row_id(static_cast<std::int64_t>(i));
    if (folds[i] < 0) {
      add(row, Null{}, std::string("train"));
    } else {
      add(row, std::int64_t{folds[i]} + 1, Null{});
    }
  }
}

void WriteSplitRows(StoreReader& reader, const std::filesystem::path& path) {
  CsvFile file(path, {"split", "dataset_hash", "row", "fold", "part"});
  Statement row(reader.db(), "SELECT id FROM splits ORDER BY id");
  while (row.Step()) {
    const std::int64_t id = row.Number(0);
    const std::shared_ptr<const SplitPlan> plan = reader.LoadSplits(id);
    if (plan) AddSplit(id, reader.Splits(id), *plan, file);
  }
  file.Finish();
}

}  // namespace

std::vector<std::string> WriteRunTables(const std::filesystem::path& store,
                                        const std::filesystem::path& folder, bool with_truth) {
  std::vector<std::string> classes;
  {
    StoreReader reader(store);
    WriteSplitRows(reader, folder / "splits.csv");
    classes = AllClasses(reader);
  }
  return WriteCells(store, folder, std::move(classes), with_truth);
}

}  // namespace crossfold
