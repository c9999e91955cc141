// Fitting several models at the same time, each as FittedModel::Fit would.
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

// One of both is there.
struct FitResult {
  std::shared_ptr<const FittedModel> model;
  std::optional<Error> error;  // what FittedModel::Fit threw
};

// Results in the order of the jobs, the same for any number of workers. A job that fails fails
// alone; after a cancellation the jobs that did not run are errors of kind kCancelled.
std::vector<FitResult> FitModels(std::span<const FitJob> jobs, const RunOptions& options);

}  // namespace crossfold
