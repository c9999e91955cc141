#include <algorithm>
#include <cfenv>
#include <chrono>
#include <clocale>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/isolation.h"
#include "crossfold/score.h"
#include "engine/data/worker_threads.h"
#include "engine/plan/kept_predictions.h"
#include "engine/plan/sharing.h"
#include "engine/run/memory_room.h"
#include "engine/run/missing_workers.h"
#include "isolate/isolated_cells.h"
#include "isolate/job_list.h"
#include "isolate/messages.h"
#include "isolate/worker_client.h"
#include "isolate/worker_pool.h"

namespace crossfold {
namespace {

// Time in which threads that have nothing more to do end.
constexpr std::chrono::milliseconds kRest(50);

bool WantsProcess(const std::shared_ptr<const Spec>& spec) {
  const Component& component = spec->component();
  const LoadedPlugin& plugin = *component.plugin;
  return (!plugin.bundled.load() && !plugin.runs_in_child) ||
         (component.process_flags & CF_WANTS_CHILD_PROCESS) != 0;
}

// Plans the cells, and runs them in this process and on threads with a worker process each.
class IsolatedRun {
 public:
  IsolatedRun(WorkerProcesses::Impl& pool, std::span<const CellBlock> blocks,
              const RunOptions& options, const TakeOutcome& take)
      : cells_(pool, blocks, options, take) {
    modes_ = ChooseModes();
    const SharedWork unlimited;
    const SharedWork& shared = options.shared ? *options.shared : unlimited;
    const MemoryRoom room(blocks, shared, options.kept_bytes.value_or(PredictionBytes(blocks)),
                          modes_);
    cells_.workers = room.Bound(cells_.workers);
    largest_copy_ = LargestCopy(shared);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const CellBlock& block = blocks[b];
      if (modes_[b] == Isolation::kNone) continue;
      cells_.splits.Add(block.splits);
      cells_.learners.Add(block.learner);
      cells_.metrics.Add(block.metrics);
      is_locked_ = is_locked_ || IsLocked(block.learner->steps()) ||
                   (block.metrics != nullptr && IsLocked(*block.metrics));
    }
  }

  void Run() {
    RunHere();
    AddFreshJobs();
    AddWorkerJobs();
    if (cells_.jobs.size() == 0) return;
    MakeSettings();
    const std::size_t n = std::min(static_cast<std::size_t>(cells_.workers), cells_.jobs.size());
    const int threads = CallOnThreads(static_cast<int>(n), [this] { WorkOn(); });
    if (IsShort()) {  // the other threads have ended and given back what they took
      std::this_thread::sleep_for(kRest);
      WorkOn();
    }
    if (failure_) std::rethrow_exception(failure_);
    if (IsShort()) std::rethrow_exception(shortage_);
    if (cells_.options.shared == nullptr) return;
    LogMissingWorkers(*cells_.options.shared, cells_.options.log, n,
                      std::max(threads - n_without_, 1), "threads or processes");
  }

 private:
  // Where the cells of each block run: in this process if no other can be started and none is
  // required.
  std::vector<Isolation> ChooseModes() {
    const CellLimits& limits = cells_.pool.options.limits;
    std::vector<Isolation> modes;
    std::optional<bool> has_processes;
    for (const CellBlock& block : cells_.blocks) {
      Isolation mode = IsolationOf(block, limits);
      if (block.isolation == Isolation::kAuto && mode != Isolation::kNone && !limits.any()) {
        if (!has_processes) has_processes = HasProcesses(block);
        if (!*has_processes) mode = Isolation::kNone;
      }
      modes.push_back(mode);
    }
    return modes;
  }

  // Whether a process can be started; if not, the log says once why.
  bool HasProcesses(const CellBlock& block) {
    try {
      cells_.pool.Release(cells_.pool.Acquire());
      return true;
    } catch (const Error& e) {
      if (!cells_.pool.has_warned.exchange(true) && cells_.options.log) {
        cells_.options.log(
            CF_LOG_WARN, "cells of '" + block.learner->ToString() +
                             "' run in this process, which ends if a plugin crashes: " + e.what() +
                             ", or set isolate = \"none\"");
      }
      return false;
    }
  }

  // Whether the program uses one of the plugins under a lock.
  static bool IsLocked(std::span<const std::shared_ptr<const Spec>> specs) {
    return std::any_of(specs.begin(), specs.end(), [](const std::shared_ptr<const Spec>& spec) {
      return spec->component().plugin->locked.load();
    });
  }

