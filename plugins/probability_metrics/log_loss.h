// Log loss: the mean negative logarithm of the probability that was given to the true class.
#pragma once

#include <limits>

#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

class LogLoss {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.log_loss",
                    .title = "Log loss",
                    .doc = "Weighted mean of -ln p, where p is the probability that was given to "
                           "the true class, clipped to [clip, 1 - clip].",
                    .source = "Good 1952, Rational decisions"},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = -1,
      .worst = std::numeric_limits<double>::infinity(),
      .best = 0};

  struct Params {
    double clip = 1e-15;
  };
  static constexpr auto kSchema = cf::Schema(cf::Real(
      "clip", &Params::clip, {.low = 0, .high = 0.5},
      "Minimum probability, so that one certain mistake does not make the mean infinite; 0 = none.",
      {.flags = CF_PF_HI_OPEN}));

  static LogLoss Begin(const Params& params, const cf::MetricInput&, const cf::Context&) {
    return LogLoss(params.clip);
  }
  void Add(const cf::MetricInput& block, const cf::Context&);
  double Finish(const cf::Context&) const;

 private:
  explicit LogLoss(double clip) : clip_(clip) {}

  double clip_;
  RowWeights rows_;
  cf::CompensatedSum loss_;
  bool is_infinite_ = false;
};

}  // namespace crossfold::probability_metrics
