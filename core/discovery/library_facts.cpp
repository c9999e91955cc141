#include "discovery/library_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <system_error>

#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

// More than any sound library has.
constexpr std::size_t kMostVersions = 100000;

std::string Clean(std::string_view text) { return CleanText(std::string(text).c_str()); }

// Symbols that the linker defines itself, in every library.
bool IsOfLinker(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {"_init", "_fini", "_end", "_edata",
                                                      "__bss_start"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

void ReadSymbols(const ElfFile& file, LibraryFacts& facts) {
  const Elf64_Shdr* section = file.SectionOfType(SHT_DYNSYM);
  if (section == nullptr) return;
  const std::string names = file.StringsOf(*section, "symbol names");
  for (const Elf64_Sym& symbol : file.TableOf<Elf64_Sym>(*section, "symbol table")) {
    const unsigned bind = ELF64_ST_BIND(symbol.st_info);
    const bool is_visible = bind == STB_GLOBAL || bind == STB_WEAK || bind == STB_GNU_UNIQUE;
    if (!is_visible || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view name = StringAt(names, symbol.st_name);
    if (name.empty() || IsOfLinker(name)) continue;
    facts.exported.push_back({Clean(name), bind == STB_GNU_UNIQUE});
  }
}

void AddPaths(std::string_view paths, std::vector<std::string>& to) {
  for (;;) {
    const std::size_t colon = paths.find(':');
    to.push_back(Clean(paths.substr(0, colon)));
    if (colon == std::string_view::npos) return;
    paths.remove_prefix(colon + 1);
  }
}

void ReadDynamic(const ElfFile& file, LibraryFacts& facts) {
  const Elf64_Shdr* section = file.SectionOfType(SHT_DYNAMIC);
  if (section == nullptr) return;
  const std::string strings = file.StringsOf(*section, "strings of the dynamic section");
  for (const Elf64_Dyn& entry : file.TableOf<Elf64_Dyn>(*section, "dynamic section")) {
    switch (entry.d_tag) {
      case DT_NULL:
        return;
      case DT_NEEDED:
        facts.needed.push_back(Clean(StringAt(strings, entry.d_un.d_val)));
        break;
      case DT_RPATH:
      case DT_RUNPATH:
        AddPaths(StringAt(strings, entry.d_un.d_val), facts.run_paths);
        break;
      case DT_TEXTREL:
        facts.has_text_relocations = true;
        break;
      case DT_FLAGS:
        if ((entry.d_un.d_val & DF_TEXTREL) != 0) facts.has_text_relocations = true;
        break;
      default:
        break;
    }
  }
}

template <class T>
std::optional<T> StructAt(std::string_view bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// A list of libraries, each with a list of versions; the next entry is so many bytes further.
void ReadVersions(const ElfFile& file, LibraryFacts& facts) {
  const Elf64_Shdr* section = file.SectionOfType(SHT_GNU_verneed);
  if (section == nullptr) return;
  const std::string strings = file.StringsOf(*section, "names of versions");
  const std::string bytes = file.BytesOf(*section, "needed versions");
  for (std::size_t at = 0;;) {
    const auto library = StructAt<Elf64_Verneed>(bytes, at);
    if (!library) throw Defect{"its list of needed versions is damaged"};
    std::size_t entry_at = at + library->vn_aux;
    for (std::size_t i = 0; i < library->vn_cnt; ++i) {
      const auto entry = StructAt<Elf64_Vernaux>(bytes, entry_at);
      if (!entry || facts.versions.size() >= kMostVersions) {
        throw Defect{"its list of needed versions is damaged"};
      }
      facts.versions.push_back(Clean(StringAt(strings, entry->vna_name)));
      entry_at += entry->vna_next;
    }
    if (library->vn_next == 0) return;
    at += library->vn_next;
  }
}

// Without the segment that says what the stack may do, it may do everything.
bool HasExecutableStack(const ElfFile& file) {
  for (const Elf64_Phdr& segment : file.segments()) {
    if (segment.p_type == PT_GNU_STACK) return (segment.p_flags & PF_X) != 0;
  }
  return true;
}

template <class ReadInto>
LibraryReading ReadPart(std::uint64_t size, const ByteReader& read, const ReadInto& read_into) {
  LibraryReading reading;
  try {
    read_into(ElfFile(size, read), reading.facts);
  } catch (const Defect& defect) {
    reading = {{}, defect.text};
  }
  return reading;
}

// {2, 34} for "2.34"; empty if it is not a list of numbers.
std::vector<int> NumbersOf(std::string_view text) {
  std::vector<int> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    int number = 0;
    const auto [next, failure] = std::from_chars(at, end, number);
    if (failure != std::errc() || (next != end && *next != '.')) return {};
    numbers.push_back(number);
    at = next == end ? end : next + 1;
  }
  return numbers;
}

}  // namespace

std::string LibraryFacts::HighestVersion(std::string_view prefix) const {
  std::vector<int> highest;
  std::string found;
  for (const std::string& version : versions) {
    if (!version.starts_with(prefix) || version.size() <= prefix.size() ||
        version[prefix.size()] != '_') {
      continue;
    }
    std::vector<int> numbers = NumbersOf(std::string_view(version).substr(prefix.size() + 1));
    if (numbers <= highest) continue;
    highest = std::move(numbers);
    found = version;
  }
  return found;
}

LibraryReading ReadLibraryFacts(std::uint64_t size, const ByteReader& read) {
  return ReadPart(size, read, [](const ElfFile& file, LibraryFacts& facts) {
    ReadSymbols(file, facts);
    ReadDynamic(file, facts);
    ReadVersions(file, facts);
    facts.has_executable_stack = HasExecutableStack(file);
  });
}

LibraryReading ReadLibraryNeeds(std::uint64_t size, const ByteReader& read) {
  return ReadPart(size, read, &ReadDynamic);
}

LibraryReading ReadLibraryFacts(std::string_view file) {
  return ReadLibraryFacts(file.size(), ReaderOf(file));
}

}  // namespace crossfold
