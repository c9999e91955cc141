// Checks of the file: without loading it, of loading it, and of entering it.
#include <dlfcn.h>
#include <link.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/plugin_entry.h"
#include "check/process_snapshot.h"
#include "crossfold/error.h"
#include "discovery/library_facts.h"
#include "discovery/load_error.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_folder.h"
#include "discovery/plugin_loader.h"
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
    if (context.FailIf("", folder.problem())) return;
    context.Note(std::to_string(folder.files().size()) + " files, SHA-256 " + folder.Sha256());
  }
  const ManifestReading reading = ReadManifestFile(context.file());
  context.FailIf("", reading.problem);
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

// Checks of loading the file, and of entering it.

void LoadNowLocal(CheckContext& context) {
  if (context.is_folder()) {
    const LoadResult result = LoadPlugin(context.file(), ReadManifestFile(context.file()).manifest);
    context.FailIf("", result.problem);
    return;
  }
  if (::dlopen(context.file().c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return;
  const char* complaint = ::dlerror();
  context.Fail(ExplainLoadError(complaint == nullptr ? "" : complaint, context.file()));
}

cf_plugin_fn RequiredEntry(CheckContext& context) {
  const cf_plugin_fn entry = LoadEntry(context.file());
  if (entry == nullptr) context.Skip("it has no entry function; see descriptor-complete");
  return entry;
}

// ---- load-time ----------------------------------------------------------------------------------

using Milliseconds = std::chrono::duration<double, std::milli>;

Milliseconds CpuTime() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// The time that this thread was ready to run, but waited for a processor, which a busy machine adds
// to every measured time. 0 if the system does not report it.
Milliseconds WaitedForProcessor() {
  std::ifstream in("/proc/thread-self/schedstat");
  std::int64_t ran = 0, waited = 0;
  in >> ran >> waited;
  return std::chrono::nanoseconds(in ? waited : 0);
}

std::int64_t TimesAsleep() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

// The part of the time of `work` that it causes itself, even on a busy machine: its computation,
// and waiting for anything else than a processor.
Milliseconds OwnTime(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const Milliseconds cpu = CpuTime(), waited = WaitedForProcessor();
  const std::int64_t asleep = TimesAsleep();
  work();
  const Milliseconds computed = CpuTime() - cpu;
  const Milliseconds others = WaitedForProcessor() - waited;
  const Milliseconds all = std::chrono::steady_clock::now() - start;
  return TimesAsleep() == asleep ? computed : std::max(computed, all - others);
}

void LoadTime(CheckContext& context) {
  context.NeedsLibrary();
  constexpr Milliseconds kMax{100};
  const Manifest manifest = ReadManifestFile(context.file()).manifest;
  const Milliseconds time = OwnTime([&] {
    const Entered entered = Enter(RequiredEntry(context), CF_ABI_MINOR);
    if (entered.plugin != nullptr) DescribeTables(*entered.plugin, manifest);
  });
  if (time <= kMax) return;
  context.Fail("loading it, entering it and reading its tables took " +
               std::to_string(static_cast<std::int64_t>(time.count())) + " ms; more than " +
               std::to_string(static_cast<std::int64_t>(kMax.count())) +
               " ms are a delay for everyone who lists plugins");
}

// ---- load-clean ---------------------------------------------------------------------------------

void LoadClean(CheckContext& context) {
  context.NeedsLibrary();
  cf_plugin_fn entry = nullptr;
  const auto watch = [&context](const std::string& deed, const std::function<void()>& work) {
    ProcessWatch process;
    work();
    for (const ProcessChange& change : process.Finish()) context.Fail(deed + " " + change.text);
  };
  watch("loading it", [&] { entry = LoadEntry(context.file()); });
  if (entry == nullptr) context.Skip("it has no entry function; see descriptor-complete");
  watch("its entry function", [&] { Enter(entry, CF_ABI_MINOR); });
}

// ---- load-twice, abi-foreign-minor --------------------------------------------------------------

// The first line in which the two differ: "'a: 1' instead of 'a: 2'".
std::string FirstDifference(const std::string& got, const std::string& expected) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()) && got[i] == expected[i]; ++i) {
    if (got[i] == '\n') start = i + 1;
  }
  const auto line = [start](const std::string& text) {
    return "'" + text.substr(start, text.find('\n', start) - start) + "'";
  };
  return line(got) + " instead of " + line(expected);
}

