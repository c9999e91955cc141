// Every rank but the first: runs the cells that rank 0 sends, on as many threads as that says.
//   first message: version (text), name of the machine (text), cores of its own (4)
//   kSettings: workers (4), then as between a program and its workers (isolate/messages.h)
//   kDataset: number, size (8); the image comes by RankChannel::Broadcast
//   kBroadcast: type (1), size (8); the body of a message of that type comes in the same way
//   kItem: number (8), isolation (1), blocks; kOutcome: item, place (8), outcome
//   kItemDone: item (8), seconds that it took (8)
#pragma once

#include "programs/mpi/rank_channel.h"

namespace crossfold::mpi {

// Returns when rank 0 says that the program is over. `cores`: the default number of threads. False:
// a cell does not end, and its thread still runs, so that the process is to be left by _exit. The
// same holds if it throws.
bool ServeRank(RankChannel& channel, int cores);

}  // namespace crossfold::mpi
