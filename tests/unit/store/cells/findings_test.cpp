#include "crossfold/store_findings.h"

#include "crossfold/store_export.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_repair.h"
#include "store/cells/sqlite.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BytesOfFile;
using fixture::Iris;
using fixture::KFold;
using ::testing::ElementsAre;

Finding Noted(const std::string& kind, const std::string& name, const std::string& body,
              std::shared_ptr<const SplitPlan> splits = nullptr) {
  return {0, kind, name, body, std::move(splits)};
}

class FindingsTest : public fixture::LedgerTest {
 protected:
  std::shared_ptr<CellStore> Begin(const std::string& script = "a.lua") const {
    auto store = CellStore::Open(path());
    store->BeginRun({script, "", {}, 1});
    return store;
  }
  std::int64_t Note(CellStore& store, std::int64_t experiment,
                    const std::vector<Finding>& findings) const {
    return RecordFindings(store, experiment, findings);
  }
  // "1/fold/1 1={}" of a run's findings.
  std::vector<std::string> NotedIn(std::int64_t run, const std::string& name = "store.cfdb") {
    std::vector<std::string> texts;
    damaged_.clear();
    for (const Finding& one : Ledger(path(name)).Findings(run, damaged_)) {
      texts.push_back(std::to_string(one.experiment) + "/" + one.kind + "/" + one.name + "=" +
                      one.body + (one.splits ? " " + std::to_string(one.splits->size()) : ""));
    }
    return texts;
  }
  void Execute(const char* sql) const { Database(path(), Database::Access::kWrite).Execute(sql); }
  std::int64_t Number(const char* sql) const {
    return Database(path(), Database::Access::kRead).Number(sql);
  }

  std::vector<std::string> damaged_;
};

TEST_F(FindingsTest, ExperimentsOfARunAreNumberedAndComeInOrder) {
  {
    const auto store = Begin();
    EXPECT_EQ(Note(*store, 0, {Noted("evaluate", "", "{}")}), 1);
    EXPECT_EQ(Note(*store, 0, {Noted("evaluate", "", "[2]")}), 2);
    EXPECT_EQ(Note(*store, 1, {Noted("fold", "1 2", "3"), Noted("fold", "1 1", "4")}), 1);
    store->BeginRun({"b.lua", "", {}, 1});
    EXPECT_EQ(Note(*store, 0, {Noted("evaluate", "", "5")}), 1);
  }
  EXPECT_THAT(NotedIn(1),
              ElementsAre("1/evaluate/={}", "1/fold/1 1=4", "1/fold/1 2=3", "2/evaluate/=[2]"));
  EXPECT_THAT(NotedIn(2), ElementsAre("1/evaluate/=5"));
}

TEST_F(FindingsTest, AFindingTakesThePlaceOfAnEarlierOneOfItsNames) {
  {
    const auto store = Begin();
    Note(*store, 0, {Noted("fold", "1 1", "1")});
    Note(*store, 1, {Noted("fold", "1 1", "2")});
  }
  EXPECT_THAT(NotedIn(1), ElementsAre("1/fold/1 1=2"));
}

