// crossfold data labels FILE, crossfold data compare OLD NEW: whether data are what they seem. They
// make a script, and "crossfold run" does the rest.
#pragma once

#include <functional>
#include <memory>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;
struct ScriptOptions;

class DataChecks {
 public:
  // Declares both commands in `data`, which must outlive this; `declare_run` declares the options
  // of all commands that run experiments.
  DataChecks(Command& data, const std::function<void(Command&)>& declare_run);
  ~DataChecks();
  DataChecks(const DataChecks&) = delete;
  DataChecks& operator=(const DataChecks&) = delete;

  // Whether the command line has one of them.
  bool was_given() const;
  // Makes the script of `run`, as MakeEvaluation does. Throws Error for wrong options.
  void Make(const PluginHost& plugins, ScriptOptions& run) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
