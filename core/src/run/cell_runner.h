// Running cells with something done to each one while its predictions are still there.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "crossfold/run.h"
#include "run/step_call.h"

namespace crossfold {

// Called on the worker after a successful prediction, before predictions are dropped as the cell's
// `keep` asks. Throws StepError to fail the cell.
using FinishCell = std::function<void(const Cell&, CallSite&, Outcome&)>;

// RunCells; `finish` may be empty.
std::vector<Outcome> RunCellsAndFinish(std::span<const Cell> cells, const RunOptions& options,
                                       const FinishCell& finish);

}  // namespace crossfold
