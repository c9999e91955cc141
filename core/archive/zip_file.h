// Zip archives with the same bytes for the same content: entries in the order given, one
// compression, no times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold {

class ZipWriter {
 public:
  // Throws Error(kIo).
  explicit ZipWriter(std::filesystem::path path);
  ~ZipWriter();  // without Finish nothing is written
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // Throws Error(kIo).
  void Add(const std::string& name, std::string bytes);
  // A file that has to stay as it is until Finish. `is_program`: it may be run when it is unpacked.
  void AddFile(const std::string& name, const std::filesystem::path& file, bool is_program = false);
  // Puts the archive in place; one that was there is replaced when the new one is whole.
  void Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// An archive that may come from anybody. Every function throws Error(kBadData) for damage, and
// stops as soon as an entry unpacks to more than the caller accepts.
class ZipReader {
 public:
  explicit ZipReader(std::filesystem::path path);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  const std::filesystem::path& path() const;
  // Of all entries, in their order. A name may come twice.
  const std::vector<std::string>& names() const;
  // Whether an entry may be run, as Unix has it. REQUIRES: it is one of names().
  bool IsProgram(const std::string& name) const;
  // Calls `take` on the bytes of an entry, in portions; at most `most` bytes in all.
  void Read(const std::string& name, std::uint64_t most,
            const std::function<void(std::string_view)>& take) const;
  // Maximum size of an unpacked entry for an archive of this size: more than any run needs, less
  // than a bomb that is to fill the disk.
  std::uint64_t most() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether the file begins as zip archives do.
bool IsZipFile(const std::filesystem::path& path);

// Writes one entry of an archive into a file. Throws Error(kIo), or Error(kBadData) for an archive
// that is damaged, lacks the entry or has one above ZipReader::most().
void ExtractZipEntry(const std::filesystem::path& archive, const std::string& name,
                     const std::filesystem::path& file);

}  // namespace crossfold
