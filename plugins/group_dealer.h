// Groups dealt to parts so that each stratum, and the rows as a whole, are spread evenly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/random.hpp"
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

// Parts are folds, or training and test rows. Makes the unevenness small: the sum over parts and
// columns of GroupCounts of
//   ((rows of the column in the part - share of the part * rows of the column)
//    / rows of the column)^2.
// With l = the counts of a part less what it should have, a group that moves from part a to part b,
// d = its counts, changes it by 2 * Product(d, l_b - l_a + d); so no change needs a look at others.
class GroupDealer {
 public:
  GroupDealer(const GroupCounts& counts, std::span<const double> shares);

  // Each returns the part of each group; no part stays empty. REQUIRES: at least as many groups as
  // parts.

  // Deals the weightiest groups first, which leaves nothing to chance. Of equal groups, the first.
  std::vector<std::int32_t> DealLargestFirst();
  // Deals in a random order, and improves. There are many ways that are about as even as that of
  // DealLargestFirst, and the result is one of them. Few draws are less even; these are drawn
  // again.
  std::vector<std::int32_t> DrawEven(plugin::Random& random);

 private:
  void Deal(std::span<const std::size_t> order);
  // What Improve makes small.
  double Unevenness() const;

  std::span<double> LoadOf(std::size_t part) {
    return std::span(load_).subspan(part * n_columns_, n_columns_);
  }
  std::size_t PartOf(std::size_t group) const { return static_cast<std::size_t>(part_of_[group]); }

  // Of equal parts, takes the lower one.
  std::size_t NeediestPart(std::size_t group);
  // A small share may have got no group.
  void FillEmptyParts(std::span<const std::size_t> order);

  void Put(std::size_t group, std::size_t part) { Add(group, part, 1); }
  void Take(std::size_t group) { Add(group, PartOf(group), -1); }
  void Add(std::size_t group, std::size_t part, int sign);

  // Returns by how much the parts get less uneven; `other` is the group that comes back, or none.
  double Gain(std::size_t group, std::size_t to, const std::size_t* other);
  bool MoveIfBetter(std::size_t group);
  bool SwapIfBetter(std::size_t group, std::size_t other);
  // Moves and exchanges groups as long as that makes the parts more even.
  void Improve(std::span<const std::size_t> order);

  const GroupCounts& counts_;
  std::vector<double> shares_;
  std::size_t n_columns_;
  double most_uneven_ = -1;   // that a draw may be; -1 = not known yet
  std::vector<double> load_;  // parts x columns; rows beyond what the part should have
  std::vector<std::int64_t> groups_in_;
  std::vector<std::int32_t> part_of_;
};

}  // namespace crossfold::bundled
