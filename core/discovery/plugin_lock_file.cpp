#include "crossfold/plugin_lock_file.h"

#include <string>
#include <system_error>

#include "files/successor_file.h"

namespace crossfold {
namespace {

PluginLock ReadOrBegin(const std::filesystem::path& path) {
  std::error_code failure;
  const auto type = std::filesystem::status(path, failure).type();
  if (type != std::filesystem::file_type::not_found) return ReadPluginLock(path);
  return {path, {}};
}

}  // namespace

PluginLock ChangePluginLock(const std::filesystem::path& path,
                            const std::function<void(PluginLock&)>& change,
                            std::chrono::milliseconds patience) {
  ReadOrBegin(path);  // a file that is not a lock gets no successor
  SuccessorFile successor(path, "cannot write lock '" + path.string() + "'", patience);
  PluginLock lock = ReadOrBegin(path);
  change(lock);
  successor.Become(ToText(lock));
  return lock;
}

}  // namespace crossfold
