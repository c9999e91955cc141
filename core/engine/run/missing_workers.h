// A warning about workers for which the system allows no threads or processes.
#pragma once

#include <cstddef>
#include <string>

#include "crossfold/log_sink.h"
#include "crossfold/shared_work.h"

namespace crossfold {

// Warns that there are only `got` workers, once for all batches that share work. `what` is the
// scarce resource: "threads".
void LogMissingWorkers(SharedWork& shared, const LogSink& log, std::size_t wanted, int got,
                       const std::string& what);

}  // namespace crossfold
