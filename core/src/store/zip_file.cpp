#include "store/zip_file.h"

#include <zip.h>

#include <array>
#include <cstddef>
#include <deque>
#include <fstream>
#include <utility>

#include "crossfold/error.h"

namespace crossfold {
namespace {

constexpr zip_uint32_t kCompressionLevel = 6;
// 1980-01-01 00:00:00 in the form of DOS, the earliest that an archive can hold.
constexpr zip_uint16_t kDate = (1U << 5) | 1U;
constexpr zip_uint16_t kTime = 0;
// Plain files that everybody may read, as Unix has them.
constexpr zip_uint32_t kAttributes = 0100644U << 16;

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

  void Add(const std::string& name, zip_source_t* source) {
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
        zip_file_set_external_attributes(archive.get(), index, 0, ZIP_OPSYS_UNIX, kAttributes) == 0;
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

void ZipWriter::AddFile(const std::string& name, const std::filesystem::path& file) {
  impl_->Add(name, zip_source_file(impl_->archive.get(), file.c_str(), 0, -1));
}

void ZipWriter::Finish() {
  if (zip_close(impl_->archive.get()) != 0) impl_->Fail(zip_strerror(impl_->archive.get()));
  (void)impl_->archive.release();  // closed
}

bool IsZipFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> begin{};
  file.read(begin.data(), begin.size());
  return file && std::string_view(begin.data(), begin.size()) == "PK\x03\x04";
}

void ExtractZipEntry(const std::filesystem::path& archive, const std::string& name,
                     const std::filesystem::path& file) {
  const std::string attempt = "cannot read '" + archive.string() + "': ";
  int error = 0;
  const Archive opened(zip_open(archive.c_str(), ZIP_RDONLY, &error), zip_discard);
  if (!opened) throw Error(ErrorKind::kBadData, attempt + TextOf(error));
  const Entry entry(zip_fopen(opened.get(), name.c_str(), 0), zip_fclose);
  if (!entry) {
    throw Error(ErrorKind::kBadData,
                attempt + "it has no '" + name + "'; it is none that crossfold export wrote");
  }
  std::ofstream out(file, std::ios::binary);
  std::array<char, 1 << 16> block;
  zip_int64_t n = 0;
  while ((n = zip_fread(entry.get(), block.data(), block.size())) > 0) {
    out.write(block.data(), static_cast<std::streamsize>(n));
  }
  if (n < 0) throw Error(ErrorKind::kBadData, attempt + zip_file_strerror(entry.get()));
  out.close();
  if (!out) throw Error(ErrorKind::kIo, "cannot write '" + file.string() + "'");
}

}  // namespace crossfold
