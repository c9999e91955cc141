#include "crossfold/rescore.h"

#include "crossfold/spec_text.h"
#include "crossfold/subgroup.h"
#include "store/cells/sqlite.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BundledMetrics;
using fixture::Iris;
using fixture::KFold;
using fixture::MessageOf;

class RescoreTest : public fixture::LedgerTest {
 protected:
  Rescored Scores(const std::vector<std::string>& metrics, RescoreRequest request = {}) const {
    for (const std::string& text : metrics) {
      request.metrics.push_back(ParseSpec(Kind::kMetric, text, BundledPlugins()));
    }
    return Rescore(path(), request);
  }
};

TEST_F(RescoreTest, GivesTheBitsThatTheRunItselfWouldHaveGiven) {
  const MetricList metrics = {ParseSpec(Kind::kMetric, "accuracy", BundledPlugins()),
                              ParseSpec(Kind::kMetric, "log_loss", BundledPlugins()),
                              ParseSpec(Kind::kMetric, "f1{average=macro}", BundledPlugins())};
  const auto splits = KFold(4, 2);
  CellBlock with_all = Asked("knn", BundledLearner("knn"), splits, Keep::kProbabilities, metrics);
  const std::vector<Outcome> outcomes = Run({with_all}, "other.cfdb");
  Run({Asked("knn", BundledLearner("knn"), splits)});
  const Rescored rescored = Scores({"accuracy", "log_loss", "f1{average=macro}"});
  ASSERT_EQ(rescored.folds.size(), outcomes.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(rescored.folds[i].repeat, static_cast<std::int64_t>(i / 4));
    EXPECT_EQ(rescored.folds[i].fold, static_cast<std::int64_t>(i % 4));
    for (std::size_t m = 0; m < 3; ++m) {
      EXPECT_TRUE(rescored.folds[i].scores[m].defined);
      EXPECT_EQ(rescored.folds[i].scores[m].value, outcomes[i].scores[m].value);
    }
  }
}

TEST_F(RescoreTest, ADamagedCellIsLeftOutAndNamed) {
  Run({Asked("knn", BundledLearner("knn"), KFold(4, 1)),
       Asked("floor", BundledLearner("featureless"), KFold(4, 1))});
  Database db(path(), Database::Access::kWrite);
  db.Execute("UPDATE cells SET n_test = n_test + 1 WHERE series = 1 AND fold = 2");
  db.Execute("DELETE FROM learners WHERE id = 2");
  const Rescored rescored = Scores({"accuracy"});
  EXPECT_THAT(rescored.damaged, testing::ElementsAre("'floor' on 'iris', 4 cells",
                                                     "'knn' on 'iris', repeat 1, fold 3"));
  ASSERT_EQ(rescored.folds.size(), 3u);
  EXPECT_EQ(rescored.folds[2].fold, 3);
}

// Their accuracies would be swapped.
TEST_F(RescoreTest, LearnersWhoseNamesWereSwappedAreDamaged) {
  Run({Asked("knn", BundledLearner("knn"), KFold(4, 1)),
       Asked("floor", BundledLearner("featureless"), KFold(4, 1))});
  Database(path(), Database::Access::kWrite)
      .Execute("UPDATE wanted SET learner = CASE learner WHEN 'knn' THEN 'floor' ELSE 'knn' END");
  const Rescored rescored = Scores({"accuracy"});
  EXPECT_THAT(rescored.damaged, testing::ElementsAre("what run 1 asked for ('floor' on 'iris')",
                                                     "what run 1 asked for ('knn' on 'iris')"));
  EXPECT_TRUE(rescored.folds.empty());
}

TEST_F(RescoreTest, ARowThatWasRemovedIsTold) {
  Run({Asked("knn", BundledLearner("knn"), KFold(4, 1)),
       Asked("floor", BundledLearner("featureless"), KFold(4, 1))});
  Database db(path(), Database::Access::kWrite);
  db.Execute("DELETE FROM wanted WHERE learner = 'floor'");
  EXPECT_THAT(Scores({"accuracy"}).damaged,
              testing::ElementsAre("what run 1 asked for, combined or noted (rows are missing "
                                   "or were added)"));
  db.Execute("DELETE FROM wanted");
  EXPECT_THAT(MessageOf([&] { Scores({"accuracy"}); }), testing::HasSubstr("run 1 is damaged"));
}

TEST_F(RescoreTest, OnlyRowsOfTheSubgroupCount) {
  Run({Asked("floor", BundledLearner("featureless"), KFold(3, 1))});
  RescoreRequest request;
  const Dataset& iris = *Iris();
  const std::string setosa = iris.class_names().front();
  request.subgroup = "class = '" + setosa + "'";
  const Rescored rescored = Scores({"accuracy"}, request);
  for (const RescoredFold& fold : rescored.folds) {
    // One class is predicted for all rows: either all rows of setosa are right, or none.
    EXPECT_TRUE(fold.scores[0].value == 0 || fold.scores[0].value == 1);
  }
}

