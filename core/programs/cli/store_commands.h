// crossfold status, gc, repair, merge, rescore, verify, diff and export.
#pragma once

#include <memory>
#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

class StoreCommands {
 public:
  // Declares the commands. The app must outlive this.
  explicit StoreCommands(Command& app);
  ~StoreCommands();
  StoreCommands(const StoreCommands&) = delete;
  StoreCommands& operator=(const StoreCommands&) = delete;

  // Whether the command line has one of them.
  bool was_given() const;
  // Runs the command. `command` is the command line, which is printed when it is interrupted.
  // Returns an ExitCode; throws Error.
  int Run(const PluginHost& plugins, const std::string& command) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
