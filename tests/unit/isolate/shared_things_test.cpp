// What workers get from the program: sealed data and the names of plugin files.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "files/file_descriptor.h"
#include "isolate/sealed_memory.h"
#include "temporary_folder.h"
#include "unit/isolate/isolated_cells.h"

namespace crossfold {
namespace {

TEST(SealedMemoryTest, ADatasetComesBack) {
  const DataPtr data = Iris();
  const SealedMemory memory(*data);
  const DataPtr mapped = MappedImages().Map(FileDescriptor(::dup(memory.fd())), memory.size());
  EXPECT_EQ(mapped->content_hash(), data->content_hash());
  EXPECT_EQ(mapped->name(), "iris");
}

TEST(SealedMemoryTest, NobodyCanWriteOrResizeIt) {
  const SealedMemory memory(*Iris());
  EXPECT_EQ(::pwrite(memory.fd(), "x", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(memory.fd(), 10), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::mmap(nullptr, memory.size(), PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd(), 0),
            MAP_FAILED);
  EXPECT_EQ(::fcntl(memory.fd(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(MappedImagesTest, AnotherMappingInTheirPlaceIsSeen) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const SealedMemory memory(*ReadTestData("penguins.csv", "species"));
  ASSERT_GT(memory.size(), page);
  for (const bool with_rights : {false, true}) {
    MappedImages images;
    DataPtr data = images.Map(FileDescriptor(::dup(memory.fd())), memory.size());
    EXPECT_TRUE(images.AreInPlace());
    const auto values = reinterpret_cast<std::uintptr_t>(data->column("bill_length_mm").data);
    auto* place = reinterpret_cast<void*>(values & ~(page - 1));
    const std::string bytes(static_cast<const char*>(place), page);
    if (with_rights) {
      ASSERT_EQ(::mprotect(place, page, PROT_READ | PROT_EXEC), 0);
    } else {
      ASSERT_EQ(::mmap(place, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                       -1, 0),
                place);
      std::memcpy(place, bytes.data(), page);
    }
    EXPECT_FALSE(images.AreInPlace()) << with_rights;
    data.reset();
    EXPECT_TRUE(images.AreInPlace());
  }
}

TEST(SealedMemoryTest, WhatIsNoImageIsRefused) {
  EXPECT_THROW(MappedImages().Map(FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)), 100),
               Error);
  EXPECT_THROW(MappedImages().Map(FileDescriptor(), 100), Error);
}

TEST(PluginFilesTest, AFileThatChangedMeanwhileFailsTheCells) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "featureless.crossfold.so";
  fs::copy_file(fs::path(CROSSFOLD_TEST_PLUGINS) / "featureless.crossfold.so", file);
  const PluginHost host({.paths = {file},
                         .use_environment = false,
                         .use_user_folder = false,
                         .use_installation = false,
                         .log = {}});
  const auto learner = Pipeline::Make({Spec::Make(host.Find(Kind::kLearner, "featureless"), {})});
  const fs::path changed = folder.path() / "changed";
  fs::copy_file(file, changed);
  std::ofstream(changed, std::ios::app) << "x";
  fs::rename(changed, file);

  WorkerProcesses workers(WithLimits({}));
  for (const Outcome& cell :
       RunIn(workers, {AllSplits(learner, Folds(Iris(), 3), Isolation::kWorker)})) {
    EXPECT_EQ(cell.status, OutcomeStatus::kFailed);
    EXPECT_TRUE(cell.failure.by_limit);
    EXPECT_THAT(cell.failure.message,
                ::testing::StartsWith("cannot make learner 'featureless': its plugin differs from "
                                      "that of the record (SHA-256 "));
  }
}

TEST(PluginFilesTest, AFileThatIsGoneFailsTheCells) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "featureless.crossfold.so";
  fs::copy_file(fs::path(CROSSFOLD_TEST_PLUGINS) / "featureless.crossfold.so", file);
  const PluginHost host({.paths = {file},
                         .use_environment = false,
                         .use_user_folder = false,
                         .use_installation = false,
                         .log = {}});
  const auto learner = Pipeline::Make({Spec::Make(host.Find(Kind::kLearner, "featureless"), {})});
  fs::remove(file);
  WorkerProcesses workers(WithLimits({}));
  const auto got = RunIn(workers, {AllSplits(learner, Folds(Iris(), 2), Isolation::kFresh)});
  EXPECT_EQ(got[0].failure.message,
            "cannot load plugin '" + file.string() + "': there is no such file or folder");
}

// The time of a cell begins again with each outcome: ten cells of 0.1 s each are within 0.5 s.
TEST(TimeLimitTest, IsOfOneCell) {
  CellLimits limits;
  limits.seconds = 0.5;
  WorkerProcesses workers(WithLimits(limits));
  RunOptions options;
  options.workers = 1;
  CellBlock block = AllSplits(
      Learner("debug", {{"action", std::string("sleep")}, {"sleep_ms", std::int64_t{100}}}),
      Folds(Iris(), 10), Isolation::kWorker);
  for (const Outcome& cell : RunIn(workers, {block}, options)) {
    EXPECT_EQ(cell.status, OutcomeStatus::kOk) << cell.failure.message;
  }
}

}  // namespace
}  // namespace crossfold
