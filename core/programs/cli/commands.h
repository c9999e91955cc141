// The commands that crossfold runs itself: their options, what declares them and what runs them.
// (plugin_program.h and store_commands.h have those that the programs beside it run.) Options must
// live until the line is parsed. Functions that run a command return an ExitCode; those that make a
// script leave the rest to "crossfold run". Both throw Error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/data_report.h"
#include "crossfold/plugin_host.h"
#include "programs/cli/data_file.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;
struct StoreCommandOptions;

// ---- commands that make a script (made_commands.cpp) ----
// They set ScriptOptions::text, or write the script to the file that was named; else most show it
// on stderr unless `run.quiet`.

// evaluate DATA...: an evaluation.
struct EvaluateOptions {
  std::vector<std::string> paths;
  DataFileOptions data;                        // for each of them
  std::vector<std::string> learners, metrics;  // components as strings, separated by commas
  std::string splitter = "kfold{folds=10}";
  std::string report;  // path; "" = none
  std::string script;  // path that keeps the script; "" = it is shown
};
// DATA... and the options of its own.
void DeclareEvaluation(Command& command, EvaluateOptions& options);
void MakeEvaluation(const EvaluateOptions& options, const PluginHost& plugins, ScriptOptions& run);

// import DATA PREDICTIONS: a result from predictions that another tool made.
struct ImportOptions {
  DataFileOptions data, predictions;  // of the predictions the path, format and parameters alone
  std::string learner, learner_column;
  std::string row, key, fold, repeat, label, truth;  // columns
  std::string probabilities;  // "p_*", "CLASS=COLUMN,...", or columns in the order of the classes
  std::int64_t first_row = 1;
  bool partial = false, rescale = false, decided = false;
  std::vector<std::string> metrics;  // components as strings, separated by commas
  std::string report;                // path; "" = none
  std::string script;                // path that keeps the script; "" = it is shown
};
// DATA, PREDICTIONS and the options of its own.
void DeclareImport(Command& command, ImportOptions& options);
void MakeImport(const ImportOptions& options, const PluginHost& plugins, ScriptOptions& run);

// lockbox open and show.
struct LockboxOptions {
  std::string lockbox, model, reason, metric, key;  // paths, but for the reason and the metric
};
struct LockboxCommands {
  Command& open;
  Command& show;
};
// Both, with the options of their own.
LockboxCommands DeclareLockbox(Command& lockbox, LockboxOptions& options);
void MakeLockboxScript(bool opens, const LockboxOptions& options, const PluginHost& plugins,
                       ScriptOptions& run);

// catalog add, best, agree and others.
struct CatalogOptions {
  std::string path = "crossfold.catalog";
  std::vector<std::string> stores;
  std::string who, dataset, metric, hash, sql, output, title;
  bool json = false, csv = false, inner = false;
};
void DeclareCatalog(Command& app, CatalogOptions& options);
// Makes the script of the command with this name, such as "add".
void MakeCatalogScript(const std::string& name, const CatalogOptions& options, ScriptOptions& run);

// data labels FILE and data compare OLD NEW: whether data are what they seem.
struct DataCheckOptions {
  DataFileOptions data;  // of `compare`, the old rows
  std::string new_path;
  std::string learner;         // an id with parameters; "" = the default of the function
  std::string report, script;  // paths; "" = none, and the script is shown
};
// `declare_run` declares the options of all commands that run experiments.
void DeclareDataChecks(Command& data, DataCheckOptions& options,
                       const std::function<void(Command&)>& declare_run);
void MakeDataCheck(bool compares, const DataCheckOptions& options, const PluginHost& plugins,
                   ScriptOptions& run);

// ---- commands about data, plugins, models and stores ----

// data describe FILE and data convert IN OUT.
struct DataOptions {
  DataFileOptions file;
  DataReportOptions report;
  bool json = false;
  std::string output, output_format;
};
void DeclareData(Command& data, DataOptions& options);
int DescribeDataFile(const DataOptions& options, const PluginHost& plugins);
int ConvertDataFile(const DataOptions& options, const PluginHost& plugins);

