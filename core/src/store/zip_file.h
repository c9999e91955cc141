// Zip archives with the same bytes for the same content: entries in the order given, one
// compression, no times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

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
  // A file that has to stay as it is until Finish.
  void AddFile(const std::string& name, const std::filesystem::path& file);
  // Puts the archive in place; one that was there is replaced when the new one is whole.
  void Finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether the file begins as zip archives do.
bool IsZipFile(const std::filesystem::path& path);

// Writes one entry of an archive into a file. Throws Error(kIo), or Error(kBadData) for an archive
// that is damaged or lacks the entry.
void ExtractZipEntry(const std::filesystem::path& archive, const std::string& name,
                     const std::filesystem::path& file);

}  // namespace crossfold
