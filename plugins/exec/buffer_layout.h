// Where buffers are in a memory file.
#pragma once

#include <cstddef>

namespace crossfold::exec {

// One after the other, each at a multiple of 64 bytes, as Arrow recommends. No buffer begins at 0.
class BufferLayout {
 public:
  // Makes place for a buffer of this size. Returns its offset.
  std::size_t Add(std::size_t bytes) {
    const std::size_t at = end_;
    end_ = (at + bytes + kAlignment - 1) / kAlignment * kAlignment;
    return at;
  }
  // The size of a file for all of them.
  std::size_t end() const { return end_; }

 private:
  static constexpr std::size_t kAlignment = 64;

  std::size_t end_ = kAlignment;
};

}  // namespace crossfold::exec
