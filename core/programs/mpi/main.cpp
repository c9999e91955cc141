// crossfold-mpi: "crossfold run" on the ranks of an MPI job. Rank 0 runs the script, the others its
// cells: mpirun -n 4 crossfold-mpi run script.lua
#include <mpi.h>

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>

#include "programs/cli/exit_code.h"
#include "programs/cli/program.h"
#include "programs/mpi/mpi_executor.h"
#include "programs/mpi/rank_channel.h"
#include "programs/mpi/rank_session.h"

namespace {

using namespace crossfold;

// State for the handler of exit(), which gets no argument: os.exit in a script ends rank 0 at any
// point, and an MPI program that ends without MPI_Finalize has failed.
struct ScriptRank {
  pid_t process = 0;                     // 0 = no script runs; a child that was forked is another
  std::thread::id thread;                // the one that may call MPI
  mpi::MpiExecutor* executor = nullptr;  // null = there is one rank
};
ScriptRank script_rank;

void EndRanks() {
  if (script_rank.process != getpid() || script_rank.thread != std::this_thread::get_id()) return;
  if (script_rank.executor != nullptr) script_rank.executor->Quit();
  MPI_Finalize();
}

// While this object exists, exit() ends all ranks.
class RanksEndAtExit {
 public:
  explicit RanksEndAtExit(mpi::MpiExecutor* executor) {
    script_rank = {getpid(), std::this_thread::get_id(), executor};
  }
  ~RanksEndAtExit() { script_rank = {}; }
  RanksEndAtExit(const RanksEndAtExit&) = delete;
  RanksEndAtExit& operator=(const RanksEndAtExit&) = delete;
};

int RunScriptOnRanks(mpi::RankChannel& channel, int argc, char** argv) {
  cli::ProgramHost host;
  host.name = "crossfold-mpi";
  if (channel.size() == 1) {
    const RanksEndAtExit ends(nullptr);
    return cli::RunProgram(argc, argv, host);
  }
  mpi::MpiExecutor executor(channel);
  host.executor = [&executor](const CellLimits& limits) { return executor.EngineFor(limits); };
  const int code = [&] {
    const RanksEndAtExit ends(&executor);
    return cli::RunProgram(argc, argv, host);
  }();
  // An interrupt of a job also ends its ranks: the others may have ended already.
  if (code == cli::kInterrupted) MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

// The mpirun of Open MPI kills all ranks as soon as one has ended by its SIGTERM, and a second
// later otherwise. Rank 0 needs that second to store what has arrived and to say how to continue.
void DieLater(int) {
  constexpr unsigned kSeconds = 2;
  alarm(kSeconds);
}

void LetRank0EndFirst() {
  struct sigaction action {};
  action.sa_handler = &DieLater;
  action.sa_flags = SA_RESTART | SA_RESETHAND;  // the second signal ends it at once
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

int RunRank(int argc, char** argv) {
  mpi::RankChannel channel;
  const int cores = mpi::CountOwnCores();
  try {
    if (channel.rank() == 0) return RunScriptOnRanks(channel, argc, argv);
    LetRank0EndFirst();
    if (mpi::ServeRank(channel, cores)) return cli::kOk;
    MPI_Finalize();
    std::fflush(nullptr);
    _exit(cli::kOk);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold-mpi: %s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, cli::kError);
    return cli::kError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    std::fputs("crossfold-mpi: this MPI does not support programs with threads\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, cli::kError);
  }
  std::atexit(&EndRanks);
  const int code = RunRank(argc, argv);
  MPI_Finalize();
  return code;
}
