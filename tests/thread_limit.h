// A process that gets few threads.
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace crossfold {

// From now on this process, which is about to end, gets at most `most` more threads; if it is not
// that of root, none. It can read what it could read before.
inline void LimitThreads(rlim_t most) {
  constexpr uid_t kNobodyElse = 58'231;  // a user who runs nothing else
  const bool is_root = ::geteuid() == 0;
  const rlimit limit{is_root ? most + 1 : 0, is_root ? most + 1 : 0};
  if (::setrlimit(RLIMIT_NPROC, &limit) != 0) ::_exit(100);
  if (!is_root) return;
  if (::prctl(PR_SET_KEEPCAPS, 1) != 0) ::_exit(101);
  if (::setresuid(kNobodyElse, kNobodyElse, kNobodyElse) != 0) ::_exit(102);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct kept[2]{};
  kept[0].effective = kept[0].permitted = 1u << CAP_DAC_READ_SEARCH;
  if (::syscall(SYS_capset, &header, kept) != 0) ::_exit(103);
}

}  // namespace crossfold
