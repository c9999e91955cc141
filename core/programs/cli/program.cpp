#include "programs/cli/program.h"

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "programs/cli/command.h"
#include "programs/cli/commands.h"
#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/plugin_program.h"
#include "programs/cli/progress_display.h"
#include "programs/cli/script_command.h"
#include "programs/cli/store_commands.h"
#include "programs/cli/usage_errors.h"

namespace crossfold::cli {
namespace {

struct CommandLine {
  ScriptOptions script;
  EvaluateOptions evaluation;
  ImportOptions importing;
  LockboxOptions lockbox;
  CatalogOptions catalog;
  DataOptions data;
  DataCheckOptions data_checks;
  SandboxOptions sandbox;
  ReplOptions repl;
  std::vector<std::string> words;  // of a line to complete
  PredictOptions predict;
  ModelOptions model;
  ReportOptions report;
  PluginCommandOptions plugins;
  CommonOptions common;
  // Of commands that programs beside this one run, but for those of stores that only read.
  StoreCommandOptions stores;
  CheckCommandOptions check;
  NewCommandOptions project;
  InstallCommandOptions install;
  RegistryCommandOptions registry;
  std::string progress;  // style
};

void DeclareSandbox(Command& run, SandboxOptions& options) {
  run.AddFlag("--sandbox", options.sandbox,
              "Run an untrusted script with few libraries, in a process with limits");
  run.AddOption("--sandbox-seconds", options.seconds,
                "Time limit of the script in seconds; 0 = no limit")
      .Range(0.0, 1e9);
  run.AddOption("--sandbox-memory", options.memory,
                "Memory limit of its values, data and worker processes, as in 512M")
      .ByteSize();
  run.AddOption("--sandbox-root", options.root,
                "Folder whose files it may read; default the script's");
  run.AddOption("--sandbox-output", options.output,
                "Folder for the files that it makes; default crossfold-output in the root");
}

// The options of all commands that run experiments.
void DeclareExperiments(Command& command, CommandLine& line) {
  command
      .AddOption("--workers", line.script.workers,
                 "Number of cells at the same time; 0 = one per core")
      .Range(0, 4096);
  command.AddOption("--seed", line.script.seed, "Default seed of every experiment");
  command.AddFlag("!--no-sharing", line.script.share,
                  "Fit every cell separately: the same results, but slower");
  command.AddFlag("--verify", line.script.verify,
                  "Compare the first shared result of every learner with a separate fit");
  command
      .AddOption(
          "--memory", line.script.memory,
          "Memory of the run, as in 512M or 4G: shared work takes half of it, and what needs "
          "more is refused before it starts; default no limit")
      .ByteSize();
  DeclareRunDefaults(command, line.script.defaults);
  DeclarePlugins(command, line.common.plugins);
  DeclareProgress(command, line.progress);
  command.AddFlag("--traceback", line.script.traceback, "Show the call stack of an error");
  command.AddFlag("--quiet", line.common.quiet,
                  "Print no warnings, and nothing about progress and stores");
}

// The options of all commands that run a script to its end.
void DeclareOutcome(Command& command, CommandLine& line) {
  command.AddFlag(
      "--plan,--dry-run", line.script.plan,
      "Print the fits, time and memory that the first call that runs cells would need, and stop");
  command.AddFlag("--json", line.script.json,
                  "Print the scores of the result that the script returns as JSON");
}

void DeclareRun(Command& app, CommandLine& line) {
  Command& run = app.AddCommand("run", "Run a Lua script: run [OPTIONS] SCRIPT [ARGS...]");
  run.AddOption("script", line.script.script, "Path of the script; - = standard input").Required();
  DeclareExperiments(run, line);
  DeclareOutcome(run, line);
  DeclareSandbox(run, line.sandbox);
  run.SetFooter("Arguments after SCRIPT go to the script, in its global 'arg'.");
}

void DeclareEvaluate(Command& app, CommandLine& line) {
  Command& evaluate =
      app.AddCommand("evaluate", "Evaluate learners without a script: evaluate [OPTIONS] DATA...");
  DeclareEvaluation(evaluate, line.evaluation);
  DeclareExperiments(evaluate, line);
  DeclareOutcome(evaluate, line);
}

void DeclareImports(Command& app, CommandLine& line) {
  Command& command = app.AddCommand(
      "import", "Import predictions of another tool: import [OPTIONS] DATA PREDICTIONS");
  DeclareImport(command, line.importing);
  command.AddOption("--store", line.script.defaults.store, "Store the imported folds in this file")
      .FilePath();
  command.AddFlag("--json", line.script.json, "Print the scores as JSON");
  DeclarePlugins(command, line.common.plugins);
  command.AddFlag("--traceback", line.script.traceback, "Show the call stack of an error");
  command.AddFlag("--quiet", line.common.quiet,
                  "Print no warnings, and nothing about scripts and stores");
}

void DeclareLockboxes(Command& app, CommandLine& line) {
  Command& lockbox = app.AddCommand("lockbox", "Open sealed test rows, and list the openings");
  const LockboxCommands commands = DeclareLockbox(lockbox, line.lockbox);
  commands.open
      .AddOption("--store", line.script.defaults.store, "Record the opening in this store, too")
      .FilePath();
  for (Command* command : {&commands.open, &commands.show}) {
    command->AddFlag("--json", line.script.json, "As JSON");
    command->AddFlag("--traceback", line.script.traceback, "Show the call stack of an error");
    DeclarePlugins(*command, line.common.plugins);
  }
  commands.open.SetFooter(
      "It makes a Lua script, runs it as crossfold run does, and shows it. The key of the lockbox "
      "is printed to standard error, also with --quiet.");
}

void DeclarePrompt(Command& app, CommandLine& line) {
  Command& repl = app.AddCommand("repl", "Start a Lua prompt: repl [OPTIONS] [FILE...]");
  DeclareExperiments(repl, line);
  DeclareRepl(repl, line.repl);
}

void DeclarePredict(Command& app, CommandLine& line) {
  Command& predict = app.AddCommand("predict", "Predict the rows of a file with a saved model");
  predict.AddOption("model", line.predict.model, "What model:save(path) wrote").Required();
  predict.AddOption("data", line.predict.data, "CSV file; its columns are found by name")
      .Required();
  predict.AddOption("-o,--output", line.predict.output, "Write to this file");
  predict.AddFlag("--probabilities", line.predict.probabilities, "Also p(class) for every class");
  predict
      .AddOption("--coverage", line.predict.coverage,
                 "Also intervals or sets of classes that have the truth in this share of rows, as "
                 "0.9; for models of cf.conformal")
      .Range(0.0, 1.0);
}

void DeclareModel(Command& app, CommandLine& line) {
  Command& model = app.AddCommand("model", "Describe a saved model");
  model.AddOption("model", line.model.model, "What model:save(path) wrote").Required();
  model.AddOption("--export", line.model.format,
                  "Print the learner's model in this format; onnx: the whole pipeline");
  model.AddOption("-o,--output", line.model.output, "Write the exported model to this file");
  model.AddOption("--verify", line.model.verify,
                  "Compare the ONNX model with the saved one on all rows of this file");
  model.AddOption("--python", line.model.python,
                  "The Python that compares them, with numpy and onnx");
}

// The first argument that is not an option; the end = there is none.
std::vector<std::string>::iterator FindCommand(const Command& app, std::vector<std::string>& args) {
  auto it = args.begin();
  for (; it != args.end(); ++it) {
    if (app.TakesValue(*it)) {
      if (++it == args.end()) break;
    } else if (!it->starts_with("-")) {
      break;
    }
  }
  return it;
}

// Reports arguments of the script that look like options of the program, which must come before
// SCRIPT.
void WarnOfOptions(const Command& app, const std::vector<std::string>& args) {
  const Command& run = *app.FindCommand("run");
  for (const std::string& arg : args) {
    if (arg == "--") return;
    const std::string name = arg.substr(0, arg.find('='));
    if (name.rfind("--", 0) != 0) continue;
    if (run.FindOption(name) == nullptr && app.FindOption(name) == nullptr) continue;
    std::fprintf(stderr,
                 "crossfold: '%s' after the script is an argument of the script and has no effect "
                 "here; if it is meant for crossfold, put it before the script (after '--' this "
                 "is not checked)\n",
                 name.c_str());
  }
}

// Moves what follows SCRIPT out of `args`, so that a script may have options of its own.
std::vector<std::string> TakeScriptArgs(const Command& app, std::vector<std::string>& args) {
  const auto run = FindCommand(app, args);
  if (run == args.end() || *run != "run") return {};
  for (auto it = run + 1; it != args.end(); ++it) {
    if (app.FindCommand("run")->TakesValue(*it) || app.TakesValue(*it)) {
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
void AskForHelp(const Command& app, std::vector<std::string>& args) {
  const auto command = FindCommand(app, args);
  if (command == args.end() || *command != "help") return;
  args.erase(command);
  args.push_back("--help");
}

// Which requested option is impossible in a shard, or out of one; "" = none.
std::string FindShardConflict(const CommandLine& line) {
  const RunDefaults& defaults = line.script.defaults;
  if (defaults.shard.empty() && !defaults.shard_costs.empty() && !line.script.plan) {
    return "--shard-costs is for --plan, which writes the file, and --shard, which reads it";
  }
  if (defaults.shard.empty()) return "";
  if (line.script.plan) return "--plan is for all cells; leave out --shard";
  if (line.script.json) {
    return "a shard has no result to print; use --json in the run on the merged store";
  }
  return line.sandbox.sandbox ? "a shard has no sandbox; leave out --sandbox" : "";
}

// All commands but run. To declare them takes longer than all else that comes before an empty
// script.
void DeclareOthers(Command& app, CommandLine& line) {
  DeclareCatalog(app, line.catalog);
  Command& data = app.AddCommand("data", "Describe, check and convert data");
  data.RequireCommand();
  DeclareData(data, line.data);
  DeclareDataChecks(data, line.data_checks, [&line](Command& command) {
    DeclareExperiments(command, line);
    DeclareOutcome(command, line);
  });
  DeclareReport(app, line.report);
  Command& plugin = app.AddCommand("plugin", "List, describe, check, make and install plugins");
  plugin.RequireCommand();
  DeclarePluginCommands(plugin, line.plugins);
  DeclareCheck(plugin, line.check);
  DeclareComplete(app, line.words);
  DeclareManual(app);
  DeclareEvaluate(app, line);
  DeclareImports(app, line);
  DeclareLockboxes(app, line);
  DeclarePrompt(app, line);
  DeclarePredict(app, line);
  DeclareModel(app, line);
  DeclareStores(app, line.stores);
  DeclareNew(plugin, line.project);
  DeclareInstall(plugin, line.install);
  DeclareRegistryCommands(app, line.registry);
}

// `only_run`: the other commands are not declared, unless the line turns out to be about them.
int Dispatch(int argc, char** argv, const ProgramHost& host, bool only_run) {
  Command app(host.name, "Crossfold: finds out how good a learning method really is");
  CommandLine line;
  DeclareCommon(app, line.common);
  app.AddOption(kSandboxChild, line.sandbox.parent).Hide();  // in no help text
  app.RequireCommand();
  app.SetFooter("crossfold help COMMAND shows the options of a command.");
  DeclareRun(app, line);
  std::vector<std::string> args(argv + 1, argv + argc);
  if (const auto first = FindCommand(app, args); first == args.end() || *first != "run") {
    only_run = false;
  }
  if (!only_run) DeclareOthers(app, line);
  app.SetFooter(
      "crossfold help COMMAND shows the options of a command, man crossfold those of all "
      "commands.");
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
  if (const ParseResult read = app.Parse(args); read.kind != ParseResult::Kind::kOk) {
    return only_run ? Dispatch(argc, argv, host, false) : ExplainUsage(app, read);
  }
  if (!JoinPluginOptions(line.common)) return kUsage;
  if (command == "manual") return PrintManual(app);
  if (command == "complete") return PrintCompletions(app, line.words);
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
  const bool is_sandbox_child = line.sandbox.parent != 0;
  if (command == "run" && !line.common.quiet && !is_sandbox_child)
    WarnOfOptions(app, line.script.args);
  if (line.sandbox.sandbox && line.sandbox.parent == 0) {
    return RunSandboxParent(line.sandbox, line.script, {argv + 1, argv + argc});
  }
  const Command& given = app.given_command();
  const std::string path = given.path();
  if (path == "plugin check" && !line.common.plugins.lock.empty()) {
    std::fputs("crossfold: check is for plugins that are not trusted yet; leave out --locked\n",
               stderr);
    return kUsage;
  }
  if (!given.program().empty()) BecomeProgramOf(given, argv);
  // An opening is never silent: the log gets its key.
  const bool is_silent = line.common.quiet && command != "lockbox";
  PluginHostOptions host_options = MakeHostOptions(line.common.plugins, is_silent);
  if (command == "plugin") {
    return RunPluginCommand(given.name(), line.plugins, std::move(host_options));
  }
  if (path == "data describe")
    return DescribeDataFile(line.data, PluginHost(std::move(host_options)));
  if (path == "data convert")
    return ConvertDataFile(line.data, PluginHost(std::move(host_options)));
  line.script.progress = MakeProgressDisplay(line.progress, line.common.quiet);
  host_options.log = Beside(line.script.progress, std::move(host_options.log));
  const auto plugins = std::make_shared<PluginHost>(std::move(host_options));
  if (command == "status" || command == "rescore" || command == "diff") {
    return ShowStore(command, line.stores, *plugins);
  }
  if (command == "report") return WriteReport(line.report, plugins, line.script.command);
  if (command == "predict") return PredictFile(plugins, line.predict);
  if (command == "model") return DescribeModel(plugins, line.model);
  line.script.quiet = line.common.quiet;
  if (command == "repl") return RunRepl(line.repl, line.script, plugins);
  if (command == "evaluate") MakeEvaluation(line.evaluation, *plugins, line.script);
  if (command == "import") MakeImport(line.importing, *plugins, line.script);
  if (command == "catalog") MakeCatalogScript(given.name(), line.catalog, line.script);
  if (command == "data") {
    MakeDataCheck(path == "data compare", line.data_checks, *plugins, line.script);
  }
  if (command == "lockbox") {
    MakeLockboxScript(path == "lockbox open", line.lockbox, *plugins, line.script);
  }
  if (line.script.is_standard_input()) line.script.text = WithoutShellLine(ReadStandardInput());
  line.script.executor = host.executor;
  if (line.sandbox.parent != 0) return RunSandboxChild(line.sandbox, line.script, plugins);
  return RunScript(line.script, plugins);
}

}  // namespace

int RunProgram(int argc, char** argv, const ProgramHost& host) {
  return RunGuarded(argc, argv, [&] { return Dispatch(argc, argv, host, true); });
}

}  // namespace crossfold::cli
