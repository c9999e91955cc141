#include "crossfold/store_export.h"

#include <algorithm>
#include <random>
#include <vector>

#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"
#include "store/cells/sqlite.h"
#include "archive/zip_file.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BytesOfFile;
using fixture::Iris;
using fixture::KFold;

class ExportTest : public fixture::LedgerTest {
 protected:
  std::vector<CellBlock> Blocks() const {
    const auto splits = KFold(3, 2);
    return {Asked("knn", BundledLearner("knn"), splits),
            Asked("bayes", BundledLearner("naive_bayes"), splits, Keep::kLabels),
            Asked("floor", BundledLearner("featureless"), KFold(2, 1))};
  }
  std::string Entry(const std::string& archive, const std::string& name) const {
    ExtractZipEntry(path(archive), name, path("entry"));
    return BytesOfFile(path("entry"));
  }
};

TEST_F(ExportTest, TheSameContentGivesTheSameBytesInWhateverOrderItCame) {
  const std::vector<CellBlock> blocks = Blocks();
  Run(blocks, "a.cfdb");
  // Other cells first, then half of them, then all, in another order.
  CellBlock other = blocks[1];
  other.seed = 99;
  CellBlock half = blocks[0];
  half.first = 2;
  half.count = 3;
  Run({other}, "b.cfdb");
  Run({half}, "b.cfdb");
  Run({blocks[2], blocks[0], blocks[1]}, "b.cfdb");
  WriteCanonicalCopy(path("a.cfdb"), path("copy_a.cfdb"));
  WriteCanonicalCopy(path("b.cfdb"), path("copy_b.cfdb"));
  EXPECT_EQ(BytesOfFile(path("copy_a.cfdb")), BytesOfFile(path("copy_b.cfdb")));
  ExportRun(path("a.cfdb"), path("a.zip"), {});
  ExportRun(path("b.cfdb"), path("b.zip"), {});
  EXPECT_EQ(BytesOfFile(path("a.zip")), BytesOfFile(path("b.zip")));
}

TEST_F(ExportTest, ACopyOfACopyIsTheSame) {
  Run(Blocks());
  WriteCanonicalCopy(path(), path("a.cfdb"));
  WriteCanonicalCopy(path("a.cfdb"), path("b.cfdb"));
  EXPECT_EQ(BytesOfFile(path("a.cfdb")), BytesOfFile(path("b.cfdb")));
}

TEST_F(ExportTest, AnotherResultGivesOtherBytes) {
  std::vector<CellBlock> blocks = Blocks();
  Run(blocks, "a.cfdb");
  blocks[0].learner = BundledLearner("knn", {{"k", std::int64_t{1}}});
  Run(blocks, "b.cfdb");
  WriteCanonicalCopy(path("a.cfdb"), path("copy_a.cfdb"));
  WriteCanonicalCopy(path("b.cfdb"), path("copy_b.cfdb"));
  EXPECT_NE(BytesOfFile(path("copy_a.cfdb")), BytesOfFile(path("copy_b.cfdb")));
}

TEST_F(ExportTest, TheArchiveHasEverythingInReadableForm) {
  Run(Blocks());
  ExportRun(path(), path("run.zip"), {});
  EXPECT_EQ(Entry("run.zip", "script.lua"), "return 1\n");
  EXPECT_THAT(Entry("run.zip", "manifest.json"), testing::HasSubstr("\"default_seed\": 42"));
  EXPECT_THAT(Entry("run.zip", "manifest.json"), testing::HasSubstr(Iris()->content_hash()));
  const std::string predictions = Entry("run.zip", "predictions.csv");
  EXPECT_THAT(predictions,
              testing::StartsWith("learner,dataset,inner,candidate,occurrence,split,repeat,fold,"
                                  "row,truth,prediction,"));
  // Two repeats of 150 rows by two learners, one by the third, and the header.
  EXPECT_EQ(std::count(predictions.begin(), predictions.end(), '\n'), 751);
  const std::string scores = Entry("run.zip", "scores.csv");
  EXPECT_EQ(std::count(scores.begin(), scores.end(), '\n'), 15);
  const std::string splits = Entry("run.zip", "splits.csv");
  EXPECT_EQ(std::count(splits.begin(), splits.end(), '\n'), 451);
}

