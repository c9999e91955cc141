#include "isolate/isolated_cells.h"

#include <exception>
#include <new>
#include <utility>

#include "engine/data/worker_threads.h"

namespace crossfold {
namespace {

void FailFinished(Outcome& outcome, cf_status code, const char* message) {
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = {"on_finished", code, message};
  outcome.prediction = Prediction();
  outcome.scores.clear();
}

}  // namespace

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
  if (options.on_finished) {
    try {
      options.on_finished(index, outcome);
    } catch (const std::bad_alloc&) {
      FailFinished(outcome, CF_E_OUT_OF_MEMORY, "out of memory");
    } catch (const std::exception& e) {
      FailFinished(outcome, CF_E_INTERNAL, e.what());
    } catch (...) {
      FailFinished(outcome, CF_E_INTERNAL, "unknown C++ exception");
    }
  }
  take(index, std::move(outcome));
}

}  // namespace crossfold
