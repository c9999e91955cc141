#include "cli/plugin_commands.h"

#include <cstdio>
#include <vector>

#include "cli/exit_code.h"
#include "crossfold/component.h"
#include "crossfold/table.h"

namespace crossfold::cli {
namespace {

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (text.empty() || text.back() != '\n') std::fputc('\n', stdout);
}

void AddComponents(Table& table, const PluginEntry& entry, const char* kind,
                   const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    table.rows.push_back(
        {std::string(ShortId(id)), std::string(kind), entry.version, entry.path.string()});
  }
}

Table ParamTable(const Component& component) {
  Table table;
  table.columns = {"parameter", "values", "meaning"};
  for (const ParamSpec& param : component.params) {
    std::string meaning = param.doc;
    if (!param.unit.empty()) meaning += " [" + param.unit + "]";
    if (!param.active_if.empty()) meaning += " (only with " + param.active_if + ")";
    table.rows.push_back({param.name, Describe(param), meaning});
  }
  return table;
}

}  // namespace

int ListPlugins(const PluginHost& plugins, bool verbose, bool json) {
  Table table;
  table.columns = {"id", "kind", "version", "file"};
  Table rejected;
  rejected.columns = {"rejected", "reason"};
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) {
      rejected.rows.push_back({entry.path.string(), entry.rejected});
      continue;
    }
    AddComponents(table, entry, "learner", entry.learners);
    AddComponents(table, entry, "transform", entry.transforms);
    AddComponents(table, entry, "splitter", entry.splitters);
    AddComponents(table, entry, "metric", entry.metrics);
  }
  if (json) {
    Print(ToJson(table));
  } else {
    Print(ToText(table));
    if (verbose) {
      std::puts("\nsearched, in this order:");
      for (const auto& path : plugins.search_path()) std::printf("  %s\n", path.c_str());
    }
  }
  if (!rejected.rows.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "\n%s", ToText(rejected).c_str());
  }
  return kOk;
}

int DescribeComponent(const PluginHost& plugins, const std::string& id, bool json) {
  const auto component = plugins.FindAny(id);
  if (json) {
    Print(ToJson(ParamTable(*component)));
    return kOk;
  }
  const std::string kind(KindName(component->kind));
  std::printf("%s %s %s\n%s\n\n%s\n", kind.c_str(), component->id.c_str(),
              component->version.c_str(), component->title.c_str(), component->doc.c_str());
  if (!component->source.empty()) std::printf("Source: %s\n", component->source.c_str());
  const LoadedPlugin& plugin = *component->plugin;
  std::printf("Plugin: %s %s, %s, %s\nFile: %s\n\n", plugin.id.c_str(), plugin.version.c_str(),
              plugin.vendor.c_str(), plugin.license.c_str(), plugin.path.c_str());
  if (component->params.empty()) {
    std::puts("It has no parameters.");
  } else {
    Print(ToText(ParamTable(*component)));
  }
  return kOk;
}

}  // namespace crossfold::cli
