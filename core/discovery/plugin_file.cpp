#include "discovery/plugin_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <vector>

#include "crossfold/error.h"
#include "engine/data/sha256.h"

namespace crossfold {
namespace {

std::string SystemProblem() {
  return "it cannot be read: " + std::generic_category().message(errno);
}

// Makes a memfd that can never be executed, which some systems require. Linux supports that from
// 6.3 on (memfd_create(2)). Libraries can still be mapped from it.
int MakeMemoryFile(const std::string& name) {
  constexpr unsigned kNoExecSeal = 8;  // MFD_NOEXEC_SEAL
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create(name.c_str(), flags | kNoExecSeal);
  return fd < 0 && errno == EINVAL ? ::memfd_create(name.c_str(), flags) : fd;
}

// Copies the first `size` bytes, or fewer if there are no more. Returns false with errno if it
// fails.
bool CopyBytes(int from, int to, off_t size) {
  for (off_t at = 0; at < size;) {
    const ssize_t n = ::sendfile(to, from, &at, static_cast<std::size_t>(size - at));
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
  return true;
}

bool IsSameTime(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

std::optional<FileId> IdOfFile(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileId{status.st_dev, status.st_ino};
}

PluginFile::PluginFile(const std::filesystem::path& path, Bytes bytes)
    : path_(path), bytes_(bytes), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!file_.is_open() || ::fstat(file_.get(), &status_) != 0) {
    problem_ = SystemProblem();
  } else if (!S_ISREG(status_.st_mode)) {
    problem_ = "it is not a file";
  } else if (bytes_ == Bytes::kSealed) {
    Seal();
  }
}

void PluginFile::Seal() {
  constexpr std::size_t kMaxName = 200;  // memfd_create takes 249 bytes
  FileDescriptor copy(MakeMemoryFile(path_.filename().string().substr(0, kMaxName)));
  const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat copied {};
  if (!copy.is_open() || !CopyBytes(file_.get(), copy.get(), status_.st_size) ||
      ::fcntl(copy.get(), F_ADD_SEALS, seals) != 0 || ::fstat(copy.get(), &copied) != 0) {
    problem_ = "it cannot be copied into memory: " + std::generic_category().message(errno);
    return;
  }
  file_ = std::move(copy);
  status_.st_size = copied.st_size;  // of the bytes that were copied
}

std::int64_t PluginFile::modified_ns() const {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return static_cast<std::int64_t>(status_.st_mtim.tv_sec) * kNanoseconds + status_.st_mtim.tv_nsec;
}

bool PluginFile::Read(std::uint64_t offset, std::span<char> out) const {
  while (!out.empty()) {
    const ssize_t n = ::pread(file_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;  // the file has become shorter
    offset += static_cast<std::uint64_t>(n);
    out = out.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

void PluginFile::AddTo(class Sha256& hash) const {
  std::vector<char> block(std::size_t{1} << 16);
  for (std::uint64_t offset = 0; offset < size();) {
    const std::size_t n = std::min<std::uint64_t>(size() - offset, block.size());
    if (!Read(offset, std::span(block).first(n))) {
      throw Error(ErrorKind::kIo, "cannot read '" + path_.string() + "': it has become shorter");
    }
    hash.Add(block.data(), n);
    offset += n;
  }
}

std::string PluginFile::Sha256() const {
  class Sha256 hash;
  AddTo(hash);
  const std::string sha256 = ToHex(hash.Finish());
  if (first_sha256_.empty()) first_sha256_ = sha256;
  return sha256;
}

bool PluginFile::IsUnchanged() const {
  if (bytes_ == Bytes::kSealed) return true;
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0 || now.st_size != status_.st_size) return false;
  if (IsSameTime(now.st_mtim, status_.st_mtim) && IsSameTime(now.st_ctim, status_.st_ctim)) {
    return true;
  }
  // Perhaps only its name or its permissions have changed.
  return !first_sha256_.empty() && Sha256() == first_sha256_;
}

}  // namespace crossfold
