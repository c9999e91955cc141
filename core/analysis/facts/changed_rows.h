// The same dataset with other entries in some rows, for finding out whether anything looks at them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "crossfold/dataset.h"

namespace crossfold {

struct RowChange {
  bool features = false;
  bool target = false;  // another class; another number; and the weights among the rows
  bool beyond = false;  // half of the new numbers are above all numbers of the column
  std::uint64_t seed = 0;
};

// `data` with new entries in `rows` (0-based ids). A feature's entry becomes that of any row of its
// column or, with `beyond`, as often a number above its greatest; a whole number stays one. What is
// missing stays missing. Every class becomes another one, if there are two. Groups, time, folds,
// strata and costs stay. Equal arguments give equal datasets on every machine.
std::shared_ptr<const Dataset> ChangeRows(const std::shared_ptr<const Dataset>& data,
                                          std::span<const std::int64_t> rows,
                                          const RowChange& change);

}  // namespace crossfold
