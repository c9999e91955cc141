// Running cells. Outcomes come in the order of the cells and hold the same bits for any number of
// workers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
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

// A pipeline fitted on all rows of a view.
class FittedModel {
 public:
  // Throws Error(kFailed) with the plugin's reason, Error(kCancelled).
  static std::shared_ptr<const FittedModel> Fit(std::shared_ptr<const Pipeline> learner,
                                                const DataView& train, std::uint64_t seed,
                                                const RunOptions& options);
  ~FittedModel();
  FittedModel(const FittedModel&) = delete;
  FittedModel& operator=(const FittedModel&) = delete;

  // The view's features must have the names, types and levels of the training data, in its order.
  // Probabilities are filled in if the learner gives any. Throws Error.
  Prediction Predict(const DataView& rows, const RunOptions& options) const;

  const Pipeline& learner() const;

 private:
  struct Impl;
  explicit FittedModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
