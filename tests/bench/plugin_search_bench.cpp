// What 200 plugins cost at every start (budget 300 ms, warm): read from their manifests, held to a
// lock, known from earlier scans; and the first scan, a process for each.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "crossfold/plugin_host.h"

namespace {

namespace fs = std::filesystem;
using crossfold::PluginHost;
using crossfold::PluginHostOptions;

constexpr int kPlugins = 200;

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Copies of one plugin in a folder of their own, each with an id of its own.
class Copies {
 public:
  // The id ends in as many letters as there are digits in the ids of the copies.
  Copies(const fs::path& plugin, const std::string& id) {
    constexpr std::size_t kDigits = 4;
    std::string pattern = (fs::temp_directory_path() / "crossfold-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    const std::string bytes = ReadBytes(plugin);
    for (int i = 0; i < kPlugins; ++i) {
      std::string copy = bytes, number = std::to_string(i);
      number.insert(0, kDigits - number.size(), '0');
      for (std::size_t at = 0; (at = copy.find(id, at)) != std::string::npos; at += id.size()) {
        copy.replace(at + id.size() - kDigits, kDigits, number);
      }
      std::ofstream(folder_ / (number + ".crossfold.so"), std::ios::binary) << copy;
    }
  }
  ~Copies() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

Copies Listed() { return {CROSSFOLD_BENCH_LISTED_PLUGIN, "bad.good"}; }
Copies Unlisted() { return {CROSSFOLD_BENCH_UNLISTED_PLUGIN, "org.example.unlisted"}; }

PluginHostOptions Only(const Copies& copies) {
  PluginHostOptions options;
  options.paths = {copies.folder()};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

PluginHostOptions Scanning(const Copies& copies, const char* cache) {
  PluginHostOptions options = Only(copies);
  options.scan.where = crossfold::ScanOptions::Where::kInProcess;
  options.scan.cache = copies.folder() / cache;
  options.scan.program = CROSSFOLD_BENCH_WORKER;
  return options;
}

// All of them must be usable.
void Search(const PluginHostOptions& options, benchmark::State& state) {
  const auto entries = PluginHost(options).entries();
  const auto usable = std::count_if(entries.begin(), entries.end(),
                                    [](const auto& entry) { return entry.rejected.empty(); });
  if (usable != kPlugins) state.SkipWithError("a plugin cannot be used");
}

void FromManifests(benchmark::State& state) {
  const Copies copies = Listed();
  for (auto _ : state) Search(Only(copies), state);
}
BENCHMARK(FromManifests)->UseRealTime()->Unit(benchmark::kMillisecond);

void UnderALock(benchmark::State& state) {
  const Copies copies = Listed();
  PluginHostOptions options = Only(copies);
  options.hash_files = true;
  crossfold::PluginLock lock;
  for (const auto& entry : PluginHost(options).entries()) {
    lock.plugins.push_back({entry.id, entry.version, "", entry.sha256, 1, 0});
  }
  options.lock = lock;
  for (auto _ : state) Search(options, state);
}
BENCHMARK(UnderALock)->UseRealTime()->Unit(benchmark::kMillisecond);

void FromEarlierScans(benchmark::State& state) {
  const Copies copies = Unlisted();
  Search(Scanning(copies, "scan.json"), state);
  for (auto _ : state) Search(Scanning(copies, "scan.json"), state);
}
BENCHMARK(FromEarlierScans)->UseRealTime()->Unit(benchmark::kMillisecond);

void TheFirstScan(benchmark::State& state) {
  const Copies copies = Unlisted();
  for (auto _ : state) {
    PluginHostOptions options = Scanning(copies, "scan.json");
    options.scan.again = true;
    Search(options, state);
  }
}
BENCHMARK(TheFirstScan)->UseRealTime()->Unit(benchmark::kMillisecond)->Iterations(1);

void ProgramThatListsThem(benchmark::State& state) {
  const Copies copies = Listed();
  std::string program = CROSSFOLD_BENCH_PROGRAM,
              option = "--plugin-path=" + copies.folder().string(), command = "plugin",
              list = "list";
  char* argv[] = {program.data(), option.data(), command.data(), list.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", O_WRONLY, 0);
  for (auto _ : state) {
    pid_t child = 0;
    int status = 1;
    if (posix_spawn(&child, program.c_str(), &silent, nullptr, argv, environ) != 0 ||
        waitpid(child, &status, 0) != child || status != 0) {
      state.SkipWithError("the program failed");
    }
  }
  posix_spawn_file_actions_destroy(&silent);
}
BENCHMARK(ProgramThatListsThem)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
