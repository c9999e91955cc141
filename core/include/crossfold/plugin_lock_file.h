// Changing the file crossfold.lock while other processes may change it, too.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "crossfold/plugin_lock.h"

namespace crossfold {

// Reads the lock, or begins an empty one if there is no such file, lets `change` change it, writes
// it atomically and returns it. If several calls run at the same time, in any processes, each sees
// what the one before it wrote. They take turns by a flock on the file "<path>.new", which exists
// only meanwhile and then becomes the lock. If `change` throws, the lock stays as it was. Throws
// Error(kBadData) and Error(kIo) as ReadPluginLock does, and Error(kIo) if the file cannot be
// written or another process holds its turn for longer than `patience`.
PluginLock ChangePluginLock(const std::filesystem::path& path,
                            const std::function<void(PluginLock&)>& change,
                            std::chrono::milliseconds patience = std::chrono::seconds(30));

}  // namespace crossfold
