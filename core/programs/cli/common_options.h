// What crossfold and the programs beside it have in common: the options before a command, which
// plugins they choose, and the end of the process.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct PluginOptions {
  std::vector<std::string> paths, only;
  std::string lock;  // path; "" = none
};

struct CommonOptions {
  PluginOptions plugins_before, plugins;  // before the command, and after it
  bool quiet = false;
};

// --plugin-path, --locked and --plugins-only, which may be given before a command or after it.
void DeclarePlugins(Command& command, PluginOptions& options);
// The options that may be given before a command.
void DeclareCommon(Command& app, CommonOptions& options);
// Puts what was given before the command to what was given after it: folders and globs add up,
// those before it first. False: the two name different locks, which was said on stderr.
bool JoinPluginOptions(CommonOptions& options);

// Plugins are tried in a process of their own, as far as ~/.cache/crossfold/scan.json does not know
// them. Throws Error if the lock cannot be read.
PluginHostOptions MakeHostOptions(const PluginOptions& options, bool quiet);

// Returns what `run` returns, an ExitCode, with the program's signals and its messages about what
// `run` throws. A result that could not be written whole is an error.
int RunGuarded(int argc, char** argv, const std::function<int()>& run);

// ---- the programs beside crossfold, which run the commands that few need ----
// crossfold reads the command line, answers wrong ones and --help, and then becomes the program
// that Command::program() names; that reads the same line again.

inline constexpr char kPluginProgram[] = "crossfold-plugin";  // makes, checks and installs plugins
inline constexpr char kStoreProgram[] = "crossfold-store";    // changes and checks whole stores

// Replaces this process by the program that runs the command, which is not this one, with the same
// arguments, environment and standard streams. Throws Error(kIo) if there is none.
[[noreturn]] void BecomeProgramOf(const Command& given, char** argv);

// The program crossfold that belongs to this one. Throws Error(kIo) if there is none.
std::filesystem::path CrossfoldProgram();

// The main function of such a program. `declare` adds its commands; `run` runs the one that was
// given and returns an ExitCode. `line` is the whole command line, to be typed again.
int RunBeside(int argc, char** argv, const std::function<void(Command& app)>& declare,
              const std::function<int(const Command& given, const CommonOptions& options,
                                      const std::string& line)>& run);

}  // namespace crossfold::cli
