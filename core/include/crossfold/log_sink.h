// The destination of messages for the host.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace crossfold {

// Gets one line without a newline, possibly from any thread. `level` is CF_LOG_...
using LogSink = std::function<void(std::int32_t level, const std::string& message)>;

}  // namespace crossfold
