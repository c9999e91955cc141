#include "programs/plugin/commands.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <lua.hpp>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/error.h"
#include "crossfold/known_registries.h"
#include "crossfold/lua.h"
#include "crossfold/plugin_host.h"
#include "crossfold/plugin_registry.h"
#include "crossfold/table.h"
#include "crossfold/version.h"
#include "crossfold/whole_file.h"
#include "programs/cli/common_options.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/interrupt.h"
#include "programs/cli/lua_state.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {
namespace {

// ---- the pages of a registry, as HTML, which the scripts in scripts/crossfold/registry make ----

namespace fs = std::filesystem;

using Pages = std::map<fs::path, std::string>;

// What the scripts get.
struct PageRequest {
  const char* module = nullptr;  // has the function `pages`
  std::string index, checks, program;
  std::span<const UnpackedPlugin> unpacked;
  const CancelToken* cancel = nullptr;  // may be null
};

void PushUnpacked(lua_State* L, std::span<const UnpackedPlugin> unpacked) {
  lua_createtable(L, static_cast<int>(unpacked.size()), 0);
  lua_Integer n = 0;
  for (const UnpackedPlugin& each : unpacked) {
    lua_createtable(L, 0, 5);
    SetText(L, "id", each.plugin.id);
    SetText(L, "package", each.plugin.package);
    SetText(L, "path", each.path.string());
    SetText(L, "folder", each.path.parent_path().string());
    if (!each.problem.empty()) SetText(L, "problem", each.problem);
    lua_rawseti(L, -2, ++n);
  }
}

// Upvalue: the token.
int PagesAreCancelled(lua_State* L) {
  const auto* cancel = static_cast<const CancelToken*>(lua_touserdata(L, lua_upvalueindex(1)));
  lua_pushboolean(L, cancel != nullptr && cancel->cancelled() ? 1 : 0);
  return 1;
}

// Leaves require(module).pages{ index =, checks =, program =, unpacked =, cancelled = } on the
// stack.
int CallPages(lua_State* L) {
  const auto& request = *static_cast<const PageRequest*>(lua_touserdata(L, 1));
  lua_getglobal(L, "require");
  lua_pushliteral(L, "crossfold");  // which has the other modules
  lua_call(L, 1, 0);
  lua_getglobal(L, "require");
  lua_pushstring(L, request.module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "pages");
  lua_createtable(L, 0, 5);
  SetText(L, "index", request.index);
  SetText(L, "checks", request.checks);
  SetText(L, "program", request.program);
  PushUnpacked(L, request.unpacked);
  lua_setfield(L, -2, "unpacked");
  lua_pushlightuserdata(L, const_cast<CancelToken*>(request.cancel));
  lua_pushcclosure(L, &PagesAreCancelled, 1);
  lua_setfield(L, -2, "cancelled");
  lua_call(L, 1, 1);
  return 1;
}

// The table of pages on top of the stack.
Pages ReadPages(lua_State* L) {
  Pages pages;
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    pages.emplace(lua_tostring(L, -2), TextAt(L, -1));
    lua_pop(L, 1);
  }
  return pages;
}

Pages MakePages(const PageRequest& request) {
  LuaOptions options;
  PluginHostOptions none;
  none.use_environment = none.use_user_folder = false;
  options.plugins = std::make_shared<PluginHost>(std::move(none));
  const State state(luaL_newstate());
  if (state == nullptr) throw std::bad_alloc();
  lua_State* L = state.get();
  OpenLua(L, options);
  luaL_openlibs(L);
  lua_pushcfunction(L, &CallPages);
  lua_pushlightuserdata(L, const_cast<PageRequest*>(&request));
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    throw Error(ErrorKind::kBadData, luaL_tolstring(L, -1, nullptr));
  }
  return ReadPages(L);
}

PageRequest RequestFor(const PluginRegistry& registry, const char* module) {
  PageRequest request;
  request.module = module;
  request.index = ToText(registry.Latest());
  request.checks = registry.ChecksText();
  return request;
}

// Pages of plugins that the registry has no longer.
void RemoveOtherPages(const fs::path& folder, const std::set<fs::path>& kept) {
  std::error_code failure;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    if (it->path().extension() == ".html" && !kept.contains(it->path())) old.push_back(it->path());
  }
  for (const fs::path& page : old) fs::remove(page, failure);
}

void WritePages(const Pages& pages, const fs::path& folder) {
  for (const auto& [name, text] : pages) {
    const fs::path path = folder / name;
    std::error_code failure;  // writing the page reports it
    fs::create_directories(path.parent_path(), failure);
    WriteWholeFile(path, text);
  }
}

// Writes compatibility.html into the registry: which plugins pass plugin check on which hosts.
// Throws Error.
void WriteCompatibilityPage(const PluginRegistry& registry) {
  WritePages(MakePages(RequestFor(registry, "crossfold.registry.compatibility")),
             registry.folder());
}

// Writes docs/ of the registry: a list and a page per plugin. Plugins are described, and used in an
// example, in processes of their own. The same registry gives the same bytes. Returns the number of
// plugins; throws Error. If it is cancelled, it writes nothing.
std::size_t WriteRegistryDocs(const PluginRegistry& registry, const CancelToken& cancel) {
  PageRequest request = RequestFor(registry, "crossfold.registry.docs");
  request.program = CrossfoldProgram().string();
  request.cancel = &cancel;
  Pages pages;
  registry.UseNewest([&](std::span<const UnpackedPlugin> unpacked) {
    request.unpacked = unpacked;
    pages = MakePages(request);
  });
  if (cancel.cancelled()) return 0;
  const fs::path folder = registry.folder() / "docs";
  WritePages(pages, folder);
  std::set<fs::path> kept;
  for (const auto& [name, text] : pages) kept.insert(folder / name);
  RemoveOtherPages(folder / "plugins", kept);
  return pages.size() - 1;  // without the list
}

// ---- the commands ----

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
