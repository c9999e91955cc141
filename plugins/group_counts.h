// The number of rows of each stratum in each group, for splitters that keep groups whole and spread
// the strata evenly over the parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "row_sets.h"
#include "strata.h"

namespace crossfold::bundled {

// A matrix: a row for each group; a column for each stratum, and one for all rows together. Columns
// are in the order of their first row, so that the order of the classes does not matter.
class GroupCounts {
 public:
  GroupCounts(std::span<const RowSet> groups, const Strata& strata, std::int64_t n_rows);

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

// Returns the number of groups in which each stratum has rows.
std::vector<std::int64_t> CountGroupsOfStrata(std::span<const RowSet> groups, const Strata& strata);

}  // namespace crossfold::bundled
