#include "check/thread_counts.h"

#include <dlfcn.h>

namespace crossfold::check {

ThreadCounts* FindThreadCounts() {
  using Find = ThreadCounts* (*)();
  const auto find = reinterpret_cast<Find>(::dlsym(RTLD_DEFAULT, "crossfold_checker_threads"));
  return find == nullptr ? nullptr : find();
}

}  // namespace crossfold::check
