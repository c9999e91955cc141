// A dataset in memory that other processes can map and nobody can change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "crossfold/dataset.h"

namespace crossfold {

// The image of a dataset (data/dataset_image.h) in a sealed memfd: its descriptor may be sent to
// other processes, which can read and map it, but neither write nor resize it.
class SealedMemory {
 public:
  // Throws Error(kIo) if there is no memory for it.
  explicit SealedMemory(const Dataset& data);
  ~SealedMemory();
  SealedMemory(const SealedMemory&) = delete;
  SealedMemory& operator=(const SealedMemory&) = delete;

  int fd() const { return fd_; }
  std::size_t size() const { return size_; }

 private:
  int fd_ = -1;
  std::size_t size_ = 0;
};

// The dataset whose image is in `fd`, used in place, read-only. Takes the descriptor. Throws
// Error(kBadData) if it is none.
std::shared_ptr<const Dataset> MapDataset(int fd, std::uint64_t size);

}  // namespace crossfold
