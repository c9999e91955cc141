#include "crossfold/fit_models.h"

#include <exception>
#include <new>

#include "engine/run/shared_items.h"

namespace crossfold {
namespace {

FitResult FitOne(const FitJob& job, const RunOptions& options) {
  try {
    return {FittedModel::Fit(job.learner, job.train, job.seed, options), std::nullopt};
  } catch (const Error& e) {
    return {nullptr, e};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {nullptr, Error(ErrorKind::kFailed, e.what())};
  }
}

}  // namespace

std::vector<FitResult> FitModels(std::span<const FitJob> jobs, const RunOptions& options) {
  std::vector<FitResult> results(
      jobs.size(), FitResult{nullptr, Error(ErrorKind::kCancelled, "cancelled by the host")});
  const FitResult no_memory{nullptr, Error(ErrorKind::kFailed, "out of memory")};
  const auto fit = [&](std::size_t i) noexcept {
    try {
      results[i] = FitOne(jobs[i], options);
    } catch (const std::bad_alloc&) {
      results[i] = no_memory;  // made before, because copies need no memory
    }
  };
  SharedItems items(jobs.size(), options.cancel, fit);
  items.WorkOn(options.workers);
  return results;
}

}  // namespace crossfold
