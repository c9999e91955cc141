// The part that outlives a run: idle processes, and the memory in which datasets are shared with
// them.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "crossfold/isolation.h"
#include "isolate/process_limits.h"
#include "isolate/sealed_memory.h"
#include "isolate/worker_process.h"

namespace crossfold {

// A process is replaced after this number, so that leaks of plugins do not add up.
inline constexpr std::int64_t kMaxItems = 10'000;

// A dataset under the number by which workers know it.
struct SharedDataset {
  std::uint64_t number = 0;
  std::shared_ptr<const SealedMemory> memory;
};

struct WorkerProcesses::Impl {
  explicit Impl(IsolationOptions wanted) : options(std::move(wanted)) {}

  // Takes an idle process, or starts one. Throws Error if none can be started.
  std::unique_ptr<WorkerProcess> Acquire();
  std::unique_ptr<WorkerProcess> Start();
  // Keeps the process for later; one that has served enough ends instead.
  void Release(std::unique_ptr<WorkerProcess> process);

  // Made when first asked for, and kept while the dataset lives. Throws Error.
  SharedDataset Share(const std::shared_ptr<const Dataset>& data);
  // Sends the process the datasets that are gone.
  void ForgetGone(WorkerProcess& process);

  const IsolationOptions options;
  OomKills oom_kills;
  std::atomic<bool> has_warned{false};  // the log says that no process can be started

 private:
  struct Kept {
    std::weak_ptr<const Dataset> data;
    std::shared_ptr<const SealedMemory> memory;
  };

  std::mutex mutex_;
  std::filesystem::path program_;  // once it was found
  std::vector<std::unique_ptr<WorkerProcess>> idle_;
  std::map<std::uint64_t, Kept> datasets_;
  std::uint64_t last_number_ = 0;
};

}  // namespace crossfold
