// Fitting several models at the same time, each as FittedModel::Fit does.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/fitted_model.h"
#include "crossfold/run.h"

namespace crossfold {

struct FitJob {
  std::shared_ptr<const Pipeline> learner;
  DataView train;
  std::uint64_t seed = 0;
};

// It holds either a model or an error.
struct FitResult {
  std::shared_ptr<const FittedModel> model;
  std::optional<Error> error;  // what FittedModel::Fit threw
};

// Returns results in the order of the jobs, which are the same for any number of workers. A job
// that fails does not affect the others. After a cancellation, jobs that did not run are errors of
// kind kCancelled.
std::vector<FitResult> FitModels(std::span<const FitJob> jobs, const RunOptions& options);

}  // namespace crossfold
