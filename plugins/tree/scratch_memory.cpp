#include "scratch_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled::tree {

namespace {

constexpr std::size_t kOnHeap = std::size_t{1} << 20;

[[noreturn]] void RefuseScratch(std::size_t bytes, const std::string& folder, int error) {
  throw plugin::Error(CF_E_IO, "cannot make a temporary file of " + std::to_string(bytes) +
                                   " bytes in '" + folder + "': " + std::strerror(error) +
                                   "; set TMPDIR to a folder with more room");
}

// A descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Returns -1 and errno if there is none.
int OpenWithoutName(const std::string& folder) {
#ifdef O_TMPFILE
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
#endif
  std::string name = folder + "/crossfold-XXXXXX";
  const int named = mkstemp(name.data());
  if (named >= 0) unlink(name.c_str());
  return named;
}

// Returns an error number, or 0. More than there is free is refused before the disk is full of it.
int Reserve(int fd, std::size_t bytes) {
  struct statvfs disk {};
  if (fstatvfs(fd, &disk) == 0 && bytes / disk.f_frsize > disk.f_bavail) return ENOSPC;
  int error = 0;
  do {
    error = posix_fallocate(fd, 0, static_cast<off_t>(bytes));
  } while (error == EINTR);
  return error;
}

}  // namespace

std::string ScratchFolder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

void PreferLargePages(void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kPage = std::size_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(data) + kPage - 1) & ~(kPage - 1);
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) & ~(kPage - 1);
  // Only a wish: without it the pages are small.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

ScratchMemory::ScratchMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes <= kOnHeap) {
    data_ = std::calloc(bytes > 0 ? bytes : 1, 1);
    if (data_ == nullptr) throw std::bad_alloc();
    return;
  }
  const std::string folder = ScratchFolder();
  const Descriptor file(OpenWithoutName(folder));
  if (file.get() < 0) RefuseScratch(bytes, folder, errno);
  // Without room on the disk, a later write to a page would end the process.
  const int error = Reserve(file.get(), bytes);
  if (error != 0) RefuseScratch(bytes, folder, error);
  void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) RefuseScratch(bytes, folder, errno);
  data_ = data;
}

ScratchMemory::~ScratchMemory() {
  if (bytes_ <= kOnHeap) {
    std::free(data_);
  } else if (data_ != nullptr) {
    munmap(data_, bytes_);
  }
}

}  // namespace crossfold::bundled::tree
