// A dataset in memory that other processes can map and none can change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// The image of a dataset (encoding/dataset_image.h) in a sealed memfd: its descriptor may be sent
// to other processes, which can read and map it, but neither write nor resize it.
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

// Images that this process has mapped. Not thread-safe.
class MappedImages {
 public:
  MappedImages() = default;
  ~MappedImages();
  MappedImages(const MappedImages&) = delete;
  MappedImages& operator=(const MappedImages&) = delete;

  // The dataset whose image is in `fd`, used in place, read-only. Takes the descriptor. Throws
  // Error(kBadData) if it is not an image.
  std::shared_ptr<const Dataset> Map(int fd, std::uint64_t size);

  // Whether the images whose datasets are in use are still where they were mapped. Sealed memory
  // can only change by another mapping in its place. Takes about 40 us.
  bool AreInPlace();

 private:
  struct Mapping {
    std::weak_ptr<const void> owner;  // unmaps it
    std::string line;                 // of /proc/self/maps, with address, permissions and file
  };

  // Reads /proc/self/maps into `maps_`, which is empty if it cannot be read.
  void ReadMaps();
  std::string LineOf(const void* place) const;

  std::vector<Mapping> mappings_;
  int maps_file_ = -1;
  std::string maps_;
};

}  // namespace crossfold
