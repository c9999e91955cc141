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

#include "archive/zip_file.h"
#include "crossfold/error.h"
#include "crossfold/store_export.h"
#include "crossfold/store_ledger.h"
#include "engine/data/sha256.h"
#include "files/scratch_folder.h"
#include "store/ledger/store_reader.h"
#include "store/upkeep/archive_check.h"
#include "store/upkeep/run_tables.h"

namespace crossfold {
namespace {

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

[[noreturn]] void RefuseArchive(const std::filesystem::path& archive, const std::string& reason) {
  throw Error(ErrorKind::kIo,
              "cannot write '" + archive.string() + "': " + reason + "; choose another place");
}

ScratchFolder FolderFor(const std::filesystem::path& archive) {
  try {
    return ScratchFolder::NextTo(archive);
  } catch (const std::system_error& e) {
    RefuseArchive(archive, e.code().message());
  }
}

}  // namespace

std::vector<std::string> ExportRun(const std::filesystem::path& store,
                                   const std::filesystem::path& archive,
                                   const ExportOptions& options) {
  const ScratchFolder folder = FolderFor(archive);
  const std::filesystem::path whole = folder.File("whole.cfdb");
  std::vector<std::string> damaged = WriteCanonicalCopy(store, whole, {options.run, false});
  std::ranges::move(WriteRunTables(whole, folder.path(), !options.without_data),
                    std::back_inserter(damaged));
  StoreReader reader(whole);
  const StoredRun run = reader.Choose(1);
  std::filesystem::path kept = whole;
  if (options.without_data) {
    kept = folder.File(kStoreFile);
    WriteCanonicalCopy(whole, kept, {1, true});
  }
  std::vector<ArchiveFile> files = {
      {kScriptFile, run.script_text.size(), ToHex(Sha256Of(run.script_text))}};
  for (const char* name : kTableFiles) files.push_back(DescribeFile(name, folder.File(name)));
  files.push_back(DescribeFile(kStoreFile, kept));
  ZipWriter zip(folder.File("archive.zip"));
  zip.Add(kManifestFile,
          ManifestText(MakeManifest(reader, run, options.without_data, damaged, files)));
  zip.Add(kScriptFile, run.script_text);
  for (const char* name : kTableFiles) zip.AddFile(name, folder.File(name));
  zip.AddFile(kStoreFile, kept);
  zip.Finish();
  std::error_code failure;
  std::filesystem::rename(folder.File("archive.zip"), archive, failure);
  if (failure) RefuseArchive(archive, failure.message());
  return damaged;
}

}  // namespace crossfold
