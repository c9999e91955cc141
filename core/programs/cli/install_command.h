// crossfold plugin install, update, remove, rollback, outdated, info and pack. crossfold-plugin
// runs them (programs/plugin/install_plugins.h).
#pragma once

#include <string>
#include <vector>

namespace crossfold::cli {

class Command;

// The options of commands that read a registry.
struct RegistryOptions {
  std::string from, key;
  bool allow_unsigned = false, allow_ended = false;
};
void DeclareRegistry(Command& command, RegistryOptions& options);

// The options of all commands together; each uses some of them.
struct InstallCommandOptions {
  RegistryOptions registry;
  std::string id, lock, submission, output;
  std::vector<std::string> ids;
  bool json = false, no_check = false;
};

// Declares the commands under "plugin". `options` must live until the line is parsed.
void DeclareInstall(Command& plugin, InstallCommandOptions& options);

}  // namespace crossfold::cli
