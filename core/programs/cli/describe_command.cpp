#include "programs/cli/describe_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/component_text.h"
#include "crossfold/error.h"
#include "crossfold/plugin_json.h"
#include "crossfold_plugin/folder.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

using Components = std::vector<std::shared_ptr<const Component>>;

void PrintPlugin(const LoadedPlugin& plugin) {
  std::printf("Plugin: %s %s", plugin.id.c_str(), plugin.version.c_str());
  for (const std::string* who : {&plugin.vendor, &plugin.license}) {
    if (!who->empty()) std::printf(", %s", who->c_str());
  }
  std::printf("\n%s: %s\nSHA-256: %s\n", plugin.runs_in_child ? "Folder" : "File",
              plugin.path.c_str(), plugin.sha256.c_str());
  if (!plugin.build_info.empty()) std::printf("Built by: %s\n", plugin.build_info.c_str());
}

void PrintWhole(const Components& components) {
  PrintPlugin(*components.front()->plugin);
  for (const auto& component : components) {
    std::putchar('\n');
    Print(ToText(*component));
  }
}

bool IsPath(const std::string& id) {
  std::error_code failure;  // an id may end like the name of a folder
  return id.find('/') != std::string::npos || id.ends_with(".crossfold.so") ||
         (id.ends_with(CF_FOLDER_SUFFIX) && std::filesystem::is_directory(id, failure));
}

// Whether a component has this name; else it may be a plugin.
bool HasComponent(const PluginHost& plugins, const std::string& id) {
  for (const PluginEntry& entry : plugins.entries()) {
    for (const std::string& known : entry.ids.all()) {
      if (known == id || ShortId(known) == id) return true;
    }
  }
  return false;
}

bool HasPlugin(const PluginHost& plugins, const std::string& id) {
  const std::vector<PluginEntry> entries = plugins.entries();
  return std::any_of(entries.begin(), entries.end(), [&](const PluginEntry& entry) {
    return !entry.id.empty() && (entry.id == id || ShortId(entry.id) == id);
  });
}

}  // namespace

const Command& DeclareDescribe(Command& plugin, DescribeOptions& options) {
  Command& describe = plugin.AddCommand("describe", "Describe a component or plugin");
  describe
      .AddOption("id", options.id,
                 "Id, such as knn or org.example.ridge, of a component or a plugin, or a path")
      .Required();
  describe.AddFlag("--plugin", options.whole_plugin, "Describe the whole plugin with that id");
  describe.AddFlag("--json", options.json, "As JSON");
  return describe;
}

int Describe(PluginHostOptions host_options, const DescribeOptions& options) {
  const bool is_path = IsPath(options.id);
  // It comes first, as the user means this file and not another with the same component.
  if (is_path) host_options.paths.insert(host_options.paths.begin(), options.id);
  const PluginHost plugins(std::move(host_options));
  const bool is_plugin = is_path || options.whole_plugin ||
                         (!HasComponent(plugins, options.id) && HasPlugin(plugins, options.id));
  if (is_plugin) {
    const Components components = plugins.FindPlugin(options.id);
    if (components.empty()) {
      throw Error(ErrorKind::kBadPlugin,
                  "cannot describe plugin '" + options.id +
                      "': it has no component of a kind that this program knows");
    }
    if (options.json) {
      Print(DescriptionJson(components));
    } else {
      PrintWhole(components);
    }
    return kOk;
  }
  const auto component = plugins.FindAny(options.id);
  if (options.json) {
    Print(DescriptionJson(*component));
  } else {
    Print(ToText(*component));
    std::putchar('\n');
    PrintPlugin(*component->plugin);
  }
  return kOk;
}

}  // namespace crossfold::cli
