#include "check/memory_limit.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace crossfold::check {
namespace {

// The first two numbers of /proc/self/statm, in bytes; 0 where there is no such file.
struct Pages {
  std::uint64_t size = 0, resident = 0;
};

Pages ReadPages() {
  Pages pages;
  std::ifstream file("/proc/self/statm");
  file >> pages.size >> pages.resident;
  const auto bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {pages.size * bytes, pages.resident * bytes};
}

}  // namespace

MemoryLimit::MemoryLimit(std::uint64_t room) {
  const std::uint64_t size = ReadPages().size;
  ::getrlimit(RLIMIT_AS, &before_);
  rlimit limit = before_;
  limit.rlim_cur = size + room;
  if (limit.rlim_cur < limit.rlim_max || limit.rlim_max == RLIM_INFINITY) {
    ::setrlimit(RLIMIT_AS, &limit);
  }
}

bool MemoryLimit::Works() {
  constexpr std::uint64_t kNoSanitizer = std::uint64_t{1} << 40;
  const std::uint64_t size = ReadPages().size;
  return size > 0 && size < kNoSanitizer;
}

std::uint64_t AllocatedBytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t ResidentBytes() { return ReadPages().resident; }

}  // namespace crossfold::check
