// Runs cells in processes of their own: a learner that crashes, hangs, exits or uses up all memory
// fails only its cell.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "crossfold/run.h"

namespace crossfold {

// The limits of one cell. 0 = no limit.
struct CellLimits {
  double seconds = 0;        // wall-clock time
  double cpu_seconds = 0;    // of all threads of the process
  std::uint64_t memory = 0;  // bytes of the process in addition to the data

  bool any() const { return seconds > 0 || cpu_seconds > 0 || memory > 0; }
  friend bool operator==(const CellLimits&, const CellLimits&) = default;
};

struct IsolationOptions {
  // The program crossfold-worker; empty = the one next to this program or library, or the installed
  // one.
  std::filesystem::path worker;
  CellLimits limits;
};

// Keeps worker processes and the datasets that they map from one run to the next. Thread-safe; the
// processes end with this object and with this process, however it ends.
class WorkerProcesses {
 public:
  // Starts no process.
  explicit WorkerProcesses(IsolationOptions options);
  ~WorkerProcesses();
  WorkerProcesses(const WorkerProcesses&) = delete;
  WorkerProcesses& operator=(const WorkerProcesses&) = delete;

  const IsolationOptions& options() const;

  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Where the cells of a block run; never kAuto. For blocks with kAuto, cells with limits, with a
// plugin that is neither bundled (LoadedPlugin::bundled) nor in a child process of its own
// (LoadedPlugin::runs_in_child), or with one that asks for a process run in a worker.
Isolation IsolationOf(const CellBlock& block, const CellLimits& limits);

// Does as RunAndScore, but runs blocks that ask for it (CellBlock::isolation) in worker processes.
// The outcomes have the same bits as without. A cell whose process ends early, or that exceeds a
// limit, has failed with stage "run"; the message says what happened (signal, exit code or limit),
// and has the end of what the process wrote to standard error and a line of Lua that repeats the
// cell. After a cancellation running processes are killed. Throws Error if no worker process can be
// started; but cells with kAuto and without limits then run in this process, and the log says so
// once. REQUIRES: as RunAndScore.
void RunIsolated(WorkerProcesses& workers, std::span<const CellBlock> blocks,
                 const RunOptions& options, const TakeOutcome& take);

}  // namespace crossfold
