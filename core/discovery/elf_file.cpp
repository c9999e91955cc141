#include "discovery/elf_file.h"

#include <bit>

namespace crossfold {
namespace {

constexpr std::uint64_t kMaxSection = 1u << 20;
constexpr std::uint64_t kMaxStrings = 1u << 24;

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
  throw Defect{"truncated: " + what + " at byte " + std::to_string(offset) + " is after the end, " +
               std::to_string(size) + " bytes"};
}

}  // namespace

ByteReader ReaderOf(std::string_view bytes) {
  return [bytes](std::uint64_t offset, std::span<char> out) {
    if (offset > bytes.size() || out.size() > bytes.size() - offset) return false;
    std::copy_n(bytes.data() + offset, out.size(), out.data());
    return true;
  };
}

ElfFile::ElfFile(std::uint64_t size, const ByteReader& read) : size_(size), read_(read) {
  CheckKind();
  const std::string bytes = Bytes("ELF header", 0, sizeof(header_));
  std::memcpy(&header_, bytes.data(), sizeof(header_));
  CheckHeader();
  ReadSections();
  ReadSegments();
}

std::optional<std::string> ElfFile::Section(std::string_view name) const {
  if (sections_.empty()) return std::nullopt;
  const std::string names = SectionNames();
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_name >= names.size() || StringAt(names, section.sh_name) != name) continue;
    if (section.sh_type == SHT_NOBITS) return std::string();
    const std::uint64_t length = std::min<std::uint64_t>(section.sh_size, kMaxSection);
    return Bytes("section " + std::string(name), section.sh_offset, length);
  }
  return std::nullopt;
}

const Elf64_Shdr* ElfFile::SectionOfType(std::uint32_t type) const {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type == type) return &section;
  }
  return nullptr;
}

std::string ElfFile::BytesOf(const Elf64_Shdr& section, const std::string& what) const {
  return Bytes(what, section.sh_offset, std::min(section.sh_size, kMaxStrings));
}

std::string ElfFile::StringsOf(const Elf64_Shdr& section, const std::string& what) const {
  if (section.sh_link >= sections_.size()) throw Defect{"its section table is damaged"};
  const Elf64_Shdr& strings = sections_[section.sh_link];
  if (strings.sh_type != SHT_STRTAB) throw Defect{"its section table is damaged"};
  return BytesOf(strings, what);
}

std::string ElfFile::Bytes(const std::string& what, std::uint64_t offset,
                           std::uint64_t length) const {
  if (length > size_ || offset > size_ - length) ThrowTruncated(what, offset, size_);
  std::string bytes(static_cast<std::size_t>(length), '\0');
  if (!read_(offset, bytes)) throw Defect{"it cannot be read"};
  return bytes;
}

// From the 16 bytes that mean the same in every ELF file.
void ElfFile::CheckKind() const {
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

void ElfFile::CheckHeader() const {
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

void ElfFile::ReadSections() {
  if (header_.e_shoff == 0) return;
  if (header_.e_shentsize != sizeof(Elf64_Shdr)) throw Defect{"its section table is damaged"};
  std::uint64_t count = header_.e_shnum;
  // More sections than the header can count: the number is in the first section.
  if (count == 0) {
    count = Table<Elf64_Shdr>("section table", header_.e_shoff, 1).front().sh_size;
  }
  sections_ = Table<Elf64_Shdr>("section table", header_.e_shoff, count);
}

// The loader maps segments without a look at the file's size, and dies on the missing pages.
void ElfFile::ReadSegments() {
  if (header_.e_phnum == 0) throw Defect{"it has no segments to load"};
  if (header_.e_phentsize != sizeof(Elf64_Phdr)) throw Defect{"its segment table is damaged"};
  segments_ = Table<Elf64_Phdr>("segment table", header_.e_phoff, header_.e_phnum);
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
    if (segment.p_filesz > size_ || segment.p_offset > size_ - segment.p_filesz) {
      ThrowTruncated("segment", segment.p_offset, size_);
    }
  }
}

std::string ElfFile::SectionNames() const {
  std::uint64_t index = header_.e_shstrndx;
  if (index == SHN_XINDEX) index = sections_[0].sh_link;
  if (index >= sections_.size()) throw Defect{"its section table is damaged"};
  const Elf64_Shdr& names = sections_[static_cast<std::size_t>(index)];
  if (names.sh_type != SHT_STRTAB) throw Defect{"its section table is damaged"};
  return Bytes("section names", names.sh_offset, std::min(names.sh_size, kMaxStrings));
}

std::string_view StringAt(std::string_view strings, std::uint64_t offset) {
  if (offset >= strings.size()) return "";
  constexpr std::size_t kMostName = 4096;
  const std::string_view rest = strings.substr(static_cast<std::size_t>(offset), kMostName);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace crossfold
