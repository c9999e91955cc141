// The scores of a curve in rising order, and what is sampled together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/stats/sampled_units.h"
#include "crossfold/error.h"
#include "crossfold/scored_rows.h"
#include "engine/text/format_number.h"

namespace crossfold {

// Rows that have a weight, by rising score; equal scores in an order that gives the same sums for
// every order of the rows.
inline std::vector<std::size_t> ByRisingScore(const ScoredRows& rows) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(rows.scores[a], rows.positive[a], rows.weight(a)) <
           std::tuple(rows.scores[b], rows.positive[b], rows.weight(b));
  });
  return order;
}

// Throws Error "cannot <attempt>: ..." for a score outside [0, 1].
inline void CheckScoresAreProbabilities(const std::string& attempt, const ScoredRows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.scores[i] >= 0 && rows.scores[i] <= 1) continue;
    throw Error(ErrorKind::kInvalidArgument,
                "cannot " + attempt + ": score " + std::to_string(i + 1) + " is " +
                    FormatShortest(rows.scores[i]) +
                    ", which is not a probability; calibrate the scores first");
  }
}

// The units of the scores in `order`, by `names` of all scores; without names each score is one.
inline stats::SampledUnits UnitsInOrder(std::span<const std::int64_t> names,
                                        std::span<const std::size_t> order) {
  if (names.empty()) return stats::SingleUnits(order.size());
  std::vector<std::int64_t> sorted;
  for (const std::size_t i : order) sorted.push_back(names[i]);
  return stats::NumberUnits(sorted);
}

// The same for what a bootstrap draws: groups of rows, else rows.
inline stats::SampledUnits BootstrapUnits(const ScoredRows& rows,
                                          std::span<const std::size_t> order) {
  return UnitsInOrder(rows.groups.empty() ? rows.rows : rows.groups, order);
}

}  // namespace crossfold
