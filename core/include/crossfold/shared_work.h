// Work that later runs reuse: structures that learners prepared for a whole dataset (sorted
// columns, neighbour lists), and which capabilities were found to break their law. A result never
// depends on it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace crossfold {

// Returns half of the machine's memory, in bytes.
std::uint64_t DefaultSharedMemory();

// Thread-safe. All runs of a session should use the same object.
class SharedWork {
 public:
  // `memory`: bytes that shared structures and the predictions of shared calls may take together; 0
  // = DefaultSharedMemory(). A structure is dropped when newer ones need its memory.
  // `run_memory`: bytes of anonymous memory that the process may take while cells run; 0 = it is
  // not limited. Cells that need more are refused before they run, and fewer run at a time.
  explicit SharedWork(std::uint64_t memory = 0, std::uint64_t run_memory = 0);
  ~SharedWork();
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;

  std::uint64_t memory() const { return memory_; }
  std::uint64_t run_memory() const { return run_memory_; }
  // Bytes of the present structures, as their plugins report them.
  std::uint64_t used() const;

  struct Impl;  // of the run layer
  Impl& impl() { return *impl_; }

 private:
  std::uint64_t memory_, run_memory_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
