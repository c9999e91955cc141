// The commands that crossfold-plugin runs (programs/plugin): their options, and what declares them.
// Options must live until the line is parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/plugin_check.h"

namespace crossfold::cli {

class Command;

// plugin check
struct CheckCommandOptions {
  std::vector<std::string> paths;
  CheckOptions kit;
  bool json = false, list = false, skipped = false;
  std::string explain;
  double fuzz = 0;  // seconds
  std::optional<std::uint64_t> reproduce;
};
void DeclareCheck(Command& plugin, CheckCommandOptions& options);

// plugin new
struct NewCommandOptions {
  std::string name, id, output, kind;
  std::string language = "cpp", vendor = "Example Org", license = "MIT";
};
void DeclareNew(Command& plugin, NewCommandOptions& options);

// Of commands that read a registry.
struct RegistryOptions {
  std::string from, key;
  bool allow_unsigned = false, allow_ended = false;
};

// plugin install, update, remove, rollback, outdated, info and pack; each uses some of these.
struct InstallCommandOptions {
  RegistryOptions registry;
  std::string id, lock, submission, output;
  std::vector<std::string> ids;
  bool json = false, no_check = false;
};
void DeclareInstall(Command& plugin, InstallCommandOptions& options);

// registry: making and keeping a registry of plugins, and the registries that one uses. Each
// command uses some of these.
struct RegistryCommandOptions {
  std::string folder, id, title, key, name, note, host, until;
  std::vector<std::string> files;
  std::string add, remove, revoke, reason;
  std::int64_t threshold = 0;  // 0 = as it is
  bool no_check = false;
  CheckOptions check;
  RegistryOptions client;
};
void DeclareRegistryCommands(Command& app, RegistryCommandOptions& options);

}  // namespace crossfold::cli
