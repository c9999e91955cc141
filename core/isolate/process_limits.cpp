#include "isolate/process_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace crossfold {
namespace {

void SetAddressSpace(rlim_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  ::setrlimit(RLIMIT_AS, &limit);
}

timespec ToTimespec(double seconds) {
  timespec time{};
  // More than a century is as good as no limit, and a time of 0 would switch the timer off.
  const double bounded = std::clamp(seconds, 1e-6, 4e9);
  time.tv_sec = static_cast<time_t>(bounded);
  time.tv_nsec = static_cast<long>((bounded - std::floor(bounded)) * 1e9);
  return time;
}

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

std::uint64_t MappedBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long pages = 0;
  const bool ok = std::fscanf(file, "%lu", &pages) == 1;
  std::fclose(file);
  return ok ? std::uint64_t{pages} * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

ProcessLimits::ProcessLimits() : base_(MappedBytes()) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kCpuLimitSignal;
  has_timer_ = ::timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer_) == 0;
}

ProcessLimits::~ProcessLimits() {
  if (has_timer_) ::timer_delete(timer_);
}

void ProcessLimits::Begin() {
  if (limits_.memory > 0) SetAddressSpace(static_cast<rlim_t>(base_ + limits_.memory));
  if (limits_.cpu_seconds <= 0 || !has_timer_) return;
  itimerspec time{};
  time.it_value = ToTimespec(limits_.cpu_seconds);
  ::timer_settime(timer_, 0, &time, nullptr);
}

void ProcessLimits::End() {
  if (limits_.memory > 0) SetAddressSpace(RLIM_INFINITY);
  if (limits_.cpu_seconds <= 0 || !has_timer_) return;
  const itimerspec never{};
  ::timer_settime(timer_, 0, &never, nullptr);
}

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
