#include "programs/cli/search_log.h"

#include <algorithm>
#include <cstdio>

namespace crossfold::cli {

LogSink SearchLog::sink() {
  return [this](std::int32_t level, const std::string& message) {
    if (level >= CF_LOG_WARN) warnings_.push_back(message);
  };
}

std::vector<std::string> SearchLog::Beside(const std::vector<PluginEntry>& files) const {
  std::vector<std::string> beside = warnings_;
  std::erase_if(beside, [&](const std::string& warning) {
    return std::any_of(files.begin(), files.end(), [&](const PluginEntry& file) {
      return warning == "cannot use plugin '" + file.path.string() + "': " + file.rejected;
    });
  });
  return beside;
}

void PrintWarnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "crossfold: %s\n", warning.c_str());
  }
}

}  // namespace crossfold::cli
