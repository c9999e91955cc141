// Calling metrics. Metrics that take the rows block by block (crossfold.accumulate/1) share one
// pass over a prediction that is longer than a block.
#pragma once

#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "engine/run/step_call.h"

namespace crossfold {

// Returns one score per metric. A score is undefined also if the metric needs what the input lacks.
// Throws StepError if a metric fails or returns NaN without a reason.
// `row_scores` is what metrics with CF_TAKES_SCORES get instead of probabilities; null = nothing.
std::vector<Score> EvaluateMetrics(const MetricList& metrics, const cf_metric_input& input,
                                   CallSite& site, const double* row_scores = nullptr);

}  // namespace crossfold
