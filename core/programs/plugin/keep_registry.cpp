#include "programs/plugin/commands.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/known_registries.h"
#include "crossfold/plugin_registry.h"
#include "crossfold/table.h"
#include "crossfold/version.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/standard_output.h"
#include "programs/plugin/registry_pages.h"

namespace crossfold::cli {
namespace {

std::string NameOfBuild(const RegistryPlugin& plugin) {
  return plugin.id + " " + plugin.version + " for " + plugin.platform.Name();
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
  const Interrupt interrupt({.cancel = cancel, .message = "interrupted"});
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
  const Interrupt interrupt(
      {.cancel = cancel, .message = "interrupted; the pages are as before", .stays = true});
  const auto n = static_cast<std::int64_t>(WriteRegistryDocs(registry, *cancel));
  if (cancel->cancelled()) return kInterrupted;
  Print("wrote " + options.folder + "/docs/index.html and the pages of " + Counted(n, "plugin") +
        "\n");
  return kOk;
}

// "A1, B2"; "" = it is unsigned.
std::string KeyIds(const KnownRegistry& known) {
  std::string ids;
  for (const PublicKey& key : known.keys) ids += (ids.empty() ? "" : ", ") + key.Id();
  return ids;
}

int TrustRegistry(const RegistryCommandOptions& options) {
  InstallOptions install = ToInstallOptions(options.client);
  install.from = options.folder;
  const KnownRegistry known = AcceptRegistry(install);
  const std::string keys = KeyIds(known);
  Print("registry " + known.id + " in " + known.location + " is known now, with index " +
        std::to_string(known.serial) + (keys.empty() ? ", unsigned" : ", signed by " + keys) +
        "\n");
  return kOk;
}

int ListRegistries(const RegistryCommandOptions&) {
  Table table;
  table.columns = {"registry", "index", "keys", "location"};
  for (const KnownRegistry& known : ReadKnownRegistries(KnownRegistriesFile())) {
    const std::string keys = KeyIds(known);
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

struct Action {
  std::string_view name;
  int (*run)(const RegistryCommandOptions& options);
};
constexpr std::array kActions = {
    Action{"init", &MakeRegistry},       Action{"key", &MakeRegistryKey},
    Action{"add", &AddPlugins},          Action{"remove", &RemovePlugins},
    Action{"keys", &ChangeRegistryKeys}, Action{"renew", &RenewRegistry},
    Action{"sign", &SignRegistry},       Action{"verify", &VerifyRegistry},
    Action{"check", &CheckRegistry},     Action{"docs", &DocumentRegistry},
    Action{"trust", &TrustRegistry},     Action{"list", &ListRegistries},
    Action{"forget", &ForgetRegistry},
};

}  // namespace

int RunRegistry(const std::string& name, const RegistryCommandOptions& options) {
  for (const Action& action : kActions) {
    if (action.name == name) return action.run(options);
  }
  return kUsage;
}

}  // namespace crossfold::cli
