#include "file_state.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace crossfold::reading {
namespace {

using std::chrono::nanoseconds;

std::int64_t Nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// How long a file must be unchanged: the clocks of file systems tick every 1 to 10 ms, some store
// only whole seconds, and FAT even seconds.
nanoseconds RestOf(std::int64_t time) {
  const bool is_coarse = time % 1'000'000'000 == 0;
  return is_coarse ? std::chrono::milliseconds(2'000) : std::chrono::milliseconds(30);
}

}  // namespace

std::optional<FileState> FileState::Of(const std::filesystem::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileState{.device = static_cast<std::uint64_t>(status.st_dev),
                   .inode = static_cast<std::uint64_t>(status.st_ino),
                   .size = static_cast<std::int64_t>(status.st_size),
                   .modified = Nanoseconds(status.st_mtim),
                   .changed = Nanoseconds(status.st_ctim)};
}

std::optional<FileState> FileState::Settled(const std::filesystem::path& path) {
  constexpr int kMostTurns = 3;  // of a file that is written again and again
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const auto state = Of(path);
    if (!state) return std::nullopt;
    const nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t latest = std::max(state->modified, state->changed);
    const nanoseconds age = now - nanoseconds(latest);
    const nanoseconds rest = RestOf(latest);
    if (age >= rest) return state;
    if (age < nanoseconds(0) && -age > rest) return std::nullopt;
    std::this_thread::sleep_for(rest - age);
  }
  return std::nullopt;
}

}  // namespace crossfold::reading
