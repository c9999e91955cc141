// crossfold import DATA PREDICTIONS: a result from predictions that another tool made. It makes the
// script, and "crossfold run" does the rest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/plugin_host.h"
#include "programs/cli/data_file.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;

struct ImportOptions {
  DataFileOptions data, predictions;  // of the predictions the path, format and parameters alone
  std::string learner, learner_column;
  std::string row, key, fold, repeat, label, truth;  // columns
  std::string probabilities;  // "p_*", "CLASS=COLUMN,...", or columns in the order of the classes
  std::int64_t first_row = 1;
  bool partial = false, rescale = false;
  std::vector<std::string> metrics;  // components as strings, separated by commas
  std::string report;                // path; "" = none
  std::string script;                // path that keeps the script; "" = it is shown
};

// Declares DATA, PREDICTIONS and the options of its own.
void DeclareImport(Command& command, ImportOptions& options);

// Makes the script of `run`: it is written to a file if one was named, or else shown on stderr
// unless `run.quiet`. Throws Error for wrong options.
void MakeImport(const ImportOptions& options, const PluginHost& plugins, ScriptOptions& run);

}  // namespace crossfold::cli
