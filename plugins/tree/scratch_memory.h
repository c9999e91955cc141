// Memory in a temporary file, for data that outgrow memory: the kernel writes pages to the disk and
// drops them as it needs the room, so it is not anonymous memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace crossfold::bundled::tree {

// Where such files are: the environment's TMPDIR, else /var/tmp, which is on a disk where /tmp may
// be in memory.
std::string ScratchFolder();

// Asks the kernel for large pages under memory that was reserved and not yet touched: reads at
// random places of it then miss the translation of addresses less often.
void PreferLargePages(void* data, std::size_t bytes);

// Bytes that start as zeros, of a file without a name: it is gone when the object or the process
// is, however that ends. Up to 1 MB are on the heap.
class ScratchMemory {
 public:
  ScratchMemory() = default;
  // Reserves the room on the disk. Throws Error if the folder has no room or takes no files.
  explicit ScratchMemory(std::size_t bytes);
  ScratchMemory(ScratchMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  ScratchMemory& operator=(ScratchMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~ScratchMemory();

  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

template <class T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ScratchArray() = default;
  explicit ScratchArray(std::size_t size) : memory_(size * sizeof(T)), size_(size) {}

  std::span<T> all() const { return {static_cast<T*>(memory_.data()), size_}; }

 private:
  ScratchMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace crossfold::bundled::tree
