#include "cli/annotate_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "cli/exit_code.h"
#include "cli/lua_annotations.h"
#include "cli/whole_file.h"
#include "crossfold/error.h"

namespace crossfold::cli {
namespace {

// What cannot be loaded is named on stderr.
std::vector<std::shared_ptr<const Component>> AllComponents(const PluginHost& plugins) {
  std::vector<std::shared_ptr<const Component>> components;
  for (const PluginEntry& entry : plugins.entries()) {
    if (!entry.rejected.empty()) continue;
    try {
      const auto found = plugins.FindPlugin(entry.path.string());
      components.insert(components.end(), found.begin(), found.end());
    } catch (const Error& error) {
      std::fprintf(stderr, "crossfold: %s\n", error.what());
    }
  }
  return components;
}

}  // namespace

CLI::App* DeclareAnnotate(CLI::App& plugin, AnnotateOptions& options) {
  CLI::App* annotate = plugin.add_subcommand(
      "annotate", "Write what the Lua language server wants to know of the plugins found");
  annotate->add_option("-o,--output", options.output, "Write to this file");
  return annotate;
}

int Annotate(PluginHostOptions host_options, const AnnotateOptions& options) {
  const PluginHost plugins(std::move(host_options));
  const std::string text = LuaAnnotations(AllComponents(plugins));
  if (options.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    WriteWholeFile(options.output, text);
  }
  return kOk;
}

}  // namespace crossfold::cli