TEST_F(FindingsTest, SplitsComeBackOnTheSameData) {
  const auto splits = KFold(3, 2);
  Note(*Begin(), 0, {Noted("dataset", "iris", "{}", splits)});
  std::vector<Finding> found = Ledger(path()).Findings(1, damaged_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(HaveSameSplits(*found[0].splits, *splits));
  EXPECT_EQ(found[0].splits->view().data->content_hash(), Iris()->content_hash());
}

TEST_F(FindingsTest, ACanonicalCopyHasThemAndTheirData) {
  Note(*Begin(), 0, {Noted("evaluate", "", "{}"), Noted("dataset", "iris", "{}", KFold(4, 1))});
  WriteCanonicalCopy(path(), path("a.cfdb"), {1, false});
  EXPECT_THAT(NotedIn(1, "a.cfdb"), ElementsAre("1/dataset/iris={} 4", "1/evaluate/={}"));
  WriteCanonicalCopy(path("a.cfdb"), path("b.cfdb"), {1, false});
  EXPECT_EQ(BytesOfFile(path("a.cfdb")), BytesOfFile(path("b.cfdb")));
  WriteCanonicalCopy(path(), path("c.cfdb"), {1, true});
  EXPECT_THAT(NotedIn(1, "c.cfdb"), ElementsAre("1/dataset/iris={}", "1/evaluate/={}"));
}

TEST_F(FindingsTest, TheyGoWithTheirRunAndKeepTheirData) {
  Note(*Begin(), 0, {Noted("dataset", "old", "{}", KFold(2, 1))});
  {
    const auto store = Begin();
    Note(*store, 0, {Noted("dataset", "new", "{}", KFold(3, 1))});
    store->FinishRun();
  }
  CollectStoreGarbage(path());
  EXPECT_THAT(NotedIn(2), ElementsAre("1/dataset/new={} 3"));
  EXPECT_EQ(Number("SELECT count(*) FROM findings"), 1);
  EXPECT_EQ(Number("SELECT count(*) FROM datasets"), 1);
}

TEST_F(FindingsTest, ADamagedOneIsNamedAndLeftOut) {
  Note(*Begin(), 0, {Noted("evaluate", "", "{}"), Noted("fold", "1 1", "1")});
  Execute("UPDATE findings SET body = '2' WHERE kind = 'fold'");
  EXPECT_THAT(NotedIn(1), ElementsAre("1/evaluate/={}"));
  EXPECT_THAT(damaged_, ElementsAre("what experiment 1 noted (fold 1 1)"));
  EXPECT_THAT(WriteCanonicalCopy(path(), path("a.cfdb"), {1, false}),
              ElementsAre("what experiment 1 noted (fold 1 1)"));
  RepairStore(path(), path("saved.cfdb"));
  EXPECT_THAT(NotedIn(1, "saved.cfdb"), ElementsAre("1/evaluate/={}"));
  EXPECT_TRUE(damaged_.empty());
}

TEST_F(FindingsTest, DamagedSplitsAreNamed) {
  Note(*Begin(), 0, {Noted("dataset", "iris", "{}", KFold(2, 1))});
  Execute("UPDATE datasets SET hash = 'gone'");
  EXPECT_THAT(NotedIn(1), ElementsAre("1/dataset/iris={}"));  // as if the data were not kept
  Execute("UPDATE findings SET splits = x'00'");
  EXPECT_TRUE(NotedIn(1).empty());
  EXPECT_THAT(damaged_, ElementsAre("what experiment 1 noted (dataset iris)"));
}

TEST_F(FindingsTest, AStoreOfAnOlderCrossfoldIsReadAndGetsTheTable) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
  Execute("DROP TABLE findings");
  EXPECT_TRUE(NotedIn(1).empty());
  EXPECT_EQ(Ledger(path()).LastWithResults(), 1);
  WriteCanonicalCopy(path(), path("a.cfdb"), {1, false});
  RepairStore(path(), path("saved.cfdb"));
  EXPECT_EQ(Number("SELECT count(*) FROM sqlite_schema WHERE name = 'findings'"), 0);
  Note(*Begin(), 0, {Noted("evaluate", "", "{}")});
  EXPECT_THAT(NotedIn(2), ElementsAre("1/evaluate/={}"));
}

// A program that does not know the table removes runs, and their numbers are given away again.
TEST_F(FindingsTest, ANewRunHasNothingOfAnotherOneOfItsNumber) {
  Note(*Begin(), 0, {Noted("evaluate", "", "{}")});
  Execute("DELETE FROM runs");
  EXPECT_EQ(Note(*Begin(), 0, {Noted("evaluate", "", "[2]")}), 1);
  EXPECT_THAT(NotedIn(1), ElementsAre("1/evaluate/=[2]"));
}

class LedgerCellsTest : public fixture::LedgerTest {
 protected:
  LedgerQuery QueryOf(const CellBlock& block) const {
    LedgerQuery query;
    query.run = 1;
    query.learner = block.purpose->learner;
    query.dataset = "iris";
    query.splits = block.splits;
    query.seed = block.seed;
    query.probabilities = block.keep == Keep::kProbabilities;
    for (std::int64_t s = 0; s < block.splits->size(); ++s) {
      query.places.emplace_back(block.splits->repeat_of(s), block.splits->fold_of(s));
      query.learner_keys.push_back(StoredLearnerKey(*block.learner));
    }
    return query;
  }
  // "split:finished:score" of what the run asked for.
  std::vector<std::string> Found(const LedgerQuery& query) {
    std::vector<std::string> texts;
    const StoredCells cells = Ledger(path()).Cells(query, damaged_);
    for (std::size_t split = 0; split < cells.size(); ++split) {
      if (cells.state(split) == CellState::kUnknown) continue;
      const Score* score = cells.FindScore(split, "accuracy");
      texts.push_back(std::to_string(split) + ":" +
                      std::to_string(cells.state(split) == CellState::kOk) + ":" +
                      (score == nullptr ? "" : std::to_string(score->value)));
    }
    return texts;
  }
  // What became of each split; damaged_ gets the names.
  std::vector<std::string> States(const LedgerQuery& query) {
    std::vector<std::string> texts;
    damaged_.clear();
    const StoredCells cells = Ledger(path()).Cells(query, damaged_);
    for (std::size_t split = 0; split < cells.size(); ++split) {
      const CellState state = cells.state(split);
      if (state == CellState::kUnknown) continue;
      const std::string scores = std::to_string(cells.num_damaged_scores(split)) + " damaged score";
      texts.push_back(std::to_string(split) + ":" +
                      (state == CellState::kDamaged   ? "damaged"
                       : state == CellState::kMissing ? "missing"
                                                      : scores));
    }
    return texts;
  }
  static std::vector<std::string> Expected(std::span<const Outcome> outcomes) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      texts.push_back(std::to_string(i) + ":1:" + std::to_string(outcomes[i].scores[0].value));
    }
    return texts;
  }

  std::vector<std::string> damaged_;
};

