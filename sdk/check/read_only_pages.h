// Arrays in pages of their own that become read-only: a plugin that writes into them ends the
// process.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

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

}  // namespace crossfold::check
