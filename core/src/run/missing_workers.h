// Workers that were asked for, and that the system has no threads or processes for.
#pragma once

#include <cstddef>
#include <string>

#include "crossfold/plugin_host.h"
#include "crossfold/shared_work.h"

namespace crossfold {

// Says that there are only `got` of the workers, once for all batches that share work. `what` there
// was too little of: "threads".
void LogMissingWorkers(SharedWork& shared, const LogSink& log, std::size_t wanted, int got,
                       const std::string& what);

}  // namespace crossfold
