#include "crossfold/plugin_lock.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "crossfold/error.h"
#include "crossfold_plugin.h"
#include "data/file_bytes.h"
#include "plugin/foreign_text.h"
#include "plugin/manifest.h"

namespace crossfold {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kDigits = 64;

// What is wrong with the text. Thrown and caught in this file only.
struct Defect {
  std::string text;
};

bool IsSha256(const std::string& text) {
  return text.size() == kDigits && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string TextField(const Json& object, const char* key, const std::string& place) {
  const auto it = object.find(key);
  if (it == object.end()) throw Defect{place + " has no '" + key + "'"};
  if (!it->is_string()) throw Defect{place + ": its '" + std::string(key) + "' is not a text"};
  std::string text = it->get<std::string>();
  if (text.empty() || text.find('\0') != std::string::npos || CleanText(text.c_str()) != text) {
    throw Defect{place + ": its '" + std::string(key) + "' is not one line of text"};
  }
  return text;
}

// "1.0"
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

LockedPlugin ReadEntry(const Json& entry, const std::string& place) {
  if (!entry.is_object()) throw Defect{place + " is not an object"};
  LockedPlugin plugin;
  plugin.id = TextField(entry, "id", place);
  if (!IsWellFormedId(plugin.id)) {
    throw Defect{place + ": its id is not made of a-z, 0-9, '_', '.' and '-'"};
  }
  plugin.version = TextField(entry, "version", place);
  plugin.file = TextField(entry, "file", place);
  plugin.sha256 = TextField(entry, "sha256", place);
  if (!IsSha256(plugin.sha256)) {
    throw Defect{place + ": its 'sha256' is not 64 digits of 0-9 and a-f"};
  }
  ReadAbi(TextField(entry, "abi", place), place, plugin);
  return plugin;
}

void Sort(std::vector<LockedPlugin>& plugins) {
  std::sort(plugins.begin(), plugins.end(), [](const LockedPlugin& a, const LockedPlugin& b) {
    return std::tie(a.id, a.sha256) < std::tie(b.id, b.sha256);
  });
}

std::vector<LockedPlugin> ReadEntries(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Defect{"it is not valid JSON"};
  const auto version = json.is_object() ? json.find("crossfold_lock") : json.end();
  if (!json.is_object() || version == json.end()) throw Defect{"it is no lock of Crossfold"};
  if (!version->is_number_unsigned() || version->get<std::uint64_t>() != kVersion) {
    throw Defect{"it is of a version that this host does not know; write it anew"};
  }
  const auto list = json.find("plugins");
  if (list == json.end() || !list->is_array()) throw Defect{"it has no list of plugins"};
  std::vector<LockedPlugin> plugins;
  for (const Json& entry : *list) {
    plugins.push_back(ReadEntry(entry, "plugin " + std::to_string(plugins.size() + 1)));
  }
  Sort(plugins);
  return plugins;
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
    finding = "it cannot be looked at (" + failure.message() + ")";
  } else if (type == std::filesystem::file_type::directory) {
    finding = "it is a folder; name a file";
  } else if (type != std::filesystem::file_type::regular) {
    // Reading one of these may never end.
    finding = "it is a device or a pipe; name a file";
  }
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
  Json list = Json::array();
  for (const LockedPlugin& plugin : plugins) {
    list.push_back(
        {{"id", plugin.id},
         {"version", plugin.version},
         {"file", plugin.file},
         {"sha256", plugin.sha256},
         {"abi", std::to_string(plugin.abi_major) + "." + std::to_string(plugin.abi_minor)}});
  }
  const Json json = {{"crossfold_lock", kVersion}, {"plugins", list}};
  // What is no UTF-8 (a file's name) must not stop it.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void WritePluginLock(const PluginLock& lock) {
  WriteFileBytes(lock.path, ToText(lock), "cannot write lock '" + lock.path.string() + "'");
}

}  // namespace crossfold
