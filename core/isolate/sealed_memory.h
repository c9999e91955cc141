// A dataset in memory that other processes can map and none can change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "files/file_descriptor.h"

namespace crossfold {

// The image of a dataset (encoding/dataset_image.h) in a sealed memfd: its descriptor may be sent
// to other processes, which can read and map it, but neither write nor resize it.
class SealedMemory {
 public:
  // Throws Error(kIo) if there is no memory for it.
  explicit SealedMemory(const Dataset& data);

  int fd() const { return file_.get(); }
  std::size_t size() const { return size_; }

 private:
  FileDescriptor file_;
  std::size_t size_ = 0;
};

// Images that this process has mapped. Not thread-safe.
class MappedImages {
 public:
  // The dataset whose image is in `file`, used in place, read-only. Throws Error(kBadData) if it is
  // not an image.
  std::shared_ptr<const Dataset> Map(const FileDescriptor& file, std::uint64_t size);

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
  FileDescriptor maps_file_;
  std::string maps_;
};

}  // namespace crossfold
