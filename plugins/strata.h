// What `stratify` spreads evenly: the classes, or quantile bins of a numeric target; and the strata
// column if the dataset has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/splitter.hpp"
#include "row_sets.h"

namespace crossfold::bundled {

inline constexpr std::int64_t kDefaultBins = 10;

// Only strata that have rows, in class order or from the lowest bin up; within these, the strata of
// the column in the order of their first row.
struct Strata {
  std::vector<RowSet> rows;        // ascending
  std::vector<std::string> names;  // "class 'A'", "bin 3 of the target (4.5 to 7)"
  bool has_bins = false;           // of a numeric target

  std::size_t size() const { return rows.size(); }
  // Of equal ones the first.
  std::size_t Smallest() const;
  // "use at most 3 folds, fewer bins, or stratify = false"; `other` may be empty.
  std::string WayOut(const std::string& other) const;
};

// The strata of the rows: combinations of class or bin with the strata column, whichever of them
// there are; at most `n_bins` bins of a numeric target. Throws Error for what stratify cannot work
// with.
Strata MakeStrata(const plugin::SplitInput& input, std::int64_t n_bins);

}  // namespace crossfold::bundled
