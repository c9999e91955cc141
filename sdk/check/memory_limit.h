// A limit on the memory of this process, and how much the allocator holds.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace crossfold::check {

// From its construction to its destruction the address space may grow by `room` bytes only.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t room);
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Not under an address sanitizer, which holds terabytes of addresses.
  static bool Works();

 private:
  rlimit before_{};
};

// Bytes that malloc() has given and not got back, of all threads. 0 under a sanitizer.
std::uint64_t AllocatedBytes();
// Bytes of this process that are in memory.
std::uint64_t ResidentBytes();

}  // namespace crossfold::check
