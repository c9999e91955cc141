// What is left of worker processes afterwards: nothing.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <thread>

#include "crossfold/cancel_token.h"
#include "crossfold/shared_work.h"
#include "temporary_folder.h"
#include "unit/isolate/isolated_cells.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct ProcessEntry {
  pid_t pid = 0, parent = 0, group = 0;
  char state = '?';
};

// From /proc/PID/stat, see proc(5). Zombies, which are gone but for their parent, are left out.
std::vector<ProcessEntry> LiveProcesses() {
  std::vector<ProcessEntry> processes;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/proc", failure)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string line;
    if (!std::getline(file, line)) continue;
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    ProcessEntry process;
    process.pid = std::stoi(name);
    fields >> process.state >> process.parent >> process.group;
    if (process.state != 'Z') processes.push_back(process);
  }
  return processes;
}

std::set<pid_t> ChildrenOf(pid_t parent) {
  std::set<pid_t> children;
  for (const ProcessEntry& process : LiveProcesses()) {
    if (process.parent == parent) children.insert(process.pid);
  }
  return children;
}

std::size_t CountInGroups(const std::set<pid_t>& groups) {
  const auto all = LiveProcesses();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [&](const auto& process) { return groups.contains(process.group); }));
}

std::size_t CountDescriptors() {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

bool ComesTrue(const std::function<bool()>& condition, std::chrono::milliseconds within) {
  const auto end = Clock::now() + within;
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

CellBlock Debugging(const char* action, std::int32_t folds, Isolation isolation,
                    std::int64_t when_row = -1) {
  return AllSplits(Learner("debug", {{"action", std::string(action)},
                                     {"stage", std::string("predict")},
                                     {"when_row", when_row}}),
                   Folds(Iris(), folds), isolation);
}

TEST(ProcessHygieneTest, TwoHundredDeathsLeaveNothingBehind) {
  std::set<pid_t> groups;
  std::size_t descriptors = 0;
  {
    WorkerProcesses workers(WithLimits({}));
    RunIn(workers, {Debugging("log", 2, Isolation::kWorker)});
    descriptors = CountDescriptors();
    for (int run = 0; run < 2; ++run) {
      for (const Outcome& cell : RunIn(workers, {Debugging("exit", 50, Isolation::kWorker)})) {
        EXPECT_EQ(cell.status, OutcomeStatus::kFailed);
      }
      for (const Outcome& cell : RunIn(workers, {Debugging("exit", 50, Isolation::kFresh)})) {
        EXPECT_EQ(cell.status, OutcomeStatus::kFailed);
      }
    }
    // The sealed memory of a dataset goes when the dataset has gone and others are shared.
    RunIn(workers, {Debugging("log", 2, Isolation::kWorker)});
    EXPECT_LE(CountDescriptors(), descriptors + 3);  // at most one more idle process
    EXPECT_LE(ChildrenOf(::getpid()).size(), 2u);
    groups = ChildrenOf(::getpid());
  }
  EXPECT_EQ(ChildrenOf(::getpid()).size(), 0u);
  EXPECT_EQ(CountInGroups(groups), 0u);
}

TEST(ProcessHygieneTest, ProcessesThatAPluginStartedEndWithTheirWorker) {
  std::set<pid_t> groups;
  std::mutex mutex;
  RunOptions options;
  std::size_t most = 0;
  options.on_finished = [&](std::size_t, Outcome&) {
    const std::lock_guard lock(mutex);
    groups.merge(ChildrenOf(::getpid()));
    most = std::max(most, CountInGroups(groups));
  };
  {
    WorkerProcesses workers(WithLimits({}));
    options.workers = 1;
    for (const Outcome& cell :
         RunIn(workers, {Debugging("fork", 3, Isolation::kWorker)}, options)) {
      EXPECT_EQ(cell.status, OutcomeStatus::kOk);
    }
  }
  EXPECT_GT(most, 1u);  // the children were there
  EXPECT_TRUE(ComesTrue([&] { return CountInGroups(groups) == 0; }, std::chrono::seconds(2)));
}

TEST(ProcessHygieneTest, ACancellationKillsWhatHangs) {
  CancelToken cancel;
  RunOptions options;
  options.workers = 2;
  options.cancel = &cancel;
  WorkerProcesses workers(WithLimits({}));
  Clock::time_point cancelled_at;
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    cancelled_at = Clock::now();
    cancel.Cancel();
  });
  const auto got = RunIn(workers, {Debugging("hang", 5, Isolation::kWorker)}, options);
  const auto late = Clock::now() - cancelled_at;
  canceller.join();
  // 100 ms, and room for a machine that does other things.
  EXPECT_LT(late, std::chrono::milliseconds(kSanitized ? 2000 : 500));
  for (const Outcome& cell : got) EXPECT_EQ(cell.status, OutcomeStatus::kCancelled);
  EXPECT_EQ(ChildrenOf(::getpid()).size(), 0u);
}

