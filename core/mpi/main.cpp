// crossfold-mpi: "crossfold run" on the ranks of an MPI job. Rank 0 runs the script, the others its
// cells: mpirun -n 4 crossfold-mpi run script.lua
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <memory>

#include "cli/exit_code.h"
#include "cli/program.h"
#include "mpi/mpi_executor.h"
#include "mpi/rank_channel.h"
#include "mpi/rank_session.h"

namespace {

using namespace crossfold;

int RunScriptOnRanks(mpi::RankChannel& channel, int argc, char** argv) {
  cli::ProgramHost host;
  host.name = "crossfold-mpi";
  if (channel.size() == 1) return cli::RunProgram(argc, argv, host);
  mpi::MpiExecutor executor(channel);
  host.executor = [&executor](const CellLimits& limits) { return executor.EngineFor(limits); };
  const int code = cli::RunProgram(argc, argv, host);
  // Whoever interrupts a job also ends its ranks: there may be nobody to say goodbye to.
  if (code == cli::kInterrupted) MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

int RunRank(int argc, char** argv) {
  mpi::RankChannel channel;
  const int cores = mpi::CountOwnCores();
  try {
    if (channel.rank() == 0) return RunScriptOnRanks(channel, argc, argv);
    mpi::ServeRank(channel, cores);
    return cli::kOk;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold-mpi: %s\n", e.what());
    if (channel.rank() != 0) MPI_Abort(MPI_COMM_WORLD, cli::kError);
    return cli::kError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    std::fputs("crossfold-mpi: this MPI knows no programs with threads\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, cli::kError);
  }
  const int code = RunRank(argc, argv);
  MPI_Finalize();
  return code;
}
