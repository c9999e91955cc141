// Programs that misbehave, and what becomes of their processes.
#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "temporary_folder.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/exec/probe.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The weighted sum of the features of row 12 of iris, and of no other row. Fold 2 of 5 tests it.
constexpr double kSumOfRow12 = 15.4;
constexpr std::size_t kBadCell = 2;

// Processes that run probe.py and descend from this one.
std::set<pid_t> ProbeProcesses(pid_t ancestor = ::getpid()) {
  std::map<pid_t, pid_t> parents;
  std::set<pid_t> probes;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator("/proc", failure)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat_file(entry.path() / "stat"), command_file(entry.path() / "cmdline");
    std::string line, command;
    std::getline(stat_file, line);
    std::getline(command_file, command);
    char state = 0;
    pid_t parent = 0;
    std::istringstream(line.substr(line.rfind(')') + 1)) >> state >> parent;
    parents[std::stoi(name)] = parent;
    if (state != 'Z' && command.find("probe.py") != std::string::npos)
      probes.insert(std::stoi(name));
  }
  std::erase_if(probes, [&](pid_t pid) {
    while (pid > 1 && pid != ancestor) pid = parents[pid];
    return pid != ancestor;
  });
  return probes;
}

bool ComesTrue(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

// Whether the process has ended: it is a zombie, or nothing.
bool HasEnded(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  return line.substr(line.rfind(')') + 2, 1) == "Z";
}

void KillProbes() {
  for (const pid_t pid : ProbeProcesses()) {
    ::kill(pid, SIGKILL);
    EXPECT_TRUE(ComesTrue([pid] { return HasEnded(pid); }));
  }
}

std::string FitFailure(const ParamValues& values) {
  return test::MessageOf([&] { ProbePrediction(values, AllRows(Iris()), AllRows(Iris())); });
}

// The outcomes of two cells that a cancellation reaches while the program does this.
std::vector<Outcome> RunAndCancel(const std::string& action) {
  CancelToken cancel;
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(200));
    cancel.Cancel();
  });
  RunOptions options;
  options.cancel = &cancel;
  WorkerProcesses workers(WithLimits({}));
  auto cells = RunIn(
      workers, {AllSplits(ProbeLearner(ProbeAction(action)), Folds(Iris(), 2), Isolation::kNone)},
      options);
  canceller.join();
  return cells;
}

class BadProgram : public ::testing::TestWithParam<Isolation> {
 protected:
  // The outcome of the cell in which the program misbehaves; the others must be as ever.
  static Outcome BadCell(const std::string& action, CellLimits limits = {}) {
    const auto splits = Folds(Iris(), 5);
    ParamValues bad = ProbeAction(action);
    bad["stage"] = std::string("predict");
    bad["when_sum"] = kSumOfRow12;
    WorkerProcesses workers(WithLimits(limits));
    RunOptions options;
    options.workers = 2;
    const auto got = RunIn(workers, {AllSplits(ProbeLearner(bad), splits, GetParam())}, options);
    const auto expected =
        RunIn(workers, {AllSplits(ProbeLearner(), splits, Isolation::kNone)}, options);
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (i == kBadCell) continue;
      EXPECT_EQ(BytesOf(got[i]), BytesOf(expected[i])) << "fold " << i;
    }
    EXPECT_EQ(got[kBadCell].status, OutcomeStatus::kFailed);
    return got[kBadCell];
  }
};

TEST_P(BadProgram, FailsItsCellWithTheWayItEnded) {
  for (const auto& [action, message] :
       {std::pair("exit", "its process ended with exit code 3; it wrote: the end of the probe"),
        std::pair("crash", "its process ended by signal 11 (Segmentation fault)"),
        std::pair("garbage", "its process sent something that is not a message and was killed"),
        // A message without an end.
        std::pair("huge", "its process sent something that is not a message and was killed"),
        // A process that leaves a child behind is still seen to end.
        std::pair("orphan", "its process ended with exit code 4")}) {
    EXPECT_EQ(BadCell(action).failure.message, message) << action;
  }
}