  std::vector<std::uint32_t> BlocksWith(Isolation isolation) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t b = 0; b < cells_.blocks.size(); ++b) {
      if (modes_[b] == isolation) found.push_back(b);
    }
    return found;
  }

  // Also by index over all blocks, of cell i of some of them.
  std::vector<CellBlock> Select(const std::vector<std::uint32_t>& chosen) const {
    std::vector<CellBlock> selected;
    for (const std::uint32_t b : chosen) selected.push_back(cells_.blocks[b]);
    return selected;
  }

  // The blocks that ask for no process of their own.
  void RunHere() {
    const std::vector<std::uint32_t> chosen = BlocksWith(Isolation::kNone);
    if (chosen.empty()) return;
    const std::vector<CellBlock> here = Select(chosen);
    std::vector<std::size_t> first;  // cell of each chosen block, and the end
    first.push_back(0);
    for (const CellBlock& block : here) {
      first.push_back(first.back() + static_cast<std::size_t>(block.count));
    }
    const auto index_of = [&](std::size_t i) {
      const auto after = std::upper_bound(first.begin(), first.end(), i);
      const auto place = static_cast<std::size_t>(after - first.begin()) - 1;
      return cells_.first_cell[chosen[place]] + (i - first[place]);
    };
    RunOptions options = cells_.options;
    if (options.on_finished) {
      options.on_finished = [&](std::size_t i, Outcome& outcome) {
        cells_.options.on_finished(index_of(i), outcome);
      };
    }
    if (options.claim) {
      options.claim = [&](std::span<const std::size_t> cells) {
        std::vector<std::size_t> indexes;
        for (const std::size_t i : cells) indexes.push_back(index_of(i));
        return cells_.options.claim(indexes);
      };
    }
    RunAndScore(here, options, [&](std::size_t i, Outcome&& outcome) {
      cells_.take(index_of(i), std::move(outcome));
    });
  }

  void AddFreshJobs() {
    for (const std::uint32_t b : BlocksWith(Isolation::kFresh)) {
      for (std::int64_t i = 0; i < cells_.blocks[b].count; ++i) {
        cells_.jobs.Add({{b}, cells_.blocks[b].first + i, 1, true, true});
      }
    }
  }

  // The items that RunAndScore would work on, in its order.
  void AddWorkerJobs() {
    const std::vector<std::uint32_t> chosen = BlocksWith(Isolation::kWorker);
    const std::vector<CellBlock> blocks = Select(chosen);
    WorkList list = PlanWork(
        blocks, {cells_.options.share, cells_.workers, DefaultWorkers(), largest_copy_, false});
    std::stable_sort(list.items.begin(), list.items.end(),
                     [](const WorkItem& a, const WorkItem& b) { return a.cost > b.cost; });
    for (const WorkItem& item : list.items) {
      Job job{{}, item.split, item.n_splits, false};
      for (const std::uint32_t b : list.BlocksOf(item)) job.blocks.push_back(chosen[b]);
      cells_.jobs.Add(std::move(job));
    }
  }

  void MakeSettings() {
    WorkerSettings settings;
    settings.share = cells_.options.share;
    settings.verify = cells_.options.verify;
    settings.locked = is_locked_;
    const std::uint64_t memory =
        cells_.options.shared ? cells_.options.shared->memory() : DefaultSharedMemory();
    settings.shared_memory =
        std::max<std::uint64_t>(memory / static_cast<std::uint64_t>(cells_.workers), 1);
    settings.limits = cells_.pool.options.limits;
    settings.locale = std::setlocale(LC_ALL, nullptr);
    fegetenv(&settings.floating_point);
    FieldWriter fields;
    WriteSettings(settings, fields);
    cells_.settings = fields.Take();
  }

  void WorkOn() noexcept;

  // Whether jobs are left because no thread got a process. REQUIRES: no thread is in WorkOn.
  bool IsShort() const {
    return shortage_ && cells_.jobs.size() > 0 && !failure_ && !cells_.cancelled();
  }

  // There is one thread fewer: the others do the job, if there are any. REQUIRES: an exception is
  // handled.
  void GiveBack(Job job) {
    {
      const std::lock_guard lock(failing_);
      shortage_ = std::current_exception();
      ++n_without_;
    }
    cells_.jobs.Finish({std::move(job)});
  }

  IsolatedCells cells_;
  bool is_locked_ = false;
  std::uint64_t largest_copy_ = 0;  // that shared work may make; 0 = unlimited
  std::vector<Isolation> modes_;    // of each block, not kAuto
  std::mutex failing_;
  std::exception_ptr failure_;
  std::exception_ptr shortage_;  // why threads have no process
  int n_without_ = 0;
};

void IsolatedRun::WorkOn() noexcept {
  try {
    WorkerClient client(cells_);
    while (!cells_.cancelled()) {
      std::optional<Job> job = cells_.jobs.Take();
      if (!job) break;
      if (!cells_.Claim(*job)) {
        cells_.jobs.Finish({});
        continue;
      }
      try {
        client.TakeProcess(*job);
      } catch (const Error&) {
        return GiveBack(std::move(*job));
      }
      client.Do(std::move(*job));
    }
  } catch (...) {
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::current_exception();
    cells_.jobs.Stop();
  }
  if (cells_.cancelled()) cells_.jobs.Stop();
}

}  // namespace

Isolation IsolationOf(const CellBlock& block, const CellLimits& limits) {
  if (block.isolation != Isolation::kAuto) return block.isolation;
  const auto wants = [](std::span<const std::shared_ptr<const Spec>> specs) {
    return std::any_of(specs.begin(), specs.end(), &WantsProcess);
  };
  const bool in_worker = limits.any() || wants(block.learner->steps()) ||
                         (block.metrics != nullptr && wants(*block.metrics));
  return in_worker ? Isolation::kWorker : Isolation::kNone;
}

void RunIsolated(WorkerProcesses& workers, std::span<const CellBlock> blocks,
                 const RunOptions& options, const TakeOutcome& take) {
  IsolatedRun(workers.impl(), blocks, options, take).Run();
}

}  // namespace crossfold
