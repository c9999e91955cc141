// What happens if the other side of the socket lies.
#include <sys/stat.h>

#include <cstring>
#include <fstream>

#include "crossfold/version.h"
#include "isolate/messages.h"
#include "isolate/outcome_check.h"
#include "temporary_folder.h"
#include "unit/engine/data/damage.h"
#include "unit/isolate/isolated_cells.h"

namespace crossfold {
namespace {

using ::testing::StartsWith;

TEST(FrameBufferTest, FramesComeOutWhateverThePiecesThatCame) {
  std::string bytes;
  AppendFrame(MessageType::kItem, "one", bytes);
  AppendFrame(MessageType::kEndRun, "", bytes);
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    FrameBuffer buffer(1000);
    std::vector<std::string> bodies;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      buffer.Append(std::string_view(bytes).substr(at, piece));
      while (const auto frame = buffer.Next()) bodies.emplace_back(frame->body);
    }
    EXPECT_THAT(bodies, ::testing::ElementsAre("one", ""));
  }
}

TEST(FrameBufferTest, LengthsThatCannotBeAreRefused) {
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1001}, ~std::uint64_t{0}}) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    FrameBuffer buffer(1000);
    buffer.Append(bytes + "x");
    EXPECT_THROW(buffer.Next(), plugin::Error) << length;
  }
}

TEST(MessagesTest, SettingsAndItemsComeBackAndDamageIsRefused) {
  WorkerSettings settings;
  settings.share = false;
  settings.locked = true;
  settings.limits = {1.5, 2.5, 3};
  settings.locale = "C";
  FieldWriter writer;
  WriteSettings(settings, writer);
  FieldReader reader(writer.bytes());
  const WorkerSettings back = ReadSettings(reader);
  reader.End();
  EXPECT_FALSE(back.share);
  EXPECT_TRUE(back.locked);
  EXPECT_EQ(back.limits.cpu_seconds, 2.5);
  EXPECT_EQ(back.limits.memory, 3u);
  EXPECT_EQ(back.locale, "C");
  FieldWriter items;
  WriteItem({{1, 2, 0, 3, 4, 5, 2}, {1, 2, 1, 3, 4, 6, 0}}, items);
  FieldReader item_reader(items.bytes());
  EXPECT_EQ(ReadItem(item_reader)[1].seed, 6u);
  ForEachCut(items.bytes(), [](const std::string& cut) {
    FieldReader fields(cut);
    EXPECT_THROW(ReadItem(fields), plugin::Error);
  });
}

class OutcomeCheckTest : public ::testing::Test {
 protected:
  OutcomeCheckTest() {
    Partition partition;
    partition.fold_of_row = {0, 1, 0, 1, -1, 0};
    partition.n_folds = 2;
    const auto data = ParseTable("x,y\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n", "y");
    block_.splits = SplitPlan::FromPartitions(RowsOf(data, {5, 4, 3, 2, 1, 0}), {partition});
    block_.keep = Keep::kProbabilities;
    outcome_.status = OutcomeStatus::kOk;
    outcome_.n_train = 3;
    outcome_.n_test = 3;
    outcome_.prediction.rows = {5, 3, 0};
    outcome_.prediction.labels = {0, 1, 0};
    outcome_.prediction.n_classes = 2;
    outcome_.prediction.probabilities = {1, 0, 0, 1, 1, 0};
  }

  std::string Problem() { return check_.FindProblem(block_, 0, outcome_); }

  CellBlock block_;
  Outcome outcome_;
  OutcomeCheck check_;
};

TEST_F(OutcomeCheckTest, ATrueOutcomePasses) { EXPECT_EQ(Problem(), ""); }

TEST_F(OutcomeCheckTest, OtherRowsAreFound) {
  outcome_.prediction.rows[2] = 1;
  EXPECT_EQ(Problem(), "other test rows");
  outcome_.prediction.rows = {5, 3};
  outcome_.prediction.labels = {0, 1};
  outcome_.prediction.probabilities = {1, 0, 0, 1};
  EXPECT_EQ(Problem(), "other test rows");
  outcome_.n_test = 2;
  EXPECT_EQ(Problem(), "other test rows");
}

TEST_F(OutcomeCheckTest, ArraysOfOtherLengthsAreFound) {
  outcome_.prediction.probabilities.pop_back();
  EXPECT_EQ(Problem(), "probabilities of the wrong length");
  outcome_.prediction.labels.push_back(0);
  EXPECT_EQ(Problem(), "predictions of the wrong length");
}

TEST_F(OutcomeCheckTest, ClassesThatDoNotExistAreFound) {
  outcome_.prediction.labels[0] = 2;
  EXPECT_EQ(Problem(), "a class that does not exist");
  outcome_.prediction.n_classes = 3;
  EXPECT_EQ(Problem(), "the wrong number of classes");
}

