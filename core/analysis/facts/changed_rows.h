// Makes a dataset with other entries in some rows, to find out whether they have an effect, and
// finds where two datasets with the same number of rows differ.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

struct RowChange {
  bool features = false;
  bool target = false;  // changes classes, numbers, and the weights among the rows
  bool beyond = false;  // half of the new numbers are above all numbers of the column
  std::uint64_t seed = 0;
};

// `data` with new entries in `rows` (0-based ids). A feature's entry becomes that of a random row
// of its column or, with `beyond`, equally often a number above its maximum; a whole number stays
// whole. Missing entries stay missing. Every class becomes a different one, if there are two.
// Groups, time, folds, strata, coordinates and costs stay. Equal arguments give equal datasets on
// every machine.
std::shared_ptr<const Dataset> ChangeRows(const std::shared_ptr<const Dataset>& data,
                                          std::span<const std::int64_t> rows,
                                          const RowChange& change);

enum class ColumnFate { kChanged, kGone, kNew };

struct ColumnChange {
  std::string column;
  ColumnFate fate = ColumnFate::kChanged;
  std::int64_t count = 0;      // kChanged: rows with another entry
  std::int64_t first_row = 0;  // and the first of these, a row id
};

// The columns of `before` and `after` (roles included) that differ in one of `rows` (ids, 0-based):
// a different entry, compared as number or as the name of a category, or an entry missing in only
// one. NaN is missing. The columns of `before` come first in their order, then the new ones.
// REQUIRES: both have the rows.
std::vector<ColumnChange> FindColumnChanges(const Dataset& before, const Dataset& after,
                                            std::span<const std::int64_t> rows);

}  // namespace crossfold
