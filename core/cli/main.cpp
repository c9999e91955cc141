// The crossfold program: reads the command line and calls one command.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/check_command.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/model_commands.h"
#include "cli/new_command.h"
#include "cli/plugin_commands.h"
#include "cli/plugin_options.h"
#include "cli/sandbox_command.h"
#include "cli/script_command.h"
#include "cli/store_commands.h"
#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "crossfold/version.h"

namespace crossfold::cli {
namespace {

struct CommandLine {
  ScriptOptions script;
  SandboxOptions sandbox;
  PredictOptions predict;
  std::string model, export_format;
  PluginOptions plugins;
  bool quiet = false;
};

std::string RefuseNegative(const std::string& size) {
  return size.find('-') == std::string::npos ? "" : "'" + size + "' is no size in bytes";
}

void DeclareSandbox(CLI::App& run, SandboxOptions& options) {
  run.add_flag("--sandbox", options.sandbox,
               "For scripts you do not trust: few libraries, in a process with limits");
  run.add_option("--sandbox-seconds", options.seconds, "Wall clock of the script; 0 = no limit")
      ->check(CLI::Range(0.0, 1e9));
  run.add_option("--sandbox-memory", options.memory, "Bytes for its Lua values, as in 512M")
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(RefuseNegative, "SIZE"));
  run.add_option("--sandbox-root", options.root,
                 "Folder whose files it may read and write; default the script's");
}

void DeclareRun(CLI::App& app, CommandLine& line) {
  CLI::App* run = app.add_subcommand("run", "Run a Lua script: run [OPTIONS] SCRIPT [ARGS...]");
  run->add_option("script", line.script.script, "Path of the script")->required();
  run->add_option("--workers", line.script.workers, "Cells at the same time; 0 = one a core")
      ->check(CLI::Range(0, 4096));
  run->add_option("--seed", line.script.seed, "Default seed of every experiment");
  run->add_flag("!--no-sharing", line.script.share,
                "Every cell a fit of its own: the same results, the slow way");
  run->add_flag("--verify", line.script.verify,
                "Compare the first shared result of every learner with a separate fit");
  run->add_option("--memory", line.script.memory,
                  "Bytes for shared work, as in 512M or 4G; default half of the machine's")
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(RefuseNegative, "SIZE"));  // before the other, which wraps them
  DeclareRunDefaults(*run, line.script.defaults);
  DeclarePluginChoice(*run, line.plugins);
  run->add_flag(
      "--plan", line.script.plan,
      "Print what the first call that runs cells would do, fits, time and memory, and stop");
  run->add_flag("--json", line.script.json,
                "Print the scores of the result that the script returns as JSON");
  run->add_flag("--traceback", line.script.traceback, "Show the call stack of an error");
  DeclareSandbox(*run, line.sandbox);
  run->footer("What stands behind SCRIPT belongs to the script, in its global 'arg'.");
}

void DeclarePredict(CLI::App& app, CommandLine& line) {
  CLI::App* predict =
      app.add_subcommand("predict", "Predict the rows of a file with a saved model");
  predict->add_option("model", line.predict.model, "What model:save(path) wrote")->required();
  predict->add_option("data", line.predict.data, "CSV file; its columns are found by name")
      ->required();
  predict->add_option("-o,--output", line.predict.output, "Write to this file");
  predict->add_flag("--probabilities", line.predict.probabilities, "Also p(class) for every class");
}

void DeclareModel(CLI::App& app, CommandLine& line) {
  CLI::App* model = app.add_subcommand("model", "What a saved model is");
  model->add_option("model", line.model, "What model:save(path) wrote")->required();
  model->add_option("--export", line.export_format, "Print the learner's model in this format");
}

// The first argument that is no option; "" = there is none.
std::string CommandOf(const std::vector<std::string>& args) {
  for (auto it = args.begin(); it != args.end(); ++it) {
    if (*it == "--plugin-path" || *it == "--plugins-only") {
      if (++it == args.end()) break;
    } else if (!it->starts_with("-")) {
      return *it;
    }
  }
  return "";
}

