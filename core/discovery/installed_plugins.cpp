#include "discovery/installed_plugins.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/manifest.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kFileVersion = 1;

std::string StringIn(const JsonValue& json, const char* key) {
  const auto* text = json.FindAs<std::string>(key);
  if (text == nullptr || text->empty()) {
    throw Defect{std::string("an entry has no '") + key + "'"};
  }
  return *text;
}

InstalledVersion ReadVersion(const JsonValue& json) {
  InstalledVersion version{StringIn(json, "version"), StringIn(json, "platform"),
                           StringIn(json, "sha256"),  StringIn(json, "registry"),
                           StringIn(json, "folder"),  StringIn(json, "file")};
  if (const auto* libraries = json.FindAs<JsonList>("libraries")) {
    for (const JsonValue& library : *libraries) {
      version.libraries.push_back({StringIn(library, "file"), StringIn(library, "sha256")});
    }
  }
  const fs::path folder = version.folder;
  if (folder.is_absolute() || std::find(folder.begin(), folder.end(), "..") != folder.end()) {
    throw Defect{"its folder '" + version.folder + "' is not below that of the file"};
  }
  return version;
}

InstalledPlugin ReadInstalled(const JsonValue& json) {
  InstalledPlugin plugin;
  plugin.id = StringIn(json, "id");
  if (!IsWellFormedId(plugin.id)) throw Defect{"an entry has an id that is not one"};
  const auto* pinned = json.FindAs<bool>("pinned");
  plugin.is_pinned = pinned != nullptr && *pinned;
  const auto* versions = json.FindAs<JsonList>("versions");
  if (versions == nullptr || versions->empty()) {
    throw Defect{"plugin '" + plugin.id + "' has no versions"};
  }
  for (const JsonValue& version : *versions) plugin.versions.push_back(ReadVersion(version));
  return plugin;
}

std::vector<InstalledPlugin> ReadPlugins(std::string_view text) {
  std::string problem;
  const std::optional<JsonValue> json = ParseJson(text, &problem);
  if (!json) throw Defect{"it " + problem};
  const auto* version = json->FindAs<std::int64_t>("crossfold_installed");
  if (version == nullptr) throw Defect{"it is not a list of installed plugins"};
  if (*version != kFileVersion) {
    throw Defect{"it has a version that this Crossfold does not know; use a newer one"};
  }
  std::vector<InstalledPlugin> plugins;
  if (const auto* list = json->FindAs<JsonList>("plugins")) {
    for (const JsonValue& entry : *list) plugins.push_back(ReadInstalled(entry));
  }
  return plugins;
}

// The variable's value if it is an absolute path; others are ignored, as the XDG specification
// says.
fs::path FolderIn(const char* variable) {
  const char* value = ::secure_getenv(variable);
  const fs::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : fs::path();
}

}  // namespace

InstalledPlugin* InstalledPlugins::Find(std::string_view id) {
  const auto found = std::find_if(plugins.begin(), plugins.end(),
                                  [&](const InstalledPlugin& plugin) { return plugin.id == id; });
  return found == plugins.end() ? nullptr : &*found;
}

fs::path UserFolder(const char* variable, const char* below_home) {
  if (const fs::path folder = FolderIn(variable); !folder.empty()) return folder / "crossfold";
  const fs::path home = FolderIn("HOME");
  return home.empty() ? home : home / below_home / "crossfold";
}

fs::path UserDataFolder() { return UserFolder("XDG_DATA_HOME", ".local/share"); }

fs::path InstalledFolder() {
  const fs::path data = UserDataFolder();
  return data.empty() ? data : data / "installed";
}

InstalledPlugins ReadInstalledPlugins(const fs::path& folder) {
  InstalledPlugins installed{folder, {}};
  const fs::path file = folder / kInstalledName;
  const std::string attempt = "cannot read installed plugins '" + file.string() + "'";
  std::error_code failure;
  if (fs::status(file, failure).type() == fs::file_type::not_found) return installed;
  try {
    installed.plugins = ReadPlugins(ReadFileBytes(file, attempt));
  } catch (const Defect& defect) {
    throw Error(ErrorKind::kBadData, attempt + ": " + defect.text);
  }
  return installed;
}

std::string ToText(const InstalledPlugins& installed) {
  std::vector<InstalledPlugin> sorted = installed.plugins;
  std::sort(sorted.begin(), sorted.end(),
            [](const InstalledPlugin& a, const InstalledPlugin& b) { return a.id < b.id; });
  JsonList list;
  for (const InstalledPlugin& plugin : sorted) {
    JsonList versions;
    for (const InstalledVersion& version : plugin.versions) {
      JsonList libraries;
      for (const LockedLibrary& library : version.libraries) {
        libraries.push_back(JsonObject{{"file", library.file}, {"sha256", library.sha256}});
      }
      versions.push_back(JsonObject{{"version", version.version},
                                    {"platform", version.platform},
                                    {"sha256", version.sha256},
                                    {"registry", version.registry},
                                    {"folder", version.folder},
                                    {"file", version.file},
                                    {"libraries", std::move(libraries)}});
    }
    list.push_back(JsonObject{
        {"id", plugin.id}, {"pinned", plugin.is_pinned}, {"versions", std::move(versions)}});
  }
  return JsonText(JsonObject{{"crossfold_installed", kFileVersion}, {"plugins", std::move(list)}},
                  1) +
         "\n";
}

}  // namespace crossfold
