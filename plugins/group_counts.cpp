#include "group_counts.h"

#include <algorithm>
#include <numeric>

namespace crossfold::bundled {

GroupCounts::GroupCounts(std::span<const RowSet> groups, const Strata& strata, std::int64_t n_rows)
    : n_columns_(strata.size() + 1), counts_(groups.size() * n_columns_) {
  std::vector<std::size_t> order(strata.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strata.rows[a].front() < strata.rows[b].front();
  });
  std::vector<std::size_t> group_of(static_cast<std::size_t>(n_rows));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::int64_t row : groups[g]) group_of[static_cast<std::size_t>(row)] = g;
    counts_[g * n_columns_ + strata.size()] = static_cast<double>(groups[g].size());
  }
  for (std::size_t column = 0; column < order.size(); ++column) {
    const RowSet& rows = strata.rows[order[column]];
    for (const std::int64_t row : rows) {
      ++counts_[group_of[static_cast<std::size_t>(row)] * n_columns_ + column];
    }
    totals_.push_back(static_cast<double>(rows.size()));
  }
  totals_.push_back(static_cast<double>(n_rows));
}

std::vector<std::int64_t> CountGroupsOfStrata(std::span<const RowSet> groups,
                                              const Strata& strata) {
  std::vector<std::size_t> stratum_of;
  for (std::size_t s = 0; s < strata.size(); ++s) {
    for (const std::int64_t row : strata.rows[s]) {
      const auto place = static_cast<std::size_t>(row);
      if (place >= stratum_of.size()) stratum_of.resize(place + 1);
      stratum_of[place] = s;
    }
  }
  std::vector<std::int64_t> counts(strata.size());
  std::vector<std::size_t> last_group(strata.size(), groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::int64_t row : groups[g]) {
      const std::size_t s = stratum_of[static_cast<std::size_t>(row)];
      if (last_group[s] != g) ++counts[s];
      last_group[s] = g;
    }
  }
  return counts;
}

}  // namespace crossfold::bundled
