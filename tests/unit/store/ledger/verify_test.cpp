#include "crossfold/store_verify.h"

#include "crossfold/cancel_token.h"
#include "crossfold/composed_fold.h"
#include "crossfold/store_export.h"
#include "crossfold/store_findings.h"
#include "engine/text/format_number.h"
#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"
#include "store/ledger/store_reader.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::Iris;
using fixture::KFold;
using fixture::MessageOf;
using fixture::PlainRun;

class VerifyStoreTest : public fixture::LedgerTest {
 protected:
  VerifyReport Verify(const std::string& sample, const std::string& name = "store.cfdb",
                      const PluginHost& plugins = BundledPlugins()) const {
    return VerifyStore(path(name), ParseVerifySample(sample), plugins, {}, PlainRun());
  }
  // Writes another cell row, with the checksum that fits.
  void Tamper(const std::string& change) const {
    Database db(path(), Database::Access::kWrite);
    db.Execute(change.c_str());
  }
};

TEST_F(VerifyStoreTest, EveryCellOfEveryKindOfSplitIsComputedAgainWithTheSameBits) {
  const auto forest = BundledLearner("random_forest", {{"trees", std::int64_t{5}}});
  std::vector<SplitRows> lists;
  for (std::int64_t f = 0; f < 4; ++f) {
    SplitRows rows;
    for (std::int64_t row = 0; row < 150; ++row) {
      (row % 4 == f ? rows.test : rows.train).push_back(row);
    }
    lists.push_back(std::move(rows));
  }
  const auto fail = BundledLearner("debug", {{"action", std::string("throw_in_fit")}});
  const auto some = std::make_shared<std::vector<std::int64_t>>();
  for (std::int64_t row = 149; row >= 0; row -= 2) some->push_back(row);
  const auto splitter = BundledSpec(Kind::kSplitter, "kfold", {{"folds", std::int64_t{3}}});
  Run({Asked("forest", forest, KFold(3, 3)),
       Asked("lists", forest, SplitPlan::FromLists({Iris(), nullptr}, lists)),
       Asked("ridge", BundledLearner("lda"), KFold(4, 2), Keep::kLabels),
       Asked("half", forest, MakeSplits(*splitter, {Iris(), some}, 3)),
       Asked("fail", fail, KFold(2, 1))});
  const VerifyReport report = Verify("100%");
  EXPECT_EQ(ToText(report), "checked 26 of 26 cells: 26 equal, 0 different, 0 not checkable\n");
}

TEST_F(VerifyStoreTest, ASampleIsTheSameForTheSameSeedAndInEveryCopy) {
  Run({Asked("knn", BundledLearner("knn"), KFold(10, 2))});
  WriteCanonicalCopy(path(), path("copy.cfdb"));
  const auto places = [&](const std::string& name, std::uint64_t seed) {
    VerifySample sample = ParseVerifySample("6");
    sample.seed = seed;
    const VerifyReport report = VerifyStore(path(name), sample, BundledPlugins(), {}, PlainRun());
    std::vector<std::pair<std::int64_t, std::int64_t>> drawn;
    for (const VerifiedCell& cell : report.cells) drawn.emplace_back(cell.repeat, cell.fold);
    return drawn;
  };
  EXPECT_EQ(places("store.cfdb", 1).size(), 6u);
  EXPECT_EQ(places("store.cfdb", 1), places("copy.cfdb", 1));
  EXPECT_NE(places("store.cfdb", 1), places("store.cfdb", 2));
  EXPECT_EQ(Verify("5%").cells.size(), 1u);
  EXPECT_EQ(Verify("50%").cells.size(), 10u);
}

TEST_F(VerifyStoreTest, AScoreThatWasChangedIsFound) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  {
    Database db(path(), Database::Access::kWrite);
    db.Execute("DELETE FROM scores WHERE fold = 1");
    Statement insert(db, "INSERT INTO scores VALUES(?, ?, ?, ?, ?, ?)");
    BindScore(insert, {1, 1, 1, {true, 0.5, ""}});
    insert.Run();
  }
  const VerifyReport report = Verify("100%");
  EXPECT_EQ(report.Count(VerifyResult::kDifferent), 1);
  EXPECT_THAT(ToText(report),
              testing::StartsWith(
                  "checked 3 of 3 cells: 2 equal, 1 different, 0 not checkable\ndifferent: knn on "
                  "iris, repeat 1, fold 2: accuracy: the store has 0.5, this run 0."));
}

