#include "cli/trust_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/exit_code.h"
#include "crossfold/error.h"
#include "crossfold/plugin_lock.h"

namespace crossfold::cli {
namespace {

PluginLock ReadOrMake(const std::string& path) {
  std::error_code failure;
  if (std::filesystem::exists(path, failure)) return ReadPluginLock(path);
  PluginLock lock;
  lock.path = path;
  return lock;
}

// A lock is text, so the name of a file in it is a line of text.
void CheckName(const PluginEntry& entry) {
  const std::string name = entry.path.filename().string();
  const bool has_control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (!has_control) return;
  throw Error(ErrorKind::kInvalidArgument, "cannot trust plugin '" + entry.id +
                                               "': the name of its file has a control character; "
                                               "rename it");
}

LockedPlugin Locked(const PluginEntry& entry) {
  CheckName(entry);
  LockedPlugin plugin;
  plugin.id = entry.id;
  plugin.version = entry.version;
  plugin.file = entry.path.filename().string();
  plugin.sha256 = entry.sha256;
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = entry.abi_minor;
  return plugin;
}

void Put(PluginLock& lock, const PluginEntry& entry) {
  const LockedPlugin plugin = Locked(entry);
  std::printf("%s %s  %s  %s\n", plugin.id.c_str(), plugin.version.c_str(), plugin.sha256.c_str(),
              entry.path.c_str());
  for (const LockedPlugin& replaced : Trust(lock, plugin)) {
    std::printf("  instead of %s  %s\n", replaced.version.c_str(), replaced.sha256.c_str());
  }
}

// Of named files every one must be usable; what the search finds may be broken.
void CheckUsable(const PluginEntry& entry, bool was_named) {
  const std::string finding =
      "cannot trust plugin '" + entry.path.string() + "': " + entry.rejected;
  if (was_named) throw Error(ErrorKind::kBadPlugin, finding);
  std::fprintf(stderr, "crossfold: %s; it was left out\n", finding.c_str());
}

}  // namespace

CLI::App* DeclareTrust(CLI::App& plugin, TrustOptions& options) {
  CLI::App* trust =
      plugin.add_subcommand("trust", "Write plugins and their hashes into the lock for --locked");
  CLI::Option* paths =
      trust->add_option("path", options.paths, "Plugin files, or folders of plugin files");
  trust->add_flag("--installed", options.installed, "All that the search finds")->excludes(paths);
  trust->add_option("--lock", options.lock, "The lock; default crossfold.lock");
  return trust;
}

int TrustPlugins(PluginHostOptions host_options, const TrustOptions& options) {
  if (!options.installed && options.paths.empty()) {
    std::fputs("crossfold: which plugins? name their files, or say --installed\n", stderr);
    return kUsage;
  }
  if (!options.installed) {
    host_options.paths.assign(options.paths.begin(), options.paths.end());
    host_options.use_environment = host_options.use_user_folder = false;
    host_options.use_installation = false;
  }
  host_options.log = nullptr;  // it is told below
  host_options.lock.reset();
  host_options.hash_files = true;
  const PluginHost plugins(std::move(host_options));
  PluginLock lock = ReadOrMake(options.lock);
  int count = 0;
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) {
      CheckUsable(entry, !options.installed);
      continue;
    }
    Put(lock, entry);
    ++count;
  }
  if (count == 0) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot trust plugins: there is no file *.crossfold.so in these places");
  }
  WritePluginLock(lock);
  std::printf("%d plugin%s written to %s, which has %zu\n", count, count == 1 ? "" : "s",
              options.lock.c_str(), lock.plugins.size());
  return kOk;
}

}  // namespace crossfold::cli
