// A file that is complete or absent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold::reading {

// Writes next to `path`, and moves the file there when it is complete. Functions throw
// Error(CF_E_IO).
class NewFile {
 public:
  explicit NewFile(std::string path);
  // Removes what was not finished.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void Write(std::string_view bytes);
  // Writes zeros until the size is a multiple of `alignment`, at most 64.
  void Pad(std::int64_t alignment);
  std::int64_t size() const { return size_; }
  // Writes the file to the disk and moves it to `path`.
  void Finish();

 private:
  void Flush();
  void WriteOut(std::string_view bytes);
  [[noreturn]] void Refuse() const;  // by errno

  const std::string path_, beside_;
  int descriptor_;
  std::int64_t size_ = 0;
  std::string buffered_;
};

}  // namespace crossfold::reading