// plugin list, describe, trust, scan and annotate. The options of all of them together; each uses
// some.
struct PluginCommandOptions {
  std::string id;                        // of a component or a plugin, or the path of a file
  std::string kind;                      // "" = every
  std::vector<std::string> paths;        // of plugins
  std::string lock = kLockName, output;  // paths; no output = standard output
  bool whole_plugin = false;             // that has this id
  bool installed = false;                // every plugin that the search finds
  bool again = false;                    // try also plugins whose outcome is known
  bool verbose = false, json = false;
};
void DeclarePluginCommands(Command& plugin, PluginCommandOptions& options);
// Runs the command of that name, with plugins that are searched as `host` says.
int RunPluginCommand(const std::string& name, const PluginCommandOptions& options,
                     PluginHostOptions host);

struct PredictOptions {
  std::string model, data;  // paths
  std::string output;       // path; "" = standard output
  bool probabilities = false;
  double coverage = 0;  // of intervals or sets; 0 = none
};
// predict MODEL DATA: one line per row of the data: row (from 1), predicted, p(class) for each
// class if probabilities are wanted, and with a coverage low and high, or in(class) for each class:
// 1 = it is in the set. What is guaranteed goes to stderr.
int PredictFile(const std::shared_ptr<PluginHost>& plugins, const PredictOptions& options);

struct ModelOptions {
  std::string model;               // path
  std::string format;              // "" = none
  std::string output;              // path; "" = standard output
  std::string verify;              // path of data; "" = none
  std::string python = "python3";  // runs the comparison
};
// model MODEL: prints a description of a saved model, or writes the model in a format. With
// `verify` the ONNX model is compared with the saved one on all rows.
int DescribeModel(const std::shared_ptr<PluginHost>& plugins, const ModelOptions& options);

// report STORE: one HTML file about a run of a store.
struct ReportOptions {
  std::string store, output, title, metric;
  std::int64_t run = 0;  // 0 = the last one
};
void DeclareReport(Command& app, ReportOptions& options);
// Writes the page and prints its path. `command` is the command line, which is printed when it is
// interrupted.
int WriteReport(const ReportOptions& options, std::shared_ptr<PluginHost> plugins,
                const std::string& command);

// status, rescore and diff, by their names.
int ShowStore(const std::string& name, const StoreCommandOptions& options,
              const PluginHost& plugins);

// ---- commands that run Lua (run itself is in script_command.h) ----

// repl: a prompt for Lua with the library at hand.
struct ReplOptions {
  std::vector<std::string> files;  // run before the first prompt
  bool no_history = false;
};
// The options in addition to those of "run".
void DeclareRepl(Command& repl, ReplOptions& options);
// Reads standard input to its end: on a terminal with a prompt, else line by line and without one.
// `script` holds the options of "run". Returns kOk whatever the lines do.
int RunRepl(const ReplOptions& options, const ScriptOptions& script,
            std::shared_ptr<PluginHost> plugins);

// The option by which the program starts itself as the child of a sandbox, with its own process id;
// users do not give it.
inline constexpr char kSandboxChild[] = "--sandbox-child";

// run --sandbox SCRIPT: the script runs in a sandbox inside a child process.
struct SandboxOptions {
  bool sandbox = false;  // as the user asks for it
  int parent = 0;        // process id; not 0 = this process is the child
  double seconds = 60;
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of everything that the script uses
  std::string root;                               // "" = the script's folder
  std::string output;                             // "" = crossfold-output in the root
};
// Starts the child with the same arguments, waits, and stops it when its time is up. Returns the
// child's exit code, or kError if it was killed.
int RunSandboxParent(const SandboxOptions& options, const ScriptOptions& script,
                     const std::vector<std::string>& arguments);
// In the child: gives up privileges that it does not need, then runs the script.
int RunSandboxChild(const SandboxOptions& options, const ScriptOptions& script,
                    std::shared_ptr<PluginHost> plugins);

// ---- hidden commands, which are made from the declared ones (hidden_commands.cpp) ----

// complete -- WORDS...: prints what the shell may offer for the last of `words`, those after
// "crossfold" up to the cursor, one per line; for the scripts in completions/ alone.
void DeclareComplete(Command& app, std::vector<std::string>& words);
int PrintCompletions(const Command& app, const std::vector<std::string>& words);

// manual: prints the sections COMMANDS and OPTIONS of the manual page in the macros of man(7). The
// build joins them with docs/man/crossfold.1.in.
void DeclareManual(Command& app);
int PrintManual(const Command& app);

}  // namespace crossfold::cli