TEST(ProcessHygieneTest, ARunTakesTheProcessesThatTheSystemGives) {
  const test::TemporaryFolder folder;
  const fs::path program = folder.path() / "worker";
  // The second worker and all later ones find no room.
  std::ofstream(program) << "#!/bin/sh\nmkdir '" << (folder.path() / "taken").string()
                         << "' || exit 1\nexec '" CROSSFOLD_WORKER_PROGRAM "' \"$@\"\n";
  fs::permissions(program, fs::perms::owner_all);
  RunOptions options;
  options.workers = 4;
  options.shared = std::make_shared<SharedWork>();
  std::string lines;
  options.log = [&](std::int32_t, const std::string& line) { lines += line + "\n"; };
  // Its folds share no pass, which would be divided for the cores only.
  const auto block = AllSplits(Learner("decision_tree", {}), Folds(Iris(), 8), Isolation::kWorker);
  WorkerProcesses few({program, {}}), all(WithLimits({}));
  EXPECT_EQ(BytesOf(RunIn(few, {block}, options)), BytesOf(RunIn(all, {block})));
  EXPECT_EQ(
      lines,
      "cannot start 4 workers: the system allows no more threads or processes; the run continues "
      "with 1; ask for fewer, or raise its limits (ulimit -u, ulimit -v)\n");
}

TEST(ProcessHygieneTest, WorkersServeLaterRunsToo) {
  WorkerProcesses workers(WithLimits({}));
  RunOptions options;
  options.workers = 1;
  const auto splits = Folds(Iris(), 3);
  const auto block = AllSplits(Learner("knn", {}), splits, Isolation::kWorker);
  const auto first = RunIn(workers, {block}, options);
  const std::set<pid_t> children = ChildrenOf(::getpid());
  EXPECT_EQ(children.size(), 1u);
  EXPECT_EQ(BytesOf(RunIn(workers, {block}, options)), BytesOf(first));
  EXPECT_EQ(ChildrenOf(::getpid()), children);
}

TEST(ProcessHygieneTest, AWorkerThatWasKilledMeanwhileIsReplaced) {
  WorkerProcesses workers(WithLimits({}));
  const auto block = AllSplits(Learner("knn", {}), Folds(Iris(), 3), Isolation::kWorker);
  const auto first = RunIn(workers, {block});
  for (const pid_t child : ChildrenOf(::getpid())) ::kill(child, SIGKILL);
  EXPECT_EQ(BytesOf(RunIn(workers, {block})), BytesOf(first));
}

// Not a test: what the next one starts and kills.
TEST(ProcessHygieneHost, DISABLED_HangsInAWorker) {
  WorkerProcesses workers(WithLimits({}));
  RunIn(workers, {Debugging("hang", 2, Isolation::kWorker)});
}

TEST(ProcessHygieneTest, WorkersDieWithTheirProgramHoweverItEnds) {
  std::string program = fs::canonical("/proc/self/exe");
  std::string filter = "--gtest_filter=*DISABLED_HangsInAWorker",
              all = "--gtest_also_run_disabled_tests";
  char* const arguments[] = {program.data(), filter.data(), all.data(), nullptr};
  ::unsetenv("GTEST_TOTAL_SHARDS");  // or else the test may be in another part than this one
  ::unsetenv("GTEST_SHARD_INDEX");
  posix_spawn_file_actions_t silent;  // its cases are none of this program's
  ::posix_spawn_file_actions_init(&silent);
  ::posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t host = -1;
  const int error = ::posix_spawn(&host, program.c_str(), &silent, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&silent);
  ASSERT_EQ(error, 0);
  std::set<pid_t> workers;
  const bool started = ComesTrue(
      [&] {
        workers = ChildrenOf(host);
        return !workers.empty();
      },
      std::chrono::seconds(30));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  ASSERT_TRUE(started);
  EXPECT_TRUE(ComesTrue([&] { return CountInGroups(workers) == 0; }, std::chrono::seconds(5)));
}

}  // namespace
}  // namespace crossfold
