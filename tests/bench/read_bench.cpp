// Reading numeric CSV text: rows x 20 columns such as 0.123456 and -1.2345678. With arguments
// `--once FILE THREADS` it prints the seconds of one reading instead (see read_speed.py).
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "crossfold/read_data.h"
#include "crossfold_plugin/random.hpp"
#include "engine/text/format_number.h"

namespace {

using crossfold::PluginHost;
using crossfold::ReadRequest;
using crossfold::plugin::Random;

constexpr int kColumns = 20;

std::string DigitText(Random& random, int n) {
  std::string digits;
  for (int i = 0; i < n; ++i) digits += static_cast<char>('0' + random.Below(10));
  return digits;
}

std::string NumberText(std::int64_t rows) {
  Random random(1);
  std::string text;
  for (int j = 0; j < kColumns; ++j) text += (j > 0 ? ",x" : "x") + std::to_string(j);
  text += '\n';
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int j = 0; j < kColumns; ++j) {
      if (j > 0) text += ',';
      text += j < kColumns / 2 ? "0." + DigitText(random, 6)
                               : (random.Below(2) == 0 ? "-" : "") + DigitText(random, 1) + "." +
                                     DigitText(random, 7);
    }
    text += '\n';
  }
  return text;
}

const PluginHost& Plugins() {
  static const PluginHost host({.paths = {CROSSFOLD_BENCH_PLUGINS},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

void ReadFile(benchmark::State& state) {
  const auto path = std::filesystem::temp_directory_path() / "crossfold_read_bench.csv";
  std::ofstream(path, std::ios::binary) << NumberText(state.range(0));
  const ReadRequest request{.options = {{"memory_map", state.range(2) != 0}},
                            .threads = static_cast<int>(state.range(1))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(crossfold::ReadData(Plugins(), path.string(), request));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}
BENCHMARK(ReadFile)
    ->ArgNames({"rows", "threads", "map"})
    ->Args({100000, 1, 1})
    ->Args({100000, 2, 1})
    ->Args({100000, 1, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

int ReadOnce(const char* path, int threads) {
  const ReadRequest request{.threads = threads};
  crossfold::FindSource(Plugins(), path, request);  // loads the plugin
  const auto began = std::chrono::steady_clock::now();
  const auto data = crossfold::ReadData(Plugins(), path, request);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
  benchmark::DoNotOptimize(data);
  std::puts(crossfold::FormatFixed(elapsed.count(), 4).c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--once")
    return ReadOnce(argv[2], std::atoi(argv[3]));
  if (argc == 4 && std::string_view(argv[1]) == "--write") {
    std::ofstream(argv[2], std::ios::binary) << NumberText(std::atoll(argv[3]));
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
