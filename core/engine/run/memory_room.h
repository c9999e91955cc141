// The memory that a run may take, and what its cells need of it.
#pragma once

#include <cstdint>
#include <span>

#include "crossfold/cell.h"
#include "crossfold/shared_work.h"

namespace crossfold {

// What is compared is anonymous memory: columns in a mapped file do not count. Without a limit of
// the run, only the predictions that outcomes keep are compared, with the machine's memory or the
// limit of this process.
class MemoryRoom {
 public:
  // `kept`: bytes of predictions that the caller keeps. Throws Error(kOutOfMemory), with the size
  // and the way out, if they do not fit, or if a cell of one of the blocks does not, even alone.
  // Small cells always fit. A learner that does not say what its fit needs (crossfold.fit-memory/1)
  // counts as one that copies its training rows, and so does one that runs in another process, as
  // its plugin must not be called here. `modes`: where each block runs; empty = all in this process.
  MemoryRoom(std::span<const CellBlock> blocks, const SharedWork& shared, std::uint64_t kept,
             std::span<const Isolation> modes = {});

  // Returns the number of cells that may run at the same time: `workers`, or fewer.
  int Bound(int workers) const;

 private:
  std::uint64_t left_ = 0;  // for cells
  std::uint64_t cell_ = 0;  // of the largest cell; 0 = it is small, or the run is unlimited
};

// Returns the bytes of the largest data that shared work may copy; 0 = unlimited.
inline std::uint64_t LargestCopy(const SharedWork& shared) {
  return shared.run_memory() == 0 ? 0 : shared.memory();
}

}  // namespace crossfold
