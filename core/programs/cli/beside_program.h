// The programs beside crossfold, which run the commands that few need. crossfold reads the command
// line, answers wrong ones and --help, and then becomes the program that Command::program() names;
// that reads the same line again.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "programs/cli/common_options.h"

namespace crossfold::cli {

class Command;

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
