// The cells of an isolated run, and what the threads that run them share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/isolation.h"
#include "crossfold/run.h"
#include "crossfold/score.h"
#include "isolate/job_list.h"
#include "isolate/outcome_check.h"
#include "isolate/worker_pool.h"

namespace crossfold {

struct IsolatedCells {
  IsolatedCells(WorkerProcesses::Impl& pool, std::span<const CellBlock> blocks,
                const RunOptions& options, const TakeOutcome& take);

  bool cancelled() const { return options.cancel != nullptr && options.cancel->cancelled(); }
  // The number of a cell among all cells of the run.
  std::size_t IndexOf(std::uint32_t b, std::int64_t split) const {
    return first_cell[b] + static_cast<std::size_t>(split - blocks[b].first);
  }
  // Whether the cells of the job are to be computed: RunOptions::claim. Thread-safe.
  bool Claim(const Job& job) const;
  // Finishes the outcome of a cell and gives it to the caller. Thread-safe.
  void Deliver(std::uint32_t b, std::int64_t split, Outcome&& outcome);

  WorkerProcesses::Impl& pool;
  const std::span<const CellBlock> blocks;
  const RunOptions& options;
  const TakeOutcome& take;
  int workers;                          // bounded by the memory of the run before the first job
  std::vector<std::size_t> first_cell;  // of each block, counted over all
  // The parts of the blocks that run in processes.
  Numbered<SplitPlan> splits;
  Numbered<Pipeline> learners;
  Numbered<MetricList> metrics;
  std::string settings;  // packed WorkerSettings
  JobList jobs;
  OutcomeCheck check;
};

}  // namespace crossfold
