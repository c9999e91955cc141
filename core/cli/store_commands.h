// crossfold status, gc, repair, rescore, verify, diff and export.
#pragma once

#include <memory>

#include "crossfold/plugin_host.h"

namespace CLI {
class App;
}

namespace crossfold::cli {

class StoreCommands {
 public:
  // Declares the commands. The app must outlive this.
  explicit StoreCommands(CLI::App& app);
  ~StoreCommands();
  StoreCommands(const StoreCommands&) = delete;
  StoreCommands& operator=(const StoreCommands&) = delete;

  // Whether the command line had one of them.
  bool was_given() const;
  // Runs it. Returns an ExitCode; throws Error.
  int Run(const PluginHost& plugins) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