// Enters the plugin over and over, and fails if a call gives no tables or tables that differ from
// the first.
class Entrance {
 public:
  explicit Entrance(CheckContext& context)
      : context_(context),
        entry_(RequiredEntry(context)),
        manifest_(ReadManifestFile(context.file()).manifest) {
    const Entered first = Enter(entry_, CF_ABI_MINOR, {});
    if (!first.problem.empty()) context.Skip("see descriptor-complete: " + first.problem);
    expected_ = DescribeTables(*first.plugin, manifest_);
  }

  // `when` names the call, as in "the second call".
  void Again(const std::string& when, std::uint32_t minor, const ProbeOptions& options = {}) {
    const std::string got = Tables(when, minor, options);
    if (got.empty() || expected_.empty() || got == expected_) return;
    context_.Fail(when + " gives other tables than the first: " + FirstDifference(got, expected_));
  }

 private:
  // "" if there are none.
  std::string Tables(const std::string& when, std::uint32_t minor, const ProbeOptions& options) {
    const Entered entered = Enter(entry_, minor, options);
    if (entered.problem.empty()) return DescribeTables(*entered.plugin, manifest_);
    context_.Fail(when + " gives no tables: " + entered.problem);
    return "";
  }

  CheckContext& context_;
  cf_plugin_fn entry_;
  Manifest manifest_;
  std::string expected_;
};

void LoadTwice(CheckContext& context) {
  context.NeedsLibrary();
  Entrance entrance(context);
  entrance.Again("the second call, by another host", CF_ABI_MINOR);
  std::thread([&entrance] { entrance.Again("a call by another thread", CF_ABI_MINOR); }).join();
  entrance.Again("the call after that", CF_ABI_MINOR);
}

// A plugin may decline a host that is older than itself, if it says why.
void AbiForeignMinor(CheckContext& context) {
  context.NeedsLibrary();
  Entrance entrance(context);
  constexpr std::uint32_t kNewest = 999;
  constexpr std::uint32_t kFirstSize = offsetof(cf_host, scratch) + sizeof(cf_host::scratch);
  constexpr std::uint32_t kLaterFields = 64;
  const std::uint32_t own = ReadManifestFile(context.file()).manifest.abi_minor;
  ProbeOptions oldest;
  oldest.abi_minor = 0;
  oldest.host_struct_size = kFirstSize;
  if (own == 0) entrance.Again("a call by a host of version 1.0", 0, oldest);
  ProbeOptions newest;
  newest.abi_minor = kNewest;
  newest.host_struct_size = sizeof(cf_host) + kLaterFields;
  entrance.Again("a call by a host of version 1.999", kNewest, newest);
}

constexpr Check kFileChecks[] = {
    {"file-arch", kFile, 1, false, "",
     "an ELF library for this machine, or a folder, with a valid manifest", &FileArch},
    {"file-exports", kFile, 1, true, "file-arch",
     "the entry function is its only dynamic symbol; none is unique in the process", &FileExports},
    {"file-needed", kFile, 1, true, "file-arch",
     "it needs nothing that other machines lack or refuse; libraries and versions are listed",
     &FileNeeded},
    {"load-now-local", kFile, 1, false, "file-arch",
     "dlopen(RTLD_NOW | RTLD_LOCAL) succeeds, or the program of a folder starts", &LoadNowLocal},
    {"load-time", kFile, 3, true, "load-now-local",
     "loading, entering and reading the tables takes less than 100 ms", &LoadTime},
    {"load-clean", kFile, 1, false, "load-now-local",
     "loading and entering leave the process as it was", &LoadClean},
    {"load-twice", kFile, 1, false, "load-now-local",
     "every call of the entry function gives the same tables, for any host on any thread",
     &LoadTwice},
    {"abi-foreign-minor", kFile, 1, false, "load-twice",
     "hosts of older and newer minor versions get the same tables", &AbiForeignMinor},
};

}  // namespace

std::span<const Check> FileChecks() { return kFileChecks; }

}  // namespace crossfold::check