TEST_F(OutcomeCheckTest, WhatNobodyAskedForIsFound) {
  block_.keep = Keep::kLabels;
  EXPECT_EQ(Problem(), "probabilities that were not requested");
  block_.keep = Keep::kNothing;
  EXPECT_EQ(Problem(), "predictions that were not requested");
  outcome_.prediction = {};
  EXPECT_EQ(Problem(), "");
  outcome_.scores.emplace_back();
  EXPECT_EQ(Problem(), "the wrong number of scores");
  outcome_.status = OutcomeStatus::kFailed;
  EXPECT_EQ(Problem(), "results of a cell that failed");
  outcome_.status = OutcomeStatus::kCancelled;
  EXPECT_EQ(Problem(), "a cancellation that was not requested");
}

// A "worker" that is a shell script.
class FalseWorker : public ::testing::Test {
 protected:
  std::vector<Outcome> Run(const std::string& script, CellLimits limits = {}) {
    const auto path = folder_.path() / "worker";
    std::ofstream(path) << "#!/bin/sh\n" << script;
    ::chmod(path.c_str(), 0755);
    WorkerProcesses workers({path, limits});
    RunOptions options;
    options.workers = 1;
    const auto data = ParseTable("x,y\n1,a\n2,b\n3,a\n4,b\n", "y");
    return RunIn(workers,
                 {AllSplits(Learner("featureless", {}), Folds(data, 2), Isolation::kWorker)},
                 options);
  }

  std::string ErrorOf(const std::string& script) {
    try {
      Run(script);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kIo);
      const std::string text = e.what();
      const std::string path = (folder_.path() / "worker").string();
      EXPECT_THAT(text, StartsWith("cannot start worker process '" + path + "': "));
      return text.substr(text.find("': ") + 3);
    }
    return "";
  }

  // The frame of a message, as an argument of printf.
  static std::string Escaped(MessageType type, std::string_view body) {
    std::string bytes, escaped;
    AppendFrame(type, body, bytes);
    for (const char c : bytes) {
      const int code = static_cast<unsigned char>(c);
      escaped += '\\';
      for (const int digit : {code / 64, code / 8 % 8, code % 8}) {
        escaped += static_cast<char>('0' + digit);
      }
    }
    return escaped;
  }
  static std::string Ready(const std::string& version) {
    FieldWriter fields;
    fields.Text(version);
    return "printf '" + Escaped(MessageType::kReady, fields.bytes()) + "' >&3\n";
  }

  test::TemporaryFolder folder_;
};

TEST_F(FalseWorker, OneThatEndsAtOnceIsAnError) {
  EXPECT_EQ(ErrorOf("echo no such library >&2\nexit 127\n"),
            "the process exited with code 127; it wrote: 'no such library'");
}

TEST_F(FalseWorker, OneOfAnotherVersionIsAnError) {
  EXPECT_EQ(ErrorOf(Ready("0.0.0")), "it has version '0.0.0', this is " + std::string(Version()) +
                                         "; set CROSSFOLD_WORKER to its own");
}

TEST_F(FalseWorker, NonsenseFailsTheCells) {
  const std::string ready = Ready(std::string(Version()));
  struct Case {
    std::string script, message;
  };
  FieldWriter outcome;
  outcome.Number(std::uint64_t{77});
  for (const Case& one : {
           Case{"printf '\\377\\377\\377\\377\\377\\377\\377\\377\\377' >&3; exec sleep 60\n",
                "the process sent bytes that are not a message"},
           Case{"printf '" + Escaped(MessageType::kItemDone, "") + "' >&3; exec sleep 60\n",
                "the process sent an unexpected message"},
           Case{"printf '" + Escaped(MessageType::kOutcome, outcome.bytes()) +
                    "' >&3; exec sleep 60\n",
                "the process sent an outcome of a cell that it does not have"},
           Case{"exec 3>&-\nexec sleep 60\n", "the process died of signal 9 (Killed)"},
           Case{"echo oops >&2; exit 5\n", "the process exited with code 5; it wrote: 'oops'"},
       }) {
    for (const Outcome& cell : Run(ready + one.script)) {
      EXPECT_EQ(cell.status, OutcomeStatus::kFailed);
      EXPECT_TRUE(cell.failure.by_limit);
      EXPECT_THAT(cell.failure.message, StartsWith(one.message + "; repeat it with "));
    }
  }
}

TEST(WorkerSearchTest, AProgramThatIsNotThereIsAnError) {
  WorkerProcesses workers({"/nowhere/crossfold-worker", {}});
  const auto data = ParseTable("x,y\n1,a\n2,b\n3,a\n4,b\n", "y");
  try {
    RunIn(workers, {AllSplits(Learner("featureless", {}), Folds(data, 2), Isolation::kWorker)});
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(),
                 "cannot start a worker process: there is no program crossfold-worker; searched: "
                 "/nowhere/crossfold-worker; set CROSSFOLD_WORKER to its path");
  }
}

TEST(WorkerProcessesTest, LimitsThatAreNoneAreRefused) {
  CellLimits limits;
  limits.seconds = -1;
  EXPECT_THROW(WorkerProcesses({"", limits}), Error);
}

}  // namespace
}  // namespace crossfold
