#include "bindings/lua/memory_budget.h"

#include <algorithm>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/reading_limits.h"
#include "engine/data/worker_threads.h"

namespace crossfold::lua {
namespace {

constexpr std::uint64_t kMinOfWorker = std::uint64_t{32} << 20;  // bytes

// Approximately: 8 bytes an entry, and the strings of levels.
std::uint64_t BytesOf(const Dataset& data) {
  std::uint64_t bytes = 0;
  for (const Column& column : data.columns()) {
    bytes += static_cast<std::uint64_t>(ReadingLimits::kColumnBytes);
    bytes += static_cast<std::uint64_t>(column.n_rows) * sizeof(double);
    for (const std::string& level : column.levels) bytes += sizeof(std::string) + level.size();
  }
  return bytes;
}

}  // namespace

int MemoryBudget::BoundWorkers(int wanted) const {
  const int cores = DefaultWorkers();
  const std::uint64_t room =
      limit_ == 0 ? cores : std::max<std::uint64_t>(limit_ / kMinOfWorker, 1);
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

HeldMemory::HeldMemory(std::shared_ptr<MemoryBudget> budget, std::uint64_t bytes,
                       const std::string& attempt)
    : budget_(std::move(budget)), bytes_(bytes) {
  if (budget_ == nullptr || budget_->Take(bytes)) return;
  throw Error(ErrorKind::kFailed,
              "cannot " + attempt + ": it needs " + std::to_string(bytes) +
                  " bytes, more than is left of the sandbox's memory; keep less "
                  "at a time, or give it more (--sandbox-memory, "
                  "SandboxLimits.memory)");
}

HeldMemory::~HeldMemory() {
  if (budget_ != nullptr) budget_->Return(bytes_);
}

std::shared_ptr<const Dataset> HoldDataset(const std::shared_ptr<MemoryBudget>& budget,
                                           std::shared_ptr<const Dataset> data) {
  if (budget == nullptr) return data;
  auto held = std::make_shared<const HeldMemory>(budget, BytesOf(*data),
                                                 "keep dataset '" + data->name() + "'");
  const Dataset* const address = data.get();
  return {address, [held = std::move(held), data = std::move(data)](const Dataset*) {}};
}

}  // namespace crossfold::lua
