#include "crossfold/store_diff.h"

#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::Iris;
using fixture::KFold;
using fixture::MessageOf;

ParamValues K(std::int64_t k) { return {{"k", k}}; }

class DiffTest : public fixture::LedgerTest {
 protected:
  StoreDiff Diff() const { return DiffRuns({path("a.cfdb"), 0}, {path("b.cfdb"), 0}); }
  void RunBoth(const std::vector<CellBlock>& a, const std::vector<CellBlock>& b) const {
    Run(a, "a.cfdb");
    Run(b, "b.cfdb");
  }
};

// Iris with one entry changed.
std::shared_ptr<const Dataset> OtherIris() {
  std::vector<Column> columns(Iris()->columns().begin(), Iris()->columns().end());
  const auto* entries = static_cast<const double*>(columns[0].data);
  std::vector<double> values(entries, entries + 150);
  for (double& value : values) value = 10 - value;
  columns[0] = Column::Doubles(columns[0].name, std::move(values));
  return Dataset::Create("iris", std::move(columns), Iris()->roles());
}

TEST_F(DiffTest, TheSameExperimentIsEqualCellByCell) {
  const CellBlock knn = Asked("knn", BundledLearner("knn"), KFold(5, 2));
  RunBoth({knn}, {knn});
  const StoreDiff diff = Diff();
  EXPECT_TRUE(diff.cells.empty());
  EXPECT_EQ(ToText(diff, 10), "10 cells equal\n");
}

TEST_F(DiffTest, ParametersAreNamedWithBothValues) {
  const auto splits = KFold(3, 1);
  RunBoth({Asked("knn", BundledLearner("knn", K(1)), splits)},
          {Asked("knn", BundledLearner("knn", K(40)), splits)});
  const StoreDiff diff = Diff();
  ASSERT_FALSE(diff.cells.empty());
  EXPECT_EQ(diff.cells[0].reason, DiffReason::kParameter);
  EXPECT_EQ(diff.cells[0].finding, "knn: k = 1 and 40");
  EXPECT_EQ(diff.n_equal + static_cast<std::int64_t>(diff.cells.size()), 3);
}

TEST_F(DiffTest, DataComeFirst) {
  RunBoth({Asked("knn", BundledLearner("knn", K(1)), KFold(3, 1))},
          {Asked("knn", BundledLearner("knn", K(9)), KFold(3, 1, OtherIris()))});
  const StoreDiff diff = Diff();
  ASSERT_FALSE(diff.cells.empty());
  EXPECT_EQ(diff.cells[0].reason, DiffReason::kData);
  EXPECT_EQ(diff.cells[0].finding,
            "150 rows (hash " + Iris()->content_hash().substr(0, 12) + ") and 150 rows (hash " +
                OtherIris()->content_hash().substr(0, 12) + "); knn: k = 1 and 9");
}

TEST_F(DiffTest, OtherRowsOfTheSplitAreAReason) {
  RunBoth({Asked("knn", BundledLearner("knn"), KFold(3, 1, Iris(), 1))},
          {Asked("knn", BundledLearner("knn"), KFold(3, 1, Iris(), 2))});
  const StoreDiff diff = Diff();
  ASSERT_EQ(diff.cells.size(), 3u);
  EXPECT_EQ(diff.cells[0].reason, DiffReason::kSplit);
  EXPECT_EQ(ToText(diff, 1),
            "0 cells equal\n3 cells different\n  rows of the split: 3\n\nknn on iris, repeat 1, "
            "fold 1: rows of the split: different training or test rows\n... and 2 more\n");
}

TEST_F(DiffTest, ASeedThatChangesNothingIsEqualFromOtherInputs) {
  CellBlock a = Asked("knn", BundledLearner("knn"), KFold(3, 1));
  CellBlock b = a;
  b.seed = 8;
  RunBoth({a}, {b});
  EXPECT_EQ(ToText(Diff(), 10), "3 cells equal, 3 of them from different inputs\n");
}

