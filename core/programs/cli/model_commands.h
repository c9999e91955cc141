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
  double coverage = 0;  // of intervals or sets; 0 = none
};

// Prints one line per row of the data: row (from 1), predicted, p(class) for each class if
// probabilities are wanted, and with a coverage low and high, or in(class) for each class: 1 = it
// is in the set. What is guaranteed goes to stderr. Returns an ExitCode; throws Error.
int PredictFile(const std::shared_ptr<PluginHost>& plugins, const PredictOptions& options);

struct ModelOptions {
  std::string model;               // path
  std::string format;              // "" = none
  std::string output;              // path; "" = standard output
  std::string verify;              // path of data; "" = none
  std::string python = "python3";  // runs the comparison
};

// Prints a description of a saved model, or writes the model in a format. With `verify` the ONNX
// model is compared with the saved one on all rows. Returns an ExitCode; throws Error.
int DescribeModel(const std::shared_ptr<PluginHost>& plugins, const ModelOptions& options);

}  // namespace crossfold::cli
