// The plugins that a project trusts: the file crossfold.lock. With it (PluginHostOptions::lock) a
// host uses these files and no others, byte for byte.
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
  // Sorted by id, then by SHA-256. An id may be there more than once: builds for several machines.
  std::vector<LockedPlugin> plugins;
};

constexpr const char* kLockName = "crossfold.lock";

// Throws Error(kBadData) with what is wrong: "cannot read lock 'crossfold.lock': it is not valid
// JSON".
PluginLock ParsePluginLock(std::string_view text, const std::filesystem::path& path);
// The same; throws Error(kIo) if the file cannot be read.
PluginLock ReadPluginLock(const std::filesystem::path& path);

// Puts the plugin in the place of all entries with its id. Returns those, but for one that is equal
// to it.
std::vector<LockedPlugin> Trust(PluginLock& lock, const LockedPlugin& plugin);

// What ParsePluginLock reads back: JSON, the same bytes for the same plugins.
std::string ToText(const PluginLock& lock);
// To lock.path, at once. Throws Error(kIo).
void WritePluginLock(const PluginLock& lock);

}  // namespace crossfold
