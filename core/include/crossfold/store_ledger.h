// What a store knows of a run, cell by cell: out-of-fold predictions, scores and failures.
#pragma once

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

namespace crossfold {

struct StoredRun {
  std::int64_t number = 0;
  std::string started;    // UTC, ISO 8601
  std::string crossfold;  // version
  std::string script;     // path, "" = none
  std::string script_text;
  std::vector<std::string> arguments;
  std::uint64_t seed = 0;
};

enum class LedgerPart { kOuter, kInner, kAll };

struct LedgerEntry {
  std::string learner, dataset;  // names in the experiment
  std::string candidate;         // "standardize|knn{k=7}"; "" = put together in the script
  bool inner = false;
  // Counts cells of the same names, repeat and fold: those of several experiments of one script,
  // and of the inner splits of several outer folds.
  std::int64_t occurrence = 0;
  std::int64_t repeat = 0, fold = 0;    // from 0
  std::shared_ptr<const Dataset> data;  // null = its content is not kept
  // The cell's rows, if `data` is there and the cell is none put together in the script.
  std::shared_ptr<const SplitPlan> splits;
  std::int64_t split = 0;
  std::int64_t splits_id = 0;   // in the table `splits`; 0 = put together in the script
  Keep keep = Keep::kLabels;    // what of predictions the run wanted kept
  bool finished = false;        // whether the store has an outcome; else the rest is empty
  bool has_prediction = false;  // whether outcome.prediction was kept; needs `data`
  Outcome outcome;              // without scores
  std::vector<std::pair<std::string, Score>> scores;  // by the metric's text
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
  // By dataset, learner, inner after outer, candidate (only inner), occurrence, repeat and fold.
  // One entry after the other is in memory. Returns what is damaged and left out, by name: "'knn'
  // on 'iris', repeat 1, fold 2". Throws Error(kBadData) if it cannot be read what the run asked
  // for.
  std::vector<std::string> Visit(std::int64_t run, LedgerPart part,
                                 const std::function<void(const LedgerEntry&)>& visit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
