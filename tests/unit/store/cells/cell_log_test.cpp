#include "store/cells/cell_log.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "unit/store/writer_blocks.h"

extern char** environ;

namespace crossfold {
namespace {

using fixture::FoundComputed;
using fixture::RunPlain;
using fixture::WriterBlocks;
using ::testing::HasSubstr;

// store_writer, whose standard output is read here.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& store, bool linger = false) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = CROSSFOLD_STORE_WRITER, path = store, mode = linger ? "linger" : "";
    char* arguments[] = {program.data(), path.data(), mode.data(), nullptr};
    const int failed = posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (failed != 0) throw std::runtime_error("no store_writer");
  }
  ~Writer() {
    Kill();
    close(output_);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Waits until this number of outcomes was reported.
  void Read(int n) {
    char byte;
    for (int i = 0; i < n; ++i) {
      if (read(output_, &byte, 1) != 1) throw std::runtime_error("store_writer ended early");
      ++told_;
    }
  }
  // All outcomes that it reported.
  int Kill() {
    if (pid_ == 0) return told_;
    kill(pid_, SIGKILL);
    Wait();
    char byte;
    while (read(output_, &byte, 1) == 1) ++told_;
    return told_;
  }
  int Wait() {
    int status = -1;
    if (pid_ != 0) waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_ = 0;
  int output_ = -1, told_ = 0;
};

class CellLogTest : public fixture::StoreTest {
 protected:
  std::vector<std::filesystem::path> Logs() const {
    std::vector<std::filesystem::path> logs;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().find("-log-") != std::string::npos) {
        logs.push_back(entry.path());
      }
    }
    std::ranges::sort(logs);
    return logs;
  }
};

TEST_F(CellLogTest, WhatAKilledProcessDeliveredIsFound) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  for (const int n : {1, 250, 799}) {
    const auto fresh = path(std::to_string(n));
    int told = 0;
    {
      Writer writer(fresh, true);
      writer.Read(n);
      told = writer.Kill();
    }
    const auto store = CellStore::Open(fresh);
    EXPECT_EQ(fixture::RunInStore(*store, blocks), plain);
    EXPECT_GE(store->counts().found, static_cast<std::uint64_t>(told));
    EXPECT_EQ(store->counts().found + store->counts().computed, plain.size());
  }
}

