#include "crossfold/stats/betting_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/stats/refuse_argument.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr char kBound[] = "bound the mean of values";
constexpr int kHalvings = 60;  // of [0, 1]: below the spacing of doubles near 1

// The bets, which depend on earlier values only. They assume one value of 1/2 with variance 1/4
// before the first.
std::vector<double> PlugInBets(std::span<const double> shares, double log_stakes) {
  std::vector<double> bets(shares.size());
  double sum = 0.5, squares = 0.25, variance = 0.25;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double t = static_cast<double>(i + 1);
    bets[i] = std::sqrt(2 * log_stakes / (variance * t * std::log1p(t)));
    sum += shares[i];
    const double mean = sum / (t + 1);
    squares += (shares[i] - mean) * (shares[i] - mean);
    variance = squares / (t + 1);
  }
  return bets;
}

// Whether the capital of bets on values above `mean` ever reaches the stakes. It falls with `mean`.
bool IsTooLow(std::span<const double> shares, std::span<const double> bets, double mean,
              double log_stakes) {
  plugin::CompensatedSum log_capital;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double bet = mean > 0 ? std::min(bets[i], kLargestBet / mean) : bets[i];
    log_capital.Add(std::log1p(bet * (shares[i] - mean)));
    if (log_capital.value() >= log_stakes) return true;
  }
  return false;
}

// The smallest mean that is not too low.
double LowerEnd(std::span<const double> shares, std::span<const double> bets, double log_stakes) {
  double too_low = 0, possible = 1;
  if (!IsTooLow(shares, bets, 0, log_stakes)) return 0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = too_low + (possible - too_low) / 2;
    (IsTooLow(shares, bets, middle, log_stakes) ? too_low : possible) = middle;
  }
  return too_low;
}

void CheckValues(std::span<const double> values, double least, double most) {
  CheckFinite(kBound, "value", values);
  if (!(std::isfinite(least) && std::isfinite(most) && least < most)) {
    RefuseArgument(kBound, "they have no range", "give a least value below a finite most value");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= least && values[i] <= most) continue;
    RefuseArgument(kBound,
                   "value " + std::to_string(i + 1) + " is " + FormatShortest(values[i]) +
                       ", outside " + FormatShortest(least) + " to " + FormatShortest(most),
                   "give the range of all values");
  }
}

}  // namespace

MeanInterval BettingInterval(std::span<const double> values, double least, double most,
                             double confidence) {
  CheckValues(values, least, most);
  CheckOpenShare(kBound, "confidence", confidence);
  const double log_stakes = std::log(2 / (1 - confidence)), range = most - least;
  std::vector<double> shares(values.size()), mirrored(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    shares[i] = std::clamp((values[i] - least) / range, 0.0, 1.0);
    mirrored[i] = 1 - shares[i];
  }
  // Mirrored values have the same bets: their assumed first value is the same, too.
  const std::vector<double> bets = PlugInBets(shares, log_stakes);
  const double low = LowerEnd(shares, bets, log_stakes);
  const double high = 1 - LowerEnd(mirrored, bets, log_stakes);
  return {least + low * range, most - (1 - high) * range};
}

}  // namespace crossfold::stats