TEST_F(VerifyStoreTest, ADamagedScoreCannotBeChecked) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  Tamper("UPDATE scores SET value = 0.5 WHERE fold = 1");
  EXPECT_EQ(ToText(Verify("100%")),
            "checked 3 of 3 cells: 2 equal, 0 different, 1 not checkable\nnot checkable: knn on "
            "iris, repeat 1, fold 2: a score of it is damaged\n"
            "damaged: a score of series 1, fold 2\n");
}

// Every table is looked at, also where no cell is computed again.
TEST_F(VerifyStoreTest, DamagedMissingAndAddedRowsOfAllTablesAreNamed) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1)),
       Asked("floor", BundledLearner("featureless"), KFold(3, 1))});
  Tamper("UPDATE plugins SET version = '9'");
  Tamper("UPDATE wanted SET learner = 'other' WHERE series = 2");
  Tamper("UPDATE runs SET seed = 43");
  Tamper("DELETE FROM cells WHERE series = 1 AND fold = 2");
  const VerifyReport report = Verify("1");
  EXPECT_THAT(report.damaged,
              testing::IsSupersetOf({"row 1, 2, 0, other, iris, 0 of table 'wanted'",
                                     "row 1 of table 'runs'",
                                     "cells or scores of series 1 (rows are missing or were added; "
                                     "a run does not fix that, `crossfold repair` does)"}));
  EXPECT_THAT(report.damaged, testing::Contains(testing::EndsWith(" of table 'plugins'")));
  EXPECT_THAT(report.skipped,
              testing::ElementsAre("4 cells outside the sample, except their checksums"));
  EXPECT_THAT(ToJson(CellTable(report)), testing::HasSubstr("\"damaged\""));
}

// A composed learner of three folds whose scores an experiment noted; the second has another
// prediction, with the checksum that fits. `more` are members of its learner's record.
void RecordVote(const std::filesystem::path& path, const std::vector<Outcome>& outcomes,
                const std::string& more) {
  const auto store = CellStore::Open(path);
  const std::string key = StoredMetricKey(*BundledSpec(Kind::kMetric, "accuracy", {}));
  std::vector<Finding> findings = {
      {0, "evaluate", "",
       R"({"datasets":[{"folds":[3],"name":"iris"}],"learners":[{"name":"vote")" + more +
           R"(}],"metrics":[{"key":")" + key + R"(","text":"accuracy"}]})",
       nullptr}};
  for (std::int64_t fold = 0; fold < 3; ++fold) {
    Outcome outcome = outcomes[static_cast<std::size_t>(fold)];
    if (fold == 1) outcome.prediction.labels.assign(outcome.prediction.labels.size(), 0);
    RecordComposed(*store, {.learner = "vote",
                            .dataset_name = "iris",
                            .data = Iris(),
                            .repeat = 0,
                            .fold = fold,
                            .n_train = 100,
                            .prediction = std::make_shared<const Prediction>(outcome.prediction),
                            .failure = ""});
    findings.push_back(
        {0, "fold", "1 " + std::to_string(fold + 1),
         R"({"composed":"vote","values":[)" + FormatShortest(outcome.scores[0].value) + "]}",
         nullptr});
  }
  RecordFindings(*store, 0, findings);
}

TEST_F(VerifyStoreTest, ScoresOfEnsemblesAreComputedFromTheirPredictions) {
  RecordVote(path(), Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))}, "other.cfdb"), "");
  const VerifyReport report = Verify("100%");
  ASSERT_EQ(report.composed.size(), 3u);
  EXPECT_EQ(report.Count(VerifyResult::kEqual), 2);
  EXPECT_EQ(report.composed[1].result, VerifyResult::kDifferent);
  EXPECT_THAT(report.composed[1].finding, testing::StartsWith("accuracy: the store has 0.9"));
  EXPECT_THAT(
      report.skipped,
      testing::ElementsAre("how the script combined the predictions of 3 folds; their scores "
                           "and checksums were checked"));
}

