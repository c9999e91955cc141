// Adjusts the p-values of several tests so that they can be compared with one level.
#pragma once

#include <span>
#include <vector>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

enum class Adjustment {
  kBonferroni,  // m p; any dependence; controls the probability of any false finding
  kHolm,        // S. Holm 1979, Scand. J. Stat. 6, 65-70: like Bonferroni, never less powerful
  kHochberg,    // Y. Hochberg 1988, Biometrika 75, 800-802: for independent tests
  kBenjaminiHochberg  // Y. Benjamini, Y. Hochberg 1995, JRSS B 57, 289-300: controls the expected
                      // share of false findings among the findings
};

// The names of the adjustments in their order, then null.
inline constexpr const char* kAdjustmentNames[] = {"bonferroni", "holm", "hochberg",
                                                   "benjamini_hochberg", nullptr};

// The adjusted p-values in the order given, each at most 1. Raises Error for a number outside [0,
// 1].
std::vector<double> AdjustP(std::span<const double> p, Adjustment adjustment,
                            const CancelToken* cancel = nullptr);

}  // namespace crossfold::stats
