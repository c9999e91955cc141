// crossfold manual: the sections COMMANDS and OPTIONS of the manual page, made from the declared
// commands. The build joins them with docs/man/crossfold.1.in; in no help text.
#pragma once

#include <string>

namespace crossfold::cli {

class Command;

const Command& DeclareManual(Command& app);

// The text in the macros of man(7).
std::string ManualText(const Command& app);

// Prints it. Returns an ExitCode.
int PrintManual(const Command& app);

}  // namespace crossfold::cli
