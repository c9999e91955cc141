#include "registry/build_choice.h"

#include <algorithm>
#include <string_view>

#include "crossfold/nearest_name.h"
#include "registry/host_platform.h"

namespace crossfold {
namespace {

std::string NameOfPlatform(const Platform& platform) {
  return platform.Name() + (platform.glibc.empty() ? "" : ", glibc " + platform.glibc);
}

}  // namespace

std::string Suggestion(const std::string& id, const std::vector<std::string>& ids) {
  const std::string near = NearestName(id, ids);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

void RefuseChoice(const std::string& attempt, const std::string& id, const std::string& version,
                  const std::vector<OpenRegistry>& registries) {
  std::vector<std::string> ids, versions, platforms;
  for (const OpenRegistry& registry : registries) {
    for (const RegistryPlugin& plugin : registry.index.plugins) {
      ids.push_back(plugin.id);
      if (plugin.id != id) continue;
      versions.push_back(plugin.version);
      if (version.empty() || plugin.version == version) {
        platforms.push_back(NameOfPlatform(plugin.platform) + ", plugin ABI " +
                            std::to_string(plugin.abi_major));
      }
    }
  }
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
    return text;
  };
  if (versions.empty()) {
    RefuseRequest(attempt, "no registry that was searched has it" + Suggestion(id, ids));
  }
  if (platforms.empty())
    RefuseRequest(attempt, "there is no such version; there are: " + joined(versions));
  RefuseRequest(attempt, "it is not for this machine (" + NameOfPlatform(HostPlatform()) +
                             "); there are builds for: " + joined(platforms));
}

BuildChoice Choose(const std::vector<OpenRegistry>& registries, const std::string& id,
                   const std::string& version, const std::string& from) {
  for (const OpenRegistry& registry : registries) {
    if (!from.empty() && registry.index.id != from) continue;
    const RegistryPlugin* build = FindNewest(registry.index, id, version);
    if (build != nullptr) return {&registry, build};
  }
  return {nullptr, nullptr};
}

void CheckOnlyOne(const std::vector<OpenRegistry>& registries, const std::string& id,
                  const std::string& attempt) {
  std::string names;
  int n = 0;
  for (const OpenRegistry& registry : registries) {
    if (FindNewest(registry.index, id, "") == nullptr) continue;
    names += (n++ == 0 ? "" : ", ") + registry.index.id;
  }
  if (n > 1)
    RefuseRequest(attempt, "several registries have it: " + names + "; name one with --from");
}

bool IsOpen(const std::vector<OpenRegistry>& registries, const std::string& id) {
  return std::any_of(registries.begin(), registries.end(),
                     [&](const OpenRegistry& registry) { return registry.index.id == id; });
}

void CheckIsOpen(const std::vector<OpenRegistry>& registries, const std::string& id,
                 const std::string& attempt) {
  if (IsOpen(registries, id)) return;
  RefuseRequest(attempt, "its registry '" + id +
                             "' is not among those that were read; trust it again, or "
                             "install the plugin from another one");
}

}  // namespace crossfold
