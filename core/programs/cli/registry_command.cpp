#include "programs/cli/registry_command.h"

#include "programs/cli/beside_program.h"
#include "programs/cli/command.h"

namespace crossfold::cli {
namespace {

void AddRegistryFolder(Command& command, RegistryCommandOptions& options) {
  command.AddOption("folder", options.folder, "Folder of the registry").Required();
}

void AddJobs(Command& command, RegistryCommandOptions& options) {
  command
      .AddOption("--jobs", options.check.jobs,
                 "Number of checks at the same time; 0 = one per core")
      .Range(0, 4096);
  command
      .AddOption("--timeout", options.check.seconds, "Time limit of a check in seconds; default 30")
      .Range(1e-3, 1e7);
}

// The commands of those who keep a registry.
void DeclareOwner(Command& registry, RegistryCommandOptions& options) {
  Command& init = registry.AddCommand("init", "Make a registry in a new folder");
  AddRegistryFolder(init, options);
  init.AddOption("--id", options.id, "Its id, as in org.example").Required();
  init.AddOption("--title", options.title, "What it is for, in one line");
  Command& key = registry.AddCommand("key", "Make a key pair, NAME.key and NAME.pub");
  key.AddOption("name", options.name, "Path without the ending").Required();
  Command& add = registry.AddCommand("add", "Check plugins and add them: add FOLDER FILE...");
  AddRegistryFolder(add, options);
  add.AddOption("file", options.files, "Packages, plugins or files crossfold-plugin.json")
      .Required();
  add.AddFlag("--no-check", options.no_check, "Do not run plugin check");
  AddJobs(add, options);
  Command& remove = registry.AddCommand("remove", "Remove a plugin: remove FOLDER ID[@VERSION]");
  AddRegistryFolder(remove, options);
  remove.AddOption("id", options.id, "Id of the plugin; all versions without @VERSION").Required();
  Command& keys = registry.AddCommand("keys", "List the keys that may sign, and change them");
  AddRegistryFolder(keys, options);
  keys.AddOption("--add", options.add, "Public key (RW... or its file) that may sign, too");
  keys.AddOption("--note", options.note, "Whose key is added");
  keys.AddOption("--remove", options.remove, "Id of a key that may sign no longer");
  keys.AddOption("--revoke", options.revoke, "Id of a key that nobody may believe any more");
  keys.AddOption("--reason", options.reason, "Why it is revoked");
  keys.AddOption("--threshold", options.threshold, "Number of keys that must sign")
      .Range(std::int64_t{1}, std::int64_t{1000});
  Command& renew = registry.AddCommand("renew", "Set the last day on which readers accept it");
  AddRegistryFolder(renew, options);
  renew.AddOption("--until", options.until, "Date such as 2027-03-31, in UTC, or none").Required();
  Command& sign = registry.AddCommand("sign", "Sign the draft; with enough signatures, publish it");
  AddRegistryFolder(sign, options);
  sign.AddOption("--key", options.key, "File of the secret key; without it: signed by minisign")
      .FilePath();
  Command& verify = registry.AddCommand("verify", "Check the signatures and all packages");
  AddRegistryFolder(verify, options);
  Command& check = registry.AddCommand("check", "Run plugin check on every plugin in it");
  AddRegistryFolder(check, options);
  check.AddOption("--host", options.host,
                  "Name of the column for this program; default its version");
  AddJobs(check, options);
  Command& docs = registry.AddCommand("docs", "Write a page for every plugin into docs/");
  AddRegistryFolder(docs, options);
}

// The commands of those who use one.
void DeclareClient(Command& registry, RegistryCommandOptions& options) {
  Command& trust = registry.AddCommand("trust", "Verify a registry and use it from now on");
  trust.AddOption("location", options.folder, "Folder or URL").Required();
  trust.AddOption("--key", options.client.key, "Public key (RW... or its file) that signs it");
  trust.AddFlag("--unsigned", options.client.allow_unsigned, "Accept it without a signature");
  trust.AddFlag("--ended", options.client.allow_ended, "Accept it though its last day is over");
  registry.AddCommand("list", "List the registries that you use");
  Command& forget = registry.AddCommand("forget", "Use a registry no longer");
  forget.AddOption("id", options.id, "Id of the registry").Required();
}

}  // namespace

void DeclareRegistryCommands(Command& app, RegistryCommandOptions& options) {
  Command& registry =
      app.AddCommand("registry", "Keep a registry of plugins, and the registries that you use");
  registry.SetProgram(kPluginProgram);
  registry.RequireCommand();
  DeclareOwner(registry, options);
  DeclareClient(registry, options);
}

}  // namespace crossfold::cli
