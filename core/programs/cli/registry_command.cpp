#include "programs/cli/registry_command.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/known_registries.h"
#include "crossfold/plugin_registry.h"
#include "crossfold/table.h"
#include "crossfold/version.h"
#include "programs/cli/command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/install_command.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/registry_pages.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {

struct RegistryCommandOptions {
  std::string folder, id, title, key, name, note, host, until;
  std::vector<std::string> files;
  std::string add, remove, revoke, reason;
  std::int64_t threshold = 0;  // 0 = as it is
  bool no_check = false;
  CheckOptions check;
  RegistryOptions client;
};

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

std::string NameOfBuild(const RegistryPlugin& plugin) {
  return plugin.id + " " + plugin.version + " for " + plugin.platform.Name();
}

std::string Counted(std::int64_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// What is left to do until readers see a change.
void PrintDraft(const PluginRegistry& registry) {
  const RegistryIndex latest = registry.Latest();
  const RegistryIndex published = registry.Published();
  const std::string serial = "index " + std::to_string(latest.serial);
  if (latest.serial != published.serial) {
    Print(serial + " is a draft; readers see index " + std::to_string(published.serial) +
          " until it is signed: crossfold registry sign " + registry.folder().string() +
          " --key FILE\n");
  } else if (latest.keys.empty()) {
    Print(serial + " is not signed: crossfold registry sign " + registry.folder().string() +
          " --key FILE\n");
  }
}

int MakeRegistry(const RegistryCommandOptions& options) {
  const PluginRegistry registry = PluginRegistry::Make(options.folder, options.id, options.title);
  Print("made registry " + options.id + " in " + options.folder + "\n");
  PrintDraft(registry);
  return kOk;
}

int MakeRegistryKey(const RegistryCommandOptions& options) {
  const PublicKey key = MakeKeyFiles(options.name);
  Print("made key " + key.Id() + "\n  secret: " + options.name + ".key\n  public: " + options.name +
        ".pub, " + key.ToText() + "\n");
  return kOk;
}

int AddPlugins(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  PackOptions pack;
  pack.check = !options.no_check;
  pack.check_options = options.check;
  const std::vector<std::filesystem::path> files(options.files.begin(), options.files.end());
  registry.Add(files, pack, [](const RegistryPlugin& plugin) {
    Print("packed " + NameOfBuild(plugin) + ": " +
          (plugin.check ? ToText(*plugin.check) : "not checked") + "\n");
  });
  Print("added " + Counted(static_cast<std::int64_t>(files.size()), "plugin") + "\n");
  PrintDraft(registry);
  return kOk;
}

int RemovePlugins(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  const auto [id, version] = SplitVersion(options.id, "remove");
  for (const RegistryPlugin& plugin : registry.Remove(id, version)) {
    Print("removed " + NameOfBuild(plugin) + "\n");
  }
  PrintDraft(registry);
  return kOk;
}

Table KeyTable(const RegistryIndex& index) {
  Table table;
  table.columns = {"key", "status", "whose", "public"};
  for (const RegistryKey& entry : index.keys) {
    table.rows.push_back({entry.key.Id(), std::string("may sign"), entry.note, entry.key.ToText()});
  }
  for (const RevokedKey& key : index.revoked) {
    table.rows.push_back({key.id, std::string("revoked"), key.reason, Null()});
  }
  return table;
}

int RenewRegistry(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  const bool has_end = options.until != "none";
  registry.SetEnd(has_end ? std::optional(options.until) : std::nullopt);
  Print(has_end ? "readers accept the index until " + options.until + "\n"
                : "the index has no end\n");
  PrintDraft(registry);
  return kOk;
}

int ChangeRegistryKeys(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  if (!options.add.empty()) registry.AddKey(ReadPublicKey(options.add), options.note);
  if (!options.remove.empty()) registry.RemoveKey(options.remove);
  if (!options.revoke.empty()) registry.RevokeKey(options.revoke, options.reason);
  if (options.threshold > 0) registry.SetThreshold(options.threshold);
  const RegistryIndex index = registry.Latest();
  Print(ToText(KeyTable(index)));
  if (!index.keys.empty()) {
    Print(Counted(index.threshold, "signature") + " needed\n");
  }
  PrintDraft(registry);
  return kOk;
}

int SignRegistry(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  const SigningState state =
      options.key.empty() ? registry.Publish() : registry.Sign(SigningKey(options.key));
  std::string by;
  for (const std::string& key : state.keys) by += (by.empty() ? "" : ", ") + key;
  Print("index " + std::to_string(state.serial) + " is signed by " + (by.empty() ? "nobody" : by) +
        "\n");
  if (state.is_published) {
    Print("readers see it now\n");
    return kOk;
  }
  Print("it needs " + Counted(state.missing, "more signature") + "\n");
  return kOk;
}

int VerifyRegistry(const RegistryCommandOptions& options) {
  const PluginRegistry registry(options.folder);
  const std::vector<RegistryProblem> problems = registry.Verify();
  for (const RegistryProblem& problem : problems) Print(problem + "\n");
  if (!problems.empty()) return kDifferences;
  const RegistryIndex index = registry.Published();
  Print("registry " + index.id + ", index " + std::to_string(index.serial) +
        ": the signatures and " +
        Counted(static_cast<std::int64_t>(index.plugins.size()), "package") + " are right\n");
  return kOk;
}

int CheckRegistry(const RegistryCommandOptions& options) {
  PluginRegistry registry(options.folder);
  const auto cancel = std::make_shared<CancelToken>();
  InterruptOptions on_interrupt;
  on_interrupt.cancel = cancel;
  on_interrupt.message = "interrupted";
  Interrupt interrupt(std::move(on_interrupt));
  CheckOptions check = options.check;
  check.cancel = cancel.get();
  const std::string host = options.host.empty() ? std::string(Version()) : options.host;
  int code = kOk;
  registry.Check(host, check, [&](const HostCheck& checked) {
    if (!checked.check.passed) code = kDifferences;
    Print(checked.id + " " + checked.version + ": " +
          (checked.check.passed ? "passed, " : "FAILED, ") + ToText(checked.check) + "\n");
    for (const RecordedFinding& finding : checked.check.findings) {
      if (checked.check.passed || finding.outcome == "skipped") continue;
      Print("  " + finding.outcome + " " + finding.check +
            (finding.component.empty() ? "" : " of " + finding.component) + ": " + finding.text +
            "\n");
    }
  });
  if (cancel->cancelled()) return kInterrupted;
  WriteCompatibilityPage(registry);
  return code;
}

int DocumentRegistry(const RegistryCommandOptions& options) {
  const PluginRegistry registry(options.folder);
  const auto cancel = std::make_shared<CancelToken>();
  InterruptOptions on_interrupt;
  on_interrupt.cancel = cancel;
  on_interrupt.message = "interrupted; the pages are as before";
  on_interrupt.stays = true;
  Interrupt interrupt(std::move(on_interrupt));
  const auto n = static_cast<std::int64_t>(WriteRegistryDocs(registry, *cancel));
  if (cancel->cancelled()) return kInterrupted;
  Print("wrote " + options.folder + "/docs/index.html and the pages of " + Counted(n, "plugin") +
        "\n");
  return kOk;
}

int TrustRegistry(const RegistryCommandOptions& options) {
  InstallOptions install = ToInstallOptions(options.client);
  install.from = options.folder;
  const KnownRegistry known = AcceptRegistry(install);
  std::string keys;
  for (const PublicKey& key : known.keys) keys += (keys.empty() ? "" : ", ") + key.Id();
  Print("registry " + known.id + " in " + known.location + " is known now, with index " +
        std::to_string(known.serial) + (keys.empty() ? ", unsigned" : ", signed by " + keys) +
        "\n");
  return kOk;
}

int ListRegistries() {
  Table table;
  table.columns = {"registry", "index", "keys", "location"};
  for (const KnownRegistry& known : ReadKnownRegistries(KnownRegistriesFile())) {
    std::string keys;
    for (const PublicKey& key : known.keys) keys += (keys.empty() ? "" : ", ") + key.Id();
    table.rows.push_back(
        {known.id, known.serial, keys.empty() ? "unsigned" : keys, known.location});
  }
  Print(table.rows.empty() ? "no registry is known\n" : ToText(table));
  return kOk;
}

int ForgetRegistry(const RegistryCommandOptions& options) {
  bool found = false;
  ChangeKnownRegistries(KnownRegistriesFile(), [&](std::vector<KnownRegistry>& list) {
    found =
        std::erase_if(list, [&](const KnownRegistry& known) { return known.id == options.id; }) > 0;
  });
  if (!found) {
    throw Error(ErrorKind::kInvalidArgument, "cannot forget registry '" + options.id +
                                                 "': it is not known; see crossfold registry list");
  }
  Print("forgot registry " + options.id + "\n");
  return kOk;
}

}  // namespace

