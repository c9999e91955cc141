// Rank 0: runs the cells of a script on the other ranks.
#pragma once

#include <cstdint>
#include <memory>

#include "crossfold/isolation.h"
#include "crossfold/run.h"
#include "programs/mpi/rank_channel.h"

namespace crossfold::mpi {

// To be used by the thread that called MPI_Init_thread only.
class MpiExecutor {
 public:
  // Waits for all ranks. Throws Error if one has another version, which may not know how to end
  // together with this one.
  explicit MpiExecutor(RankChannel& channel);
  ~MpiExecutor();
  MpiExecutor(const MpiExecutor&) = delete;
  MpiExecutor& operator=(const MpiExecutor&) = delete;

  // What runs cells on the ranks: as RunIsolated, with RunOptions::workers cells at the same time
  // on each rank. Throws Error if a rank has not the files of the plugins. The executor must
  // outlive it.
  RunEngine EngineFor(const CellLimits& limits);

  // Tells the ranks that the program is over, and waits until they know. The destructor does it as
  // well; only once.
  void Quit();

  struct Impl;

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace crossfold::mpi
