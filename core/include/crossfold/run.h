// Running cells. Outcomes come in the order of the cells and hold the same bits for any number of
// workers.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
#include "crossfold/fitted_model.h"
#include "crossfold/outcome.h"
#include "crossfold/plugin_host.h"

namespace crossfold {

struct RunOptions {
  // Cells that run at the same time; 0 = one a core.
  int workers = 0;
  // Polled between cells and by plugins through progress(); may be null.
  const CancelToken* cancel = nullptr;
  LogSink log;  // what plugins log; may be empty
  // Called on a worker thread after each cell that was not cancelled, with its index. May change
  // the outcome. What it throws makes the cell a failed one.
  std::function<void(std::size_t, Outcome&)> on_finished;
};

// Fits and predicts every cell. A failure is data in that cell's outcome; after a cancellation the
// cells that did not run are kCancelled. REQUIRES: CheckCompatible holds for every cell.
std::vector<Outcome> RunCells(std::span<const Cell> cells, const RunOptions& options);

}  // namespace crossfold
