// The file crossfold.lock lists the plugins that a project trusts. With it
// (PluginHostOptions::lock) a host uses these files, byte for byte, and no others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct LockedPlugin {
  std::string id, version;
  std::string file;    // its name, for people; the folder does not matter
  std::string sha256;  // of the file: 64 digits 0-9, a-f
  std::uint32_t abi_major = 1, abi_minor = 0;
  std::vector<LockedLibrary> libraries = {};  // sorted

  bool operator==(const LockedPlugin&) const = default;
};

struct PluginLock {
  std::filesystem::path path;  // for messages
  // The plugins, sorted by id, then by SHA-256. An id may occur more than once, for builds for
  // several machines.
  std::vector<LockedPlugin> plugins;
};

constexpr const char* kLockName = "crossfold.lock";

// Parses a lock. Throws Error(kBadData): "cannot read lock 'crossfold.lock': it is not valid JSON".
PluginLock ParsePluginLock(std::string_view text, const std::filesystem::path& path);
// Reads the file. Throws as ParsePluginLock does, and Error(kIo) if the file cannot be read.
PluginLock ReadPluginLock(const std::filesystem::path& path);

// Replaces all entries with the plugin's id by the plugin. Returns the old entries, without one
// that is equal to the plugin.
std::vector<LockedPlugin> Trust(PluginLock& lock, const LockedPlugin& plugin);

// Returns JSON that ParsePluginLock reads back. The same plugins give the same bytes.
std::string ToText(const PluginLock& lock);

}  // namespace crossfold
