#include "crossfold/decision_curve.h"

#include <algorithm>
#include <cmath>

#include "analysis/curves/rising_scores.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/stats/bootstrap.h"
#include "crossfold/threshold_table.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

constexpr char kDrawDecision[] = "draw a decision curve";

void CheckDecision(const ScoredRows& rows, const DecisionCurveOptions& options) {
  CheckScoredRows(rows);
  CheckScoresAreProbabilities(kDrawDecision, rows);
  stats::CheckOpenShare(kDrawDecision, "confidence", options.confidence);
  if (options.prevalence) stats::CheckOpenShare(kDrawDecision, "prevalence", *options.prevalence);
  for (std::size_t i = 0; i < options.thresholds.size(); ++i) {
    stats::CheckOpenShare(kDrawDecision, "a threshold", options.thresholds[i]);
    if (i > 0 && !(options.thresholds[i - 1] < options.thresholds[i])) {
      stats::RefuseArgument(kDrawDecision, "the thresholds do not ascend", "sort them");
    }
  }
  if (options.samples < 0 || options.samples == 1 || options.samples > 10000) {
    stats::RefuseArgument(kDrawDecision, "samples is " + std::to_string(options.samples),
                          "use 2 to 10000, or 0 for none");
  }
}

std::vector<double> ThresholdsOf(const DecisionCurveOptions& options) {
  if (!options.thresholds.empty()) return options.thresholds;
  std::vector<double> thresholds;
  for (int i = 1; i < 100; ++i) thresholds.push_back(i / 100.0);
  return thresholds;
}

// The weights of a sample of rows that have at least each threshold.
struct Treated {
  std::vector<double> tp, fp;
  double positives = 0, negatives = 0;
};

struct Benefit {
  double model = 0, all = 0;
  double gain() const { return model - std::max(all, 0.0); }
};

Benefit BenefitAt(const Treated& treated, std::size_t t, double threshold, double prevalence) {
  const double price = threshold / (1 - threshold);
  const double tpr = treated.tp[t] / treated.positives, fpr = treated.fp[t] / treated.negatives;
  return {tpr * prevalence - fpr * (1 - prevalence) * price, prevalence - (1 - prevalence) * price};
}

class DecisionRows {
 public:
  DecisionRows(const ScoredRows& rows, const std::vector<double>& thresholds)
      : thresholds_(thresholds) {
    const std::vector<std::size_t> order = ByRisingScore(rows);
    for (const std::size_t i : order) {
      const auto above = std::upper_bound(thresholds.begin(), thresholds.end(), rows.scores[i]);
      reached_.push_back(static_cast<std::size_t>(above - thresholds.begin()));
      weight_.push_back(rows.weight(i));
      positive_.push_back(rows.positive[i]);
    }
    units_ = BootstrapUnits(rows, order);
  }

  std::size_t num_units() const { return units_.count; }

  // times[u] = how often unit u counts.
  void Count(const std::vector<std::size_t>& times, Treated& treated) const {
    const std::size_t n = thresholds_.size();
    // The weights by the number of thresholds that the score reaches.
    treated.tp.assign(n + 1, 0);
    treated.fp.assign(n + 1, 0);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      (positive_[i] != 0 ? treated.tp : treated.fp)[reached_[i]] +=
          weight_[i] * static_cast<double>(times[units_.of[i]]);
    }
    for (std::size_t t = n; t-- > 0;) {
      treated.tp[t] += treated.tp[t + 1];
      treated.fp[t] += treated.fp[t + 1];
    }
    treated.positives = treated.tp[0];
    treated.negatives = treated.fp[0];
    // A row is treated at threshold t if its score reaches more than t of them.
    treated.tp.erase(treated.tp.begin());
    treated.fp.erase(treated.fp.begin());
  }

 private:
  const std::vector<double>& thresholds_;
  std::vector<std::size_t> reached_;  // one entry per score
  std::vector<double> weight_;
  std::vector<std::uint8_t> positive_;
  stats::SampledUnits units_;
};

double PrevalenceOf(const Treated& treated, const DecisionCurveOptions& options) {
  return options.prevalence.value_or(treated.positives / (treated.positives + treated.negatives));
}

void SetPercentiles(std::vector<double>& values, double confidence, double& low, double& high) {
  std::sort(values.begin(), values.end());
  low = stats::SortedQuantile(values, (1 - confidence) / 2);
  high = stats::SortedQuantile(values, (1 + confidence) / 2);
}

void SetIntervals(const DecisionRows& rows, const DecisionCurveOptions& options,
                  std::vector<DecisionPoint>& points) {
  std::vector<std::vector<double>> benefits(points.size()), gains(points.size());
  Treated treated;
  std::vector<std::size_t> times;
  for (const std::uint64_t seed :
       stats::SampleSeeds(options.seed, options.samples, options.cancel)) {
    StopIfCancelled(options.cancel);
    plugin::Random random(seed);
    stats::DrawUnits(random, rows.num_units(), times);
    rows.Count(times, treated);
    if (!(treated.positives > 0 && treated.negatives > 0)) continue;
    for (std::size_t t = 0; t < points.size(); ++t) {
      const Benefit benefit =
          BenefitAt(treated, t, points[t].threshold, PrevalenceOf(treated, options));
      benefits[t].push_back(benefit.model);
      gains[t].push_back(benefit.gain());
    }
  }
  if (benefits.front().size() < 2) return;
  for (std::size_t t = 0; t < points.size(); ++t) {
    SetPercentiles(benefits[t], options.confidence, points[t].low, points[t].high);
    SetPercentiles(gains[t], options.confidence, points[t].gain_low, points[t].gain_high);
  }
}

}  // namespace

DecisionCurve DrawDecisionCurve(const ScoredRows& rows, const DecisionCurveOptions& options) {
  CheckDecision(rows, options);
  DecisionCurve curve;
  curve.undefined = FindMissingClass(rows, TabulateThresholds(rows));
  if (!curve.undefined.empty()) return curve;
  curve.defined = true;
  const std::vector<double> thresholds = ThresholdsOf(options);
  const DecisionRows decided(rows, thresholds);
  Treated treated;
  decided.Count(std::vector<std::size_t>(decided.num_units(), 1), treated);
  curve.prevalence = PrevalenceOf(treated, options);
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    const Benefit benefit = BenefitAt(treated, t, thresholds[t], curve.prevalence);
    DecisionPoint point;
    point.threshold = thresholds[t];
    point.net_benefit = benefit.model;
    point.treat_all = benefit.all;
    point.gain = benefit.gain();
    point.tp = treated.tp[t];
    point.fp = treated.fp[t];
    curve.points.push_back(point);
  }
  if (options.samples > 0) SetIntervals(decided, options, curve.points);
  return curve;
}

}  // namespace crossfold
