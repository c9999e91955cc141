// The memory of one sandbox: its Lua values, what native functions hold for it, and its worker
// processes, together. For the thread that runs the script.
#pragma once

#include <cstdint>
#include <limits>

namespace crossfold::lua {

class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t limit) : limit_(limit) {}  // bytes; 0 = no limit
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Bytes that are left.
  std::uint64_t rest() const {
    return limit_ == 0 ? std::numeric_limits<std::int64_t>::max() : limit_ - used_;
  }
  // False, with nothing taken, if less is left.
  bool Take(std::uint64_t bytes) {
    if (bytes > rest()) return false;
    used_ += bytes;
    return true;
  }
  void Return(std::uint64_t bytes) { used_ -= bytes; }

  // Workers for a run that asks for `wanted`, 0 = as many as possible: not more than there are
  // cores, nor than the memory is enough for.
  int BoundWorkers(int wanted) const;
  // Bytes for each worker process; 0 = no limit. Half of the memory is set aside for all of them,
  // the first time that this is asked. Throws Error(kFailed) if there is less left.
  std::uint64_t ShareOfWorker();

 private:
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  bool has_workers_ = false;
};

}  // namespace crossfold::lua
