#include "programs/cli/install_command.h"

#include "programs/cli/beside_program.h"
#include "programs/cli/command.h"

namespace crossfold::cli {

void DeclareRegistry(Command& command, RegistryOptions& options) {
  command.AddOption("--from", options.from,
                    "Registry: a folder, a URL or the id of a known one; default all known ones");
  command.AddOption("--key", options.key,
                    "Public key (RW... or its file) that signs a registry seen for the first time");
  command.AddFlag("--unsigned", options.allow_unsigned,
                  "Also accept an index that is not signed by a key that you trust");
  command.AddFlag("--ended", options.allow_ended, "Also accept an index whose last day is over");
}

void DeclareInstall(Command& plugin, InstallCommandOptions& options) {
  const auto add_lock = [&](Command& command) {
    command
        .AddOption("--lock", options.lock,
                   "Lock file to change; default crossfold.lock if there is one")
        .FilePath();
  };
  const auto add = [&](const char* name, const char* description) -> Command& {
    Command& command = plugin.AddCommand(name, description);
    command.SetProgram(kPluginProgram);
    return command;
  };
  Command& installs = add("install", "Install a plugin from a registry: install ID[@VERSION]");
  installs.AddOption("id", options.id, "Id of the plugin; a version after @ is pinned").Required();
  DeclareRegistry(installs, options.registry);
  add_lock(installs);
  Command& updates = add("update", "Install the newest versions of installed plugins");
  updates.AddOption("id", options.ids, "Ids of plugins; default all that are not pinned");
  DeclareRegistry(updates, options.registry);
  add_lock(updates);
  Command& removes = add("remove", "Remove an installed plugin, with its old versions");
  removes.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(removes);
  Command& rolls = add("rollback", "Use the version before the installed one again, and pin it");
  rolls.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(rolls);
  Command& lists = add("outdated", "List installed plugins that have a newer version");
  DeclareRegistry(lists, options.registry);
  lists.AddFlag("--json", options.json, "As JSON");
  Command& describes = add("info", "Show what registries offer of a plugin, and what is installed");
  describes.AddOption("id", options.id, "Id of the plugin").Required();
  DeclareRegistry(describes, options.registry);
  describes.AddFlag("--json", options.json, "As JSON");
  Command& packs = add("pack", "Check a plugin and write its package for a registry");
  packs.AddOption("file", options.submission,
                  "crossfold-plugin.json, or a plugin; default crossfold-plugin.json");
  packs.AddOption("-o,--output", options.output,
                  "Write to this file; default ID-VERSION-PLATFORM.zip");
  packs.AddFlag("--no-check", options.no_check, "Do not run plugin check");
}

}  // namespace crossfold::cli
