// Averages of a ratio over the classes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

struct Ratio {
  double part;
  double whole;  // 0 = the ratio has no value
};

enum class Average { kBinary, kMacro, kMicro, kWeighted };
inline constexpr std::array<const char*, 4> kAverageNames = {"binary", "macro", "micro",
                                                             "weighted"};

struct AverageParams {
  std::string positive;
  Average average = Average::kBinary;
  bool skip_undefined = false;
};

inline constexpr auto kAverageSchema = plugin::Schema(
    plugin::Text("positive", &AverageParams::positive,
                 "The class that counts as positive; empty = the second of two.",
                 {.active_if = "average=binary"}),
    plugin::Choice("average", &AverageParams::average, kAverageNames,
                   "How the value is averaged: for the positive class alone (binary); as the mean "
                   "over the classes, plain (macro) or weighted by the rows of each class "
                   "(weighted); from the summed counts of all classes (micro)."),
    plugin::Boolean("skip_undefined", &AverageParams::skip_undefined,
                    "Average over the classes that have a value; otherwise one class without a "
                    "value leaves the average undefined.",
                    {.active_if = "average=macro,weighted"}));

// A metric over labels between 0 and 1.
constexpr plugin::MetricInfo ShareInfo(plugin::ComponentInfo component, std::int32_t direction = 1,
                                       std::int64_t least_class_rows = 0) {
  return {.component = component,
          .needs = CF_NEEDS_LABELS,
          .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
          .direction = direction,
          .worst = direction > 0 ? 0.0 : 1.0,
          .best = direction > 0 ? 1.0 : 0.0,
          .least_class_rows = least_class_rows};
}

// `why_none()` is the reason if there is no value.
template <class WhyNone>
double ValueOf(const Ratio& ratio, const WhyNone& why_none) {
  if (ratio.whole == 0) throw plugin::Undefined(why_none());
  return ratio.part / ratio.whole;
}

// Micro average: the ratio of the sums.
inline double Pooled(std::span<const Ratio> ratios) {
  plugin::CompensatedSum part, whole;
  for (const Ratio& ratio : ratios) {
    part.Add(ratio.part);
    whole.Add(ratio.whole);
  }
  return ValueOf(Ratio{part.value(), whole.value()}, [] { return "there is only one class"; });
}

// The classes over which to average: those of a weight above 0, and with `skip_undefined` only
// those that have a value. `why_none(c)` says why class c has none.
template <class WhyNone>
std::vector<std::size_t> ClassesToAverage(std::span<const Ratio> ratios,
                                          std::span<const double> weights, bool skip_undefined,
                                          const WhyNone& why_none) {
  std::vector<std::size_t> classes;
  for (std::size_t c = 0; c < ratios.size(); ++c) {
    if (weights[c] == 0) continue;
    if (ratios[c].whole != 0) {
      classes.push_back(c);
    } else if (!skip_undefined) {
      throw plugin::Undefined(why_none(c) +
                              ", so the class has no value to average; skip_undefined = true "
                              "leaves it out");
    }
  }
  if (classes.empty()) throw plugin::Undefined("no class has a value to average");
  return classes;
}

template <class WhyNone>
double MeanOverClasses(std::span<const Ratio> ratios, std::span<const double> weights,
                       bool skip_undefined, const WhyNone& why_none) {
  plugin::CompensatedSum sum, total;
  for (const std::size_t c : ClassesToAverage(ratios, weights, skip_undefined, why_none)) {
    sum.Add(weights[c] * (ratios[c].part / ratios[c].whole));
    total.Add(weights[c]);
  }
  return sum.value() / total.value();
}

}  // namespace crossfold::bundled
