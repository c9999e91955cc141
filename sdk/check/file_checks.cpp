// Checks of the file without loading it: what it exports and what it needs.
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/plugin_entry.h"
#include "crossfold/error.h"
#include "discovery/library_facts.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_folder.h"
#include "files/file_bytes.h"

namespace crossfold::check {
namespace {

constexpr std::string_view kEntry = "crossfold_plugin_v1";

LibraryFacts FactsOf(const CheckContext& context) {
  LibraryReading reading = ReadLibraryFacts(ReadFileBytes(context.file()));
  if (!reading.problem.empty()) throw Error(ErrorKind::kBadPlugin, reading.problem);
  return std::move(reading.facts);
}

// "a, b, c and 5 more"
template <class List>
std::string Listed(const List& names, std::size_t most) {
  std::string text;
  std::size_t n = 0;
  for (const std::string& name : names) {
    if (n < most) text += (n == 0 ? "" : ", ") + name;
    ++n;
  }
  return n > most ? text + " and " + std::to_string(n - most) + " more" : text;
}

void FileArch(CheckContext& context) {
  if (context.is_folder()) {
    const PluginFolder folder(context.file());
    if (!folder.problem().empty()) return context.Fail(folder.problem());
    context.Note(std::to_string(folder.files().size()) + " files, SHA-256 " + folder.Sha256());
  }
  const ManifestReading reading = ReadManifestFile(context.file());
  if (!reading.problem.empty()) context.Fail(reading.problem);
}

void FileExports(CheckContext& context) {
  context.NeedsLibrary();
  const LibraryFacts facts = FactsOf(context);
  std::vector<std::string> others, unique;
  bool has_entry = false;
  for (const LibraryFacts::Symbol& symbol : facts.exported) {
    if (symbol.is_unique) unique.push_back(symbol.name);
    if (symbol.name == kEntry) {
      has_entry = true;
    } else {
      others.push_back(symbol.name);
    }
  }
  constexpr std::size_t kMax = 3;
  if (!has_entry)
    context.Skip("see descriptor-complete: it does not export " + std::string(kEntry));
  if (!others.empty()) {
    context.Fail("it exports " + std::to_string(others.size()) + " symbols besides " +
                 std::string(kEntry) + ": " + Listed(others, kMax));
  }
  if (!unique.empty()) {
    context.Fail(std::to_string(unique.size()) +
                 " of its symbols are unique in the whole process (STB_GNU_UNIQUE): " +
                 Listed(unique, kMax));
  }
}

// "libgomp.so.1" for one of the libraries that run OpenMP threads; "" for others.
std::string OpenMpRuntime(const std::string& library) {
  for (const char* name : {"libgomp.so", "libomp.so", "libiomp5.so"}) {
    if (library.starts_with(name)) return library;
  }
  return "";
}

// The names of everything that is loaded now, including the libraries of libraries.
std::set<std::string> LoadedOpenMpRuntimes() {
  std::set<std::string> found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* set) {
        const std::filesystem::path path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        const std::string name = OpenMpRuntime(path.filename().string());
        if (!name.empty()) static_cast<std::set<std::string>*>(set)->insert(name);
        return 0;
      },
      &found);
  return found;
}

// Whether a folder of the run path moves with the file.
bool IsNextToFile(const std::string& folder, const std::filesystem::path& file) {
  if (folder.starts_with("$ORIGIN") || folder.starts_with("${ORIGIN}")) return true;
  const std::filesystem::path own = file.parent_path().lexically_normal();
  const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
  return std::mismatch(own.begin(), own.end(), path.begin(), path.end()).first == own.end();
}

void FileNeeded(CheckContext& context) {
  context.NeedsLibrary();
  const LibraryFacts facts = FactsOf(context);
  for (const std::string& folder : facts.run_paths) {
    if (IsNextToFile(folder, context.file())) continue;
    context.Fail("it looks for libraries in '" + folder +
                 "' (RPATH or RUNPATH), which other machines do not have; write $ORIGIN instead");
  }
  if (facts.has_executable_stack) {
    context.Fail("it asks for an executable stack, which hardened systems refuse");
  }
  if (facts.has_text_relocations) {
    context.Fail("it changes its code when it is loaded (text relocations); build it with -fPIC");
  }
  LoadEntry(context.file());
  const std::set<std::string> runtimes = LoadedOpenMpRuntimes();
  if (runtimes.size() > 1) {
    context.Fail("it brings " + std::to_string(runtimes.size()) +
                 " OpenMP runtimes into one process, each with its own threads: " +
                 Listed(runtimes, runtimes.size()));
  }
  context.Note("needs " +
               (facts.needed.empty() ? "no library" : Listed(facts.needed, facts.needed.size())));
  std::vector<std::string> versions;
  for (const char* prefix : {"GLIBC", "GLIBCXX", "CXXABI"}) {
    const std::string highest = facts.HighestVersion(prefix);
    if (!highest.empty()) versions.push_back(highest);
  }
  if (!versions.empty()) context.Note("at least " + Listed(versions, versions.size()));
}

constexpr Check kFileChecks[] = {
    {"file-arch", CheckScope::kFile, 1, false, "",
     "an ELF library for this machine, or a folder, with a valid manifest", &FileArch},
    {"file-exports", CheckScope::kFile, 1, true, "file-arch",
     "the entry function is its only dynamic symbol; none is unique in the process", &FileExports},
    {"file-needed", CheckScope::kFile, 1, true, "file-arch",
     "it needs nothing that other machines lack or refuse; libraries and versions are listed",
     &FileNeeded},
};

}  // namespace

std::span<const Check> FileChecks() { return kFileChecks; }

}  // namespace crossfold::check
