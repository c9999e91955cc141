#include "crossfold/stats/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "analysis/stats/distributions.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/compensated_sum.hpp"
#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {
namespace {

constexpr char kInterval[] = "compute a bootstrap interval";

BootstrapInterval UndefinedInterval(double estimate, const std::string& reason) {
  return {false,      reason,     std::isfinite(estimate) ? estimate : kUndefined,
          kUndefined, kUndefined, kUndefined,
          kUndefined, kUndefined};
}

std::int64_t CountNotFinite(std::span<const double> numbers) {
  return std::count_if(numbers.begin(), numbers.end(), [](double x) { return !std::isfinite(x); });
}

// Why the interval does not exist before its method matters, or "".
std::string NotUsable(double estimate, std::span<const double> replicates) {
  if (!std::isfinite(estimate)) return "the statistic of the values is not a finite number";
  const std::int64_t bad = CountNotFinite(replicates);
  if (bad == 0) return "";
  return "the statistic is not a finite number in " + std::to_string(bad) + " of " +
         std::to_string(replicates.size()) + " samples";
}

// Why z0 and a give no BCa interval, or "".
std::string NoCorrection(double bias_correction, double acceleration) {
  if (!std::isfinite(bias_correction)) {
    return "every replicate is on the same side of the estimate: the bias correction is infinite";
  }
  if (!std::isfinite(acceleration)) {
    return "the statistic is the same, or undefined, without any one value: there is no "
           "acceleration; use the percentile method";
  }
  return "";
}

// The share of the replicates at which BCa puts the end that belongs to the normal quantile `z`.
// NaN if the correction leaves the domain of the formula.
double CorrectedShare(double z, double bias_correction, double acceleration) {
  const double shifted = bias_correction + z;
  const double scale = 1 - acceleration * shifted;
  return scale > 0 ? NormalCdf(bias_correction + shifted / scale) : kUndefined;
}

}  // namespace

double MeanOf(std::span<const double> values) { return Summarize(values).mean; }

double MedianOf(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  return sorted[half - 1] + (sorted[half] - sorted[half - 1]) / 2;
}

std::vector<std::uint64_t> SampleSeeds(std::uint64_t seed, std::int64_t samples,
                                       const CancelToken* cancel) {
  plugin::Random random(seed);
  std::vector<std::uint64_t> seeds;
  for (std::int64_t i = 0; i < samples; ++i) {
    StopIfCancelled(cancel);
    seeds.push_back(random.Next());
  }
  return seeds;
}

std::vector<double> BootstrapSample(std::span<const double> values, std::uint64_t sample_seed) {
  plugin::Random random(sample_seed);
  std::vector<double> sample(values.size());
  for (double& value : sample)
    value = values[static_cast<std::size_t>(random.Below(values.size()))];
  return sample;
}

std::vector<double> BootstrapReplicates(std::span<const double> values, const Statistic& statistic,
                                        std::int64_t samples, std::uint64_t seed,
                                        const CancelToken* cancel) {
  plugin::Random seeds(seed);  // as SampleSeeds lists them
  std::vector<double> replicates;
  for (std::int64_t i = 0; i < samples; ++i) {
    StopIfCancelled(cancel);
    replicates.push_back(statistic(BootstrapSample(values, seeds.Next())));
  }
  return replicates;
}

std::vector<double> LeaveOneOutValues(std::span<const double> values, const Statistic& statistic,
                                      const CancelToken* cancel) {
  assert(values.size() >= 2);
  std::vector<double> others(values.begin() + 1, values.end());  // without the first
  std::vector<double> results;
  for (std::size_t i = 0; i < values.size(); ++i) {
    StopIfCancelled(cancel);
    results.push_back(statistic(others));
    if (i < others.size()) others[i] = values[i];
  }
  return results;
}

