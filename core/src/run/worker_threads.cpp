#include "run/worker_threads.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstddef>
#include <optional>

namespace crossfold {

int DefaultWorkers() { return tbb::info::default_concurrency(); }

void CallOnThreads(int workers, void (*work)(void*), void* data) {
  using tbb::global_control;
  // TBB starts no more threads than cores unless asked to; asked only for as long as this call
  // lasts.
  std::optional<global_control> more_threads;
  const auto wanted = static_cast<std::size_t>(workers);
  if (global_control::active_value(global_control::max_allowed_parallelism) < wanted) {
    more_threads.emplace(global_control::max_allowed_parallelism, wanted);
  }
  // Isolated: a plugin that waits for TBB tasks of its own must not start another cell meanwhile.
  const auto isolated = [work, data] {
    tbb::this_task_arena::isolate([work, data] { work(data); });
  };
  tbb::task_arena arena(workers);
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 1; i < workers; ++i) group.run(isolated);
    isolated();
    group.wait();
  });
}

}  // namespace crossfold
