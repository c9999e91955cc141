// How many rows of each stratum each group has, for splitters that keep groups whole and spread the
// strata over the parts all the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "row_sets.h"
#include "strata.h"

namespace crossfold::bundled {

// A matrix: a row for each group; a column for each stratum, and one for all rows together. Columns
// stand in the order of their first row, so that the order of the classes does not matter.
class GroupCounts {
 public:
  GroupCounts(std::span<const RowSet> groups, const Strata& strata, std::int64_t n_rows)
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

  std::size_t num_groups() const { return counts_.size() / n_columns_; }
  std::size_t num_columns() const { return n_columns_; }
  std::span<const double> of_group(std::size_t group) const {
    return std::span(counts_).subspan(group * n_columns_, n_columns_);
  }
  // Rows of each column.
  std::span<const double> totals() const { return totals_; }

  // Sum over the columns of a * b / total^2: every stratum weighs the same, however rare.
  double Product(std::span<const double> a, std::span<const double> b) const {
    double sum = 0;
    for (std::size_t c = 0; c < n_columns_; ++c) sum += a[c] * b[c] / (totals_[c] * totals_[c]);
    return sum;
  }

 private:
  std::size_t n_columns_;
  std::vector<double> counts_, totals_;
};

// In how many groups each stratum has rows.
inline std::vector<std::int64_t> CountGroupsOfStrata(std::span<const RowSet> groups,
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
