// The parameters of naive Bayes, and what follows from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../moments.h"
#include "crossfold_plugin.hpp"

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

// One per feature; nothing for features that are modelled by their levels. `columns` is text such
// as "visits=poisson,age=kernel". Throws Error if a name or a kind is not known.
std::vector<std::optional<NumericKind>> ColumnKinds(const plugin::FeatureView& rows,
                                                    NumericKind numeric, std::string_view columns);

// Probabilities of the classes before any feature is seen.
struct ClassPriors {
  std::vector<double> shares;  // 0 for a class that the training rows lack
  std::vector<double> logs;
};

// Throws Error if the `priors` of the setting are not probabilities of this number of classes.
void RefuseBadPriors(const BayesParams& params, std::size_t n_classes);

// Computes the priors from the training weight of each class. Throws Error if no class is possible.
ClassPriors PriorsOf(const BayesParams& params, std::span<const double> class_weights);

}  // namespace crossfold::bundled
