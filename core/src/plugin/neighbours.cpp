#include "plugin/neighbours.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxEntries = 1u << 16;
constexpr std::uint64_t kMaxNames = 1u << 24;

// `count` structs at that offset; none if the file has not so many.
template <class T>
std::vector<T> ReadTable(const PluginFile& file, std::uint64_t offset, std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count > kMaxEntries || offset > file.size() || count * sizeof(T) > file.size() - offset) {
    return {};
  }
  std::vector<T> table(static_cast<std::size_t>(count));
  const std::span bytes(reinterpret_cast<char*>(table.data()), table.size() * sizeof(T));
  if (!file.Read(offset, bytes)) table.clear();
  return table;
}

// What the dynamic section says about other libraries.
struct Needs {
  std::vector<std::string> libraries;
  std::string run_path;  // colon-separated
};

// Where the bytes at a virtual address lie in the file, and how many follow in their segment.
std::pair<std::uint64_t, std::uint64_t> PlaceOf(std::uint64_t address,
                                                std::span<const Elf64_Phdr> segments) {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t within = address - segment.p_vaddr;
    if (within < segment.p_filesz) return {segment.p_offset + within, segment.p_filesz - within};
  }
  return {0, 0};
}

std::string NameAt(std::string_view names, std::uint64_t index) {
  if (index >= names.size()) return "";
  const std::string_view rest = names.substr(static_cast<std::size_t>(index));
  return std::string(rest.substr(0, rest.find('\0')));
}

Needs NamesIn(std::span<const Elf64_Dyn> entries, std::string_view names) {
  Needs needs;
  std::string old_run_path;  // DT_RPATH, which counts only if there is no DT_RUNPATH
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_NEEDED) needs.libraries.push_back(NameAt(names, entry.d_un.d_val));
    if (entry.d_tag == DT_RUNPATH) needs.run_path = NameAt(names, entry.d_un.d_val);
    if (entry.d_tag == DT_RPATH) old_run_path = NameAt(names, entry.d_un.d_val);
  }
  if (needs.run_path.empty()) needs.run_path = old_run_path;
  return needs;
}

Needs ReadNeeds(const PluginFile& file) {
  const std::vector<Elf64_Ehdr> header = ReadTable<Elf64_Ehdr>(file, 0, 1);
  if (header.empty() || header[0].e_phentsize != sizeof(Elf64_Phdr)) return {};
  const auto segments = ReadTable<Elf64_Phdr>(file, header[0].e_phoff, header[0].e_phnum);
  const auto dynamic = std::find_if(segments.begin(), segments.end(),
                                    [](const Elf64_Phdr& s) { return s.p_type == PT_DYNAMIC; });
  if (dynamic == segments.end()) return {};
  const auto entries =
      ReadTable<Elf64_Dyn>(file, dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn));
  std::uint64_t address = 0, size = 0;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) address = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) size = entry.d_un.d_val;
  }
  const auto [offset, most] = PlaceOf(address, segments);
  std::string names(static_cast<std::size_t>(std::min({size, most, kMaxNames, file.size()})), '\0');
  if (names.empty() || !file.Read(offset, names)) return {};
  return NamesIn(entries, names);
}

// The folders of a run path that begin with $ORIGIN, expanded.
std::vector<fs::path> OwnFolders(std::string_view run_path, const fs::path& origin) {
  std::vector<fs::path> folders;
  while (!run_path.empty()) {
    const std::size_t colon = std::min(run_path.find(':'), run_path.size());
    const std::string_view entry = run_path.substr(0, colon);
    run_path.remove_prefix(std::min(colon + 1, run_path.size()));
    for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"}) {
      if (!entry.starts_with(token)) continue;
      const std::string_view rest = entry.substr(token.size());
      if (rest.empty() || rest.front() == '/') {
        folders.emplace_back(origin.string() + std::string(rest));
      }
    }
  }
  return folders;
}

}  // namespace

std::vector<fs::path> NeighboursOf(const PluginFile& file, const fs::path& path) {
  const Needs needs = ReadNeeds(file);
  const std::vector<fs::path> folders = OwnFolders(needs.run_path, path.parent_path());
  std::vector<fs::path> found;
  for (const std::string& library : needs.libraries) {
    if (library.empty() || library.find('/') != std::string::npos) continue;
    for (const fs::path& folder : folders) {
      std::error_code failure;
      const fs::path place = folder / library;
      if (!fs::is_regular_file(place, failure)) continue;
      found.push_back(place.lexically_normal());
      break;
    }
  }
  return found;
}

}  // namespace crossfold
