// What the search for plugins logs, for commands that report files themselves.
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class SearchLog {
 public:
  // The sink of a host's options; the log must outlive the host.
  LogSink sink();

  // The warnings that are not about one of the files: of folders that cannot be read, of
  // environment variables.
  std::vector<std::string> Beside(const std::vector<PluginEntry>& files) const;

 private:
  std::vector<std::string> warnings_;
};

// Prints it on standard error.
void PrintWarnings(const std::vector<std::string>& warnings);

}  // namespace crossfold::cli