TEST_P(BadProgram, AKillFromOutsideIsTheMachines) {
  const Outcome cell = BadCell("killed");
  EXPECT_EQ(cell.failure.message, "its process was ended from outside by signal 9 (Killed)");
  EXPECT_EQ(cell.failure.code, CF_E_IO);
}

TEST_P(BadProgram, AnErrorFailsItsCellAndTheProcessStays) {
  const Outcome cell = BadCell("error");
  EXPECT_EQ(cell.failure.message, "no such rows");
  EXPECT_EQ(cell.failure.code, CF_E_UNSUPPORTED_DATA);
}

INSTANTIATE_TEST_SUITE_P(Modes, BadProgram,
                         ::testing::Values(Isolation::kNone, Isolation::kWorker,
                                           Isolation::kFresh));

TEST(ExecProcessTest, MuchOutputDoesNotBlockTheProgram) {
  EXPECT_EQ(FitFailure(ProbeAction("print")), "");
}

TEST(ExecProcessTest, AHangEndsAtTheTimeLimitOfItsCellAndLeavesNoProcess) {
  const auto before = ProbeProcesses();
  CellLimits limits;
  limits.seconds = 1;
  WorkerProcesses workers(WithLimits(limits));
  const auto cells =
      RunIn(workers,
            {AllSplits(ProbeLearner(ProbeAction("stubborn")), Folds(Iris(), 2), Isolation::kAuto)});
  for (const Outcome& cell : cells) {
    EXPECT_THAT(cell.failure.message,
                StartsWith("the process was stopped after 1 s, the limit of a cell"));
  }
  EXPECT_TRUE(ComesTrue([&] { return ProbeProcesses() == before; }));
}

TEST(ExecProcessTest, MemoryWithoutEndStopsAtTheLimitOfItsCell) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve memory";
  CellLimits limits;
  limits.memory = std::uint64_t{200} << 20;
  WorkerProcesses workers(WithLimits(limits));
  const auto cells =
      RunIn(workers,
            {AllSplits(ProbeLearner(ProbeAction("memory")), Folds(Iris(), 2), Isolation::kAuto)});
  EXPECT_THAT(cells[0].failure.message,
              StartsWith("the process needed more than 200 MiB, the limit of a cell"));
  EXPECT_EQ(cells[0].failure.code, CF_E_OUT_OF_MEMORY);
}

TEST(ExecProcessTest, ACancellationInterruptsTheProgramWhichServesTheNextFit) {
  EXPECT_EQ(FitFailure({}), "");
  const auto before = ProbeProcesses();
  for (const Outcome& cell : RunAndCancel("hang"))
    EXPECT_EQ(cell.status, OutcomeStatus::kCancelled);
  EXPECT_EQ(FitFailure({}), "");
  for (const pid_t pid : before) EXPECT_TRUE(ProbeProcesses().contains(pid));
}

TEST(ExecProcessTest, AnAnswerThatComesAfterTheCancellationDoesNotCount) {
  for (const Outcome& cell : RunAndCancel("late"))
    EXPECT_EQ(cell.status, OutcomeStatus::kCancelled);
}

TEST(ExecProcessTest, AProgramThatEndsOnlyAfterItHasAnsweredFailsNoLaterCell) {
  for (const Outcome& cell : RunAndCancel("late_end"))
    EXPECT_EQ(cell.status, OutcomeStatus::kCancelled);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(FitFailure({}), "");
}

