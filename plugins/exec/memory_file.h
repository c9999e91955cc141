// Memory that this process and a child share: a file in memory (memfd) that the child opens by its
// path.
#pragma once

#include <cstddef>
#include <string>

#include "descriptor.h"

namespace crossfold::exec {

// Not thread-safe.
class MemoryFile {
 public:
  // Makes a file of `bytes` bytes, all 0, which no process can make smaller. Throws plugin::Error
  // (CF_E_OUT_OF_MEMORY) if there is not enough memory or no descriptor for it.
  explicit MemoryFile(std::size_t bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::size_t size() const { return size_; }
  // Returns the bytes. They are valid until Grow() or Seal(), and may be written until Seal().
  char* data() { return data_; }
  const char* data() const { return data_; }
  // The path by which other processes of the same user open it: /proc/PID/fd/N.
  std::string path() const;

  // Makes the file larger; what was in it stays. Throws as the
  // constructor does; then nothing has changed. REQUIRES: `bytes`
  // is not smaller than size(); the file is not sealed.
  void Grow(std::size_t bytes);
  // Nobody can write to the file any more, neither this process nor another one.
  void Seal();

 private:
  void Allocate(std::size_t bytes);
  void Unmap();

  Descriptor file_;
  std::size_t size_ = 0;
  char* data_ = nullptr;
};

}  // namespace crossfold::exec
