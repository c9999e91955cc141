// Whether an outcome that came from another process can be that of a cell. A plugin may have
// written into the memory of that process, so nothing that it sends is trusted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"

namespace crossfold {

// Checks the cells of one run. Thread-safe. The plans must outlive it.
class OutcomeCheck {
 public:
  // Returns "", or why the outcome is impossible. Takes O(test rows), and O(rows of the view) once
  // per repeat.
  std::string FindProblem(const CellBlock& block, std::int64_t split, const Outcome& outcome);

 private:
  // The test rows of all folds of one repeat.
  struct Repeat {
    std::vector<std::int64_t> rows;
    std::vector<std::size_t> first;  // of each fold, and the end
  };
  std::shared_ptr<const Repeat> RepeatOf(const SplitPlan& plan, std::int64_t split);
  std::string FindRowProblem(const CellBlock& block, std::int64_t split, const Outcome& outcome);

  std::mutex mutex_;
  std::map<std::pair<const SplitPlan*, std::int64_t>, std::shared_ptr<const Repeat>> repeats_;
};

}  // namespace crossfold