// Three experiments of one name on the same folds, and one on others.
TEST_F(LedgerCellsTest, ExperimentsOfTheSameNamesAreToldApart) {
  const auto splits = KFold(3, 2);
  std::vector<CellBlock> blocks = {
      Asked("knn", BundledLearner("knn", {{"k", std::int64_t{1}}}), splits),
      Asked("knn", BundledLearner("knn", {{"k", std::int64_t{30}}}), splits),
      Asked("knn", BundledLearner("random_forest", {{"trees", std::int64_t{3}}}), splits),
      Asked("knn", BundledLearner("knn", {{"k", std::int64_t{1}}}), KFold(3, 2, Iris(), 9))};
  blocks.push_back(blocks[2]);
  blocks.back().seed = 8;
  const std::vector<Outcome> outcomes = Run(blocks);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    EXPECT_EQ(Found(QueryOf(blocks[b])), Expected(std::span(outcomes).subspan(6 * b, 6))) << b;
  }
}

// The text that the store has is the one that came first.
TEST_F(LedgerCellsTest, ALearnerWithAnotherTextIsTheSameLearner) {
  const auto splits = KFold(3, 1);
  const CellBlock first = Asked("a", BundledLearner("knn"), splits);
  const CellBlock second =
      Asked("b", BundledLearner("knn", {{"k", std::int64_t{5}}}), splits);  // the default
  const std::vector<Outcome> outcomes = Run({first, second});
  ASSERT_NE(first.learner->ToString(), second.learner->ToString());
  EXPECT_EQ(Found(QueryOf(second)), Expected(std::span(outcomes).subspan(3, 3)));
}

TEST_F(LedgerCellsTest, WhatIsNotThereIsNotFound) {
  const CellBlock block = Asked("knn", BundledLearner("knn"), KFold(3, 1));
  Run({block});
  LedgerQuery query = QueryOf(block);
  query.learner_keys[1].clear();
  EXPECT_EQ(Found(query).size(), 2u);
  query = QueryOf(block);
  query.seed = 1;
  EXPECT_TRUE(Found(query).empty());
  query = QueryOf(block);
  query.splits = KFold(3, 1, Iris(), 5);
  EXPECT_TRUE(Found(query).empty());
  query.splits = nullptr;
  EXPECT_EQ(Found(query).size(), 3u);
  Database(path(), Database::Access::kWrite).Execute("DELETE FROM cells WHERE fold = 1");
  const std::vector<std::string> found = Found(QueryOf(block));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1], "1:0:");
}

TEST_F(LedgerCellsTest, WhatIsDamagedIsToldFromWhatWasNeverComputed) {
  const CellBlock block = Asked("knn", BundledLearner("knn"), KFold(3, 1));
  Run({block});
  Database database(path(), Database::Access::kWrite);
  database.Execute("DELETE FROM cells WHERE fold = 0");
  database.Execute("UPDATE cells SET n_test = n_test + 1 WHERE fold = 1");
  database.Execute("UPDATE scores SET value = value + 1 WHERE fold = 2");
  EXPECT_THAT(States(QueryOf(block)), ElementsAre("0:missing", "1:damaged", "2:1 damaged score"));
  EXPECT_THAT(damaged_, ElementsAre("'knn' on 'iris', 3 cells (rows are missing or were added)",
                                    "'knn' on 'iris', repeat 1, fold 2",
                                    "scores of 'knn' on 'iris', repeat 1, fold 3"));
}

// Which folds the cells of a lost definition were is all that is known.
TEST_F(LedgerCellsTest, CellsWhoseDefinitionIsLostAreDamaged) {
  const CellBlock block = Asked("knn", BundledLearner("knn"), KFold(3, 1));
  Run({block, Asked("floor", BundledLearner("featureless"), KFold(3, 1))});
  Database(path(), Database::Access::kWrite).Execute("DELETE FROM learners WHERE text LIKE 'knn%'");
  EXPECT_THAT(States(QueryOf(block)), ElementsAre("0:damaged", "1:damaged", "2:damaged"));
  EXPECT_THAT(damaged_, ElementsAre("'knn' on 'iris', 3 cells"));
}

}  // namespace
}  // namespace crossfold
