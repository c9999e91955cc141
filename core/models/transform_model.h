// A transform that was fitted without a learner. It comes before a learner that is written in Lua.
#pragma once

#include <cstdint>
#include <memory>

#include "crossfold/dataset.h"
#include "crossfold/run.h"
#include "crossfold/spec.h"

namespace crossfold {

// Thread-safe: the calls of one object wait for each other.
class TransformModel {
 public:
  // Fits the transform `step`. `transformed` becomes the transformed training rows, as Apply
  // returns them. If the step resamples, it becomes a dataset of the new rows, numbered from 0,
  // with the weights of the step. Throws Error.
  static std::shared_ptr<const TransformModel> Fit(std::shared_ptr<const Spec> step,
                                                   const DataView& train, std::uint64_t seed,
                                                   const RunOptions& options,
                                                   DataView& transformed);
  ~TransformModel();
  TransformModel(const TransformModel&) = delete;
  TransformModel& operator=(const TransformModel&) = delete;

  // Returns the same rows with other features. Columns are found by name, as FittedModel::Predict
  // does. Throws Error.
  DataView Apply(const DataView& rows, const RunOptions& options) const;

 private:
  struct Impl;
  explicit TransformModel(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
