#include "lua/memory_budget.h"

#include <algorithm>

#include "crossfold/error.h"
#include "data/worker_threads.h"

namespace crossfold::lua {
namespace {

constexpr std::uint64_t kLeastOfWorker = std::uint64_t{32} << 20;  // bytes

}  // namespace

int MemoryBudget::BoundWorkers(int wanted) const {
  const int cores = DefaultWorkers();
  const std::uint64_t room =
      limit_ == 0 ? cores : std::max<std::uint64_t>(limit_ / kLeastOfWorker, 1);
  const int most = static_cast<int>(std::min<std::uint64_t>(room, cores));
  return wanted > 0 ? std::min(wanted, most) : most;
}

std::uint64_t MemoryBudget::ShareOfWorker() {
  if (limit_ == 0) return 0;
  const std::uint64_t all = limit_ / 2;
  if (!has_workers_ && !Take(all)) {
    throw Error(ErrorKind::kFailed,
                "cannot start worker processes: they get half of the sandbox's memory, and less is "
                "left; keep less at a time, or give it more (--sandbox-memory, "
                "SandboxLimits.memory)");
  }
  has_workers_ = true;
  return all / static_cast<std::uint64_t>(BoundWorkers(0));
}

}  // namespace crossfold::lua
