// What the program says about a command line that it cannot read.
#pragma once

#include <span>
#include <string>

namespace crossfold::cli {

class Command;
struct ParseResult;

// `words` are those of the line up to the first that is not an option. If the last of them is not a
// command of `app`, returns "there is no command 'rnu'; did you mean 'run'? known: ..."; else "".
std::string FindUnknownCommand(const Command& app, std::span<const std::string> words);

// Writes the help text that was asked for to standard output, or what is wrong to standard error;
// returns an ExitCode. If another command must follow and nothing does, writes the help text to
// standard error.
int ExplainUsage(const Command& app, const ParseResult& result);

}  // namespace crossfold::cli
