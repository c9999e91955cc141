// crossfold report STORE: one HTML file about a run of a store.
#pragma once

#include <memory>
#include <string>

#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

class ReportCommand {
 public:
  // Declares the command. The app must outlive this.
  explicit ReportCommand(Command& app);
  ~ReportCommand();
  ReportCommand(const ReportCommand&) = delete;
  ReportCommand& operator=(const ReportCommand&) = delete;

  // Whether the command line has the command.
  bool was_given() const;
  // Writes the page and prints its path. `command` is the command line, which is printed when it is
  // interrupted. Returns an ExitCode; what is wrong goes to stderr.
  int Run(std::shared_ptr<PluginHost> plugins, const std::string& command) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
