#include "bootstrap.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled {
namespace {

constexpr double kMostDraws = 2147483648.0;

}  // namespace

Bootstrap::Bootstrap(std::span<const double> weights, std::size_t n_rows)
    : whole_(
          std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::floor(w); })),
      all_equal_one_(std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })),
      n_draws_(n_rows) {
  double sum = all_equal_one_ ? static_cast<double>(n_rows) : 0;
  if (!all_equal_one_) {
    for (const double w : weights) cumulative_.push_back(sum += w);
  }
  if (!whole_) return;
  if (sum > kMostDraws) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "the weights stand for more than 2147483648 rows, too many to draw from; "
                        "use bootstrap = false");
  }
  n_draws_ = static_cast<std::uint64_t>(sum);
}

void Bootstrap::Draw(plugin::Random random, std::span<double> counts) const {
  std::fill(counts.begin(), counts.end(), 0.0);
  for (std::uint64_t d = 0; d < n_draws_; ++d) {
    if (all_equal_one_) {
      ++counts[random.Below(n_draws_)];
      continue;
    }
    const double at = whole_ ? static_cast<double>(random.Below(n_draws_))
                             : random.Uniform() * cumulative_.back();
    // The first row whose cumulated weight is above `at`.
    const auto row = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    ++counts[std::min(static_cast<std::size_t>(row - cumulative_.begin()), counts.size() - 1)];
  }
}

}  // namespace crossfold::bundled
