// crossfold data describe FILE, crossfold data convert IN OUT
#pragma once

#include <memory>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

class DataCommand {
 public:
  // Declares the commands in `data`, which must outlive this.
  explicit DataCommand(Command& data);
  ~DataCommand();
  DataCommand(const DataCommand&) = delete;
  DataCommand& operator=(const DataCommand&) = delete;

  // Whether the command line has one of them.
  bool was_given() const;
  // Runs it. Returns an ExitCode; throws Error.
  int Run(const PluginHost& plugins) const;

 private:
  int Convert(const PluginHost& plugins) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
