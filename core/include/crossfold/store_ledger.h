// What a store knows of a run, cell by cell: out-of-fold predictions, scores and failures.
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
  bool finished = false;  // it came to its end
};

enum class LedgerPart { kOuter, kInner, kAll };

struct LedgerEntry {
  std::string learner, dataset;  // names in the experiment
  std::string candidate;         // "standardize|knn{k=7}"; "" = combined in the script
  bool inner = false;
  // Counts cells of the same names, repeat and fold: those of several experiments of one script,
  // and of the inner splits of several outer folds.
  std::int64_t occurrence = 0;
  std::int64_t repeat = 0, fold = 0;    // from 0
  std::shared_ptr<const Dataset> data;  // null = its content is not kept
  // The cell's rows, if `data` is there and the cell is none combined in the script.
  std::shared_ptr<const SplitPlan> splits;
  std::int64_t split = 0;
  std::int64_t splits_id = 0;   // in the table `splits`; 0 = combined in the script
  Keep keep = Keep::kLabels;    // what of predictions the run wanted kept
  bool finished = false;        // whether the store has an outcome; else the rest is empty
  bool has_prediction = false;  // whether outcome.prediction was kept; needs `data`
  Outcome outcome;              // without scores
  std::vector<std::pair<std::string, Score>> scores;  // by the metric's text
  std::int64_t damaged_scores = 0;                    // left out of them
};

// The outer cells of one learner on one dataset in one experiment.
struct LedgerQuery {
  std::int64_t run = 0;
  std::string learner, dataset;             // names in the experiment
  std::shared_ptr<const SplitPlan> splits;  // null = the data is not kept; then any splits do
  std::vector<std::pair<std::int64_t, std::int64_t>>
      places;                             // repeat and fold of each split, from 0
  std::vector<std::string> learner_keys;  // StoredLearnerKey of what ran on each split; "" = none
  std::uint64_t seed = 0;
  bool probabilities = false;  // of several cells those that have them, or not
};

class Ledger {
 public:
  // Reads only; also an archive of ExportRun. Throws Error for what is no store, as CellStore::Open
  // does.
  explicit Ledger(const std::filesystem::path& path);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // In the order in which they began.
  std::vector<StoredRun> runs() const;
  // The run with that number; 0 = the last one with outer cells. Throws Error if there is none.
  StoredRun Choose(std::int64_t number) const;
  // The number of the last run with outer cells or findings; 0 = there is none.
  std::int64_t LastWithResults() const;
  // By dataset, learner, inner after outer, candidate (only inner), occurrence, repeat and fold.
  // One entry after the other is in memory. Returns what is damaged and left out, by name: "'knn'
  // on 'iris', repeat 1, fold 2". Throws Error(kBadData) if it cannot be read what the run asked
  // for.
  std::vector<std::string> Visit(std::int64_t run, LedgerPart part,
                                 const std::function<void(const LedgerEntry&)>& visit) const;

  // What the experiments of a run noted, by experiment, kind and name. `damaged` gets the names of
  // what is left out.
  std::vector<Finding> Findings(std::int64_t run, std::vector<std::string>& damaged) const;
  // What the store has of the query's splits. Where the definition of cells is damaged, a split
  // that the run did not ask for may be kDamaged, too. `damaged` gets the names of what is.
  StoredCells Cells(const LedgerQuery& query, std::vector<std::string>& damaged) const;
  // The folds that the script put together under these names, by repeat and fold. Returns what is
  // damaged, by name.
  std::vector<std::string> VisitComposed(
      std::int64_t run, const std::string& learner, const std::string& dataset,
      const std::function<void(const LedgerEntry&)>& visit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
