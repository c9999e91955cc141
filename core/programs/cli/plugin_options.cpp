#include "programs/cli/plugin_options.h"

#include <cstdio>

#include "programs/cli/command.h"
#include "programs/cli/user_file.h"

namespace crossfold::cli {

void DeclarePluginChoice(Command& app, PluginOptions& options) {
  app.AddFlag("--locked{" + std::string(kLockName) + "}", options.lock,
              "Use only the plugins of this lock, --locked=FILE; default crossfold.lock");
  app.AddOption("--plugins-only", options.only,
                "Use only plugins whose id or file fits this glob; repeatable")
      .OneValueEach();
}

bool AddInFront(const PluginOptions& before, PluginOptions& behind) {
  behind.paths.insert(behind.paths.begin(), before.paths.begin(), before.paths.end());
  behind.only.insert(behind.only.begin(), before.only.begin(), before.only.end());
  if (before.lock.empty()) return true;
  if (!behind.lock.empty() && behind.lock != before.lock) return false;
  behind.lock = before.lock;
  return true;
}

PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet) {
  PluginHostOptions host;
  for (const std::string& path : options.paths) host.paths.emplace_back(path);
  host.only = options.only;
  if (!options.lock.empty()) host.lock = ReadPluginLock(options.lock);
  // What is wrong with what the user names shows at once.
  host.search_later = options.paths.empty() && options.only.empty() && options.lock.empty();
  host.scan.where = ScanOptions::Where::kInProcess;
  host.scan.cache = UserFile("XDG_CACHE_HOME", ".cache", "scan.json");
  if (!quiet) host.log = &LogToStderr;
  return host;
}

void LogToStderr(std::int32_t level, const std::string& message) {
  if (level >= CF_LOG_WARN) std::fprintf(stderr, "crossfold: %s\n", message.c_str());
}

}  // namespace crossfold::cli
