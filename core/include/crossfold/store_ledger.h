// Reads what a store has of a run, cell by cell: out-of-fold predictions, scores and failures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/split.h"
#include "crossfold/store_findings.h"
#include "crossfold/stored_cells.h"

namespace crossfold {

struct StoredRun {
  std::int64_t number = 0;
  std::string started;    // UTC, ISO 8601
  std::string crossfold;  // version
  std::string script;     // path, "" = none
  std::string script_text;
  std::vector<std::string> arguments;
  std::uint64_t seed = 0;
  bool finished = false;  // it was not stopped before its end
};

enum class LedgerPart { kOuter, kInner, kAll };

struct LedgerEntry {
  std::string learner, dataset;  // names in the experiment
  std::string candidate;         // "standardize|knn{k=7}"; "" = combined in the script
  bool inner = false;
  // Numbers cells with the same names, repeat and fold: those of several experiments of one script,
  // and of the inner splits of several outer folds.
  std::int64_t occurrence = 0;
  std::int64_t repeat = 0, fold = 0;    // from 0
  std::shared_ptr<const Dataset> data;  // null = its content is not kept
  // The cell's rows, if `data` is there and the cell was not combined in the script.
  std::shared_ptr<const SplitPlan> splits;
  std::int64_t split = 0;
  std::int64_t splits_id = 0;   // in the table `splits`; 0 = combined in the script
  Keep keep = Keep::kLabels;    // the part of predictions that the run keeps
  bool finished = false;        // whether the store has an outcome; if not, the rest is empty
  bool has_prediction = false;  // whether outcome.prediction was kept; needs `data`
  Outcome outcome;              // without scores
  std::vector<std::pair<std::string, Score>> scores;  // by the metric's text
  std::int64_t damaged_scores = 0;                    // the number of those left out
};

// The outer cells of one learner on one dataset in one experiment.
struct LedgerQuery {
  std::int64_t run = 0;
  std::string learner, dataset;             // names in the experiment
  std::shared_ptr<const SplitPlan> splits;  // null = the data is not kept; then any splits match
  std::vector<std::pair<std::int64_t, std::int64_t>>
      places;  // repeat and fold of each split, from 0
  std::vector<std::string>
      learner_keys;  // StoredLearnerKey of the learner on each split; "" = none
  std::uint64_t seed = 0;
  bool probabilities = false;  // chooses among several cells those with or without them
};

class Ledger {
 public:
  // Opens a store or an archive of ExportRun, without writing to it. Throws Error for a file that
  // is not a store, as CellStore::Open does.
  explicit Ledger(const std::filesystem::path& path);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // The runs in the order in which they began.
  std::vector<StoredRun> runs() const;
  // The run with that number; 0 = the last one with outer cells. Throws Error if there is none.
  StoredRun Choose(std::int64_t number) const;
  // The number of the last run with outer cells or findings; 0 = there is none.
  std::int64_t LastWithResults() const;
  // Visits the cells by dataset, learner, inner after outer, candidate (only inner), occurrence,
  // repeat and fold. Only one entry at a time is in memory. Returns the names of what is damaged
  // and left out, as in "'knn' on 'iris', repeat 1, fold 2". Throws Error(kBadData) if the list of
  // what the run asked for cannot be read.
  std::vector<std::string> Visit(std::int64_t run, LedgerPart part,
                                 const std::function<void(const LedgerEntry&)>& visit) const;

  // The findings of the experiments of a run, by experiment, kind and name. `damaged` gets the
  // names of those left out.
  std::vector<Finding> Findings(std::int64_t run, std::vector<std::string>& damaged) const;
  // What the store has of the query's splits. Where the definition of cells is damaged, a split
  // that the run did not ask for may also be kDamaged. `damaged` gets the names of what is damaged.
  StoredCells Cells(const LedgerQuery& query, std::vector<std::string>& damaged) const;
  // Visits the folds that the script combined under these names, by repeat and fold. Returns the
  // names of what is damaged.
  std::vector<std::string> VisitComposed(
      std::int64_t run, const std::string& learner, const std::string& dataset,
      const std::function<void(const LedgerEntry&)>& visit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
