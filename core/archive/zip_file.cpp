#include "archive/zip_file.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>

#include "crossfold/error.h"
#include "files/file_bytes.h"

namespace crossfold {
namespace {

constexpr zip_uint32_t kCompressionLevel = 6;
// Deflate packs up to 1032:1, stores and tables 2:1 to 30:1.
constexpr std::uint64_t kMostRatio = 100;
constexpr std::uint64_t kSmallEntry = std::uint64_t{64} << 20;
// 1980-01-01 00:00:00 in the form of DOS, the earliest that an archive can hold.
constexpr zip_uint16_t kDate = (1U << 5) | 1U;
constexpr zip_uint16_t kTime = 0;
// Plain files that everybody may read, as Unix has them; and what makes them programs.
constexpr zip_uint32_t kAttributes = 0100644U << 16, kProgram = 0111U << 16;

std::string TextOf(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

using Archive = std::unique_ptr<zip_t, void (*)(zip_t*)>;
using Entry = std::unique_ptr<zip_file_t, int (*)(zip_file_t*)>;

}  // namespace

struct ZipWriter::Impl {
  std::filesystem::path path;
  Archive archive{nullptr, zip_discard};
  std::deque<std::string> kept;  // what libzip reads when it closes the archive

  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorKind::kIo, "cannot write '" + path.string() + "': " + why);
  }

  void Add(const std::string& name, zip_source_t* source, zip_uint32_t attributes = kAttributes) {
    if (source == nullptr) Fail(zip_strerror(archive.get()));
    const zip_int64_t added = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
      zip_source_free(source);
      Fail(zip_strerror(archive.get()));
    }
    const auto index = static_cast<zip_uint64_t>(added);
    const bool done =
        zip_set_file_compression(archive.get(), index, ZIP_CM_DEFLATE, kCompressionLevel) == 0 &&
        zip_file_set_dostime(archive.get(), index, kTime, kDate, 0) == 0 &&
        zip_file_set_external_attributes(archive.get(), index, 0, ZIP_OPSYS_UNIX, attributes) == 0;
    if (!done) Fail(zip_strerror(archive.get()));
  }
};

ZipWriter::ZipWriter(std::filesystem::path path) : impl_(std::make_unique<Impl>()) {
  impl_->path = std::move(path);
  int error = 0;
  impl_->archive.reset(zip_open(impl_->path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!impl_->archive) impl_->Fail(TextOf(error));
}

ZipWriter::~ZipWriter() = default;

void ZipWriter::Add(const std::string& name, std::string bytes) {
  const std::string& kept = impl_->kept.emplace_back(std::move(bytes));
  impl_->Add(name, zip_source_buffer(impl_->archive.get(), kept.data(), kept.size(), 0));
}

void ZipWriter::AddFile(const std::string& name, const std::filesystem::path& file,
                        bool is_program) {
  impl_->Add(name, zip_source_file(impl_->archive.get(), file.c_str(), 0, -1),
             is_program ? kAttributes | kProgram : kAttributes);
}

void ZipWriter::Finish() {
  if (zip_close(impl_->archive.get()) != 0) impl_->Fail(zip_strerror(impl_->archive.get()));
  (void)impl_->archive.release();  // closed
}

bool IsZipFile(const std::filesystem::path& path) { return ReadBeginning(path, 4) == "PK\x03\x04"; }

struct ZipReader::Impl {
  std::filesystem::path path;
  Archive archive{nullptr, zip_discard};
  std::vector<std::string> names;
  std::uint64_t most = 0;

  [[noreturn]] void Fail(const std::string& why) const {
    throw Error(ErrorKind::kBadData, "cannot read '" + path.string() + "': " + why);
  }
};

ZipReader::ZipReader(std::filesystem::path path) : impl_(std::make_unique<Impl>()) {
  impl_->path = std::move(path);
  int error = 0;
  impl_->archive.reset(zip_open(impl_->path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!impl_->archive) impl_->Fail(TextOf(error));
  std::error_code ignored;
  const std::uintmax_t packed = std::filesystem::file_size(impl_->path, ignored);
  impl_->most = std::max(kSmallEntry, kMostRatio * static_cast<std::uint64_t>(packed));
  const zip_int64_t n = zip_get_num_entries(impl_->archive.get(), 0);
  for (zip_int64_t i = 0; i < n; ++i) {
    const char* name = zip_get_name(impl_->archive.get(), static_cast<zip_uint64_t>(i), 0);
    impl_->names.emplace_back(name == nullptr ? "" : name);
  }
}

ZipReader::~ZipReader() = default;

const std::filesystem::path& ZipReader::path() const { return impl_->path; }

const std::vector<std::string>& ZipReader::names() const { return impl_->names; }

std::uint64_t ZipReader::most() const { return impl_->most; }

bool ZipReader::IsProgram(const std::string& name) const {
  const zip_int64_t index = zip_name_locate(impl_->archive.get(), name.c_str(), 0);
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  return index >= 0 &&
         zip_file_get_external_attributes(impl_->archive.get(), static_cast<zip_uint64_t>(index), 0,
                                          &system, &attributes) == 0 &&
         system == ZIP_OPSYS_UNIX && (attributes & kProgram) != 0;
}

void ZipReader::Read(const std::string& name, std::uint64_t most,
                     const std::function<void(std::string_view)>& take) const {
  const Entry entry(zip_fopen(impl_->archive.get(), name.c_str(), 0), zip_fclose);
  if (!entry) {
    if (std::ranges::find(impl_->names, name) != impl_->names.end()) {
      impl_->Fail("'" + name + "' in it is damaged: " + zip_strerror(impl_->archive.get()));
    }
    impl_->Fail("it has no '" + name + "'; it is not an archive of crossfold export");
  }
  const auto refuse_size = [&] {
    impl_->Fail("'" + name + "' in it unpacks to more than " + std::to_string(most) +
                " bytes; if that is right, unpack it with unzip and use the file");
  };
  zip_stat_t stat;
  const bool is_told = zip_stat(impl_->archive.get(), name.c_str(), 0, &stat) == 0 &&
                       (stat.valid & ZIP_STAT_SIZE) != 0;
  if (is_told && stat.size > most) refuse_size();
  std::array<char, 1 << 16> block;
  std::uint64_t left = most;  // the recorded size may be wrong
  zip_int64_t n = 0;
  while ((n = zip_fread(entry.get(), block.data(), block.size())) > 0) {
    if (static_cast<std::uint64_t>(n) > left) refuse_size();
    left -= static_cast<std::uint64_t>(n);
    take({block.data(), static_cast<std::size_t>(n)});
  }
  if (n < 0) impl_->Fail("'" + name + "' in it is damaged: " + zip_file_strerror(entry.get()));
}

void ExtractZipEntry(const std::filesystem::path& archive, const std::string& name,
                     const std::filesystem::path& file) {
  const ZipReader zip(archive);
  std::ofstream out(file, std::ios::binary);
  const auto check = [&] {
    if (!out) {
      throw Error(ErrorKind::kIo, "cannot write '" + file.string() + "'; make room on the disk");
    }
  };
  zip.Read(name, zip.most(), [&](std::string_view bytes) {
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    check();
  });
  out.close();
  check();
}

}  // namespace crossfold
