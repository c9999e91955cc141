// crossfold complete -- WORDS...: what the shell may offer for the last word. For the scripts in
// completions/ alone; in no help text.
#pragma once

#include <string>
#include <vector>

namespace crossfold::cli {

class Command;

// The word that means "names of files", which the shell completes itself.
inline constexpr char kFileNames[] = ":files";

const Command& DeclareComplete(Command& app, std::vector<std::string>& words);

// The candidates for the last of `words`, the words after "crossfold" up to the cursor, sorted; or
// kFileNames alone.
std::vector<std::string> CompleteWords(const Command& app, const std::vector<std::string>& words);

// Prints them, one per line. Returns an ExitCode.
int PrintCompletions(const Command& app, const std::vector<std::string>& words);

}  // namespace crossfold::cli
