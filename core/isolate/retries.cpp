#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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
  std::vector<std::string> warnings;  // of the tries that failed
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
        take_(take) {}

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
      for (const auto& [terms, cells] : groups) {
        if (!cancelled()) RunAgain(first, terms, cells);
      }
    }
  }

 private:
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }

  // Cell i of the run by itself.
  CellBlock BlockOf(std::size_t i) const {
    std::size_t first = 0;
    for (const CellBlock& block : blocks_) {
      const auto count = static_cast<std::size_t>(block.count);
      if (i < first + count) {
        CellBlock one = block;
        one.first += static_cast<std::int64_t>(i - first);
        one.count = 1;
        return one;
      }
      first += count;
    }
    return {};
  }

  void RunAgain(const RunEngine& first, const Terms& terms, const std::vector<WaitingCell>& cells) {
    std::vector<CellBlock> blocks;
    for (const WaitingCell& cell : cells) blocks.push_back(cell.block);
    RunOptions options = options_;
    options.on_finished = nullptr;
    options.claim = nullptr;  // they are claimed already
    if (terms.alone) options.workers = 1;
    CellLimits limits = limits_;
    limits.memory = terms.memory;
    const RunEngine engine = terms.memory == limits_.memory ? first : engine_(limits);
    engine(blocks, options, [&](std::size_t i, Outcome&& outcome) {
      Take(cells[i].index, terms, cells[i].warnings, std::move(outcome));
    });
  }

  // `terms` are those of the try that gave the outcome. Thread-safe.
  void Take(std::size_t index, const Terms& terms, std::vector<std::string> warnings,
            Outcome&& outcome) {
    if (outcome.status == OutcomeStatus::kFailed) {
      Failure& failure = outcome.failure;
      const FailureCause cause = CauseOf(failure);
      if (MayTryAgain(cause, failure, terms)) {
        warnings.push_back(TryWarning(try_, failure));
        return Wait(
            {index, BlockOf(index), NextTerms(cause, failure, terms), cause, std::move(warnings)});
      }
      if (try_ > 1 && IsOfMachine(cause)) failure.message += TimesText();
    }
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
  int try_ = 1;  // that runs
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