TEST_F(ExportTest, TheManifestHasTheSeedOfEachExperiment) {
  {
    const auto store = CellStore::Open(path());
    store->BeginRun({"a.lua", "", {}, 1});
    for (const char* body :
         {R"({"seed": 7})",
          R"({"seed": 6618829877074144921, "study": {"kind": "bias_variance", "seed": 8}})", "{",
          R"({"where_from": {"seed": 9}})"}) {
      RecordFindings(*store, 0,
                     std::vector<Finding>{{0, "evaluate", "", body, nullptr},
                                          {0, "fold", "1 1", R"({"seed": 5})", nullptr}});
    }
  }
  ExportRun(path(), path("run.zip"), {.run = 1});
  EXPECT_THAT(Entry("run.zip", "manifest.json"), testing::HasSubstr(R"(
  "default_seed": 1,
  "experiments": [
    {
      "kind": "evaluate",
      "seed": 7
    },
    {
      "kind": "bias_variance",
      "seed": 8
    },
    {
      "kind": "evaluate",
      "seed": 9
    }
  ],
)"));
}

TEST_F(ExportTest, ALedgerReadsAnArchiveAsItReadsTheStore) {
  Run(Blocks());
  ExportRun(path(), path("run.zip"), {});
  std::vector<std::vector<double>> kept;
  for (const char* name : {"store.cfdb", "run.zip"}) {
    std::vector<double>& all = kept.emplace_back();
    Ledger(path(name)).Visit(1, LedgerPart::kOuter, [&](const LedgerEntry& entry) {
      const std::vector<double>& p = entry.outcome.prediction.probabilities;
      all.insert(all.end(), p.begin(), p.end());
    });
  }
  EXPECT_EQ(kept[0].size(), (2u * 150 + 150) * 3);
  EXPECT_EQ(kept[0], kept[1]);
}

TEST_F(ExportTest, WhatIsDamagedIsLeftOutAndNamedInTheManifest) {
  Run(Blocks());
  {
    Database db(path(), Database::Access::kWrite);
    db.Execute("UPDATE cells SET n_test = n_test + 1 WHERE series = 1 AND fold = 2");
    db.Execute("UPDATE scores SET value = value / 2 WHERE series = 3 AND fold = 0");
  }
  const std::vector<std::string> damaged = ExportRun(path(), path("run.zip"), {});
  EXPECT_THAT(damaged, testing::UnorderedElementsAre(
                           testing::MatchesRegex("'knn' on 'iris', repeat [12], fold 3"),
                           testing::MatchesRegex("scores of '.*' on 'iris', repeat [12], fold 1")));
  for (const std::string& name : damaged) {
    EXPECT_THAT(Entry("run.zip", "manifest.json"), testing::HasSubstr('"' + name + '"'));
  }
  int finished = 0;
  EXPECT_THAT(Ledger(path("run.zip"))
                  .Visit(1, LedgerPart::kAll,
                         [&](const LedgerEntry& entry) { finished += entry.finished ? 1 : 0; }),
              testing::IsEmpty());
  EXPECT_EQ(finished, 13) << "of 14";
}

// Whatever page is lost, the rest is exported, or it is reported that nothing can be.
TEST_F(ExportTest, RandomDamageIsNamedOrRefused) {
  Run(Blocks());
  const std::string whole = BytesOfFile(path());
  std::mt19937 random(1);
  int named = 0;
  for (int round = 0; round < 40; ++round) {
    std::string bytes = whole;
    const std::size_t page = 1 + random() % (bytes.size() / 4096 - 1);
    for (std::size_t i = 0; i < 4096; ++i) bytes[page * 4096 + i] = static_cast<char>(random());
    folder_.Write("store.cfdb", bytes);
    try {
      named += ExportRun(path(), path("run.zip"), {}).empty() ? 0 : 1;
      EXPECT_EQ(Ledger(path("run.zip")).runs().size(), 1u) << round;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kBadData) << round << ": " << e.what();
    }
  }
  EXPECT_GT(named, 0);
}

TEST_F(ExportTest, WithoutDataThereIsNoTruthAndNoContent) {
  Run(Blocks());
  ExportRun(path(), path("run.zip"), {0, true});
  EXPECT_THAT(Entry("run.zip", "predictions.csv"),
              testing::StartsWith("learner,dataset,inner,candidate,occurrence,split,repeat,fold,"
                                  "row,prediction,"));
  ExtractZipEntry(path("run.zip"), "store.cfdb", path("bare.cfdb"));
  Ledger(path("bare.cfdb")).Visit(1, LedgerPart::kAll, [](const LedgerEntry& entry) {
    EXPECT_TRUE(entry.finished);
    EXPECT_EQ(entry.data, nullptr);
    EXPECT_FALSE(entry.has_prediction);
    EXPECT_EQ(entry.scores.size(), 1u);
  });
}

}  // namespace
}  // namespace crossfold
