// The seed of each call of a fitted pipeline. Only this file defines their paths:
//
//   "fit"            the learner's fit
//   "validation"     the choice of the learner's validation rows
//   "predict"        the learner's predict
//   "transform", i   the fit of step i (from 0)
//   "resample", i    the resample and the synthesize of step i, to training rows only
//   "apply", i       each apply of step i, to training and to test rows
//
// In a cell, "repeat", r, "fold", f (both from 0) come before each of them.
//
// Metrics get seed 0: a score depends on the predictions alone, so scoring again gives the same.
//
// The learner is not on the path. A caller that wants different random numbers for each candidate
// puts its name into the seed of the cell.
#pragma once

#include <cstdint>
#include <optional>

#include "crossfold/seed.h"

namespace crossfold {

class StepSeeds {
 public:
  explicit StepSeeds(std::uint64_t seed) : seed_(seed) {}
  StepSeeds(std::uint64_t seed, std::int64_t repeat, std::int64_t fold)
      : seed_(seed), place_(Place{repeat, fold}) {}

  std::uint64_t Fit() const { return Derive("fit"); }
  std::uint64_t Validation() const { return Derive("validation"); }
  std::uint64_t Predict() const { return Derive("predict"); }
  std::uint64_t FitTransform(std::size_t step) const { return Derive("transform", step); }
  std::uint64_t Resample(std::size_t step) const { return Derive("resample", step); }
  std::uint64_t Apply(std::size_t step) const { return Derive("apply", step); }

 private:
  struct Place {
    std::int64_t repeat, fold;
  };

  template <class... Steps>
  std::uint64_t Derive(Steps... steps) const {
    if (!place_) return SeedOfPath(seed_, {steps...});
    return SeedOfPath(seed_, {"repeat", place_->repeat, "fold", place_->fold, steps...});
  }

  std::uint64_t seed_;
  std::optional<Place> place_;
};

}  // namespace crossfold
