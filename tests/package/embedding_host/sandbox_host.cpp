// A program that runs other people's scripts in a sandbox and knows nothing of Lua itself.
//   sandbox_host SCRIPT FILE_FOLDER PLUGIN_FOLDER [ARGS...]
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "crossfold/sandbox.h"

namespace {

int Run(int argc, char** argv) {
  crossfold::PluginHostOptions plugins;
  plugins.paths = {argv[3]};
  crossfold::LuaOptions options;
  options.plugins = std::make_shared<crossfold::PluginHost>(plugins);
  options.workers = 2;
  crossfold::SandboxLimits limits;
  limits.seconds = 20;
  limits.root = argv[2];

  crossfold::ScriptSource source{.text = argv[1], .json = true};
  source.args.assign(argv + 4, argv + argc);
  const auto result =
      crossfold::RunLuaScript(source, options, limits, [](std::string_view printed) {
        std::printf("<%.*s>", static_cast<int>(printed.size()), printed.data());
      });
  if (!result.ok()) {
    std::printf("error: %s\n", result.error.c_str());
    return 1;
  }
  std::printf("json: %s\ncells: %llu\n", result.json.c_str(),
              static_cast<unsigned long long>(result.counts.cells));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: sandbox_host SCRIPT FILE_FOLDER PLUGIN_FOLDER [ARGS...]\n");
    return 2;
  }
  try {
    return Run(argc, argv);
  } catch (const crossfold::Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
