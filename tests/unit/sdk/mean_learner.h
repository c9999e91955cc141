// A regressor small enough to compute by hand: the mean of the targets, plus an offset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "crossfold_plugin/learner.hpp"

namespace crossfold::plugin {

struct MeanParams {
  double offset = 0;
};
inline constexpr auto kMeanSchema = Schema(
    Real("offset", &MeanParams::offset, {}, "Added to the mean.", {.flags = CF_PF_SUBMODEL}));

struct MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.mean"}, .tasks = CF_TASK_REGRESSION};
  using Params = MeanParams;
  static constexpr auto kSchema = kMeanSchema;

  double sum = 0;
  double n = 0;
  double offset = 0;

  static MeanLearner Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<MeanLearner>(p, t);
  }
  void Predict(const FeatureView&, std::span<double> out, const Context&) const {
    std::fill(out.begin(), out.end(), sum / n + offset);
  }

 protected:
  // Of a learner that is derived from this one.
  template <class Mean>
  static Mean FitAs(const Params& p, const TrainingView& t) {
    Mean m;
    m.offset = p.offset;
    m.Add(t, +1);
    return m;
  }
  void Add(const TrainingView& t, double sign) {
    for (std::int64_t i = 0; i < t.num_rows(); ++i) {
      sum += sign * t.value(i);
      n += sign;
    }
  }
};

}  // namespace crossfold::plugin
