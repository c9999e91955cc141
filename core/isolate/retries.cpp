#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/failure_cause.h"
#include "crossfold/retry.h"
#include "engine/run/cell_runner.h"

namespace crossfold {
namespace {

// How a cell runs at its next try.
struct Terms {
  std::uint64_t memory = 0;  // CellLimits::memory
  bool alone = false;        // no other cell at the same time
  friend auto operator<=>(const Terms&, const Terms&) = default;
};

// A cell to be tried again.
struct WaitingCell {
  std::size_t index = 0;  // in the run
  CellBlock block;
  Terms terms;
  FailureCause cause = FailureCause::kLost;
  std::vector<std::string> warnings;  // of the tries that failed, without the last one
  Outcome failed;                     // of the last try
  bool has_answer = false;            // of the next one
};

// One run of cells and its further tries.
class RetriedRun {
 public:
  RetriedRun(const LimitedEngine& engine, const CellLimits& limits, const RetryOptions& retry,
             std::span<const CellBlock> blocks, const RunOptions& options, const TakeOutcome& take)
      : engine_(engine),
        limits_(limits),
        retry_(retry),
        blocks_(blocks),
        options_(options),
        take_(take) {
    std::size_t first = 0;
    for (const CellBlock& block : blocks) {
      starts_.push_back(first);
      first += static_cast<std::size_t>(block.count);
    }
  }

  void Run(const RunEngine& first) {
    RunOptions options = options_;
    options.on_finished = nullptr;  // called for the last try of a cell
    first(blocks_, options, [this](std::size_t i, Outcome&& outcome) {
      Take(i, {limits_.memory, false}, {}, std::move(outcome));
    });
    for (try_ = 2; !waiting_.empty() && !cancelled(); ++try_) {
      std::map<Terms, std::vector<WaitingCell>> groups;
      Report();
      for (WaitingCell& cell : std::exchange(waiting_, {})) {
        groups[cell.terms].push_back(std::move(cell));
      }
      for (auto& [terms, cells] : groups) {
        if (!cancelled()) TryAgain(first, terms, cells);
      }
    }
  }

 private:
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }

  // Cell i of the run by itself.
  CellBlock BlockOf(std::size_t i) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), i);
    const auto place = static_cast<std::size_t>(after - starts_.begin()) - 1;
    CellBlock one = blocks_[place];
    one.first += static_cast<std::int64_t>(i - starts_[place]);
    one.count = 1;
    return one;
  }

  // If the cells cannot be run again, as no process can be started, they have failed as before.
  void TryAgain(const RunEngine& first, const Terms& terms, std::vector<WaitingCell>& cells) {
    // In the order of the run, so that cells share work as they did.
    std::sort(cells.begin(), cells.end(),
              [](const WaitingCell& a, const WaitingCell& b) { return a.index < b.index; });
    try {
      RunAgain(first, terms, cells);
    } catch (const Error& error) {
      if (options_.log) options_.log(CF_LOG_WARN, error.what());
      for (WaitingCell& cell : cells) {
        if (cell.has_answer) continue;
        Finish(cell.index, cell.warnings, std::move(cell.failed));
      }
    }
  }

  void RunAgain(const RunEngine& first, const Terms& terms, std::vector<WaitingCell>& cells) {
    std::vector<CellBlock> blocks;
    for (const WaitingCell& cell : cells) AppendCells(blocks, cell.block);
    RunOptions options = options_;
    options.on_finished = nullptr;
    options.claim = nullptr;  // they are claimed already
    if (terms.alone) options.workers = 1;
    CellLimits limits = limits_;
    limits.memory = terms.memory;
    const RunEngine engine = terms.memory == limits_.memory ? first : engine_(limits);
    engine(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      WaitingCell& cell = cells[i];
      cell.has_answer = true;
      cell.warnings.push_back(TryWarning(try_ - 1, cell.failed.failure));
      Take(cell.index, terms, cell.warnings, std::move(outcome));
    });
  }

  // `terms` are those of the try that gave the outcome. Thread-safe.
  void Take(std::size_t index, const Terms& terms, std::vector<std::string> warnings,
            Outcome&& outcome) {
    if (outcome.status == OutcomeStatus::kFailed) {
      Failure& failure = outcome.failure;
      const FailureCause cause = CauseOf(failure);
      if (MayTryAgain(cause, failure, terms)) {
        const Terms next = NextTerms(cause, failure, terms);
        return Wait({index, BlockOf(index), next, cause, std::move(warnings), std::move(outcome)});
      }
      if (try_ > 1 && IsOfMachine(cause)) failure.message += TimesText();
    }
    Finish(index, warnings, std::move(outcome));
  }

  // The last outcome of a cell, with the warnings of its earlier tries.
  void Finish(std::size_t index, const std::vector<std::string>& warnings, Outcome&& outcome) {
    outcome.warnings.insert(outcome.warnings.begin(), warnings.begin(), warnings.end());
    CallOnFinished(options_, index, outcome);
    take_(index, std::move(outcome));
  }

  // Whether the cell needed more than its limit, not more than the machine has.
  static bool IsLimitOfMemory(FailureCause cause, const Failure& failure, const Terms& terms) {
    return cause == FailureCause::kMemory && terms.memory > 0 && failure.code == CF_E_OUT_OF_MEMORY;
  }

  bool MayTryAgain(FailureCause cause, const Failure& failure, const Terms& terms) const {
    if (!IsOfMachine(cause) || try_ > retry_.retries || cancelled()) return false;
    if (IsLimitOfMemory(cause, failure, terms)) return terms.memory < retry_.memory_max;
    return cause != FailureCause::kMemory || !terms.alone;  // the machine has no more
  }

  Terms NextTerms(FailureCause cause, const Failure& failure, const Terms& terms) const {
    Terms next = terms;
    next.alone = cause == FailureCause::kMemory || cause == FailureCause::kDisk;
    if (IsLimitOfMemory(cause, failure, terms)) {
      next.memory = terms.memory > retry_.memory_max / 2 ? retry_.memory_max : 2 * terms.memory;
    }
    return next;
  }

  void Wait(WaitingCell&& cell) {
    const std::lock_guard lock(waiting_mutex_);
    waiting_.push_back(std::move(cell));
  }

  std::string TimesText() const { return "; it was tried " + std::to_string(try_) + " times"; }
  std::string TryText() const {
    return std::to_string(try_) + " of " + std::to_string(retry_.retries + 1);
  }

  // "2 failed cells are tried again (try 2 of 3): 1 killed, 1 memory"
  void Report() const {
    if (!options_.log) return;
    std::map<FailureCause, int> counts;
    for (const WaitingCell& cell : waiting_) ++counts[cell.cause];
    std::string causes;
    for (const auto& [cause, n] : counts) {
      causes +=
          (causes.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(CauseName(cause));
    }
    const std::size_t n = waiting_.size();
    options_.log(CF_LOG_WARN, std::to_string(n) + " failed cell" + (n == 1 ? " is" : "s are") +
                                  " tried again (try " + TryText() + "): " + causes);
  }

  const LimitedEngine& engine_;
  const CellLimits& limits_;
  const RetryOptions& retry_;
  const std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  const TakeOutcome& take_;
  std::vector<std::size_t> starts_;  // of the blocks, as the index of their first cell
  int try_ = 1;                      // that runs
  std::mutex waiting_mutex_;
  std::vector<WaitingCell> waiting_;
};

}  // namespace

RunEngine WithRetries(LimitedEngine engine, const CellLimits& limits, const RetryOptions& retry) {
  RunEngine first = engine(limits);
  if (retry.retries == 0) return first;
  return
      [engine = std::move(engine), first = std::move(first), limits, retry](
          std::span<const CellBlock> blocks, const RunOptions& options, const TakeOutcome& take) {
        RetriedRun(engine, limits, retry, blocks, options, take).Run(first);
      };
}

}  // namespace crossfold