double BiasCorrection(std::span<const double> replicates, double estimate) {
  std::int64_t halves = 0;
  for (const double replicate : replicates) {
    halves += (replicate < estimate ? 1 : 0) + (replicate <= estimate ? 1 : 0);
  }
  const auto all = static_cast<std::int64_t>(2 * replicates.size());
  if (halves == 0) return -std::numeric_limits<double>::infinity();
  if (halves == all) return std::numeric_limits<double>::infinity();
  return NormalQuantile(static_cast<double>(halves) / static_cast<double>(all));
}

double Acceleration(std::span<const double> leave_one_out) {
  if (CountNotFinite(leave_one_out) > 0) return kUndefined;
  const Summary summary = Summarize(leave_one_out);
  if (!(summary.min < summary.max)) return kUndefined;
  plugin::CompensatedSum cubes, squares;
  // Measured in standard deviations: cubes of tiny deviations would underflow.
  for (const double value : leave_one_out) {
    const double deviation = (summary.mean - value) / summary.sd;
    cubes.Add(deviation * deviation * deviation);
    squares.Add(deviation * deviation);
  }
  return cubes.value() / (6 * std::pow(squares.value(), 1.5));
}

double SortedQuantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

BootstrapInterval IntervalOfReplicates(double estimate, std::span<const double> replicates,
                                       std::span<const double> leave_one_out,
                                       BootstrapMethod method, double confidence) {
  CheckOpenShare(kInterval, "confidence", confidence);
  if (replicates.size() < 2) {
    RefuseArgument(kInterval, "samples is " + std::to_string(replicates.size()), "draw at least 2");
  }
  const std::string unusable = NotUsable(estimate, replicates);
  if (!unusable.empty()) return UndefinedInterval(estimate, unusable);
  const double tail = (1 - confidence) / 2;
  double low = tail, high = 1 - tail, bias_correction = kUndefined, acceleration = kUndefined;
  if (method == BootstrapMethod::kBca) {
    bias_correction = BiasCorrection(replicates, estimate);
    acceleration = Acceleration(leave_one_out);
    const std::string reason = NoCorrection(bias_correction, acceleration);
    if (!reason.empty()) return UndefinedInterval(estimate, reason);
    low = CorrectedShare(NormalQuantile(tail), bias_correction, acceleration);
    high = CorrectedShare(-NormalQuantile(tail), bias_correction, acceleration);
    if (std::isnan(low) || std::isnan(high)) {
      return UndefinedInterval(estimate, "the acceleration is too large for this confidence");
    }
  }
  std::vector<double> sorted(replicates.begin(), replicates.end());
  std::sort(sorted.begin(), sorted.end());
  return {true,
          "",
          estimate,
          SortedQuantile(sorted, low),
          SortedQuantile(sorted, high),
          Summarize(replicates).sd,
          bias_correction,
          acceleration};
}

std::string NothingToResample(std::span<const double> values, const BootstrapOptions& options) {
  if (values.empty()) RefuseArgument(kInterval, "there are no values", "give a list of numbers");
  CheckFinite(kInterval, "value", values);
  CheckOpenShare(kInterval, "confidence", options.confidence);
  if (options.samples < 2) {
    RefuseArgument(kInterval, "samples is " + std::to_string(options.samples), "draw at least 2");
  }
  if (values.size() == 1) return "one value does not show how values vary";
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? "all values are equal: every sample is the same" : "";
}

BootstrapInterval Bootstrap(std::span<const double> values, const Statistic& statistic,
                            const BootstrapOptions& options) {
  const std::string reason = NothingToResample(values, options);
  const double estimate = statistic(values);
  if (!reason.empty()) return UndefinedInterval(estimate, reason);
  const std::vector<double> replicates =
      BootstrapReplicates(values, statistic, options.samples, options.seed, options.cancel);
  std::vector<double> leave_one_out;
  if (options.method == BootstrapMethod::kBca) {
    leave_one_out = LeaveOneOutValues(values, statistic, options.cancel);
  }
  return IntervalOfReplicates(estimate, replicates, leave_one_out, options.method,
                              options.confidence);
}

}  // namespace crossfold::stats
