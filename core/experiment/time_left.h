// An estimate of the time that the remaining cells of a run take.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"

namespace crossfold {

// A cell costs the entries of its rows, as in the plan; the seconds that a unit of cost takes are
// learned from the cells that finished. Not thread-safe.
class TimeLeft {
 public:
  explicit TimeLeft(std::span<const CellBlock> blocks);

  // Reports that cell i of the blocks took this number of seconds of a worker.
  void Finished(std::size_t i, double seconds);
  // Returns the wall-clock seconds that are left after `elapsed` seconds, at the pace so far;
  // nothing before a cell has finished.
  std::optional<double> Seconds(double elapsed) const;

 private:
  struct Work {
    double left = 0, done = 0, seconds = 0;
  };
  struct Setting : Work {
    std::size_t learner = 0;  // in learners_
  };

  std::vector<std::size_t> first_;    // cell of each block, ascending
  std::vector<std::size_t> setting_;  // of each block
  std::vector<double> cost_;          // of a cell of each block
  std::vector<Setting> settings_;     // a learner with its parameters on a dataset
  std::vector<Work> learners_;        // its steps, whatever their parameters, on a dataset
};

}  // namespace crossfold
