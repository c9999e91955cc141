// Scripts that commands make from their options.
#pragma once

#include <string>
#include <vector>

#include "crossfold/component.h"
#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;

// Declares the options --report and --script, which go into these strings, and the footer.
void DeclareMadeScript(Command& command, std::string& report, std::string& script);

// The parts between the delimiters that are outside braces and strings.
std::vector<std::string> SplitOutside(const std::string& text, char delimiter);
// The parts of all texts at commas.
std::vector<std::string> SplitEach(const std::vector<std::string>& texts);

// cf.learner("ID", { NAME = VALUE }), or the id alone, which means the defaults. Throws Error for a
// component or a parameter that does not exist.
std::string SpecText(Kind kind, const std::string& text, const PluginHost& plugins);

// A list on one line, or with an item a line where that would be long.
std::string ListText(const std::vector<std::string>& items);

// `text` becomes the script of `run`: it is written to the file at `path`, or, if that is empty,
// shown on stderr unless `run.quiet`. Throws Error(kIo) if there is another file.
void KeepScript(const std::string& text, const std::string& path, ScriptOptions& run);

}  // namespace crossfold::cli
