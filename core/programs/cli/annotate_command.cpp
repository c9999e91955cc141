#include "programs/cli/annotate_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/whole_file.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/lua_annotations.h"
#include "programs/cli/standard_output.h"

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

const Command& DeclareAnnotate(Command& plugin, AnnotateOptions& options) {
  Command& annotate = plugin.AddCommand(
      "annotate", "Write definitions of the plugins found, for the Lua language server");
  annotate.AddOption("-o,--output", options.output, "Write to this file");
  return annotate;
}

int Annotate(PluginHostOptions host_options, const AnnotateOptions& options) {
  const PluginHost plugins(std::move(host_options));
  const std::string text = LuaAnnotations(AllComponents(plugins));
  if (options.output.empty()) {
    Print(text);
  } else {
    WriteWholeFile(options.output, text);
  }
  return kOk;
}

}  // namespace crossfold::cli
