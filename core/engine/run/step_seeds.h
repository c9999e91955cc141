// The seed of every call of a fitted pipeline. The one place that says which path each of them has:
//
//   "fit"            the learner's fit
//   "predict"        the learner's predict
//   "transform", i   the fit of step i (from 0)
//   "resample", i    the resample and the synthesize of step i, to training rows only
//   "apply", i       each apply of step i, to training and to test rows
//
// and in a cell "repeat", r, "fold", f (both from 0) before each of them.
//
// Metrics get seed 0: a score follows from the predictions alone, so scoring again gives the same.
//
// The learner is not on the path: who wants other random numbers for each candidate has its name in
// the seed that the cell gets.
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
