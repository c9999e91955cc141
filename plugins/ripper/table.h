// Training rows in the form from which rules are learnt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "rule.h"

namespace crossfold::bundled::ripper {

// Rows in ascending order of their row ids, so that no rule depends on the order of the view. Rows
// of weight 0 are left out.
struct Table {
  std::vector<std::vector<double>> entries;  // features x rows; levels as codes, NaN = missing
  std::vector<std::size_t> n_levels;         // of a feature of categories; 0 for numbers
  std::vector<Rows> order;                   // of a numeric feature: its rows, by their entries
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  // The number of possible conditions: one per level, and two (at most, at least) per value of a
  // numeric feature.
  double n_conditions = 0;

  std::size_t num_rows() const { return labels.size(); }
  std::size_t num_features() const { return entries.size(); }
  bool Covers(std::span<const Condition> conditions, std::uint32_t row) const;
};

// Throws Error for an infinite entry, or no row with a weight.
Table ReadTable(const plugin::TrainingView& train);

// Returns those of `rows` that fulfil all conditions.
Rows CoveredRows(const Table& table, std::span<const Condition> conditions, const Rows& rows);

struct ClassWeight {
  double hits = 0, all = 0;  // of the class, and of all classes
};
ClassWeight WeighClass(const Table& table, std::int32_t label, const Rows& rows);

}  // namespace crossfold::bundled::ripper
