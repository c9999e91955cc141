// The program's side of a worker process: gives it jobs and takes their outcomes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/failure_cause.h"
#include "crossfold/isolation.h"
#include "crossfold_plugin.h"
#include "isolate/isolated_cells.h"
#include "isolate/job_list.h"
#include "isolate/worker_process.h"

namespace crossfold {

// Of one thread.
class WorkerClient {
 public:
  explicit WorkerClient(IsolatedCells& run) : run_(run) {}
  // Returns the process to the pool, or ends it if it still has jobs, as after an exception.
  ~WorkerClient();
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  // Gets a process for the job. Throws Error if none can be started.
  void TakeProcess(const Job& job);
  // Runs the job, and those that it sends ahead meanwhile. REQUIRES: TakeProcess was called for the
  // job.
  void Do(Job job);

 private:
  using Clock = WorkerProcess::Clock;

  // Why a process cannot be used any more.
  struct Loss {
    std::string message;
    cf_status code = CodeOf(FailureCause::kPlugin);
    bool is_final = false;  // a second try in another process would give the same
  };

  // A job that the process has.
  struct Given {
    Job job;
    bool used = false;          // others ran in the process before
    std::vector<bool> pending;  // cells without outcome
    std::size_t n_pending = 0;
  };

  const CellLimits& limits() const { return run_.pool.options.limits; }

  // The jobs to run again after a loss: of several jobs each job alone, of one job each cell alone.
  // A cell that ends a process in which others ran before gets a second try in a new process, so
  // that a cell fails only by its own fault.
  std::vector<Job> WhatIsLeft(const Loss& loss);
  // Marks the only remaining cell as failed.
  void Fail(const Given& given, const Loss& loss);

  // Puts the job into the queue of the process.
  void Give(Job job);
  // While items are short, sends some ahead, so that the process need not sleep between them. With
  // limits it sends nothing ahead, because they apply to one cell.
  void FillQueue();
  // Sends the definitions that the process does not have yet.
  void DefineFor(const CellBlock& block);
  void SendSpecs(MessageType type, std::uint64_t number,
                 std::span<const std::shared_ptr<const Spec>> specs);

  // Takes the outcomes of the queue. Returns why the process cannot be used any more, if so.
  std::optional<Loss> Serve();
  std::optional<Loss> TakeMessage(const Frame& frame);
  std::optional<Loss> TakeOne(Given& given, FieldReader& fields);
  void FinishOne(double seconds);
  Loss EndOfProcess();
  Loss Nonsense(const std::string& what);

  Clock::time_point NextLook() const;
  Clock::time_point OverTime() const;
  bool IsOverTime() const { return limits().seconds > 0 && Clock::now() >= OverTime(); }

  IsolatedCells& run_;
  std::unique_ptr<WorkerProcess> process_;
  std::vector<bool> has_splits_, has_learner_, has_metrics_;       // the process, by number
  std::deque<Given> queue_;                                        // what the process has, in order
  double item_seconds_ = std::numeric_limits<double>::infinity();  // lately; not known yet
  bool has_begun_ = false;
  Clock::time_point last_;  // when the job began or the last outcome came
};

}  // namespace crossfold
