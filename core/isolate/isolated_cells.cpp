#include "isolate/isolated_cells.h"

#include <utility>

#include "engine/data/worker_threads.h"
#include "engine/run/cell_runner.h"

namespace crossfold {

IsolatedCells::IsolatedCells(WorkerProcesses::Impl& the_pool, std::span<const CellBlock> all,
                             const RunOptions& the_options, const TakeOutcome& the_take)
    : pool(the_pool),
      blocks(all),
      options(the_options),
      take(the_take),
      workers(options.workers > 0 ? options.workers : DefaultWorkers()) {
  std::size_t cells = 0;
  for (const CellBlock& block : blocks) {
    first_cell.push_back(cells);
    cells += static_cast<std::size_t>(block.count);
  }
}

bool IsolatedCells::Claim(const Job& job) const {
  if (!options.claim) return true;
  std::vector<std::size_t> cells;
  for (std::size_t place = 0; place < job.num_cells(); ++place) {
    cells.push_back(IndexOf(job.block_of(place), job.split_of(place)));
  }
  return options.claim(cells);
}

void IsolatedCells::Deliver(std::uint32_t b, std::int64_t split, Outcome&& outcome) {
  const std::size_t index = IndexOf(b, split);
  CallOnFinished(options, index, outcome);
  take(index, std::move(outcome));
}

}  // namespace crossfold
