// crossfold registry: making and keeping a registry of plugins, and the registries that one uses.
// crossfold-plugin runs it (programs/plugin/keep_registry.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold/plugin_check.h"
#include "programs/cli/install_command.h"

namespace crossfold::cli {

class Command;

// The options of all commands together; each uses some of them.
struct RegistryCommandOptions {
  std::string folder, id, title, key, name, note, host, until;
  std::vector<std::string> files;
  std::string add, remove, revoke, reason;
  std::int64_t threshold = 0;  // 0 = as it is
  bool no_check = false;
  CheckOptions check;
  RegistryOptions client;
};

// Declares the command under the program. `options` must live until the line is parsed.
void DeclareRegistryCommands(Command& app, RegistryCommandOptions& options);

}  // namespace crossfold::cli
