// crossfold manual: the sections COMMANDS and OPTIONS of the manual page, made from the declared
// commands. The build joins them with docs/man/crossfold.1.in; in no help text.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace crossfold::cli {

CLI::App* DeclareManual(CLI::App& app);

// In the macros of man(7).
std::string ManualText(const CLI::App& app);

// Prints it. Returns an ExitCode.
int PrintManual(const CLI::App& app);

}  // namespace crossfold::cli
