// How much one feature says about the target, by several measures. Higher is more.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "crossfold_plugin.hpp"

namespace crossfold::select {

enum class Method : std::uint8_t {
  kVariance,
  kAnovaF,
  kChiSquared,
  kMutualInformation,
  kCorrelation
};
inline constexpr std::array<const char*, 5> kMethodNames = {"variance", "anova_f", "chi_squared",
                                                            "mutual_information", "correlation"};

// Whether the method scores such features; others are not judged.
inline bool Scores(Method method, bool categorical) {
  return !categorical || method == Method::kChiSquared || method == Method::kMutualInformation;
}
inline bool NeedsClasses(Method method) {
  return method == Method::kAnovaF || method == Method::kChiSquared ||
         method == Method::kMutualInformation;
}

// Returns the score on the rows in which feature j is present; nothing if the measure is undefined
// for them. May be infinite (anova_f). Weights count as repetitions. REQUIRES: Scores(method,
// train.is_categorical(j)), a target that fits the method.
std::optional<double> ScoreOf(Method method, const plugin::TrainingView& train, std::int64_t j);

}  // namespace crossfold::select
