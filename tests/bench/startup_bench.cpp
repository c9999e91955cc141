// What a user waits for: the program with an empty script (budget 50 ms), and 1000 candidates x 10
// folds of a learner that does nothing, asked for from Lua (cells in, scores out, start included).
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/wait.h>

#include <string>

extern char** environ;

namespace {

// Runs the program and waits; false if it did not exit with 0.
bool RunScript(const std::string& script) {
  std::string program = CROSSFOLD_BENCH_PROGRAM;
  std::string command = "run";
  std::string path = std::string(CROSSFOLD_BENCH_SCRIPTS) + "/" + script;
  char* argv[] = {program.data(), command.data(), path.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, argv, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void EmptyScript(benchmark::State& state) {
  for (auto _ : state) {
    if (!RunScript("empty.lua")) state.SkipWithError("the program failed");
  }
}
BENCHMARK(EmptyScript)->UseRealTime()->Unit(benchmark::kMillisecond);

void TenThousandCellsFromLua(benchmark::State& state) {
  for (auto _ : state) {
    if (!RunScript("ten_thousand_cells.lua")) state.SkipWithError("the program failed");
  }
}
BENCHMARK(TenThousandCellsFromLua)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
