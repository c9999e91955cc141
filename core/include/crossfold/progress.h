// How far a run is, for its host.
#pragma once

#include <cstddef>
#include <functional>

namespace crossfold {

// Cells: one a learner and split.
struct Progress {
  std::size_t finished = 0, total = 0;
};

// Called after each cell, on the thread that finished it, one call at a time. What it throws stops
// the run, and comes out of the call that runs it.
using ProgressSink = std::function<void(const Progress&)>;

}  // namespace crossfold
