// The limits of a cell, as a worker sets them on itself, and the end of processes by the machine's
// own: those that the kernel has killed because there was no memory left. The other side of a
// worker watches the wall-clock time.
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <string_view>

#include "crossfold/isolation.h"

namespace crossfold {

// Ends a process whose cell needs more processor time. SIGXCPU is that of `ulimit -t`, which counts
// all that the process has done.
constexpr int kCpuLimitSignal = SIGVTALRM;

// Bytes of address space that this process has now; 0 if unknown.
std::uint64_t MappedBytes();

// Not thread-safe: belongs to the thread that runs cells.
class ProcessLimits {
 public:
  ProcessLimits();
  ~ProcessLimits();
  ProcessLimits(const ProcessLimits&) = delete;
  ProcessLimits& operator=(const ProcessLimits&) = delete;

  void set_limits(const CellLimits& limits) { limits_ = limits; }
  // What is mapped by `load` (data, plugins) does not count as a cell's memory.
  template <class Load>
  void WithoutCounting(const Load& load) {
    const std::uint64_t before = MappedBytes();
    load();
    base_ += MappedBytes() - before;  // may be less, when data is forgotten
  }

  // Starts the time of a cell. kCpuLimitSignal ends the process if it needs more.
  void Begin();
  void End();

 private:
  CellLimits limits_;
  std::uint64_t base_;
  timer_t timer_ = {};
  bool has_timer_ = false;
};

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
