// The columns of a table in a sealed memory file, as children read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "buffer_layout.h"
#include "crossfold_plugin/data.h"
#include "memory_file.h"

namespace crossfold::exec {

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
