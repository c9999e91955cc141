// A file to read as one text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "crossfold_plugin/params.hpp"

namespace crossfold::reading {

// `P` has a bool memory_map.
template <class P>
constexpr auto MemoryMapParam() {
  return plugin::Boolean(
      "memory_map", &P::memory_map,
      "Whether a large file is mapped into memory, where that is safe, or copied.",
      {.flags = CF_PF_NO_EFFECT_ON_RESULT});
}

// The bytes of a file, mapped into memory if no program can shorten the file meanwhile, else
// copied.
//
// Reading a mapped page that a shortened file no longer has raises SIGBUS, which would kill the
// host. So a file is mapped only under a read lease (fcntl F_SETLEASE): the kernel then stops
// others that open the file for writing, or truncate it, until the lease is given back, or for
// /proc/sys/fs/lease-break-time (45 s). Without a lease there is no map: this holds for files that
// are open for writing, that belong to another user, or that are in file systems without leases
// (NFS) or that others may change without this kernel (FUSE, 9P). No signal is sent to this
// process.
class FileText {
 public:
  // Read as by ReadFileBytes unless it is a file of at least `smallest_map` bytes. Throws Error.
  FileText(const std::filesystem::path& path, std::size_t smallest_map, std::int64_t most_bytes);
  ~FileText();
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  std::string_view text() const { return text_; }
  bool is_mapped() const { return map_ != nullptr; }

  // To be called before every part of the text that takes less than a few seconds: throws Error if
  // another program waits for the lease, because it may then shorten the file.
  void CheckUnchanged() const;

  static constexpr std::size_t kSmallestMap = 1 << 20;
  static constexpr std::size_t kNeverMap = static_cast<std::size_t>(-1);

 private:
  bool Map(const std::filesystem::path& path, std::size_t smallest_map);

  int descriptor_ = -1;  // holds the lease
  void* map_ = nullptr;
  std::string copy_;
  std::string_view text_;
};

}  // namespace crossfold::reading
