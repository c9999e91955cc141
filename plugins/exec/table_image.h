// The columns of a table in a sealed memory file, as children read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/data.h"
#include "descriptor.h"

namespace crossfold::exec {

// Where buffers are in a memory file: one after the other, each at a multiple of 64 bytes, as Arrow
// recommends. No buffer begins at 0.
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

// Memory that this process and a child share: a file in memory (memfd) that the child opens by its
// path. Not thread-safe.
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

struct ImageColumn {
  std::string name;
  std::int32_t dtype;
  std::size_t at;           // offset of entry 0
  std::size_t validity_at;  // offset of the bitmap; 0 = no entry is missing, or dtype can say so
  bool is_ordered = false;
  std::vector<std::string> levels;  // of CF_CAT32
};

// Immutable, so thread-safe. Missing entries are NaN in columns of floating-point numbers and -1 in
// categories; the other types have a bitmap.
class TableImage {
 public:
  enum class Which {
    kAll,  // entry i of the columns is row i of the image
    kView  // the i-th row of the view is row i of the image
  };
  // Copies the features of `table`. Throws plugin::Error if there are more than 2^31 - 1 rows or
  // not enough memory.
  TableImage(const cf_table& table, Which which);

  std::int64_t num_rows() const { return n_rows_; }
  const std::vector<ImageColumn>& columns() const { return columns_; }
  std::string path() const { return memory_.path(); }
  std::size_t bytes() const { return memory_.size(); }

  // Whether the rows of the view are, by their place in the column buffers, rows of this image with
  // the same features. If so, their numbers are enough for a process that has the image.
  bool Holds(const cf_table& table) const;

 private:
  TableImage(const cf_table& table, Which which, BufferLayout layout);

  std::int64_t n_rows_;
  std::vector<ImageColumn> columns_;
  MemoryFile memory_;
};

}  // namespace crossfold::exec
