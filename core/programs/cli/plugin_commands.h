// crossfold plugin list, describe, trust, scan and annotate.
#pragma once

#include <memory>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

class PluginCommands {
 public:
  // Declares the commands below `plugin`, which must outlive this.
  explicit PluginCommands(Command& plugin);
  ~PluginCommands();
  PluginCommands(const PluginCommands&) = delete;
  PluginCommands& operator=(const PluginCommands&) = delete;

  // Whether the command line has one of them.
  bool was_given() const;
  // Runs it with plugins that are searched as `options` say. Returns an ExitCode; throws Error.
  int Run(PluginHostOptions options) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
