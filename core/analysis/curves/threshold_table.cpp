#include "crossfold/threshold_table.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace crossfold {
namespace {

// Row indices by falling score. Class and weight decide among equal scores only so that the sums
// are the same for every order of the rows.
std::vector<std::size_t> ByFallingScore(const ScoredRows& rows) {
  std::vector<std::size_t> order;
  order.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.weight(i) > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(-rows.scores[a], rows.positive[a], rows.weight(a)) <
           std::tuple(-rows.scores[b], rows.positive[b], rows.weight(b));
  });
  return order;
}

}  // namespace

ThresholdTable TabulateThresholds(const ScoredRows& rows) {
  CheckScoredRows(rows);
  ThresholdTable table;
  const std::vector<std::size_t> order = ByFallingScore(rows);
  if (order.empty()) return table;
  table.rows.push_back({std::numeric_limits<double>::infinity(), 0, 0, 0, 0});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i];
    // Plain sums of positive terms rise, as the curves must; compensated ones might not.
    (rows.positive[row] != 0 ? table.positives : table.negatives) += rows.weight(row);
    const bool last_of_step =
        i + 1 == order.size() || rows.scores[order[i + 1]] != rows.scores[row];
    if (!last_of_step) continue;
    table.rows.push_back({rows.scores[row], table.positives, table.negatives, 0, 0});
  }
  for (ThresholdCounts& counts : table.rows) {
    counts.fn = table.positives - counts.tp;
    counts.tn = table.negatives - counts.fp;
  }
  return table;
}

std::string FindMissingClass(const ScoredRows& rows, const ThresholdTable& table) {
  if (rows.size() == 0) return "there are no rows";
  if (table.rows.empty()) return "all rows have weight 0";
  if (table.positives == 0) return "there is no row of the positive class";
  if (table.negatives == 0) return "there is no row of the negative class";
  return "";
}

}  // namespace crossfold
