// A shared library as bytes: its sections and tables. Every offset and length comes from the file
// and may be anything; nothing is read outside of it.
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/plugin/defect.h"

namespace crossfold {

// Copies the bytes from `offset` on into `out`; false if it cannot fill it.
using ByteReader = std::function<bool(std::uint64_t offset, std::span<char> out)>;
// Of bytes that must outlive it.
ByteReader ReaderOf(std::string_view bytes);

// Not thread-safe. Everything throws Defect if the bytes are not there or make no sense.
class ElfFile {
 public:
  // Refuses what the loader would: another class, byte order or machine, a file that
  // is not a shared library, segments after the end. `read` must outlive the file.
  ElfFile(std::uint64_t size, const ByteReader& read);

  // The bytes of the section of that name, 1 MiB at most; none if there is no such section.
  std::optional<std::string> Section(std::string_view name) const;

  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  // The first section of that type (SHT_...), or null.
  const Elf64_Shdr* SectionOfType(std::uint32_t type) const;
  // Its bytes, 16 MiB at most. `what` is for messages.
  std::string BytesOf(const Elf64_Shdr& section, const std::string& what) const;
  // The strings that a section refers to.
  std::string StringsOf(const Elf64_Shdr& section, const std::string& what) const;
  // The section as structs.
  template <class T>
  std::vector<T> TableOf(const Elf64_Shdr& section, const std::string& what) const {
    return Table<T>(what, section.sh_offset, section.sh_size / sizeof(T));
  }

 private:
  std::string Bytes(const std::string& what, std::uint64_t offset, std::uint64_t length) const;

  template <class T>
  std::vector<T> Table(const std::string& what, std::uint64_t offset, std::uint64_t count) const {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::uint64_t kMostEntries = 1u << 24;  // keeps the product far below 2^64
    const std::uint64_t length = std::min(count, kMostEntries) * sizeof(T);
    std::vector<T> table;
    if (length == 0) return table;
    const std::string bytes = Bytes(what, offset, length);
    table.resize(bytes.size() / sizeof(T));
    std::memcpy(table.data(), bytes.data(), bytes.size());
    return table;
  }

  void CheckKind() const;
  void CheckHeader() const;
  void ReadSections();
  void ReadSegments();
  std::string SectionNames() const;

  std::uint64_t size_;
  const ByteReader& read_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Phdr> segments_;
};

// The text at that place of a string table, 4096 bytes at most; "" if it has none.
std::string_view StringAt(std::string_view strings, std::uint64_t offset);

}  // namespace crossfold
