#include "plugin/manifest.h"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "crossfold_plugin.h"
#include "plugin/foreign_text.h"

namespace crossfold {
namespace {

constexpr std::uint64_t kMaxManifest = 1u << 20;
constexpr std::uint64_t kMaxNames = 1u << 24;
constexpr std::uint64_t kMaxTable = 1u << 24;

#if defined(__x86_64__)
constexpr std::uint16_t kHostMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kHostMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr std::uint16_t kHostMachine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr std::uint16_t kHostMachine = EM_PPC64;
#elif defined(__s390x__)
constexpr std::uint16_t kHostMachine = EM_S390;
#else
#error "name this machine's ELF number here"
#endif

// Why a file is no plugin. Thrown and caught in this file only.
struct Defect {
  std::string text;
  bool is_missing = false;  // the manifest: the file itself may be in order
};

std::string MachineName(std::uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "x86";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390x";
    default:
      return "machine " + std::to_string(machine);
  }
}

[[noreturn]] void ThrowTruncated(const std::string& what, std::uint64_t offset,
                                 std::uint64_t size) {
  throw Defect{"truncated: " + what + " at byte " + std::to_string(offset) +
               " lies behind the end, " + std::to_string(size) + " bytes"};
}

// Bounds-checked reading. Every offset and length comes from the file and may be anything.
class ElfFile {
 public:
  ElfFile(std::uint64_t size, const ByteReader& read) : size_(size), read_(read) {
    CheckKind();
    header_ = Struct<Elf64_Ehdr>("ELF header", 0);
    CheckHeader();
    ReadSections();
    CheckSegments();
  }

  // The bytes of the section of that name; none if there is no such section.
  std::optional<std::string> Section(std::string_view name) const {
    if (sections_.empty()) return std::nullopt;
    const std::string names = SectionNames();
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_name >= names.size()) continue;
      const std::string_view rest = std::string_view(names).substr(section.sh_name);
      if (rest.substr(0, rest.find('\0')) != name) continue;
      if (section.sh_type == SHT_NOBITS) return std::string();
      const std::uint64_t length = std::min<std::uint64_t>(section.sh_size, kMaxManifest);
      return Bytes("section " + std::string(name), section.sh_offset, length);
    }
    return std::nullopt;
  }

 private:
  std::string Bytes(const std::string& what, std::uint64_t offset, std::uint64_t length) const {
    if (length > size_ || offset > size_ - length) ThrowTruncated(what, offset, size_);
    std::string bytes(static_cast<std::size_t>(length), '\0');
    if (!read_(offset, bytes)) throw Defect{"it cannot be read"};
    return bytes;
  }

  template <class T>
  T Struct(const std::string& what, std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    const std::string bytes = Bytes(what, offset, sizeof(T));
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  template <class T>
  std::vector<T> Table(const std::string& what, std::uint64_t offset, std::uint64_t count) const {
    // The largest count keeps the product far below 2^64.
    const std::uint64_t length = std::min<std::uint64_t>(count, kMaxTable) * sizeof(T);
    std::vector<T> table;
    if (length == 0) return table;
    const std::string bytes = Bytes(what, offset, length);
    table.resize(bytes.size() / sizeof(T));
    std::memcpy(table.data(), bytes.data(), bytes.size());
    return table;
  }

  // From the 16 bytes that mean the same in every ELF file.
  void CheckKind() const {
    if (size_ == 0) throw Defect{"it is empty"};
    const std::string start = Bytes("start", 0, std::min<std::uint64_t>(size_, EI_NIDENT));
    if (start.compare(0, SELFMAG, ELFMAG) != 0) {
      const bool is_text = std::all_of(start.begin(), start.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
      });
      throw Defect{std::string("it is not an ELF shared library") +
                   (is_text ? " (a text file?)" : "")};
    }
    if (start.size() < EI_NIDENT) ThrowTruncated("ELF header", 0, size_);
    if (start[EI_CLASS] != ELFCLASS64) throw Defect{"built for 32 bits, this host has 64"};
    const bool is_little = start[EI_DATA] == ELFDATA2LSB;
    if (is_little != (std::endian::native == std::endian::little)) {
      throw Defect{std::string("built for ") + (is_little ? "little" : "big") +
                   "-endian machines, this host is " + (is_little ? "big" : "little") + "-endian"};
    }
  }

  void CheckHeader() const {
    if (header_.e_machine != kHostMachine) {
      throw Defect{"built for " + MachineName(header_.e_machine) + ", this host is " +
                   MachineName(kHostMachine)};
    }
    if (header_.e_type != ET_DYN) {
      const char* kind = header_.e_type == ET_REL    ? "an object file"
                         : header_.e_type == ET_EXEC ? "a program"
                         : header_.e_type == ET_CORE ? "a core dump"
                                                     : "an ELF file of another kind";
      throw Defect{std::string("it is ") + kind + ", not a shared library"};
    }
  }

  void ReadSections() {
    if (header_.e_shoff == 0) return;
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) throw Defect{"its section table is damaged"};
    std::uint64_t count = header_.e_shnum;
    // More sections than the header can count: the number is in the first section.
    if (count == 0) count = Struct<Elf64_Shdr>("section table", header_.e_shoff).sh_size;
    sections_ = Table<Elf64_Shdr>("section table", header_.e_shoff, count);
  }

  // The loader maps segments without a look at the file's size, and dies on the missing pages.
  void CheckSegments() const {
    if (header_.e_phnum == 0) throw Defect{"it has no segments to load"};
    if (header_.e_phentsize != sizeof(Elf64_Phdr)) throw Defect{"its segment table is damaged"};
    for (const Elf64_Phdr& segment :
         Table<Elf64_Phdr>("segment table", header_.e_phoff, header_.e_phnum)) {
      if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
      if (segment.p_filesz > size_ || segment.p_offset > size_ - segment.p_filesz) {
        ThrowTruncated("segment", segment.p_offset, size_);
      }
    }
  }

  std::string SectionNames() const {
    std::uint64_t index = header_.e_shstrndx;
    if (index == SHN_XINDEX) index = sections_[0].sh_link;
    if (index >= sections_.size()) throw Defect{"its section table is damaged"};
    const Elf64_Shdr& names = sections_[static_cast<std::size_t>(index)];
    if (names.sh_type != SHT_STRTAB) throw Defect{"its section table is damaged"};
    return Bytes("section names", names.sh_offset, std::min(names.sh_size, kMaxNames));
  }

  std::uint64_t size_;
  const ByteReader& read_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
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

