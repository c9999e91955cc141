// The parameters of naive Bayes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../moments.h"

namespace crossfold::bundled {

// How a numeric column is modelled within each class.
enum class NumericKind { kNormal, kKernel, kPoisson, kBernoulli, kMultinomial, kGamma, kBinomial };
inline constexpr std::array<const char*, 7> kNumericKindNames = {
    "normal", "kernel", "poisson", "bernoulli", "multinomial", "gamma", "binomial"};

enum class PriorRule { kLearned, kUniform, kGiven };
inline constexpr std::array<const char*, 3> kPriorRuleNames = {"learned", "uniform", "given"};

enum class BandwidthRule { kRange, kInverseRoot, kSilverman };
inline constexpr std::array<const char*, 3> kBandwidthRuleNames = {"range", "inverse_root",
                                                                   "silverman"};

inline constexpr std::int64_t kMostTrials = 1'000'000'000;  // of a binomial

inline constexpr std::array<const char*, 2> kVarianceNames = {"ml", "sample"};

struct BayesParams {
  double laplace = 1;
  NumericKind numeric = NumericKind::kNormal;
  std::string columns;
  std::optional<std::int64_t> trials;
  PriorRule prior = PriorRule::kLearned;
  std::vector<double> priors;
  Denominator variance = Denominator::kTotalWeight;
  double min_sd = 1e-3;
  double var_smoothing = 0;
  BandwidthRule bandwidth = BandwidthRule::kRange;
  double bandwidth_factor = 1;
};

}  // namespace crossfold::bundled
