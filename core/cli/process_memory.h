// Memory of a process and of the processes that it started, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace crossfold::cli {

// Bytes that `root` and its descendants have written to and nobody else has: in memory or swapped
// out. What they share in memory counts once, as much as the one that has most of it. 0 if the
// process is gone.
std::uint64_t MemoryOfTree(pid_t root);

}  // namespace crossfold::cli
