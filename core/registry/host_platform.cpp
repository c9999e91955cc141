#include "registry/host_platform.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <algorithm>

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

}  // namespace crossfold
