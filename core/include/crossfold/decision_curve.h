// What a probability is worth for a decision: A. J. Vickers and E. B. Elkin, "Decision curve
// analysis: a novel method for evaluating prediction models", Medical Decision Making 26 (2006)
// 565-574.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/scored_rows.h"

namespace crossfold {

struct DecisionCurveOptions {
  // The probabilities from which on a row is treated, ascending, in (0, 1). Empty = .01 to .99 in
  // steps of .01.
  std::vector<double> thresholds = {};
  // The share of positive rows where the model will be used, for data of which positive and
  // negative rows were sampled separately. None = the share in the data.
  std::optional<double> prevalence = {};
  double confidence = 0.95;  // of the intervals at each threshold
  int samples = 1000;        // bootstrap samples of rows, or of groups; 0 = no intervals
  std::uint64_t seed = 0;
  const CancelToken* cancel = nullptr;  // checked at each sample; may be null
};

// Net benefits are in positive rows per row: treating a positive row counts 1, a negative row costs
// t / (1 - t). Treating none has net benefit 0.
struct DecisionPoint {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double threshold = 0;
  double net_benefit = 0, low = kNone, high = kNone;  // TP/n - FP/n t / (1 - t)
  double treat_all = 0;
  // How much better than treating all and than treating none: net_benefit - max(treat_all, 0).
  double gain = 0, gain_low = kNone, gain_high = kNone;
  double tp = 0, fp = 0;  // weights of the rows that are treated
};

struct DecisionCurve {
  bool defined = false;
  std::string undefined;  // the reason, if not
  std::vector<DecisionPoint> points;
  double prevalence = std::numeric_limits<double>::quiet_NaN();  // that was used
};

// Rows with score >= threshold are treated. The curve is undefined unless there are rows of both
// classes. Intervals are percentiles over bootstrap samples that have both. Throws Error if a score
// is not a probability, for thresholds that do not ascend or are outside (0, 1), a prevalence or
// confidence outside (0, 1), and for 1 or more than 10000 samples. Throws Error(kCancelled).
DecisionCurve DrawDecisionCurve(const ScoredRows& rows, const DecisionCurveOptions& options = {});

}  // namespace crossfold
