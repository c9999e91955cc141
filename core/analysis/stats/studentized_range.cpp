#include "analysis/stats/studentized_range.h"

#include <algorithm>
#include <cmath>

#include "analysis/stats/distributions.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

// Integral of `integrand` over -10 .. q/2 + 10; the tail of a large range gathers around q/2.
template <class Integrand>
double Integrate(double q, const Integrand& integrand) {
  // Beyond this the normal density adds nothing to a sum near 1.
  constexpr double kReach = 10;
  // The trapezoid rule converges exponentially for a smooth integrand that vanishes at both ends:
  // at this step its error is below the rounding of the sum, for any k.
  constexpr double kStep = 1.0 / 32;
  const auto steps = static_cast<std::int64_t>(std::ceil((2 * kReach + q / 2) / kStep));
  plugin::CompensatedSum sum;
  for (std::int64_t i = 0; i <= steps; ++i) {
    sum.Add(integrand(-kReach + static_cast<double>(i) * kStep));
  }
  return sum.value() * kStep;
}

}  // namespace

// The largest is z, the others are below it, but not all of them in z-q .. z.
double StudentizedRangeUpper(double q, std::int64_t k) {
  const double others = static_cast<double>(k - 1);
  const double integral = Integrate(q, [&](double z) {
    const double below = NormalCdf(z);
    const double far = std::fmin(1.0, NormalCdf(z - q) / below);
    return NormalDensity(z) * std::pow(below, others) * -std::expm1(others * std::log1p(-far));
  });
  return std::fmin(1.0, static_cast<double>(k) * integral);
}

double StudentizedRangeUpperQuantile(double upper, std::int64_t k) {
  const auto excess = [&](double q) { return std::log(StudentizedRangeUpper(q, k) / upper); };
  double low = 0, above = -std::log(upper), high = 1, below = excess(high);
  while (below > 0) {
    low = high, above = below;
    high *= 2, below = excess(high);
  }
  // False position with Illinois' change (Dowell and Jarratt 1971): an end that stays twice counts
  // half. The logarithm of a tail is smooth, so about ten integrals do; bisection would take fifty.
  int side = 0;
  for (;;) {
    const double share = std::isfinite(below) ? above / (above - below) : 0.5;
    const double q = std::clamp(low + (high - low) * share, low, high);
    const double at_q = excess(q);
    if (q == low || q == high || at_q == 0 || high - low < 1e-13 * high) return q;
    if (at_q > 0) {
      if (side == 1) below /= 2;
      low = q, above = at_q, side = 1;
    } else {
      if (side == -1) above /= 2;
      high = q, below = at_q, side = -1;
    }
  }
}

}  // namespace crossfold::stats