struct RegistryCommands::Impl {
  explicit Impl(Command& app);
  void DeclareOwner(Command& registry);
  void DeclareClient(Command& registry);

  RegistryCommandOptions options;
  std::vector<std::pair<const Command*, int (*)(const RegistryCommandOptions&)>> commands;
};

RegistryCommands::Impl::Impl(Command& app) {
  Command& registry =
      app.AddCommand("registry", "Keep a registry of plugins, and the registries that you use");
  registry.RequireCommand();
  DeclareOwner(registry);
  DeclareClient(registry);
}

void RegistryCommands::Impl::DeclareOwner(Command& registry) {
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
  commands = {{&init, &MakeRegistry},    {&key, &MakeRegistryKey},     {&add, &AddPlugins},
              {&remove, &RemovePlugins}, {&keys, &ChangeRegistryKeys}, {&renew, &RenewRegistry},
              {&sign, &SignRegistry},    {&verify, &VerifyRegistry},   {&check, &CheckRegistry},
              {&docs, &DocumentRegistry}};
}

void RegistryCommands::Impl::DeclareClient(Command& registry) {
  Command& trust = registry.AddCommand("trust", "Verify a registry and use it from now on");
  trust.AddOption("location", options.folder, "Folder or URL").Required();
  trust.AddOption("--key", options.client.key, "Public key (RW... or its file) that signs it");
  trust.AddFlag("--unsigned", options.client.allow_unsigned, "Accept it without a signature");
  trust.AddFlag("--ended", options.client.allow_ended, "Accept it though its last day is over");
  Command& list = registry.AddCommand("list", "List the registries that you use");
  Command& forget = registry.AddCommand("forget", "Use a registry no longer");
  forget.AddOption("id", options.id, "Id of the registry").Required();
  commands.emplace_back(&trust, &TrustRegistry);
  commands.emplace_back(&list, [](const RegistryCommandOptions&) { return ListRegistries(); });
  commands.emplace_back(&forget, &ForgetRegistry);
}

RegistryCommands::RegistryCommands(Command& app) : impl_(std::make_unique<Impl>(app)) {}

RegistryCommands::~RegistryCommands() = default;

bool RegistryCommands::was_given() const {
  for (const auto& [command, run] : impl_->commands) {
    if (command->was_given()) return true;
  }
  return false;
}

int RegistryCommands::Run() const {
  for (const auto& [command, run] : impl_->commands) {
    if (command->was_given()) return run(impl_->options);
  }
  return kUsage;
}

}  // namespace crossfold::cli
