#include "memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "crossfold_plugin/error.hpp"

namespace crossfold::exec {
namespace {

[[noreturn]] void Refuse(int error) {
  throw plugin::Error(CF_E_OUT_OF_MEMORY, "cannot share memory with the process of the learner: " +
                                              std::generic_category().message(error));
}

void* Map(int fd, std::size_t bytes, int protection, int sharing) {
  void* place = ::mmap(nullptr, bytes, protection, sharing, fd, 0);
  if (place == MAP_FAILED) Refuse(errno);
  return place;
}

}  // namespace

MemoryFile::MemoryFile(std::size_t bytes)
    : file_(::memfd_create("crossfold-exec", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (!file_.is_open()) Refuse(errno);
  size_ = std::max<std::size_t>(bytes, 1);  // nothing cannot be mapped
  Allocate(size_);
  data_ = static_cast<char*>(Map(file_.get(), size_, PROT_READ | PROT_WRITE, MAP_SHARED));
  // A child that made it smaller would end this process.
  if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) Refuse(errno);
}

MemoryFile::~MemoryFile() { Unmap(); }

std::string MemoryFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.get());
}

void MemoryFile::Grow(std::size_t bytes) {
  Allocate(bytes);
  void* place = ::mremap(data_, size_, bytes, MREMAP_MAYMOVE);  // if it fails, the old one stays
  if (place == MAP_FAILED) Refuse(errno);
  data_ = static_cast<char*>(place);
  size_ = bytes;
}

void MemoryFile::Seal() {
  Unmap();  // a file with a writable mapping cannot be sealed
  if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    Refuse(errno);
  }
  // Private, because some kernels allow no shared mapping of a sealed file. Nobody can write to it.
  data_ = static_cast<char*>(Map(file_.get(), size_, PROT_READ, MAP_PRIVATE));
}

// So that a lack of memory is an error here and not a SIGBUS.
void MemoryFile::Allocate(std::size_t bytes) {
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(file_.get(), 0, static_cast<off_t>(bytes));
  if (error != 0) Refuse(error);
}

void MemoryFile::Unmap() {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
}

}  // namespace crossfold::exec
