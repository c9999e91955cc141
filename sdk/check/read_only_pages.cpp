#include "check/read_only_pages.h"

#include <sys/mman.h>

#include <new>

namespace crossfold::check {
namespace {

// Reserved, and used as far as it is needed.
constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
constexpr std::size_t kAlignment = 64;

}  // namespace

ReadOnlyPages::ReadOnlyPages() {
  void* pages = ::mmap(nullptr, kMaxBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<unsigned char*>(pages);
}

ReadOnlyPages::~ReadOnlyPages() { ::munmap(pages_, kMaxBytes); }

void ReadOnlyPages::Seal() {
  if (::mprotect(pages_, kMaxBytes, PROT_READ) != 0) throw std::bad_alloc();
}

void* ReadOnlyPages::Take(std::size_t bytes) {
  const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded > kMaxBytes - used_) throw std::bad_alloc();
  void* taken = pages_ + used_;
  used_ += rounded;
  return taken;
}

}  // namespace crossfold::check
