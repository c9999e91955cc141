#include "store/cells/cell_claims.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <thread>
#include <utility>

namespace crossfold {
namespace {

// Every process that has the store open holds a shared lock on this byte.
constexpr off_t kPresence = std::numeric_limits<off_t>::max() - 1;
constexpr int kFoldBits = 31;

bool SetLock(int fd, short type, off_t start, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

bool SetLock(const FileDescriptor& file, short type, const CellRange& range) {
  return SetLock(file.get(), type, (range.series << kFoldBits) + range.first, range.count);
}

FileDescriptor OpenFile(const std::filesystem::path& path) {
  return FileDescriptor(
      open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
}

std::filesystem::path ClaimsPath(std::filesystem::path store) { return store += "-claims"; }

}  // namespace

CellClaim::~CellClaim() {
  for (const CellRange& range : ranges_) SetLock(*file_, F_UNLCK, range);
}

std::shared_ptr<const CellClaim> CellClaimer::TryTake(std::vector<CellRange> ranges) const {
  std::vector<CellRange> taken;
  for (const CellRange& range : ranges) {
    if (file_->get() < 0) break;
    const bool is_taken = SetLock(*file_, F_WRLCK, range);
    if (is_taken) taken.push_back(range);
    if (is_taken || (errno != EAGAIN && errno != EACCES))
      continue;  // no more locks: goes on without
    CellClaim(file_, std::move(taken));
    return nullptr;
  }
  return std::make_shared<const CellClaim>(file_, std::move(taken));
}

ClaimsFile::ClaimsFile(const std::filesystem::path& store) : path_(ClaimsPath(RealPath(store))) {
  for (;;) {
    file_ = OpenFile(path_);
    if (file_.get() < 0) break;
    const bool is_present = SetLock(file_.get(), F_RDLCK, kPresence, 1);
    if (is_present && IsAt(file_, path_)) break;
    if (!is_present && errno != EAGAIN && errno != EACCES) break;  // a file system without locks
    std::this_thread::yield();                                     // its last user is removing it
  }
  own_signs_ = signs_of_others();
}

ClaimsFile::~ClaimsFile() {
  if (file_.get() < 0 || !SetLock(file_.get(), F_WRLCK, kPresence, 1)) return;
  if (IsAt(file_, path_)) unlink(path_.c_str());
}

CellClaimer ClaimsFile::NewClaimer() const {
  return CellClaimer(
      std::make_shared<const FileDescriptor>(file_.get() < 0 ? FileDescriptor() : OpenFile(path_)));
}

void ClaimsFile::GiveSign() {
  const char sign = '.';
  if (file_.get() >= 0 && write(file_.get(), &sign, 1) == 1) ++own_signs_;
}

std::uint64_t ClaimsFile::signs_of_others() const {
  struct stat status {};
  if (file_.get() < 0 || fstat(file_.get(), &status) != 0) return 0;
  return static_cast<std::uint64_t>(status.st_size) - own_signs_;
}

}  // namespace crossfold