TEST_F(VerifyStoreTest, ImportedPredictionsAreNamedWithTheirSourceAndNotComputedAgain) {
  RecordVote(path(), Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))}, "other.cfdb"),
             R"(,"text":"imported from a.csv","imported_sha256":"3f5a")");
  const VerifyReport report = Verify("100%");
  EXPECT_EQ(report.composed[0].imported, "imported from a.csv (SHA-256 3f5a)");
  EXPECT_EQ(report.Count(VerifyResult::kEqual), 2);
  EXPECT_THAT(ToText(report),
              testing::StartsWith("checked 0 of 0 cells: 0 equal, 0 different, 0 not checkable\n"
                                  "scores of 3 imported folds, from their predictions: 2 equal, 1 "
                                  "different, 0 not checkable\n"));
  EXPECT_THAT(report.skipped,
              testing::ElementsAre(
                  "the predictions of 3 folds, imported from a.csv (SHA-256 3f5a): another tool "
                  "made them, so they cannot be computed again; their scores and checksums were "
                  "checked"));
}

TEST_F(VerifyStoreTest, ACancelledCheckComesBackWithoutDifferences) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  CancelToken cancel;
  cancel.Cancel();
  RunOptions options;
  options.cancel = &cancel;
  const VerifyReport report =
      VerifyStore(path(), ParseVerifySample("100%"), BundledPlugins(), options, PlainRun());
  EXPECT_EQ(report.Count(VerifyResult::kDifferent), 0);
}

TEST_F(VerifyStoreTest, WithoutPredictionsTheScoresAreCompared) {
  StoreOptions options;
  options.prediction_bytes = 0;
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))}, "store.cfdb", options);
  EXPECT_EQ(Verify("100%").Count(VerifyResult::kEqual), 3);
  Tamper("DELETE FROM scores");
  EXPECT_EQ(ToText(Verify("100%")),
            "checked 3 of 3 cells: 0 equal, 0 different, 3 not checkable\nnot checkable: knn on "
            "iris, repeat 1, fold 1 and 2 more: neither its prediction nor a score is kept\n"
            "damaged: cells or scores of series 1 (rows are missing or were added; a run does not "
            "fix that, `crossfold repair` does)\n");
}

TEST_F(VerifyStoreTest, APluginThatIsGoneIsAReasonNotToCheck) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  const PluginHost none({.paths = {},
                         .use_environment = false,
                         .use_user_folder = false,
                         .use_installation = false,
                         .log = {}});
  const VerifyReport report = Verify("100%", "store.cfdb", none);
  EXPECT_EQ(ToText(report),
            "checked 3 of 3 cells: 0 equal, 0 different, 3 not checkable\nnot checkable: knn on "
            "iris, repeat 1, fold 1 and 2 more: cannot find learner 'crossfold.knn': none are "
            "known; searched:\n");
}

TEST_F(VerifyStoreTest, AnArchiveCanBeVerifiedAndOneWithoutDataSaysSo) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  ExportRun(path(), path("run.zip"), {});
  EXPECT_EQ(Verify("100%", "run.zip").Count(VerifyResult::kEqual), 3);
  ExportRun(path(), path("bare.zip"), {0, true});
  EXPECT_THAT(ToText(Verify("100%", "bare.zip")),
              testing::StartsWith(
                  "checked 3 of 3 cells: 0 equal, 0 different, 3 not checkable\nnot checkable: knn "
                  "on iris, repeat 1, fold 1 and 2 more: the store did not keep the content of "
                  "dataset " +
                  Iris()->content_hash().substr(0, 12) + "\n"));
}

TEST_F(VerifyStoreTest, SamplesHaveTwoForms) {
  EXPECT_EQ(ParseVerifySample("2.5%").share, 0.025);
  EXPECT_EQ(ParseVerifySample("20").cells, 20);
  for (const char* text : {"0%", "101%", "0", "-3", "half", "", "%"}) {
    EXPECT_EQ(MessageOf([&] { ParseVerifySample(text); }),
              "cannot draw a sample of '" + std::string(text) +
                  "': it is neither a share above 0% and up to 100% nor a number of cells; write "
                  "it as in 5% or 20");
  }
}

}  // namespace
}  // namespace crossfold
