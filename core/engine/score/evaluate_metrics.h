// Calling metrics: those that can take the rows block by block (crossfold.accumulate/1) share one
// pass over a prediction that is longer than a block.
#pragma once

#include <vector>

#include "crossfold/cell.h"
#include "crossfold/outcome.h"
#include "engine/run/step_call.h"

namespace crossfold {

// One score a metric. Undefined also where a metric needs what the input lacks. Throws StepError if
// a metric fails or returns NaN without saying why.
std::vector<Score> EvaluateMetrics(const MetricList& metrics, const cf_metric_input& input,
                                   CallSite& site);

}  // namespace crossfold
