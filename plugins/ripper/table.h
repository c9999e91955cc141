// Training rows in the form from which rules are learnt, tests on one feature, and the rows that
// fulfil several of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin/view.hpp"

namespace crossfold::bundled::ripper {

// The number of a saved test is its value here.
enum class Test : std::uint8_t { kEqual, kAtMost, kAtLeast };

struct Condition {
  std::uint32_t feature = 0;
  Test test = Test::kEqual;
  double value = 0;  // kEqual: the code of a level

  // A missing entry is NaN, which fulfils no condition.
  bool Holds(double x) const {
    return test == Test::kEqual ? x == value : test == Test::kAtMost ? x <= value : x >= value;
  }
};
using Conditions = std::vector<Condition>;  // in the order in which they were found

using Rows = std::vector<std::uint32_t>;  // ascending places in the table

struct Rule {
  Conditions conditions;
  Rows covered;  // of all rows that the rules of its class are learnt from
};

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
