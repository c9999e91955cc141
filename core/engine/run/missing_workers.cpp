#include "engine/run/missing_workers.h"

#include <mutex>
#include <utility>

#include "engine/run/prepared_rows.h"

namespace crossfold {

void LogMissingWorkers(SharedWork& shared, const LogSink& log, std::size_t wanted, int got,
                       const std::string& what) {
  if (static_cast<std::size_t>(got) >= wanted || !log) return;
  {
    const std::lock_guard lock(shared.impl().mutex);
    if (std::exchange(shared.impl().has_logged_missing_workers, true)) return;
  }
  log(CF_LOG_WARN, "cannot start " + std::to_string(wanted) +
                       " workers: the system allows no more " + what + "; the run continues with " +
                       std::to_string(got) +
                       "; ask for fewer, or raise its limits (ulimit -u, ulimit -v)");
}

}  // namespace crossfold
