#include "isolate/oom_kills.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace crossfold {
namespace {

std::string ReadKernelFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Of this process; "" = unknown.
std::string FileOfControlGroup() {
  constexpr std::string_view kUnified = "0::";
  const std::string groups = "\n" + ReadKernelFile("/proc/self/cgroup");
  const std::size_t at = groups.find("\n" + std::string(kUnified));
  if (at == std::string::npos) return "";
  const std::size_t start = at + 1 + kUnified.size();
  const std::string path = groups.substr(start, groups.find('\n', start) - start);
  return ReadKernelFile("/sys/fs/cgroup" + path + "/memory.events");
}

std::uint64_t CountOomKills() {
  const std::string events = FileOfControlGroup();
  return OomKillsIn(events.empty() ? ReadKernelFile("/proc/vmstat") : events);
}

}  // namespace

std::uint64_t OomKillsIn(std::string_view lines) {
  constexpr std::string_view kName = "oom_kill ";
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    std::uint64_t count = 0;
    if (line.starts_with(kName)) {
      std::from_chars(line.data() + kName.size(), line.data() + line.size(), count);
      return count;
    }
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
  }
  return 0;
}

OomKills::OomKills() : taken_(CountOomKills()) {}

bool OomKills::Take() {
  const std::lock_guard lock(mutex_);
  if (CountOomKills() <= taken_) return false;
  ++taken_;
  return true;
}

}  // namespace crossfold