TEST_F(RescoreTest, AFoldWithoutRowsOfTheSubgroupIsUndefinedAndNeverZero) {
  // Rows 0 to 49 are setosa, so the second fold tests none.
  Partition partition{{}, 2};
  for (int row = 0; row < 150; ++row) partition.fold_of_row.push_back(row % 3 == 0 ? 0 : 1);
  for (int row = 0; row < 50; ++row) partition.fold_of_row[static_cast<std::size_t>(row)] = 0;
  const auto splits = SplitPlan::FromPartitions({Iris(), nullptr}, {partition});
  Run({Asked("knn", BundledLearner("knn"), splits)});
  RescoreRequest request;
  request.subgroup = "class = " + Iris()->class_names().front();
  const Rescored rescored = Scores({"accuracy"}, request);
  EXPECT_TRUE(rescored.folds[0].scores[0].defined);
  EXPECT_FALSE(rescored.folds[1].scores[0].defined);
  EXPECT_EQ(rescored.folds[1].scores[0].undefined,
            "no tested row is in the subgroup '" + request.subgroup + "'");
  const Table table = SummaryTable(rescored);
  EXPECT_EQ(table.rows.front().back(), TableCell(std::string("1 of 2")));
}

TEST_F(RescoreTest, OtherCostsAreUsedInsteadOfThoseOfTheData) {
  const auto splits = KFold(5, 1);
  Run({Asked("floor", BundledLearner("featureless"), splits)});
  RescoreRequest request;
  CostTable costs{"costs.csv", {}, {}, std::vector<double>(9, 2.5)};
  for (const std::string& name : Iris()->class_names()) {
    costs.truth.push_back(name);
    costs.predicted.push_back(name);
  }
  request.costs = costs;
  for (const RescoredFold& fold : Scores({"cost"}, request).folds) {
    EXPECT_EQ(fold.scores[0].value, 2.5);  // every prediction costs that
  }
}

TEST_F(RescoreTest, MetricsOfProbabilitiesSayWhatIsMissingWhereLabelsWereKept) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1), Keep::kLabels)});
  const Rescored rescored = Scores({"log_loss"});
  EXPECT_EQ(rescored.folds[0].scores[0].undefined,
            "it needs probabilities, and the store kept labels; run the script again with keep = "
            "\"probabilities\"");
}

TEST_F(RescoreTest, PredictionsThatFoundNoRoomAreUndefinedWithTheWayOut) {
  StoreOptions options;
  options.prediction_bytes = 0;
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))}, "store.cfdb", options);
  EXPECT_EQ(Scores({"accuracy"}).folds[0].scores[0].undefined,
            "the store did not keep its prediction; run again with keep = \"labels\" or "
            "\"probabilities\" and room for predictions");
}

TEST_F(RescoreTest, FailedFoldsAreUndefinedAndCountAsFolds) {
  const auto debug = BundledLearner(
      "debug", {{"action", std::string("throw_in_predict")}, {"when_row", std::int64_t{3}}});
  Run({Asked("bad", debug, KFold(3, 1))});
  const Rescored rescored = Scores({"accuracy"});
  int n_failed = 0;
  for (const RescoredFold& fold : rescored.folds) {
    if (!fold.failed) continue;
    ++n_failed;
    EXPECT_THAT(fold.scores[0].undefined, testing::StartsWith("failed at predict debug: "));
  }
  EXPECT_EQ(n_failed, 1);
  EXPECT_EQ(SummaryTable(rescored).rows[0].back(), TableCell(std::string("2 of 3")));
}

TEST_F(RescoreTest, InnerCellsAreATableOfTheirOwn) {
  CellBlock outer = Asked("tuned", BundledLearner("knn", {{"k", std::int64_t{3}}}), KFold(2, 1));
  CellBlock inner = Asked("tuned", BundledLearner("knn", {{"k", std::int64_t{1}}}), KFold(3, 1));
  inner.purpose = std::make_shared<const CellPurpose>(CellPurpose{"tuned", "iris", true});
  Run({outer, inner});
  EXPECT_EQ(Scores({"accuracy"}).folds.size(), 2u);
  RescoreRequest request;
  request.inner = true;
  const Rescored rescored = Scores({"accuracy"}, request);
  EXPECT_EQ(rescored.folds.size(), 3u);
  EXPECT_EQ(rescored.folds[0].candidate, "knn{k=1}");
  EXPECT_THAT(
      SummaryTable(rescored).columns,
      testing::ElementsAre("learner", "candidate", "metric", "mean", "sd", "min", "max", "folds"));
}

TEST_F(RescoreTest, TwoExperimentsOfTheSameNamesAreTwoRows) {
  Run({Asked("knn", BundledLearner("knn"), KFold(2, 2)),
       Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  const Table table = SummaryTable(Scores({"accuracy"}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][0], TableCell(std::string("knn")));
  EXPECT_EQ(table.rows[0].back(), TableCell(std::string("4")));
  EXPECT_EQ(table.rows[1][0], TableCell(std::string("knn (2)")));
  EXPECT_EQ(table.rows[1].back(), TableCell(std::string("3")));
}

TEST_F(RescoreTest, WhatIsNotThereIsNamed) {
  Run({Asked("knn", BundledLearner("knn"), KFold(2, 1))});
  RescoreRequest request;
  request.run = 7;
  EXPECT_EQ(MessageOf([&] { Scores({"accuracy"}, request); }),
            "cannot read store '" + path().string() + "': there is no run 7; known: 1");
  EXPECT_EQ(MessageOf([&] { Scores({}); }),
            "cannot rescore '" + path().string() + "': no metric is given; name at least one");
  EXPECT_EQ(MessageOf([&] { Scores({"rmse"}); }),
            MessageOf([&] { CheckMetric(*BundledMetrics({"rmse"})[0], *Iris()); }));
}

}  // namespace
}  // namespace crossfold
