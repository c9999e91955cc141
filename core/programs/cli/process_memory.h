// Memory of a process and of the processes that it started, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace crossfold::cli {

// Bytes of private memory of `root` and its descendants, in memory or swapped out, and of their
// shared memory, which counts once: the maximum of any one process. 0 if the process is gone.
std::uint64_t MemoryOfTree(pid_t root);

}  // namespace crossfold::cli
