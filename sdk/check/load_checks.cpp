// Checks of loading the file, and of entering it.
#include <dlfcn.h>
#include <sys/resource.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/plugin_entry.h"
#include "check/process_snapshot.h"
#include "crossfold/error.h"
#include "discovery/load_error.h"
#include "discovery/manifest_file.h"
#include "discovery/plugin_loader.h"

namespace crossfold::check {
namespace {

void LoadNowLocal(CheckContext& context) {
  if (context.is_folder()) {
    const LoadResult result = LoadPlugin(context.file(), ReadManifestFile(context.file()).manifest);
    if (!result.problem.empty()) context.Fail(result.problem);
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

constexpr Check kLoadChecks[] = {
    {"load-now-local", CheckScope::kFile, 1, false, "file-arch",
     "dlopen(RTLD_NOW | RTLD_LOCAL) succeeds, or the program of a folder starts", &LoadNowLocal},
    {"load-time", CheckScope::kFile, 3, true, "load-now-local",
     "loading, entering and reading the tables takes less than 100 ms", &LoadTime},
    {"load-clean", CheckScope::kFile, 1, false, "load-now-local",
     "loading and entering leave the process as it was", &LoadClean},
    {"load-twice", CheckScope::kFile, 1, false, "load-now-local",
     "every call of the entry function gives the same tables, for any host on any thread",
     &LoadTwice},
    {"abi-foreign-minor", CheckScope::kFile, 1, false, "load-twice",
     "hosts of older and newer minor versions get the same tables", &AbiForeignMinor},
};

}  // namespace

std::span<const Check> LoadChecks() { return kLoadChecks; }

}  // namespace crossfold::check
