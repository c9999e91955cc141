// A registry of plugins, as its owner sees it: a folder that is copied, shared, checked in or
// served by any web server as it is. docs/registry.md describes its files.
//
// Changes go into a draft of the next index, which becomes the index when enough keys have signed
// it; until then, readers see the index before. A registry without keys has no drafts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/plugin_package.h"
#include "crossfold/registry_index.h"
#include "crossfold/signing_key.h"

namespace crossfold {

constexpr const char* kChecksName = "checks.json";

// What `registry check` found for one plugin on one host.
struct HostCheck {
  std::string id, version, platform, package_sha256;
  CheckRecord check;
  bool operator==(const HostCheck&) const = default;
};

// A fault of a registry's own files, such as "packages/a.zip: its SHA-256 is ..., the index has
// ...".
using RegistryProblem = std::string;

// A plugin of a registry, unpacked.
struct UnpackedPlugin {
  RegistryPlugin plugin;
  std::filesystem::path path;  // of the plugin, without symbolic links
  // Why there is none, such as a package that is not what the index describes; "" = it is there.
  std::string problem;
};

struct SigningState {
  std::int64_t serial = 0;
  bool is_published = false;      // the index has this serial now
  std::int64_t missing = 0;       // signatures that a draft still needs
  std::vector<std::string> keys;  // ids of those that have signed
};

// Not thread-safe; several processes take turns to change a registry. Every function throws
// Error(kIo) and Error(kBadData) "cannot <attempt> registry '<folder>': ...".
class PluginRegistry {
 public:
  // Makes a registry in a folder that does not exist or is empty.
  static PluginRegistry Make(const std::filesystem::path& folder, const std::string& id,
                             const std::string& title);
  // Opens an existing one.
  explicit PluginRegistry(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  // The draft if there is one, else the index.
  RegistryIndex Latest() const;
  // What readers see.
  RegistryIndex Published() const;

  // Adds plugins, packages (*.zip) or submissions (crossfold-plugin.json) in one change, and calls
  // `on_added` for each. A package for another machine keeps the checks that it came with. Throws
  // Error(kBadPlugin) as ExaminePlugin does, and for a version that is in the index or in the draft
  // with other bytes; nothing is added then.
  void Add(std::span<const std::filesystem::path> files, const PackOptions& options,
           const std::function<void(const RegistryPlugin&)>& on_added);
  // Removes a version, or with an empty `version` all of them. Returns what was removed. The
  // packages stay until the next index is published.
  std::vector<RegistryPlugin> Remove(const std::string& id, const std::string& version);

  // Sets the last day on which readers accept an index, "2027-03-31"; nullopt = no end.
  void SetEnd(const std::optional<std::string>& valid_until);

  // Changes who may sign. A revoked key is removed if it is there, and nobody who has seen that
  // accepts it again. Enough of the other keys of the index must be left to sign that.
  void AddKey(const PublicKey& key, const std::string& note);
  void RemoveKey(const std::string& key_id);
  void RevokeKey(const std::string& key_id, const std::string& reason);
  void SetThreshold(std::int64_t threshold);

  // Signs the draft, or the index if there is none. The first key that signs a registry without
  // keys becomes its key.
  SigningState Sign(const SigningKey& key);
  // Publishes a draft that enough keys have signed, by whatever program.
  SigningState Publish();

  // Checks the signatures, the end, the indexes at which keys changed, and every package. Returns
  // what is wrong.
  std::vector<RegistryProblem> Verify() const;

  // Runs `plugin check` on every plugin for this machine, as `host`, keeps the results of other
  // hosts, and writes checks.json. Returns the results of this host. `on_checked` may be empty. A
  // package that is not the one of the index has failed; nothing of it runs.
  std::vector<HostCheck> Check(const std::string& host, const CheckOptions& options,
                               const std::function<void(const HostCheck&)>& on_checked);

  // The text of checks.json; "" = there is none.
  std::string ChecksText() const;

  // Unpacks what a reader of the latest index would install on this machine, the newest build of
  // each plugin, each into a folder "plugin" in a folder of its own, and calls `use` once. The
  // files are gone afterwards.
  void UseNewest(const std::function<void(std::span<const UnpackedPlugin>)>& use) const;

 private:
  std::string LatestText() const;
  void Change(const std::function<void(RegistryIndex&)>& change);
  void ChangeKeys(const std::function<void(RegistryIndex&)>& change);
  std::string Attempt(std::string_view what) const;

  std::filesystem::path folder_;
};

}  // namespace crossfold
