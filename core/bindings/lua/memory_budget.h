// The memory of one sandbox: its Lua values, what native functions hold for it, and its worker
// processes, together.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "crossfold/dataset.h"

namespace crossfold::lua {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}  // bytes; 0 = no limit
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Remaining bytes.
  std::uint64_t rest() const {
    return limit_ == 0 ? std::numeric_limits<std::int64_t>::max() : limit_ - used_.load();
  }
  bool is_low() const { return rest() < limit_ / 2; }
  // Takes bytes; false, without taking any, if fewer are left.
  bool Take(std::uint64_t bytes) {
    if (bytes > rest()) return false;
    used_ += bytes;
    return true;
  }
  void Return(std::uint64_t bytes) { used_ -= bytes; }  // from any thread

  // The number of workers for a run that asks for `wanted` (0 = the maximum), limited by the number
  // of cores and by the memory.
  int BoundWorkers(int wanted) const;
  // Bytes for each worker process; 0 = no limit. The first call reserves half of the memory for all
  // of them. Throws Error(kFailed) if less is left.
  std::uint64_t ShareOfWorker();

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_ = 0;
  bool has_workers_ = false;
};

// Holds some of the memory as long as it lives.
class HeldMemory {
 public:
  // Counts nothing without a budget. Throws Error(kFailed) "cannot <attempt>: ..." if it needs more
  // than is left.
  HeldMemory(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes, const std::string& attempt);
  ~HeldMemory();
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bytes_;
};

// The dataset, whose memory counts as long as it lives. Throws as HeldMemory does.
std::shared_ptr<const Dataset> HoldDataset(const std::shared_ptr<MemoryBudget>& budget,
                                           std::shared_ptr<const Dataset> data);

}  // namespace crossfold::lua