TEST_F(CellLogTest, ARunThatWaitsForAProcessTakesOverWhenItIsKilled) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  Writer writer(path(), true);
  writer.Read(1);
  const auto store = Open();
  std::vector<std::string> outcomes;
  {
    const std::jthread run([&] { outcomes = fixture::RunInStore(*store, blocks); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    writer.Kill();
  }
  EXPECT_EQ(outcomes, RunPlain(blocks));
}

TEST_F(CellLogTest, AStoreThatWasClosedHasOneFile) {
  fixture::RunInStore(*Open(), WriterBlocks());
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(CellLogTest, TheLogOfALivingProcessIsLeftAlone) {
  Writer writer(path(), true);
  writer.Read(800);
  const std::size_t before = Logs().size();
  EXPECT_EQ(before, 2u);
  Open();
  EXPECT_EQ(Logs().size(), before);
  writer.Kill();
  Open();
  EXPECT_TRUE(Logs().empty());
}

TEST_F(CellLogTest, ARecordThatWasCutOffIsLeftOutAndThoseBeforeItAreKept) {
  {
    Writer writer(path(), true);
    writer.Read(400);
    writer.Kill();
  }
  std::filesystem::path longest;
  std::uintmax_t size = 0;
  for (const auto& log : Logs()) {
    if (std::filesystem::file_size(log) >= size) {
      longest = log;
      size = std::filesystem::file_size(log);
    }
  }
  // Without the background thread's first second everything is still in the log.
  std::filesystem::resize_file(longest, size - 3);
  const std::vector<CellBlock> blocks = WriterBlocks();
  EXPECT_GE(FoundAndComputed(blocks).first, 399u);
  EXPECT_EQ(last_, RunPlain(blocks));
}

FinishedCell CellOfFold(std::int64_t fold) {
  FinishedCell cell;
  cell.series.key = Sha256Of("series");
  cell.fold = fold;
  cell.row = CellRow{};
  return cell;
}

std::vector<std::int64_t> FoldsIn(const std::filesystem::path& store) {
  std::vector<std::int64_t> folds;
  TakeOverLogs(store, [&](const std::vector<FinishedCell>& cells) {
    for (const FinishedCell& cell : cells) folds.push_back(cell.fold);
  });
  return folds;
}

TEST_F(CellLogTest, EveryCutKeepsTheRecordsBeforeIt) {
  const std::string record = PackLogRecord(CellOfFold(0));
  for (std::size_t cut = 0; cut <= 2 * record.size(); ++cut) {
    const std::string bytes = "CFXLOG01" + record + PackLogRecord(CellOfFold(1));
    folder_.Write("store.cfdb-log-1-1", bytes.substr(0, 8 + cut));
    EXPECT_EQ(FoldsIn(path()).size(), cut / record.size()) << cut;
  }
}

TEST_F(CellLogTest, ADamagedRecordEndsTheLog) {
  std::string bytes = "CFXLOG01" + PackLogRecord(CellOfFold(0)) + PackLogRecord(CellOfFold(1));
  bytes[8 + PackLogRecord(CellOfFold(0)).size() + 20] ^= 1;
  folder_.Write("store.cfdb-log-1-1", bytes);
  EXPECT_EQ(FoldsIn(path()), std::vector<std::int64_t>{0});
}

TEST_F(CellLogTest, ALogWhoseCellsCannotBeKeptStays) {
  folder_.Write("store.cfdb-log-1-1", "CFXLOG01" + PackLogRecord(CellOfFold(0)));
  EXPECT_THROW(TakeOverLogs(path(), [](const auto&) { throw std::runtime_error("disk full"); }),
               std::runtime_error);
  EXPECT_EQ(Logs().size(), 1u);
}

TEST_F(CellLogTest, OtherFilesWithTheNameOfALogStay) {
  folder_.Write("store.cfdb-log-notes.txt", "what happened on Monday");
  folder_.Write("store.cfdb-log-1", "another store, perhaps");
  folder_.Write("store.cfdb-log-1-1", "a list of numbers");
  Open();
  EXPECT_EQ(Logs().size(), 3u);
}

TEST_F(CellLogTest, ALogThatWasKilledWhileItWasMadeIsRemoved) {
  folder_.Write("store.cfdb-log-1-1", "");
  folder_.Write("store.cfdb-log-1-2", "CFXL");
  Open();
  EXPECT_TRUE(Logs().empty());
}

TEST_F(CellLogTest, CellsOfASeriesThatTheStoreDoesNotKnowAreLeftOut) {
  Open();
  folder_.Write("store.cfdb-log-1-1", "CFXLOG01" + PackLogRecord(CellOfFold(0)));
  Open();
  EXPECT_EQ(Number("SELECT count(*) FROM cells"), 0);
  EXPECT_TRUE(Logs().empty());
}

TEST_F(CellLogTest, OneFileTakesCellsWhileTheOtherIsPutAway) {
  {
    CellLog log(path());
    EXPECT_TRUE(log.Append(PackLogRecord(CellOfFold(0))));
    log.Turn();
    EXPECT_TRUE(log.Append(PackLogRecord(CellOfFold(1))));
    log.Turn();  // the other one is not empty
    EXPECT_TRUE(log.Append(PackLogRecord(CellOfFold(2))));
    log.DropTurned();
  }
  EXPECT_EQ(FoldsIn(path()), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(CellLogTest, UsersAreThoseThatHaveItOpen) {
  EXPECT_TRUE(FindUsers(path()).empty());
  const auto store = Open();
  EXPECT_EQ(FindUsers(path()), std::vector<std::int64_t>{getpid()});
}

TEST_F(CellLogTest, TwoProcessesAndTwoThreadsFillOneStore) {
  const std::vector<CellBlock> blocks = WriterBlocks();
  const std::vector<std::string> plain = RunPlain(blocks);
  Writer one(path()), other(path());
  {
    std::jthread thread([&] { EXPECT_EQ(fixture::RunInStore(*Open(), blocks), plain); });
    EXPECT_EQ(fixture::RunInStore(*Open(), blocks), plain);
  }
  one.Read(800);
  other.Read(800);
  EXPECT_EQ(one.Wait(), 0);
  EXPECT_EQ(other.Wait(), 0);
  EXPECT_EQ(FoundAndComputed(blocks), FoundComputed(800, 0));
  EXPECT_EQ(last_, plain);
  EXPECT_EQ(NumFiles(), 1u);
}

}  // namespace
}  // namespace crossfold
