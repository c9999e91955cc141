// Compares two runs cell by cell, inputs and results, and finds why they differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/table.h"

namespace crossfold {

// The reasons are in the order in which they are checked; the first one that applies is a cell's
// reason.
enum class DiffReason {
  kData,   // different rows, columns or roles
  kSplit,  // different training or test rows
  kSeed,
  kParameter,        // of the same components
  kPlugin,           // a different component, version or file
  kCrossfold,        // a different version of Crossfold
  kMode,             // with sharing and without, where a learner declares a tolerance
  kComposed,         // combined or imported in the script: its parts, the script or the file differ
  kNotReproducible,  // the same inputs
  kOnlyA,            // only the first run has, or finished, the cell
  kOnlyB
};

// "data", "rows of the split", "seed", ...
std::string NameOf(DiffReason reason);

struct DifferingCell {
  std::string learner, dataset;
  std::string candidate;  // of the first run
  bool inner = false;
  std::int64_t repeat = 0, fold = 0;  // from 0
  DiffReason reason = DiffReason::kData;
  // All differences of the inputs, or of the results, as in "k = 5 and 7; seed 1 and 2".
  std::string finding;
};

// Plain data.
struct StoreDiff {
  std::int64_t n_equal = 0;
  std::int64_t n_equal_other_inputs = 0;  // of the equal ones
  std::vector<DifferingCell> cells;       // by dataset, learner, inner, candidate, repeat, fold
  std::vector<std::string> damaged;       // what is damaged and not compared, by name
};

// A store, or an archive of ExportRun, and a run of it: 0 = the last one with outer cells.
struct RunPlace {
  std::filesystem::path store;
  std::int64_t run = 0;
};

// "a.cfdb", or "a.cfdb#2" if there is no file of that name.
RunPlace ParseRunPlace(const std::string& text);

// Compares two runs. Cells are matched by their names in the experiments (dataset, learner, inner
// or outer, candidate, repeat, fold); outer cells also match if only the candidate differs. Results
// are equal if the status, the predictions and the scores of the metrics that both have are equal.
// Throws Error for stores and runs that cannot be read.
StoreDiff DiffRuns(const RunPlace& a, const RunPlace& b);

// Gives a summary by reason, then `details` of the cells.
std::string ToText(const StoreDiff& diff, std::size_t details);
// One row per differing cell: learner, dataset, inner, candidate, repeat, fold, reason, finding.
Table CellTable(const StoreDiff& diff);

}  // namespace crossfold
