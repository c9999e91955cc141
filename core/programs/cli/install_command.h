// crossfold plugin install, update, remove, rollback, outdated, info and pack.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "crossfold/plugin_install.h"

namespace crossfold::cli {

class Command;

// The options of commands that read a registry.
struct RegistryOptions {
  std::string from, key;
  bool allow_unsigned = false, allow_ended = false;
};
void DeclareRegistry(Command& command, RegistryOptions& options);
// ID or ID@VERSION; the version may be "". Throws Error "cannot <verb> plugin ..." if nothing
// follows the @.
std::pair<std::string, std::string> SplitVersion(const std::string& text, const std::string& verb);
// Throws Error if the key is not one.
InstallOptions ToInstallOptions(const RegistryOptions& options);

class InstallCommands {
 public:
  // Declares the commands under "plugin", which must outlive this.
  explicit InstallCommands(Command& plugin);
  ~InstallCommands();
  InstallCommands(const InstallCommands&) = delete;
  InstallCommands& operator=(const InstallCommands&) = delete;

  // Whether the command line has one of them.
  bool was_given() const;
  // Runs it. Returns an ExitCode; throws Error.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold::cli
