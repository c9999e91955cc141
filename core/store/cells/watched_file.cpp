#include "store/cells/watched_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <tuple>

namespace crossfold {
namespace {

std::optional<struct stat> Look(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool AreOne(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::filesystem::path Beside(const std::filesystem::path& file, const char* ending) {
  return file.string() + ending;
}

}  // namespace

WatchedFile::WatchedFile(const std::filesystem::path& file)
    : path_(file),
      file_(::open(file.c_str(), O_PATH | O_CLOEXEC)),
      log_(Look(Beside(file, "-wal"))),
      memory_(Look(Beside(file, "-shm"))) {}

std::string WatchedFile::FindLoss(const std::function<std::int64_t()>& needed) {
  Status opened{};
  const std::optional<Status> now = Look(path_);
  if (::fstat(file_.get(), &opened) != 0 || !now) return "was removed or moved";
  if (!AreOne(opened, *now)) return "was replaced by another file";
  // After `gc`, writing the write-ahead log into the file makes it smaller.
  if (now->st_size < size_ && now->st_size < needed()) return "was cut off";
  size_ = now->st_size;
  return "";
}

bool WatchedFile::IsAtItsPath() const {
  Status opened{};
  const std::optional<Status> now = Look(path_);
  return now && ::fstat(file_.get(), &opened) == 0 && AreOne(opened, *now);
}

bool WatchedFile::WasRemovedAfter(const timespec& then) const {
  Status opened{};
  if (::fstat(file_.get(), &opened) != 0 || opened.st_nlink > 0 || Look(path_)) return false;
  const timespec& changed = opened.st_ctim;
  return std::tie(changed.tv_sec, changed.tv_nsec) >= std::tie(then.tv_sec, then.tv_nsec);
}

void WatchedFile::RemoveCompanions() const {
  if (IsAtItsPath()) return;
  const auto remove = [this](const std::optional<Status>& opened, const char* ending) {
    const std::optional<Status> now = Look(Beside(path_, ending));
    if (opened && now && AreOne(*opened, *now)) ::unlink(Beside(path_, ending).c_str());
  };
  remove(log_, "-wal");
  remove(memory_, "-shm");
}

}  // namespace crossfold
