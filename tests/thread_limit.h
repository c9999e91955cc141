// A process that gets few threads.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace crossfold {

// From now on this process, which is about to end, gets at most `most` more threads; if it is not
// that of root, none.
inline void LimitThreads(rlim_t most) {
  constexpr uid_t kNobodyElse = 58'231;  // a user who runs nothing else
  const bool is_root = ::geteuid() == 0;
  const rlimit limit{is_root ? most + 1 : 0, is_root ? most + 1 : 0};
  if (::setrlimit(RLIMIT_NPROC, &limit) != 0) ::_exit(100);
  if (is_root && ::setresuid(kNobodyElse, kNobodyElse, kNobodyElse) != 0) ::_exit(101);
}

}  // namespace crossfold