TEST(ExecProcessTest, AProgramThatIgnoresTheCancellationIsKilled) {
  const auto start = std::chrono::steady_clock::now();
  RunAndCancel("stubborn");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(ExecProcessTest, AProcessThatWasKilledWhileNobodyUsedItIsReplaced) {
  EXPECT_EQ(FitFailure({}), "");
  KillProbes();
  EXPECT_EQ(FitFailure({}), "");
}

TEST(ExecProcessTest, AModelWhoseProcessEndedSaysSo) {
  const auto model = FittedModel::Fit(ProbeLearner(), AllRows(Iris()), 1, {});
  KillProbes();
  EXPECT_THAT(test::MessageOf([&] { model->Predict(AllRows(Iris()), {}); }),
              HasSubstr("the process that has the model has ended; fit it again"));
}

TEST(ExecProcessTest, AnEnvironmentThatChangedMeanwhileIsRefused) {
  EXPECT_EQ(FitFailure({}), "");
  KillProbes();
  ::setenv("PROBE_VERSION", "2.0", 1);
  EXPECT_THAT(FitFailure({}), HasSubstr("its environment was probe 1.0 and is now probe 2.0; start "
                                        "the program again"));
  ::unsetenv("PROBE_VERSION");
  EXPECT_EQ(FitFailure({}), "");
}

TEST(ExecProcessTest, ProcessesEndWithTheWorkerThatStartedThem) {
  const auto before = ProbeProcesses();
  {
    WorkerProcesses workers(WithLimits({}));
    RunIn(workers, {AllSplits(ProbeLearner(), Folds(Iris(), 4), Isolation::kWorker)});
    EXPECT_GT(ProbeProcesses().size(), before.size());
  }
  EXPECT_TRUE(ComesTrue([&] { return ProbeProcesses() == before; }));
}

TEST(ExecProcessTest, TwoWorkersAndOneGiveEqualBytesInEveryMode) {
  const auto splits = Folds(Penguins(), 6);
  std::vector<std::string> expected;
  for (const Isolation mode : {Isolation::kNone, Isolation::kWorker, Isolation::kFresh}) {
    for (const int n : {1, 2}) {
      WorkerProcesses workers(WithLimits({}));
      RunOptions options;
      options.workers = n;
      const auto bytes =
          BytesOf(RunIn(workers, {AllSplits(ProbeLearner(), splits, mode)}, options));
      if (expected.empty()) expected = bytes;
      EXPECT_EQ(bytes, expected);
    }
  }
}

// Why a folder with such a crossfold.json cannot be used.
std::string Refusal(const std::string& json) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path() / "x.crossfold";
  fs::create_directory(path);
  std::ofstream(path / "crossfold.json") << json;
  const PluginHost host({.paths = {path},
                         .use_environment = false,
                         .use_user_folder = false,
                         .use_installation = false,
                         .log = {}});
  const std::string text = test::MessageOf([&] { host.Find(Kind::kLearner, "org.example.x"); });
  return text.empty() ? "" : text.substr(text.find("x.crossfold': ") + 14);
}

std::string Json(const std::string& more) {
  return R"({"crossfold": 1, "id": "org.example.x", "version": "1", "kind": "learner", )" + more +
         "}";
}

TEST(ExecDescriptionTest, WhatIsWrongInCrossfoldJsonIsNamed) {
  const std::string start = R"("start": ["no-such-program-there"], )";
  EXPECT_EQ(Refusal(Json(R"("tasks": ["binary"])")),
            "its crossfold.json: 'start' names no program");
  EXPECT_EQ(Refusal(Json(start + R"("tasks": ["binry"])")),
            "its crossfold.json: 'tasks' has 'binry'; known: 'binary', 'multiclass', "
            "'regression'");
  EXPECT_EQ(Refusal(Json(start + R"("tasks": ["binary"], "parms": [])")),
            "its crossfold.json: there is no key 'parms'");
  EXPECT_EQ(
      Refusal(Json(start + R"("tasks": ["binary"], "params": [{"name": "k", "type": "int"}])")),
      "its crossfold.json: the parameter 'k': 'default' is missing");
  EXPECT_EQ(Refusal(Json(start + R"("tasks": ["binary"])")),
            "there is no program 'no-such-program-there' on the PATH; install it");
}

TEST(ExecDescriptionTest, AProgramThatIsNotALearnerIsRefused) {
  EXPECT_EQ(Refusal(Json(R"("start": ["echo", "hello"], "tasks": ["binary"])")),
            "its process ended with exit code 0; it wrote: hello");
  EXPECT_EQ(
      Refusal(Json(
          R"("start": ["sh", "-c", "printf 'hello world' >&3; sleep 5"], "tasks": ["binary"])")),
      "its process sent something that is not a message and was killed");
}

}  // namespace
}  // namespace crossfold
