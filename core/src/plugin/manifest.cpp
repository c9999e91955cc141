#include "plugin/manifest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <system_error>

#include "crossfold_plugin.h"
#include "plugin/elf_file.h"
#include "plugin/foreign_text.h"

namespace crossfold {
namespace {

// Why a file is no plugin. Thrown and caught in this file only.
struct Defect {
  std::string text;
};

using Json = nlohmann::json;

[[noreturn]] void ThrowBadField(const std::string& key, const std::string& finding) {
  throw Defect{"its manifest is wrong: '" + key + "' " + finding};
}

const Json& Field(const Json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) ThrowBadField(key, "is missing");
  return *it;
}

std::uint32_t NumberField(const Json& object, const char* key) {
  const Json& field = Field(object, key);
  if (!field.is_number_unsigned() || field.get<std::uint64_t>() > UINT32_MAX) {
    ThrowBadField(key, "is not a whole number");
  }
  return field.get<std::uint32_t>();
}

std::string TextField(const Json& object, const char* key) {
  const Json& field = Field(object, key);
  if (!field.is_string()) ThrowBadField(key, "is not a text");
  std::string text = field.get<std::string>();
  if (text.empty() || text.find('\0') != std::string::npos || CleanText(text.c_str()) != text) {
    ThrowBadField(key, "is not one line of text");
  }
  return text;
}

void CheckId(const char* key, const std::string& id) {
  if (!IsWellFormedId(id)) {
    ThrowBadField(key, "has the id '" + CleanText(id.c_str()) +
                           "'; ids are made of a-z, 0-9, '_', '.' and '-'");
  }
}

std::vector<std::string> IdsField(const Json& object, const char* key, std::set<std::string>& all) {
  const Json& field = Field(object, key);
  if (!field.is_array()) ThrowBadField(key, "is not a list");
  std::vector<std::string> ids;
  for (const Json& entry : field) {
    if (!entry.is_string()) ThrowBadField(key, "has an entry that is not a text");
    ids.push_back(entry.get<std::string>());
    CheckId(key, ids.back());
    if (!all.insert(ids.back()).second) ThrowBadField(key, "repeats the id '" + ids.back() + "'");
  }
  return ids;
}

Manifest ParseText(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw Defect{"its manifest is not valid JSON"};
  if (!json.is_object()) throw Defect{"its manifest is not a JSON object"};
  const std::uint32_t major = NumberField(json, "crossfold");
  if (major != CF_ABI_MAJOR) {
    throw Defect{"built for plugin ABI " + std::to_string(major) + ", this host speaks " +
                 std::to_string(CF_ABI_MAJOR)};
  }
  Manifest manifest;
  if (json.contains("abi_minor")) manifest.abi_minor = NumberField(json, "abi_minor");
  manifest.id = TextField(json, "id");
  CheckId("id", manifest.id);
  manifest.version = TextField(json, "version");
  std::set<std::string> all;
  manifest.learners = IdsField(json, "learners", all);
  manifest.transforms = IdsField(json, "transforms", all);
  manifest.splitters = IdsField(json, "splitters", all);
  manifest.metrics = IdsField(json, "metrics", all);
  if (all.empty()) throw Defect{"its manifest offers nothing"};
  return manifest;
}

std::optional<std::string> TextOfSection(std::uint64_t size, const ByteReader& read) {
  try {
    return ElfFile(size, read).Section(CF_MANIFEST_SECTION);
  } catch (const ElfDefect& defect) {
    throw Defect{defect.text};
  }
}

Manifest ReadElf(std::uint64_t size, const ByteReader& read) {
  const std::optional<std::string> text = TextOfSection(size, read);
  if (!text) throw Defect{"has no crossfold manifest; is it a Crossfold plugin?"};
  return ParseText(std::string_view(*text).substr(0, text->find('\0')));
}

template <class Body>
ManifestReading Catching(Body&& body) {
  ManifestReading reading;
  try {
    reading.manifest = body();
  } catch (const Defect& defect) {
    reading.problem = defect.text;
  }
  return reading;
}

// Closes on destruction.
class OpenFile {
 public:
  // Does not wait for a writer if the path is a pipe.
  explicit OpenFile(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) ThrowSystem();
  }
  ~OpenFile() { ::close(fd_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::uint64_t RegularSize() const {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) ThrowSystem();
    if (!S_ISREG(status.st_mode)) throw Defect{"it is not a file"};
    return static_cast<std::uint64_t>(status.st_size);
  }

  bool Read(std::uint64_t offset, std::span<char> out) const {
    while (!out.empty()) {
      const ssize_t n = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;  // shorter than it was a moment ago
      offset += static_cast<std::uint64_t>(n);
      out = out.subspan(static_cast<std::size_t>(n));
    }
    return true;
  }

 private:
  [[noreturn]] static void ThrowSystem() {
    throw Defect{"it cannot be read: " + std::generic_category().message(errno)};
  }
  int fd_;
};

}  // namespace

ManifestReading ReadManifest(std::uint64_t size, const ByteReader& read) {
  return Catching([&] { return ReadElf(size, read); });
}

ManifestReading ReadManifest(std::string_view file) {
  return ReadManifest(file.size(), [file](std::uint64_t offset, std::span<char> out) {
    if (offset > file.size() || out.size() > file.size() - offset) return false;
    std::copy_n(file.data() + offset, out.size(), out.data());
    return true;
  });
}

ManifestReading ReadManifestFile(const std::filesystem::path& path) {
  return Catching([&] {
    const OpenFile file(path);
    return ReadElf(file.RegularSize(), [&file](std::uint64_t offset, std::span<char> out) {
      return file.Read(offset, out);
    });
  });
}

ManifestReading ParseManifest(std::string_view text) {
  return Catching([&] { return ParseText(text); });
}

bool IsWellFormedId(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace crossfold
