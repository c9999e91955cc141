// What the program says about a command line that it cannot read.
#pragma once

#include <span>
#include <string>

namespace crossfold::cli {

class Command;
struct ParseResult;

// "there is no command 'rnu'; did you mean 'run'? known: ..." if the last one of `words`, those of
// the line up to the first that is no option, is no command of `app`; else "".
std::string FindUnknownCommand(const Command& app, std::span<const std::string> words);

// Writes the help text that was asked for to standard output, or what is wrong to standard error;
// returns an ExitCode. A command without anything behind it that needs more gets its help text.
int ExplainUsage(const Command& app, const ParseResult& result);

}  // namespace crossfold::cli