// Whether an option of "run" has its value behind it.
bool HasValue(const std::string& option) {
  for (const char* name : {"--workers", "--seed", "--memory", "--sandbox-seconds",
                           "--sandbox-memory", "--sandbox-root", "--plugins-only"}) {
    if (option == name) return true;
  }
  return TakesValue(option);
}

// Moves what stands behind SCRIPT out of `args`, so that a script may have options of its own.
std::vector<std::string> TakeScriptArgs(std::vector<std::string>& args) {
  const auto run = std::find(args.begin(), args.end(), "run");
  if (run == args.end() || CommandOf(args) != "run") return {};
  for (auto it = run + 1; it != args.end(); ++it) {
    if (HasValue(*it)) {
      if (++it == args.end()) break;
    } else if (it->size() < 2 || it->front() != '-') {
      std::vector<std::string> taken(it + 1, args.end());
      args.erase(it + 1, args.end());
      return taken;
    }
  }
  return {};
}

// The program's answer to a command line that cannot be read; help is one of them.
int Explain(const CLI::App& app, const CLI::ParseError& problem, const std::string& command) {
  if (command.empty() || !app.get_subcommands().empty()) {
    return app.exit(problem) == 0 ? kOk : kUsage;
  }
  std::fprintf(stderr,
               "crossfold: there is no command '%s'; known: diff, export, gc, model, plugin, "
               "predict, repair, rescore, run, status, verify\n",
               command.c_str());
  return kUsage;
}

int Dispatch(int argc, char** argv) {
  CLI::App app("Crossfold: finds out how good a learning method really is");
  app.name("crossfold");
  CommandLine line;
  app.set_version_flag("--version", "crossfold " + std::string(Version()));
  app.add_option("--plugin-path", line.plugins.paths, "Folder or file searched first; repeatable")
      ->allow_extra_args(false);
  DeclarePluginChoice(app, line.plugins);
  app.add_flag("--quiet", line.quiet, "No warnings");
  app.add_option(kSandboxChild, line.sandbox.parent)->group("");  // in no help text
  app.require_subcommand(1);
  DeclareRun(app, line);
  DeclarePredict(app, line);
  DeclareModel(app, line);
  const StoreCommands stores(app);
  CLI::App* plugin = app.add_subcommand("plugin", "Look at plugins");
  plugin->require_subcommand(1);
  const PluginCommands plugin_commands(*plugin);
  const CheckCommand check(*plugin);
  const NewCommand new_command(*plugin);
  std::vector<std::string> args(argv + 1, argv + argc);
  line.script.args = TakeScriptArgs(args);
  line.script.command = ShellText({argv, static_cast<std::size_t>(argc)});
  const std::string command = CommandOf(args);
  std::reverse(args.begin(), args.end());  // as CLI11 wants a vector
  try {
    app.parse(args);
  } catch (const CLI::ParseError& e) {
    return Explain(app, e, command);
  }
  if (const std::string conflict = FindConflict(line.script.defaults); !conflict.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
    return kUsage;
  }
  if (line.sandbox.sandbox && line.sandbox.parent == 0) {
    return RunSandboxParent(line.sandbox, {argv + 1, argv + argc});
  }
  if (check.was_given() && !line.plugins.lock.empty()) {
    std::fputs("crossfold: check is for plugins that are not trusted yet; leave out --locked\n",
               stderr);
    return kUsage;
  }
  if (check.was_given()) return check.Run();
  if (new_command.was_given()) return new_command.Run();
  PluginHostOptions host_options = MakeHostOptions(line.plugins, line.quiet);
  if (plugin_commands.was_given()) return plugin_commands.Run(std::move(host_options));
  const auto plugins = std::make_shared<PluginHost>(std::move(host_options));
  if (stores.was_given()) return stores.Run(*plugins, line.script.command);
  if (command == "predict") return PredictFile(plugins, line.predict);
  if (command == "model") return DescribeModel(plugins, line.model, line.export_format);
  line.script.quiet = line.quiet;
  if (line.sandbox.parent != 0) return RunSandboxChild(line.sandbox, line.script, plugins);
  return RunScript(line.script, plugins);
}

}  // namespace
}  // namespace crossfold::cli

int main(int argc, char** argv) {
  try {
    return crossfold::cli::Dispatch(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold: %s\n", e.what());
    return crossfold::cli::kError;
  }
}
