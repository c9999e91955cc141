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

  // Bytes that are left.
  std::uint64_t rest() const {
    return limit_ == 0 ? std::numeric_limits<std::int64_t>::max() : limit_ - used_.load();
  }
  bool is_low() const { return rest() < limit_ / 2; }
  // False, with nothing taken, if less is left.
  bool Take(std::uint64_t bytes) {
    if (bytes > rest()) return false;
    used_ += bytes;
    return true;
  }
  void Return(std::uint64_t bytes) { used_ -= bytes; }  // from any thread

  // Workers for a run that asks for `wanted`, 0 = as many as possible: not more than there are
  // cores, nor than the memory is enough for.
  int BoundWorkers(int wanted) const;
  // Bytes for each worker process; 0 = no limit. Half of the memory is set aside for all of them,
  // the first time that this is asked. Throws Error(kFailed) if there is less left.
  std::uint64_t ShareOfWorker();

 private:
  std::uint64_t limit_;
  std::atomic<std::uint64_t> used_ = 0;
  bool has_workers_ = false;
};

// Some of the memory, as long as this lives.
class HeldMemory {
 public:
  // Without a budget nothing is counted. Throws Error(kFailed) "cannot <attempt>: ..." if it takes
  // more than is left.
  HeldMemory(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes, const std::string& attempt);
  ~HeldMemory();
  HeldMemory(const HeldMemory&) = delete;
  HeldMemory& operator=(const HeldMemory&) = delete;

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bytes_;
};

// The dataset, which counts as long as it lives. Throws as HeldMemory does.
std::shared_ptr<const Dataset> HoldDataset(const std::shared_ptr<MemoryBudget>& budget,
                                           std::shared_ptr<const Dataset> data);

}  // namespace crossfold::lua
