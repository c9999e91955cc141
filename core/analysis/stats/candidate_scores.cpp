#include "crossfold/stats/candidate_scores.h"

#include <cassert>
#include <limits>

#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {

std::vector<std::int32_t> DrawCounts(std::int64_t n_units, std::uint64_t seed) {
  assert(n_units > 0);
  plugin::Random random(seed);
  std::vector<std::int32_t> counts(static_cast<std::size_t>(n_units), 0);
  for (std::int64_t i = 0; i < n_units; ++i) {
    ++counts[static_cast<std::size_t>(random.Below(static_cast<std::uint64_t>(n_units)))];
  }
  return counts;
}

std::vector<double> BagMeans(const CandidateScores& all, std::span<const std::int32_t> counts,
                             bool by_fold) {
  const auto n_candidates = static_cast<std::size_t>(all.n_candidates);
  const auto n_parts = static_cast<std::size_t>(by_fold ? all.n_folds : 1);
  std::vector<double> means(n_parts * n_candidates, 0), totals(n_parts, 0);
  for (std::size_t test = 0; test < all.n_tests(); ++test) {
    const std::int32_t count = counts[static_cast<std::size_t>(all.units[test])];
    if (count == 0) continue;
    const std::size_t part = by_fold ? static_cast<std::size_t>(all.folds[test]) : 0;
    const double weight = count * all.weight(test);
    const double* scores = all.scores.data() + test * n_candidates;
    double* sums = means.data() + part * n_candidates;
    for (std::size_t c = 0; c < n_candidates; ++c) sums[c] += weight * scores[c];
    totals[part] += weight;
  }
  for (std::size_t part = 0; part < n_parts; ++part) {
    const double total = totals[part] > 0 ? totals[part] : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t c = 0; c < n_candidates; ++c) means[part * n_candidates + c] /= total;
  }
  return means;
}

double OutOfBagMean(const CandidateScores& all, std::span<const std::int32_t> counts,
                    std::int64_t candidate) {
  double sum = 0, total = 0;
  for (std::size_t test = 0; test < all.n_tests(); ++test) {
    if (counts[static_cast<std::size_t>(all.units[test])] != 0) continue;
    const double weight = all.weight(test);
    sum += weight * all.scores[test * static_cast<std::size_t>(all.n_candidates) +
                               static_cast<std::size_t>(candidate)];
    total += weight;
  }
  return total > 0 ? sum / total : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace crossfold::stats
