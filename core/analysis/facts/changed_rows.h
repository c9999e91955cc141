// Makes a dataset with other entries in some rows, to find out whether they have an effect.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

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
// Groups, time, folds, strata, coordinates and costs stay. Equal arguments give equal datasets on every machine.
std::shared_ptr<const Dataset> ChangeRows(const std::shared_ptr<const Dataset>& data,
                                          std::span<const std::int64_t> rows,
                                          const RowChange& change);

}  // namespace crossfold
