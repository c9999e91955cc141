// crossfold predict MODEL DATA and crossfold model MODEL.
#pragma once

#include <memory>
#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

struct PredictOptions {
  std::string model, data;  // paths
  std::string output;       // path; "" = standard output
  bool probabilities = false;
};

// Prints one line per row of the data: row (from 1), predicted, and p(class) for each class if
// probabilities are wanted. Returns an ExitCode; throws Error.
int PredictFile(const std::shared_ptr<PluginHost>& plugins, const PredictOptions& options);

// Prints a description of a saved model, or the learner's model in a format. Returns an ExitCode;
// throws Error.
int DescribeModel(const std::shared_ptr<PluginHost>& plugins, const std::string& path,
                  const std::string& format);

}  // namespace crossfold::cli
