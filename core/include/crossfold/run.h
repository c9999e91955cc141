// Running cells. Outcomes come in the order of the cells and hold the same bits for any number of
// workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/cell.h"
#include "crossfold/log_sink.h"
#include "crossfold/outcome.h"
#include "crossfold/shared_work.h"

namespace crossfold {

struct RunOptions {
  // Number of tasks that run at the same time; 0 = one per core.
  int workers = 0;
  // The run polls it between cells, plugins through progress(); may be null.
  const CancelToken* cancel = nullptr;
  LogSink log;  // what plugins log; may be empty
  // Whether cells share work: equal fits and transforms are done once, and learners serve several
  // settings and folds at a time by the capabilities that they offer. Sharing never changes a
  // result; false is the reference that it is tested against. A learner whose capability declares a
  // tolerance gives results within it.
  bool share = true;
  // Compares the first result of every learner and capability with a separate fit. The log names a
  // learner that breaks a law, whose cells are then run alone.
  bool verify = false;
  // Keeps what later runs can use; null = it is kept for this run only. Its memory limits shared
  // work.
  std::shared_ptr<SharedWork> shared;
  // Bytes that the caller keeps of the predictions in outcomes, for the check that they fit into
  // memory; unset = all of them.
  std::optional<std::uint64_t> kept_bytes = {};
  // Called on a worker thread after each cell that was not cancelled, with its index. It may change
  // the outcome. If it throws, the cell fails.
  std::function<void(std::size_t, Outcome&)> on_finished;
  // Called on a worker thread with the indexes of cells that are about to be computed together. If
  // it returns false, they are skipped and `take` does not get them. It must not throw. It may be
  // empty.
  std::function<bool(std::span<const std::size_t> cells)> claim;
};

// Gets the outcome of cell i of a batch on the worker that made it, in any order and at the same
// time as other workers. It is not called for cells that did not run because of a cancellation. It
// must not throw.
using TakeOutcome = std::function<void(std::size_t, Outcome&&)>;

// A function that runs the cells of blocks, which count from 0 over all blocks: RunAndScore of
// score.h, or one that adds something to it, such as worker processes.
using RunEngine = std::function<void(std::span<const CellBlock> blocks, const RunOptions& options,
                                     const TakeOutcome& take)>;

// Fits and predicts every cell. A failure is data in that cell's outcome; after a cancellation the
// cells that did not run are kCancelled. Throws std::bad_alloc if there is not even enough memory
// to report a failure. REQUIRES: CheckCompatible and RequireTrainingRows hold for every
// cell.
std::vector<Outcome> RunCells(std::span<const Cell> cells, const RunOptions& options);

}  // namespace crossfold
