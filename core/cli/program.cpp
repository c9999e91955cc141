#include "cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/byte_size.h"
#include "cli/check_command.h"
#include "cli/command_tree.h"
#include "cli/complete_command.h"
#include "cli/data_command.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/manual_command.h"
#include "cli/model_commands.h"
#include "cli/new_command.h"
#include "cli/plugin_commands.h"
#include "cli/plugin_options.h"
#include "cli/progress_display.h"
#include "cli/repl_command.h"
#include "cli/report_command.h"
#include "cli/sandbox_command.h"
#include "cli/script_command.h"
#include "cli/store_commands.h"
#include "cli/usage_errors.h"
#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "crossfold/version.h"

namespace crossfold::cli {
namespace {

struct CommandLine {
  ScriptOptions script;
  SandboxOptions sandbox;
  ReplOptions repl;
  std::vector<std::string> words;  // of a line to complete
  PredictOptions predict;
  std::string model, export_format;
  PluginOptions plugins_before, plugins;  // in front of the command, and behind it
  bool quiet = false;
  std::string progress;  // style
};

void DeclareSandbox(CLI::App& run, SandboxOptions& options) {
  run.add_flag("--sandbox", options.sandbox,
               "For scripts you do not trust: few libraries, in a process with limits");
  run.add_option("--sandbox-seconds", options.seconds, "Wall clock of the script; 0 = no limit")
      ->check(CLI::Range(0.0, 1e9));
  TakeByteSize(
      *run.add_option("--sandbox-memory", options.memory, "Bytes for its Lua values, as in 512M"));
  run.add_option("--sandbox-root", options.root,
                 "Folder whose files it may read and write; default the script's");
}

// What may stand before a command, too.
void DeclarePluginPath(CLI::App& command, PluginOptions& options) {
  command.add_option("--plugin-path", options.paths, "Folder or file searched first; repeatable")
      ->allow_extra_args(false);
}

// What all that runs experiments takes.
void DeclareExperiments(CLI::App& command, CommandLine& line) {
  command.add_option("--workers", line.script.workers, "Cells at the same time; 0 = one a core")
      ->check(CLI::Range(0, 4096));
  command.add_option("--seed", line.script.seed, "Default seed of every experiment");
  command.add_flag("!--no-sharing", line.script.share,
                   "Every cell a fit of its own: the same results, the slow way");
  command.add_flag("--verify", line.script.verify,
                   "Compare the first shared result of every learner with a separate fit");
  TakeByteSize(*command.add_option(
      "--memory", line.script.memory,
      "Bytes for shared work, as in 512M or 4G; default half of the machine's"));
  DeclareRunDefaults(command, line.script.defaults);
  DeclarePluginPath(command, line.plugins);
  DeclarePluginChoice(command, line.plugins);
  DeclareProgress(command, line.progress);
  command.add_flag("--traceback", line.script.traceback, "Show the call stack of an error");
  command.add_flag("--quiet", line.quiet, "No warnings, nothing about progress and stores");
}

void DeclareRun(CLI::App& app, CommandLine& line) {
  CLI::App* run = app.add_subcommand("run", "Run a Lua script: run [OPTIONS] SCRIPT [ARGS...]");
  run->add_option("script", line.script.script, "Path of the script; - = standard input")
      ->required();
  DeclareExperiments(*run, line);
  run->add_flag(
      "--plan,--dry-run", line.script.plan,
      "Print what the first call that runs cells would do, fits, time and memory, and stop");
  run->add_flag("--json", line.script.json,
                "Print the scores of the result that the script returns as JSON");
  DeclareSandbox(*run, line.sandbox);
  run->footer("What stands behind SCRIPT belongs to the script, in its global 'arg'.");
}

void DeclarePrompt(CLI::App& app, CommandLine& line) {
  CLI::App* repl = app.add_subcommand("repl", "A prompt for Lua: repl [OPTIONS] [FILE...]");
  DeclareExperiments(*repl, line);
  DeclareRepl(*repl, line.repl);
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

// The first argument that is no option; the end = there is none.
std::vector<std::string>::iterator FindCommand(const CLI::App& app,
                                               std::vector<std::string>& args) {
  auto it = args.begin();
  for (; it != args.end(); ++it) {
    if (TakesValue(app, *it)) {
      if (++it == args.end()) break;
    } else if (!it->starts_with("-")) {
      break;
    }
  }
  return it;
}

// Moves what stands behind SCRIPT out of `args`, so that a script may have options of its own.
std::vector<std::string> TakeScriptArgs(const CLI::App& app, std::vector<std::string>& args) {
  const auto run = FindCommand(app, args);
  if (run == args.end() || *run != "run") return {};
  for (auto it = run + 1; it != args.end(); ++it) {
    if (TakesValue(*app.get_subcommand("run"), *it) || TakesValue(app, *it)) {
      if (++it == args.end()) break;
    } else if (it->size() < 2 || it->front() != '-') {
      std::vector<std::string> taken(it + 1, args.end());
      args.erase(it + 1, args.end());
      return taken;
    }
  }
  return {};
}

// "help run" is "run --help".
void AskForHelp(const CLI::App& app, std::vector<std::string>& args) {
  const auto command = FindCommand(app, args);
  if (command == args.end() || *command != "help") return;
  args.erase(command);
  args.push_back("--help");
}

// What a shard cannot do; "" = nothing of that was asked for.
std::string FindShardConflict(const CommandLine& line) {
  if (line.script.defaults.shard.empty()) return "";
  if (line.script.plan) return "--plan is for all cells; leave out --shard";
  if (line.script.json) {
    return "a shard has no result to print; use --json in the run on the merged store";
  }
  return line.sandbox.sandbox ? "a shard has no sandbox; leave out --sandbox" : "";
}

int Dispatch(int argc, char** argv, const ProgramHost& host) {
  CLI::App app("Crossfold: finds out how good a learning method really is");
  app.name(host.name);
  CommandLine line;
  app.set_version_flag("--version", "crossfold " + std::string(Version()));
  DeclarePluginPath(app, line.plugins_before);
  DeclarePluginChoice(app, line.plugins_before);
  app.add_flag("--quiet", line.quiet, "No warnings, nothing about progress and stores");
  app.add_option(kSandboxChild, line.sandbox.parent)->group("");  // in no help text
  app.require_subcommand(1);
  app.footer("crossfold help COMMAND tells what a command takes.");
  DeclareRun(app, line);
  DeclarePrompt(app, line);
  DeclarePredict(app, line);
  DeclareModel(app, line);
  const StoreCommands stores(app);
  const DataCommand data(app);
  const ReportCommand report(app);
  CLI::App* plugin = app.add_subcommand("plugin", "Look at plugins");
  plugin->require_subcommand(1);
  const PluginCommands plugin_commands(*plugin);
  const CheckCommand check(*plugin);
  const NewCommand new_command(*plugin);
  const CLI::App* complete = DeclareComplete(app, line.words);
  const CLI::App* manual = DeclareManual(app);
  app.footer("crossfold help COMMAND tells the options of a command, man crossfold those of all.");
  std::vector<std::string> args(argv + 1, argv + argc);
  line.script.args = TakeScriptArgs(app, args);
  line.script.command = ShellText({argv, static_cast<std::size_t>(argc)});
  AskForHelp(app, args);
  const auto found = FindCommand(app, args);
  const std::string command = found == args.end() ? "" : *found;
  const std::span words(args.begin(), found == args.end() ? args.begin() : found + 1);
  if (const std::string problem = FindUnknownCommand(app, words); !problem.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", problem.c_str());
    return kUsage;
  }
  std::reverse(args.begin(), args.end());  // as CLI11 wants a vector
  try {
    app.parse(args);
  } catch (const CLI::ParseError& e) {
    return ExplainUsage(app, e);
  }
  if (!AddInFront(line.plugins_before, line.plugins)) {
    std::fputs("crossfold: cannot use two locks; leave out one --locked\n", stderr);
    return kUsage;
  }
  if (manual->parsed()) return PrintManual(app);
  if (complete->parsed()) return PrintCompletions(app, line.words);
  if (const std::string conflict = FindConflict(line.script.defaults); !conflict.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
    return kUsage;
  }
  const bool is_crossfold = host.name == ProgramHost().name;
  if (!is_crossfold && (command != "run" || line.sandbox.sandbox)) {
    std::fprintf(stderr, "crossfold: %s is for run, without --sandbox; use crossfold itself\n",
                 host.name.c_str());
    return kUsage;
  }
  if (const std::string conflict = FindShardConflict(line); !conflict.empty()) {
    std::fprintf(stderr, "crossfold: %s\n", conflict.c_str());
    return kUsage;
  }
  if (command == "run") line.script.CheckScript();
  if (line.sandbox.sandbox && line.sandbox.parent == 0) {
    return RunSandboxParent(line.sandbox, line.script, {argv + 1, argv + argc});
  }
  if (check.was_given() && !line.plugins.lock.empty()) {
    std::fputs("crossfold: check is for plugins that are not trusted yet; leave out --locked\n",
               stderr);
    return kUsage;
  }
  if (check.was_given()) return check.Run();
  if (new_command.was_given()) return new_command.Run();
  if (data.was_given()) return data.Run();
  PluginHostOptions host_options = MakeHostOptions(line.plugins, line.quiet);
  if (plugin_commands.was_given()) return plugin_commands.Run(std::move(host_options));
  line.script.progress = MakeProgressDisplay(line.progress, line.quiet);
  host_options.log = Beside(line.script.progress, std::move(host_options.log));
  const auto plugins = std::make_shared<PluginHost>(std::move(host_options));
  if (stores.was_given()) return stores.Run(*plugins, line.script.command);
  if (report.was_given()) return report.Run(plugins, line.script.command);
  if (command == "predict") return PredictFile(plugins, line.predict);
  if (command == "model") return DescribeModel(plugins, line.model, line.export_format);
  line.script.quiet = line.quiet;
  if (command == "repl") return RunRepl(line.repl, line.script, plugins);
  if (line.script.is_standard_input()) line.script.text = WithoutShellLine(ReadStandardInput());
  line.script.executor = host.executor;
  if (line.sandbox.parent != 0) return RunSandboxChild(line.sandbox, line.script, plugins);
  return RunScript(line.script, plugins);
}

// A result that was not written down must not look like one: then the exit code tells.
int WithWholeOutput(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::fputs(
      "crossfold: cannot write to standard output: not all of it was taken; choose another place\n",
      stderr);
  return code == kOk ? kError : code;
}

}  // namespace

int RunProgram(int argc, char** argv, const ProgramHost& host) {
  try {
    return WithWholeOutput(Dispatch(argc, argv, host));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "crossfold: %s\n", e.what());
    return kError;
  }
}

}  // namespace crossfold::cli