Manifest ReadElf(std::uint64_t size, const ByteReader& read) {
  const std::optional<std::string> text = ElfFile(size, read).Section(CF_MANIFEST_SECTION);
  if (!text) throw Defect{"has no crossfold manifest; is it a Crossfold plugin?", true};
  return ParseText(std::string_view(*text).substr(0, text->find('\0')));
}

template <class Body>
ManifestReading Catching(Body&& body) {
  ManifestReading reading;
  try {
    reading.manifest = body();
  } catch (const Defect& defect) {
    reading.problem = defect.text;
    reading.is_missing = defect.is_missing;
  }
  return reading;
}

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

ManifestReading ReadManifest(const PluginFile& file) {
  if (!file.problem().empty()) {
    ManifestReading reading;
    reading.problem = file.problem();
    return reading;
  }
  return ReadManifest(file.size(), [&file](std::uint64_t offset, std::span<char> out) {
    return file.Read(offset, out);
  });
}

ManifestReading ReadManifestFile(const std::filesystem::path& path) {
  return ReadManifest(PluginFile(path));
}

ManifestReading ParseManifest(std::string_view text) {
  return Catching([&] { return ParseText(text); });
}

std::string ToText(const Manifest& manifest) {
  nlohmann::ordered_json json;
  json["crossfold"] = CF_ABI_MAJOR;
  json["abi_minor"] = manifest.abi_minor;
  json["id"] = manifest.id;
  json["version"] = manifest.version;
  json["learners"] = manifest.learners;
  json["transforms"] = manifest.transforms;
  json["splitters"] = manifest.splitters;
  json["metrics"] = manifest.metrics;
  return json.dump();
}

bool IsWellFormedId(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
  });
}

}  // namespace crossfold
