#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_export.h"
#include "crossfold/store_ledger.h"
#include "data/sha256.h"
#include "store/archive_manifest.h"
#include "store/run_tables.h"
#include "store/store_place.h"
#include "store/store_reader.h"
#include "store/zip_file.h"

namespace crossfold {
namespace {

// A folder of this process only, removed at the end.
class WorkFolder {
 public:
  WorkFolder() : path_(MakeTemporaryFolder()) {}
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

ArchiveFile DescribeFile(const std::string& name, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::uint64_t bytes = 0;
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()), file.gcount() > 0) {
    hash.Add(block.data(), static_cast<std::size_t>(file.gcount()));
    bytes += static_cast<std::uint64_t>(file.gcount());
  }
  if (!file.eof()) throw Error(ErrorKind::kIo, "cannot read '" + path.string() + "'");
  return {name, bytes, ToHex(hash.Finish())};
}

}  // namespace

std::vector<std::string> ExportRun(const std::filesystem::path& store,
                                   const std::filesystem::path& archive,
                                   const ExportOptions& options) {
  const WorkFolder folder;
  const std::filesystem::path whole = folder.path() / "whole.cfdb";
  std::vector<std::string> damaged = WriteCanonicalCopy(store, whole, {options.run, false});
  std::ranges::move(WriteRunTables(whole, folder.path(), !options.without_data),
                    std::back_inserter(damaged));
  StoreReader reader(whole);
  const StoredRun run = reader.Choose(1);
  std::filesystem::path kept = whole;
  if (options.without_data) {
    kept = folder.path() / kStoreFile;
    WriteCanonicalCopy(whole, kept, {1, true});
  }
  std::vector<ArchiveFile> files = {
      {kScriptFile, run.script_text.size(), ToHex(Sha256Of(run.script_text))}};
  for (const char* name : kTableFiles) files.push_back(DescribeFile(name, folder.path() / name));
  files.push_back(DescribeFile(kStoreFile, kept));
  ZipWriter zip(archive);
  zip.Add(kManifestFile,
          ManifestText(MakeManifest(reader, run, options.without_data, damaged, files)));
  zip.Add(kScriptFile, run.script_text);
  for (const char* name : kTableFiles) zip.AddFile(name, folder.path() / name);
  zip.AddFile(kStoreFile, kept);
  zip.Finish();
  return damaged;
}

}  // namespace crossfold
