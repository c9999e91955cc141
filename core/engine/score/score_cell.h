// Scores of a cell from its prediction, right after it was computed or when it was read again.
#pragma once

#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "engine/plan/training_target.h"
#include "engine/run/cell_runner.h"

namespace crossfold {

// Computes scores of metrics, which need not be those of the cell's block. Throws StepError if one
// of them fails. `targets` serve all cells of a run. REQUIRES: the prediction is for the test rows
// of the cell.
std::vector<Score> ScoreCellPrediction(const CellRef& cell, const MetricList& metrics,
                                       const Prediction& prediction, TrainingTargets& targets,
                                       CallSite& site);

// Does as ScorePredictions, for rows whose training target is known (null = it is not).
std::vector<Score> ScoreWithTarget(const MetricList& metrics, const Dataset& data,
                                   const Prediction& prediction, const TrainingTarget* training,
                                   const LogSink& log);

}  // namespace crossfold
