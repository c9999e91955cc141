// A table whose every byte is in pages of its own: with or without a row index, with other bitmaps,
// and read-only on demand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "check/component_calls.h"
#include "crossfold_plugin/data.h"

namespace crossfold::check {

// Not thread-safe.
class ReadOnlyPages {
 public:
  // Throws std::bad_alloc.
  ReadOnlyPages();
  ~ReadOnlyPages();
  ReadOnlyPages(const ReadOnlyPages&) = delete;
  ReadOnlyPages& operator=(const ReadOnlyPages&) = delete;

  // A copy that lasts as long as the pages; null if there are no entries. Throws std::bad_alloc if
  // it does not fit into some megabytes.
  template <class T>
  const T* Copy(const T* from, std::size_t n) {
    if (from == nullptr) return nullptr;
    return static_cast<const T*>(std::memcpy(Take(n * sizeof(T)), from, n * sizeof(T)));
  }
  template <class T>
  const T* Copy(const std::vector<T>& from) {
    return from.empty() ? nullptr : Copy(from.data(), from.size());
  }

  // Zeroed memory, aligned for everything. Throws std::bad_alloc as Copy does.
  void* Take(std::size_t bytes);

  // Makes the pages read-only: every later write ends the process.
  void Seal();

  const unsigned char* begin() const { return pages_; }
  const unsigned char* end() const { return pages_ + used_; }  // of what was taken

 private:
  unsigned char* pages_ = nullptr;
  std::size_t used_ = 0;
};

struct CopyOptions {
  // Positions in the view, repeats allowed: their entries are gathered, there is no row index, and
  // row_ids says where they come from. Null = the columns as they are, with their row index.
  const RowIds* positions = nullptr;
  // If >= 0, every feature gets a bitmap of what is present, whose first entry is that bit; the
  // bits before it are 0.
  int bitmap_offset = -1;
  // Only the bits mark what is missing: the entry is 0. REQUIRES: bitmap_offset >= 0.
  bool hide_missing = false;
};

// Not thread-safe while it is changed.
class TableCopy {
 public:
  // Throws std::bad_alloc if there is no memory, or for tables of many megabytes.
  explicit TableCopy(const cf_table& from, const CopyOptions& options = {});
  TableCopy(const TableCopy&) = delete;
  TableCopy& operator=(const TableCopy&) = delete;

  // Structs may be changed as long as the pages are not read-only.
  cf_table& get() { return *table_; }
  cf_column& feature(std::int64_t j) { return features_[j]; }

  // Makes the pages read-only: every later write ends the process.
  void MakeReadOnly() { pages_.Seal(); }
  // All bytes of the table.
  Bytes Contents() const { return Bytes(pages_.begin(), pages_.end()); }

 private:
  template <class T>
  T* TakeArray(std::int64_t n) {
    return static_cast<T*>(pages_.Take(static_cast<std::size_t>(n) * sizeof(T)));
  }
  template <class T>
  const T* Gather(const T* from, const std::vector<std::int64_t>& places);
  const char* CopyText(const char* text);
  cf_column CopyColumn(const cf_column& from, const std::vector<std::int64_t>& entries,
                       const CopyOptions& options, bool is_feature);
  void SetBitmap(cf_column& column, const CopyOptions& options, std::int64_t n);

  ReadOnlyPages pages_;
  cf_table* table_ = nullptr;
  cf_column* features_ = nullptr;
};

}  // namespace crossfold::check
