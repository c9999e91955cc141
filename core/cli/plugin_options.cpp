#include "cli/plugin_options.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/command.h"

namespace crossfold::cli {
namespace {

// "" if it is not set, or if the process has more rights than its user.
std::filesystem::path Folder(const char* variable) {
  const char* value = ::secure_getenv(variable);
  const std::filesystem::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : std::filesystem::path();
}

// "" if there is no home folder.
std::filesystem::path ScanCacheFile() {
  std::filesystem::path cache = Folder("XDG_CACHE_HOME");
  if (cache.empty()) {
    const std::filesystem::path home = Folder("HOME");
    if (home.empty()) return {};
    cache = home / ".cache";
  }
  return cache / "crossfold/scan.json";
}

}  // namespace

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
  host.scan.where = ScanOptions::Where::kInProcess;
  host.scan.cache = ScanCacheFile();
  if (!quiet) host.log = &LogToStderr;
  return host;
}

void LogToStderr(std::int32_t level, const std::string& message) {
  if (level >= CF_LOG_WARN) std::fprintf(stderr, "crossfold: %s\n", message.c_str());
}

}  // namespace crossfold::cli
