#include "crossfold/plugin_lock.h"

#include <algorithm>
#include <system_error>
#include <tuple>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold/plugin_lock_file.h"
#include "crossfold_plugin.h"
#include "discovery/manifest_file.h"
#include "discovery/path_writers.h"
#include "engine/data/sha256.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/foreign_text.h"
#include "files/file_bytes.h"
#include "files/successor_file.h"

namespace crossfold {
namespace {

constexpr int kLockVersion = 1;

const std::string& LineOf(const JsonValue& entry, const char* key, const std::string& place) {
  const JsonValue* field = entry.Find(key);
  if (field == nullptr) throw Defect{place + " has no '" + key + "'"};
  const std::string its = place + ": its '" + key + "' is not ";
  const auto* text = field->As<std::string>();
  if (text == nullptr) throw Defect{its + "a string"};
  if (!IsCleanLine(*text)) throw Defect{its + "one line of text"};
  return *text;
}

// Reads an ABI such as "1.0".
void ReadAbi(const std::string& text, const std::string& place, LockedPlugin& plugin) {
  const std::size_t dot = text.find('.');
  const auto number = [&](std::string_view digits) {
    if (digits.empty() || digits.size() > 9 ||
        !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      throw Defect{place + ": its 'abi' is not MAJOR.MINOR"};
    }
    std::uint32_t value = 0;
    for (const char c : digits) value = 10 * value + static_cast<std::uint32_t>(c - '0');
    return value;
  };
  plugin.abi_major = number(std::string_view(text).substr(0, dot));
  plugin.abi_minor = number(dot == std::string::npos ? "" : std::string_view(text).substr(dot + 1));
}

std::string HashIn(const JsonValue& entry, const std::string& place) {
  const std::string& sha256 = LineOf(entry, "sha256", place);
  if (!IsSha256(sha256)) throw Defect{place + ": its 'sha256' is not 64 digits of 0-9 and a-f"};
  return sha256;
}

// Reads the libraries. Locks of plugins without libraries, and those of early versions, have no
// such list.
std::vector<LockedLibrary> ReadLibraries(const JsonValue& entry, const std::string& place) {
  std::vector<LockedLibrary> libraries;
  if (entry.Find("libraries") == nullptr) return libraries;
  const auto* list = entry.FindAs<JsonList>("libraries");
  if (list == nullptr) throw Defect{place + ": its 'libraries' is not a list"};
  for (const JsonValue& library : *list) {
    const std::string its = place + ", library " + std::to_string(libraries.size() + 1);
    if (library.As<JsonObject>() == nullptr) throw Defect{its + " is not an object"};
    libraries.push_back({LineOf(library, "file", its), HashIn(library, its)});
  }
  std::sort(libraries.begin(), libraries.end());
  return libraries;
}

LockedPlugin ReadLockedPlugin(const JsonValue& entry, const std::string& place) {
  if (entry.As<JsonObject>() == nullptr) throw Defect{place + " is not an object"};
  LockedPlugin plugin;
  plugin.id = LineOf(entry, "id", place);
  if (!IsWellFormedId(plugin.id)) {
    throw Defect{place + ": its id is not made of a-z, 0-9, '_', '.' and '-'"};
  }
  plugin.version = LineOf(entry, "version", place);
  plugin.file = LineOf(entry, "file", place);
  plugin.sha256 = HashIn(entry, place);
  ReadAbi(LineOf(entry, "abi", place), place, plugin);
  plugin.libraries = ReadLibraries(entry, place);
  return plugin;
}

void Sort(std::vector<LockedPlugin>& plugins) {
  std::sort(plugins.begin(), plugins.end(), [](const LockedPlugin& a, const LockedPlugin& b) {
    return std::tie(a.id, a.sha256) < std::tie(b.id, b.sha256);
  });
}

std::vector<LockedPlugin> ReadEntries(std::string_view text) {
  const std::optional<JsonValue> json = ParseJson(text);
  if (!json) throw Defect{"it is not valid JSON"};
  if (json->Find("crossfold_lock") == nullptr) throw Defect{"it is not a Crossfold lock"};
  const auto* version = json->FindAs<std::int64_t>("crossfold_lock");
  if (version == nullptr || *version != kLockVersion) {
    throw Defect{"it has a version that this host does not know; write it again"};
  }
  const auto* list = json->FindAs<JsonList>("plugins");
  if (list == nullptr) throw Defect{"it has no list of plugins"};
  std::vector<LockedPlugin> plugins;
  for (const JsonValue& entry : *list) {
    plugins.push_back(ReadLockedPlugin(entry, "plugin " + std::to_string(plugins.size() + 1)));
  }
  Sort(plugins);
  return plugins;
}

PluginLock ReadOrBegin(const std::filesystem::path& path) {
  std::error_code failure;
  const auto type = std::filesystem::status(path, failure).type();
  if (type != std::filesystem::file_type::not_found) return ReadPluginLock(path);
  return {path, {}};
}

}  // namespace

PluginLock ParsePluginLock(std::string_view text, const std::filesystem::path& path) {
  try {
    return {path, ReadEntries(text)};
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, "cannot read lock '" + path.string() + "': " + defect.text);
  }
}

PluginLock ReadPluginLock(const std::filesystem::path& path) {
  const std::string attempt = "cannot read lock '" + path.string() + "'";
  std::error_code failure;
  const auto type = std::filesystem::status(path, failure).type();
  std::string finding;
  if (type == std::filesystem::file_type::not_found) {
    finding = "there is no such file; crossfold plugin trust writes it";
  } else if (type == std::filesystem::file_type::none) {
    finding = "its status cannot be read (" + failure.message() + ")";
  } else if (type == std::filesystem::file_type::directory) {
    finding = "it is a folder; name a file";
  } else if (type != std::filesystem::file_type::regular) {
    // Reading a device or a pipe may never end.
    finding = "it is a device or a pipe; name a file";
  }
  // Anyone who can write the lock decides which plugins are loaded.
  if (finding.empty()) finding = PathWriters().Problem(path);
  if (!finding.empty()) throw Error(ErrorKind::kIo, attempt + ": " + finding);
  return ParsePluginLock(ReadFileBytes(path, attempt), path);
}

std::vector<LockedPlugin> Trust(PluginLock& lock, const LockedPlugin& plugin) {
  std::vector<LockedPlugin> replaced;
  std::erase_if(lock.plugins, [&](const LockedPlugin& entry) {
    if (entry.id != plugin.id) return false;
    if (entry != plugin) replaced.push_back(entry);
    return true;
  });
  lock.plugins.push_back(plugin);
  Sort(lock.plugins);
  return replaced;
}

std::string ToText(const PluginLock& lock) {
  std::vector<LockedPlugin> plugins = lock.plugins;
  Sort(plugins);
  JsonList list;
  for (const LockedPlugin& plugin : plugins) {
    JsonObject entry = {
        {"id", plugin.id},
        {"version", plugin.version},
        {"file", plugin.file},
        {"sha256", plugin.sha256},
        {"abi", std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor)}};
    JsonList libraries;
    for (const LockedLibrary& library : plugin.libraries) {
      libraries.push_back(JsonObject{{"file", library.file}, {"sha256", library.sha256}});
    }
    if (!libraries.empty()) entry.push_back({"libraries", std::move(libraries)});
    list.push_back(std::move(entry));
  }
  return JsonText(JsonObject{{"crossfold_lock", kLockVersion}, {"plugins", std::move(list)}}, 2) +
         "\n";
}

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
