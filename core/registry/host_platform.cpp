#include "registry/host_platform.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>

#include "crossfold_plugin/status.h"

namespace crossfold {

Platform HostPlatform() {
  utsname names{};
  ::uname(&names);
  Platform platform{names.sysname, names.machine, ::gnu_get_libc_version()};
  std::transform(platform.os.begin(), platform.os.end(), platform.os.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return platform;
}

bool RunsOn(const Platform& needed, const Platform& host) {
  if (needed.os == "any") return true;
  const bool has_glibc = needed.glibc.empty() || !IsOlderVersion(host.glibc, needed.glibc);
  return needed.os == host.os && needed.arch == host.arch && has_glibc;
}

const RegistryPlugin* FindNewest(const RegistryIndex& index, const std::string& id,
                                 const std::string& version) {
  const Platform host = HostPlatform();
  const RegistryPlugin* best = nullptr;
  for (const RegistryPlugin& plugin : index.plugins) {
    if (plugin.id != id || plugin.abi_major != CF_ABI_MAJOR || !RunsOn(plugin.platform, host)) {
      continue;
    }
    if (!version.empty() && plugin.version != version) continue;
    // Candidates of a release are installed only by their version.
    if (version.empty() && IsCandidateVersion(plugin.version) && best != nullptr &&
        !IsCandidateVersion(best->version)) {
      continue;
    }
    if (best == nullptr || !IsOlderVersion(plugin.version, best->version)) best = &plugin;
  }
  return best;
}

}  // namespace crossfold
