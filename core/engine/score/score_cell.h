// Scores of a cell from its prediction, right after it was computed or when it was read again.
#pragma once

#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "engine/run/cell_runner.h"

namespace crossfold {

// Computes scores of metrics, which need not be those of the cell's block. Throws StepError if one
// of them fails. REQUIRES: the prediction is for the test rows of the cell.
std::vector<Score> ScoreCellPrediction(const CellRef& cell, const MetricList& metrics,
                                       const Prediction& prediction, CallSite& site);

}  // namespace crossfold
