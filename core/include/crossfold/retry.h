// Tries cells again that failed because of the machine.
#pragma once

#include <cstdint>
#include <functional>

#include "crossfold/isolation.h"
#include "crossfold/run.h"

namespace crossfold {

struct RetryOptions {
  int retries = 2;  // of each cell, after its first try
  // A cell that needed more than CellLimits::memory gets twice as much at its next try, up to this
  // number of bytes. 0 = it is not tried again, because it would need the same.
  std::uint64_t memory_max = 0;
};

// Makes an engine that runs cells under limits.
using LimitedEngine = std::function<RunEngine(const CellLimits& limits)>;

// Does as `engine(limits)`. Cells whose failure is the machine's (IsOfMachine) run again after the
// others, those that lacked memory or disk space one at a time. A try never changes a result, as it
// computes the same cell: the outcome only has a warning for every earlier one (TryWarning). What a
// plugin or the data did is never tried again, nor a cell that ran out of time.
RunEngine WithRetries(LimitedEngine engine, const CellLimits& limits, const RetryOptions& retry);

}  // namespace crossfold
