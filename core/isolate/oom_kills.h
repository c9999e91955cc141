// The processes that the kernel has killed because there was no memory left.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

namespace crossfold {

// The number in the line "oom_kill 3" of a file of the kernel; 0 without such a line.
std::uint64_t OomKillsIn(std::string_view lines);

// Counts from its construction on, in the control group of this process (memory.events) or, where
// that cannot be read, on the machine (/proc/vmstat). Thread-safe.
class OomKills {
 public:
  OomKills();
  // Whether there was one that nobody has taken yet.
  bool Take();

 private:
  std::mutex mutex_;
  std::uint64_t taken_;
};

}  // namespace crossfold
