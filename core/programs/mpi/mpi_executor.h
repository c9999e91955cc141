// Rank 0: runs the cells of a script on the other ranks.
#pragma once

#include <cstdint>
#include <memory>

#include "crossfold/isolation.h"
#include "crossfold/run.h"
#include "programs/mpi/rank_channel.h"

namespace crossfold::mpi {

// Must be used only by the thread that called MPI_Init_thread.
class MpiExecutor {
 public:
  // Waits for all ranks. Throws Error if one has another version, which may not know how to end
  // together with this one.
  explicit MpiExecutor(RankChannel& channel);
  ~MpiExecutor();
  MpiExecutor(const MpiExecutor&) = delete;
  MpiExecutor& operator=(const MpiExecutor&) = delete;

  // The engine that runs cells on the ranks: as RunIsolated, with RunOptions::workers cells at the
  // same time on each rank. Throws Error if a rank lacks the files of the plugins. The executor
  // must outlive it.
  RunEngine EngineFor(const CellLimits& limits);

  // Sends the ranks the end of the program, and waits until they have it. The destructor also does
  // this; it is done only once.
  void Quit();

  struct Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace crossfold::mpi
