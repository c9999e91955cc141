// Runs work in a copy of this process, which may crash, hang or run out of memory without harm; and
// what memory this process takes and may take.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <functional>
#include <string>

#include "check/probe_call.h"

namespace crossfold::check {

// The result of a copy that has ended.
struct Forked {
  std::string text;   // what the work returned, if the process ended as it should
  std::string ended;  // "it ended with signal 11 (Segmentation fault)", "it took more than 5 s"; ""
};

// Runs both at once: `work` in the copy, with the result of `here` as its argument; then waits. If
// `work` throws, that is an ending. REQUIRES: the process has no other thread that holds a lock
// which `work` takes, and nothing that works with threads was called before (OpenMP does not
// survive it).
Forked RunForked(const std::function<std::string()>& here,
                 const std::function<std::string(const std::string&)>& work, double seconds = 5);
// The same with nothing to do here.
Forked RunForked(const std::function<std::string()>& work, double seconds = 5);

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

// Makes a call in a copy that may take only `room` more memory (see MemoryLimit). The text is how
// it failed; "" = it did not. `before` is done before the limit holds.
Forked RunWithin(
    std::uint64_t room, const std::function<Reply()>& call,
    const std::function<void()>& before = [] {}, double seconds = 5);

}  // namespace crossfold::check
