// The progress of a run, for its host.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace crossfold {

// Progress in the cells that one call runs, one per learner and split.
struct Progress {
  std::size_t finished = 0, total = 0;
  std::size_t failed = 0;  // of the finished ones
  std::size_t found = 0;   // of the finished ones: not computed, but taken from a store
  // The part of `finished` and `total` that belongs to the choices of searches.
  std::size_t inner_finished = 0, inner_total = 0;
  // Folds of the experiments of a script that have begun and are not reported as finished yet; 0 =
  // not known.
  std::size_t folds_finished = 0, folds_total = 0;
  double seconds = 0;  // since the call began, wall clock
  // Seconds until the cells of this call are finished: the costs that the plan gives the cells that
  // are left (entries of their data), times the seconds that a unit of cost took so far. The latter
  // are those of the same setting of the learner, else of its other settings, else of all learners.
  std::optional<double> seconds_left;
};

// Called after each cell, on the thread that finished it, one call at a time. If it throws, the run
// stops and the call that runs it throws the same.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace crossfold
