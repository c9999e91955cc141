// A limit on the memory of this process, and how much the allocator holds.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace crossfold::check {

// As long as it exists, the address space may grow only by `room` bytes.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t room);
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // False under an address sanitizer, which reserves terabytes of addresses.
  static bool Works();

 private:
  rlimit before_{};
};

// The bytes that malloc() has allocated in all threads and that are not freed. 0 under a sanitizer.
std::uint64_t AllocatedBytes();
// The bytes of this process that are in memory.
std::uint64_t ResidentBytes();

}  // namespace crossfold::check
