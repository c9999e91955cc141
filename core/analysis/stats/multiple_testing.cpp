#include "crossfold/stats/multiple_testing.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "analysis/stats/refuse_argument.h"
#include "engine/text/format_number.h"

namespace crossfold::stats {
namespace {

void RequireProbabilities(std::span<const double> p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i] >= 0 && p[i] <= 1) continue;
    RefuseArgument("adjust p-values",
                   "p-value " + std::to_string(i + 1) + " is " + FormatShortest(p[i]) +
                       ", not a number from 0 to 1",
                   "leave out tests that have none");
  }
}

// What the p-value at `rank` (from 0, ascending) of `m` is multiplied with.
double Factor(Adjustment adjustment, std::size_t rank, std::size_t m) {
  switch (adjustment) {
    case Adjustment::kBonferroni:
      return static_cast<double>(m);
    case Adjustment::kHolm:
    case Adjustment::kHochberg:
      return static_cast<double>(m - rank);
    case Adjustment::kBenjaminiHochberg:
      break;
  }
  return static_cast<double>(m) / static_cast<double>(rank + 1);
}

}  // namespace

std::vector<double> AdjustP(std::span<const double> p, Adjustment adjustment,
                            const CancelToken* cancel) {
  RequireProbabilities(p);
  const std::size_t m = p.size();
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    StopIfCancelled(cancel);
    return p[a] < p[b];
  });
  std::vector<double> adjusted(m);
  for (std::size_t rank = 0; rank < m; ++rank) {
    adjusted[order[rank]] = std::min(1.0, Factor(adjustment, rank, m) * p[order[rank]]);
  }
  // Stepping down (Holm) no p may fall below that of a smaller one, stepping up (Hochberg,
  // Benjamini-Hochberg) none may exceed that of a greater one.
  if (adjustment == Adjustment::kBonferroni) return adjusted;
  const bool down = adjustment == Adjustment::kHolm;
  for (std::size_t i = 1; i < m; ++i) {
    double& here = adjusted[order[down ? i : m - 1 - i]];
    const double before = adjusted[order[down ? i - 1 : m - i]];
    here = down ? std::max(here, before) : std::min(here, before);
  }
  return adjusted;
}

}  // namespace crossfold::stats
