// crossfold data describe FILE, crossfold data convert IN OUT
#pragma once

#include <memory>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

class DataCommand {
 public:
  // Declares the command. The app must outlive this.
  explicit DataCommand(Command& app);
  ~DataCommand();
  DataCommand(const DataCommand&) = delete;
  DataCommand& operator=(const DataCommand&) = delete;

  // Whether the command line has the command.
  bool was_given() const;
  // Runs it. Returns an ExitCode; throws Error.
  int Run(const PluginHost& plugins) const;

 private:
  int Convert(const PluginHost& plugins) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
