// How far a run is, for its host.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace crossfold {

// Of the cells that one call runs: one a learner and split.
struct Progress {
  std::size_t finished = 0, total = 0;
  std::size_t failed = 0;  // of the finished ones
  std::size_t found = 0;   // of the finished ones: not computed, but taken from a store
  // Of `finished` and `total`, those that tell a search what to choose.
  std::size_t inner_finished = 0, inner_total = 0;
  // Folds of the experiments of a script that are begun and not told as finished yet; 0 = not
  // known.
  std::size_t folds_finished = 0, folds_total = 0;
  double seconds = 0;  // since the call began, wall clock
  // Until the cells of this call are finished: the costs that the plan gives those that are left
  // (entries of their data), by the seconds that a unit of cost took so far, for each setting of a
  // learner, for its other settings where it has none yet, for all learners where those have none.
  std::optional<double> seconds_left;
};

// Called after each cell, on the thread that finished it, one call at a time. What it throws stops
// the run, and comes out of the call that runs it.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace crossfold