TEST_F(DiffTest, ASeedThatChangesTheResultIsTheReason) {
  const auto forest = BundledLearner("random_forest", {{"trees", std::int64_t{3}}});
  CellBlock a = Asked("forest", forest, KFold(3, 1));
  CellBlock b = a;
  b.seed = 8;
  RunBoth({a}, {b});
  const StoreDiff diff = Diff();
  ASSERT_FALSE(diff.cells.empty());
  EXPECT_EQ(diff.cells[0].reason, DiffReason::kSeed);
  EXPECT_EQ(diff.cells[0].finding, "seed 7 and 8");
}

TEST_F(DiffTest, TheSameInputsWithAnotherResultAreNotReproducible) {
  const CellBlock knn = Asked("knn", BundledLearner("knn"), KFold(3, 1));
  RunBoth({knn}, {knn});
  {
    Database db(path("b.cfdb"), Database::Access::kWrite);
    db.Execute("DELETE FROM scores WHERE fold = 2");
    Statement insert(db, "INSERT INTO scores VALUES(?, ?, ?, ?, ?, ?)");
    BindScore(insert, {1, 2, 1, {true, 0.25, ""}});
    insert.Run();
  }
  const StoreDiff diff = Diff();
  ASSERT_EQ(diff.cells.size(), 1u);
  EXPECT_EQ(diff.cells[0].reason, DiffReason::kNotReproducible);
  EXPECT_THAT(diff.cells[0].finding,
              testing::StartsWith("same inputs, different result: accuracy: the first run has 0."));
}

TEST_F(DiffTest, DamagedCellsAreNamedAndTheOthersCompared) {
  const CellBlock knn = Asked("knn", BundledLearner("knn"), KFold(4, 1));
  RunBoth({knn}, {knn});
  Database db(path("b.cfdb"), Database::Access::kWrite);
  db.Execute("UPDATE cells SET n_test = n_test + 1 WHERE fold = 1");
  db.Execute("UPDATE scores SET value = value / 2 WHERE fold = 2");
  const StoreDiff diff = Diff();
  EXPECT_THAT(diff.damaged, testing::ElementsAre("'knn' on 'iris', repeat 1, fold 2",
                                                 "scores of 'knn' on 'iris', repeat 1, fold 3"));
  EXPECT_TRUE(diff.cells.empty());
  EXPECT_EQ(diff.n_equal, 3) << "the third by its prediction";
}

TEST_F(DiffTest, CellsOfOneRunOnlyAreTold) {
  const auto splits = KFold(2, 1);
  const CellBlock knn = Asked("knn", BundledLearner("knn"), splits);
  RunBoth({knn, Asked("floor", BundledLearner("featureless"), splits)},
          {knn, Asked("bayes", BundledLearner("naive_bayes"), splits)});
  EXPECT_EQ(ToText(Diff(), 10),
            "2 cells equal\n4 cells different\n  only in the first: 2\n  only in the second: 2\n\n"
            "bayes on iris, repeat 1, fold 1: only in the second: the first run has none\n"
            "bayes on iris, repeat 1, fold 2: only in the second: the first run has none\n"
            "floor on iris, repeat 1, fold 1: only in the first: the second run has none\n"
            "floor on iris, repeat 1, fold 2: only in the first: the second run has none\n");
}

TEST_F(DiffTest, TwoRunsOfOneStoreCanBeCompared) {
  const auto splits = KFold(2, 1);
  Run({Asked("knn", BundledLearner("knn", K(1)), splits)}, "a.cfdb");
  Run({Asked("knn", BundledLearner("knn", K(60)), splits)}, "a.cfdb");
  const StoreDiff diff = DiffRuns(ParseRunPlace(path("a.cfdb").string() + "#1"),
                                  ParseRunPlace(path("a.cfdb").string() + "#2"));
  EXPECT_EQ(diff.cells.size(), 2u);
  EXPECT_EQ(MessageOf([] { ParseRunPlace("a#b"); }),
            "cannot find run 'a#b': 'b' is not the number of a run; write it as in a.cfdb#2");
}

}  // namespace
}  // namespace crossfold
