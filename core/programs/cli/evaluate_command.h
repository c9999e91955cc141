// crossfold evaluate DATA...: an evaluation without a script. It makes the script, and "crossfold
// run" does the rest.
#pragma once

#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "programs/cli/data_file.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;

struct EvaluateOptions {
  std::vector<std::string> paths;
  DataFileOptions data;                        // for each of them
  std::vector<std::string> learners, metrics;  // components as strings, separated by commas
  std::string splitter = "kfold{folds=10}";
  std::string report;  // path; "" = none
  std::string script;  // path that keeps the script; "" = it is shown
};

// Declares DATA... and the options of its own.
void DeclareEvaluation(Command& command, EvaluateOptions& options);

// Makes the script of `run`: it is written to a file if one was named, or else shown on stderr
// unless `run.quiet`. Throws Error for wrong options.
void MakeEvaluation(const EvaluateOptions& options, const PluginHost& plugins, ScriptOptions& run);

}  // namespace crossfold::cli
