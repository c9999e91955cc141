#include "programs/cli/plugin_program.h"

#include "programs/cli/command.h"
#include "programs/cli/common_options.h"

namespace crossfold::cli {
namespace {

constexpr double kMaxSeconds = 1e7;  // about four months

void AddRegistryFolder(Command& command, RegistryCommandOptions& options) {
  command.AddOption("folder", options.folder, "Folder of the registry").Required();
}

void AddJobs(Command& command, CheckOptions& options) {
  command.AddOption("--jobs", options.jobs, "Number of checks at the same time; 0 = one per core")
      .Range(0, 4096);
}

void AddTimeout(Command& command, CheckOptions& options) {
  command.AddOption("--timeout", options.seconds, "Time limit of a check in seconds; default 30")
      .Range(1e-3, kMaxSeconds);
}

// The options of commands that read a registry.
void AddRegistry(Command& command, RegistryOptions& options) {
  command.AddOption("--from", options.from,
                    "Registry: a folder, a URL or the id of a known one; default all known ones");
  command.AddOption("--key", options.key,
                    "Public key (RW... or its file) that signs a registry seen for the first time");
  command.AddFlag("--unsigned", options.allow_unsigned,
                  "Also accept an index that is not signed by a key that you trust");
  command.AddFlag("--ended", options.allow_ended, "Also accept an index whose last day is over");
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
  AddJobs(add, options.check);
  AddTimeout(add, options.check);
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
  AddJobs(check, options.check);
  AddTimeout(check, options.check);
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

void DeclareCheck(Command& plugin, CheckCommandOptions& options) {
  Command& command = plugin.AddCommand("check", "Check plugins: check [OPTIONS] FILE...");
  command.SetProgram(kPluginProgram);
  command.AddOption("file", options.paths,
                    "Plugins: files NAME.crossfold.so, or folders NAME.crossfold");
  command.AddFlag("--list", options.list, "List the checks, all or those of FILE, and run none");
  command.AddOption("--explain", options.explain, "Print the page about this check, and run none");
  command.AddFlag("--json", options.json, "Print one JSON object per file");
  command.AddFlag("--skipped", options.skipped, "Also print every check that was skipped, and why");
  command.AddOption("--seed", options.kit.seed, "Seed of the generated data; default 1")
      .NotNegative();
  command.AddOption("--include", options.kit.include,
                    "Run only checks whose names match this regex");
  command.AddOption("--exclude", options.kit.exclude,
                    "Leave out checks whose names match this regex");
  command.AddOption("--component", options.kit.component, "Check only the component with this id");
  command
      .AddOption("--data", options.kit.data,
                 "File that its sources must read: FILE or FILE{NAME=VALUE,...}")
      .OneValueEach()
      .FilePath();
  command.AddOption("--strictness", options.kit.strictness,
                    "Highest level of checks: 1 = loading only, 5 = default, 8 or more = warnings "
                    "are failures, 10 = all");
  AddTimeout(command, options.kit);
  AddJobs(command, options.kit);
  command.AddFlag("--in-process", options.kit.in_process,
                  "Run the checks in this process without time limits, for debuggers");
  command
      .AddOption("--fuzz", options.fuzz,
                 "Make random calls for this time, as in 30s, 5m or 1h, instead of the checks")
      .Seconds()
      .Range(1e-3, kMaxSeconds);
  command.AddOption("--reproduce", options.reproduce, "Repeat what --fuzz did with this seed")
      .NotNegative();
}

void DeclareNew(Command& plugin, NewCommandOptions& options) {
  Command& command = plugin.AddCommand("new", "Make the project of a new plugin, with tests");
  command.SetProgram(kPluginProgram);
  command.AddOption("name", options.name, "Name of the method, as in 'k nearest'").Required();
  command.AddOption("--kind", options.kind, "learner, transform, splitter or metric")
      .Required()
      .OneOf({"learner", "transform", "splitter", "metric"});
  command
      .AddOption("--lang", options.language,
                 "c++ (default), c, lua, or for learners python, r or rust")
      .Replace({{"c++", "cpp"}, {"cxx", "cpp"}, {"R", "r"}})
      .OneOf({"c++", "cpp", "c", "python", "r", "rust", "lua"});
  command.AddOption("--id", options.id, "Full id; default org.example. and the name");
  command.AddOption("--vendor", options.vendor, "Vendor of the plugin").ShowDefault();
  command.AddOption("--license", options.license, "SPDX expression").ShowDefault();
  command.AddOption("--output", options.output, "Folder to make; default the name");
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
  AddRegistry(installs, options.registry);
  add_lock(installs);
  Command& updates = add("update", "Install the newest versions of installed plugins");
  updates.AddOption("id", options.ids, "Ids of plugins; default all that are not pinned");
  AddRegistry(updates, options.registry);
  add_lock(updates);
  Command& removes = add("remove", "Remove an installed plugin, with its old versions");
  removes.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(removes);
  Command& rolls = add("rollback", "Use the version before the installed one again, and pin it");
  rolls.AddOption("id", options.id, "Id of the plugin").Required();
  add_lock(rolls);
  Command& lists = add("outdated", "List installed plugins that have a newer version");
  AddRegistry(lists, options.registry);
  lists.AddFlag("--json", options.json, "As JSON");
  Command& describes = add("info", "Show what registries offer of a plugin, and what is installed");
  describes.AddOption("id", options.id, "Id of the plugin").Required();
  AddRegistry(describes, options.registry);
  describes.AddFlag("--json", options.json, "As JSON");
  Command& packs = add("pack", "Check a plugin and write its package for a registry");
  packs.AddOption("file", options.submission,
                  "crossfold-plugin.json, or a plugin; default crossfold-plugin.json");
  packs.AddOption("-o,--output", options.output,
                  "Write to this file; default ID-VERSION-PLATFORM.zip");
  packs.AddFlag("--no-check", options.no_check, "Do not run plugin check");
}

void DeclareRegistryCommands(Command& app, RegistryCommandOptions& options) {
  Command& registry =
      app.AddCommand("registry", "Keep a registry of plugins, and the registries that you use");
  registry.SetProgram(kPluginProgram);
  registry.RequireCommand();
  DeclareOwner(registry, options);
  DeclareClient(registry, options);
}

}  // namespace crossfold::cli
