#include "crossfold/store_catalog.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include "store/cells/cell_row.h"
#include "store/cells/sqlite.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::BytesOfFile;
using fixture::KFold;
using fixture::MessageOf;

CatalogScore Scored(const std::string& learner, double score) {
  CatalogScore row;
  row.run = row.experiment = 1;
  row.dataset = "iris";
  row.dataset_hash = "00ff";
  row.learner = learner;
  row.metric = "accuracy";
  row.metric_key = "ab";
  row.direction = 1;
  row.folds = row.defined = 3;
  row.score = score;
  return row;
}

// A learner whose predictions depend on the seed.
CellBlock Forest(std::uint64_t seed) {
  const ParamValues few = {{"trees", std::int64_t{3}}};
  CellBlock block = Asked("forest", BundledLearner("random_forest", few), KFold(3, 1));
  block.seed = seed;
  return block;
}

class StoreCatalogTest : public fixture::LedgerTest {
 protected:
  std::filesystem::path catalog() const { return path("team.catalog"); }

  // A run of kNN in a store of its own, which is added.
  CatalogAddition Add(const std::string& store, const std::string& who = "ann",
                      std::vector<CatalogScore> scores = {}) const {
    if (!std::filesystem::exists(path(store))) {
      Run({Asked("knn", BundledLearner("knn"), KFold(3, 2))}, store);
    }
    return AddToCatalog(catalog(), path(store), {who, std::move(scores), {}});
  }

  // The first column.
  std::vector<std::string> Column(const std::string& sql) const {
    std::vector<std::string> found;
    for (const auto& row : QueryCatalog(catalog(), sql).rows) {
      found.push_back(std::get<std::string>(row[0]));
    }
    return found;
  }

  std::string Message(const std::string& sql) const {
    return MessageOf([&] { QueryCatalog(catalog(), sql); });
  }

  // The message of a query of the file with these bytes.
  std::string MessageOfBytes(const std::string& bytes) const {
    std::ofstream(path("other.catalog"), std::ios::binary) << bytes;
    return MessageOf([&] { QueryCatalog(path("other.catalog"), "SELECT 1"); });
  }

  std::string Cannot(const std::string& what, const std::string& finding) const {
    return "cannot " + what + " catalog '" + path("other.catalog").string() + "': " + finding;
  }
};

TEST_F(StoreCatalogTest, AStoreIsAddedWithItsRunsAndCells) {
  const CatalogAddition added = Add("a.cfdb");
  EXPECT_EQ(added.who, "ann");
  EXPECT_EQ(added.runs, 1);
  EXPECT_EQ(added.cells, 6);
  EXPECT_TRUE(added.is_new);
  EXPECT_EQ(ToText(QueryCatalog(catalog(),
                                "SELECT learner, dataset, repeat, fold, status, component, run "
                                "FROM cells JOIN series USING (store, series) "
                                "JOIN steps USING (store, series) ORDER BY repeat, fold LIMIT 2")),
            "learner  dataset  repeat  fold  status  component      run\n"
            "-------  -------  ------  ----  ------  -------------  ---\n"
            "knn      iris          1     1  ok      crossfold.knn    1\n"
            "knn      iris          1     2  ok      crossfold.knn    1\n");
}

TEST_F(StoreCatalogTest, AStoreThatIsAddedAgainIsReplaced) {
  Add("a.cfdb", "ann", {Scored("old", 0.5)});
  Run({Asked("tree", BundledLearner("decision_tree"), KFold(3, 1))}, "a.cfdb");
  const CatalogAddition added = Add("a.cfdb", "", {Scored("new", 0.5)});
  EXPECT_FALSE(added.is_new);
  EXPECT_EQ(added.who, "ann");
  EXPECT_EQ(added.cells, 9);
  EXPECT_EQ(Column("SELECT learner FROM scores"), std::vector<std::string>{"new"});
}

TEST_F(StoreCatalogTest, AStoreThatIsGoneStaysAndIsNamed) {
  Add("a.cfdb");
  Add("b.cfdb");
  std::filesystem::remove(path("a.cfdb"));
  const Table list = ListCatalog(catalog());
  ASSERT_EQ(list.rows.size(), 2U);
  EXPECT_EQ(std::get<std::string>(list.rows[0].back()), "gone");
  EXPECT_EQ(std::get<std::string>(list.rows[1].back()), "current");
  RemoveFromCatalog(catalog(), path("a.cfdb"));
  EXPECT_EQ(ListCatalog(catalog()).rows.size(), 1U);
  EXPECT_EQ(MessageOf([&] { RemoveFromCatalog(catalog(), path("a.cfdb")); }),
            "cannot remove '" + path("a.cfdb").string() + "' from catalog '" + catalog().string() +
                "': it is not in it; crossfold catalog list shows what is");
}

TEST_F(StoreCatalogTest, EqualScoresHaveTheSameRankAndUndefinedOnesHaveNone) {
  CatalogScore undefined = Scored("fails", 0);
  undefined.score.reset();
  undefined.undefined = "all folds failed";
  Add("a.cfdb", "ann", {Scored("knn", 0.9), Scored("tree", 0.8), undefined});
  Add("b.cfdb", "bob", {Scored("knn", 0.9)});
  EXPECT_EQ(ToText(QueryCatalog(catalog(),
                                "SELECT rank, learner, score, undefined, who FROM best "
                                "ORDER BY rank IS NULL, rank, who"),
                   1),
            "rank  learner  score  undefined         who\n"
            "----  -------  -----  ----------------  ---\n"
            "   1  knn        0.9  -                 ann\n"
            "   1  knn        0.9  -                 bob\n"
            "   3  tree       0.8  -                 ann\n"
            "   -  fails        -  all folds failed  ann\n");
}

TEST_F(StoreCatalogTest, MeansThatDifferByRoundingHaveTheSameRankAndInfinityIsLast) {
  CatalogScore a = Scored("a", 0.1 + 0.2), b = Scored("b", 0.3), c = Scored("c", 0.31),
               d = Scored("d", std::numeric_limits<double>::infinity());
  for (CatalogScore* score : {&a, &b, &c, &d}) score->direction = -1;
  ASSERT_NE(*a.score, *b.score);
  Add("a.cfdb", "ann", {a, b, c, d});
  EXPECT_EQ(ToCsv(QueryCatalog(catalog(), "SELECT learner, rank FROM best ORDER BY learner")),
            "learner,rank\na,1\nb,1\nc,3\nd,4\n");
}

TEST_F(StoreCatalogTest, AMetricWrittenInLuaIsRankedWithinItsStore) {
  CatalogScore good = Scored("knn", 0.9), bad = Scored("tree", 0.1);
  good.metric = bad.metric = "own";
  good.metric_key = bad.metric_key = "";
  Add("a.cfdb", "ann", {good});
  Add("b.cfdb", "bob", {bad});
  EXPECT_EQ(ToCsv(QueryCatalog(catalog(), "SELECT learner, rank FROM best ORDER BY learner")),
            "learner,rank\nknn,1\ntree,1\n");
}

TEST_F(StoreCatalogTest, HashesAreFoundByTheirBeginnings) {
  Add("a.cfdb");
  const std::string data = Column("SELECT hash FROM datasets").front();
  const Table found = FindInCatalog(catalog(), data.substr(0, 8));
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(std::get<std::string>(found.rows[0][0]), "dataset");
  EXPECT_EQ(std::get<std::string>(found.rows[0][2]), "iris");
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][5]), 6);
  for (const char* sql : {"SELECT sha256 FROM plugins WHERE id = 'crossfold.knn'",
                          "SELECT key FROM series WHERE repeat = 2", "SELECT splits FROM series",
                          "SELECT result FROM cells", "SELECT script_sha256 FROM runs"}) {
    EXPECT_FALSE(FindInCatalog(catalog(), Column(sql).front()).rows.empty()) << sql;
  }
  EXPECT_EQ(MessageOf([&] { FindInCatalog(catalog(), "xyz"); }),
            "cannot find 'xyz' in catalog '" + catalog().string() +
                "': it is not the beginning of a SHA-256; give 4 to 64 digits 0-9 and a-f");
}

TEST_F(StoreCatalogTest, AQueryOnlyReads) {
  Add("a.cfdb");
  const std::string before = BytesOfFile(catalog());
  const std::string other = path("other.db").string();
  for (const std::string& sql :
       {std::string("DELETE FROM stores"), std::string("UPDATE stores SET who = 'x'"),
        std::string("CREATE TEMP TABLE t(x)"), std::string("BEGIN"), std::string("COMMIT"),
        "ATTACH '" + other + "' AS other", "VACUUM INTO '" + other + "'",
        std::string("PRAGMA user_version = 7"), std::string("PRAGMA page_count"),
        std::string("DROP VIEW best"), std::string("INSERT INTO runs SELECT * FROM runs"),
        std::string("EXPLAIN DELETE FROM stores")}) {
    EXPECT_EQ(Message(sql), "cannot query catalog '" + catalog().string() +
                                "': it may only be read, by one SELECT; the query is: " + sql);
  }
  EXPECT_EQ(Message("SELECT load_extension('x')"),
            "cannot query catalog '" + catalog().string() +
                "': not authorized to use function: load_extension; the query is: SELECT "
                "load_extension('x')");
  // It takes and returns addresses of code.
  EXPECT_TRUE(Message("SELECT fts3_tokenizer('simple')")
                  .find("not authorized to use function: fts3_tokenizer") != std::string::npos);
  EXPECT_EQ(BytesOfFile(catalog()), before);
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(StoreCatalogTest, AQueryIsOneStatement) {
  Add("a.cfdb");
  EXPECT_EQ(Column("SELECT who FROM stores; -- that is all"), std::vector<std::string>{"ann"});
  const std::string cannot = "cannot query catalog '" + catalog().string() + "': ";
  EXPECT_EQ(Message("SELECT 1; SELECT 2"),
            cannot + "it has several statements; use one; the query is: SELECT 1; SELECT 2");
  EXPECT_EQ(Message(" -- nothing"), cannot + "it has no statement; the query is:  -- nothing");
  EXPECT_EQ(Message("SELECT nope FROM best"),
            cannot + "no such column: nope; the query is: SELECT nope FROM best");
}

TEST_F(StoreCatalogTest, AQueryOfTooMuchIsRefused) {
  Add("a.cfdb");
  const std::string sql =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
      "SELECT printf('%.*c', 10000000, 'x') FROM n";
  EXPECT_EQ(Message(sql),
            "cannot query catalog '" + catalog().string() +
                "': its result has more than 256 MiB; use LIMIT; the query is: " + sql);
}

TEST_F(StoreCatalogTest, AQueryWithoutAnEndIsCancelled) {
  Add("a.cfdb");
  CancelToken cancel;
  cancel.Cancel();
  try {
    QueryCatalog(catalog(),
                 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                 "SELECT count(i) FROM n",
                 &cancel);
    FAIL() << "it ended";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kCancelled);
  }
}

TEST_F(StoreCatalogTest, CellsOfTwoStoresAreEqual) {
  Add("a.cfdb", "ann");
  Add("b.cfdb", "bob");
  const Table found = CompareStores(catalog(), false);
  EXPECT_EQ(ToCsv(found),
            "dataset,learner,settings,inner,first,first_store,second,second_store,cells,"
            "same_inputs,equal,different,unknown,reason,finding\n"
            "iris,knn,knn,false,ann," +
                path("a.cfdb").string() + ",bob," + path("b.cfdb").string() + ",6,6,6,0,0,,\n");
}

TEST_F(StoreCatalogTest, CellsOfTwoStoresDifferAndTheReasonIsThatOfDiff) {
  Run({Forest(1)}, "a.cfdb");
  Run({Forest(2)}, "b.cfdb");
  Add("a.cfdb");
  Add("b.cfdb");
  const Table found = CompareStores(catalog(), false);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][8]), 3);
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][9]), 0);
  EXPECT_GT(std::get<std::int64_t>(found.rows[0][11]), 0);
  EXPECT_EQ(std::get<std::string>(found.rows[0][13]), "seed");
  EXPECT_THAT(std::get<std::string>(found.rows[0][14]), testing::EndsWith("seed 1 and 2"));

  std::filesystem::remove(path("b.cfdb"));
  const Table gone = CompareStores(catalog(), false);
  EXPECT_EQ(gone.rows[0][12], found.rows[0][11]);  // unknown now
  EXPECT_THAT(std::get<std::string>(gone.rows[0][14]),
              testing::EndsWith("cannot open store '" + path("b.cfdb").string() +
                                "': there is no such file; a run with --store makes it"));
}

// Another store is at the path of one that was added.
TEST_F(StoreCatalogTest, CellsOfAStoreThatWasMadeAgainAreUnknown) {
  Run({Forest(1)}, "a.cfdb");
  Run({Forest(2)}, "b.cfdb");
  Add("a.cfdb");
  Add("b.cfdb");
  for (const char* rest : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path("b.cfdb").string() + rest);
  }
  Run({Forest(3)}, "b.cfdb");
  const Table found = CompareStores(catalog(), false);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][11]), 0);  // different
  EXPECT_EQ(std::get<std::string>(found.rows[0][13]), "changed");
  EXPECT_THAT(std::get<std::string>(found.rows[0][14]),
              testing::EndsWith(": a store has changed; add it again"));
}

// A score of one store is changed, with its checksum.
TEST_F(StoreCatalogTest, CellsWithTheSameInputsThatDifferAreNotReproducible) {
  Add("a.cfdb");
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 2))}, "b.cfdb");
  {
    Database db(path("b.cfdb"), Database::Access::kWrite);
    ScoreRow changed;
    {
      Statement row(db, std::string("SELECT ") + kScoreColumns +
                            " FROM scores WHERE series = 1 AND fold = 1");
      ASSERT_TRUE(row.Step());
      changed = ReadScoreRow(row).row;
    }
    changed.score.value = 0.25;
    Statement put(db, "UPDATE scores SET value = ?1, checksum = ?2 WHERE series = 1 AND fold = 1");
    put.Bind(1, changed.score.value).Bind(2, ChecksumOf(changed)).Run();
    fixture::Reseal(db);
  }
  Add("b.cfdb");
  const Table found = CompareStores(catalog(), false);
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][9]), 6);   // same inputs
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][10]), 5);  // equal
  EXPECT_EQ(std::get<std::int64_t>(found.rows[0][11]), 1);  // different
  EXPECT_EQ(std::get<std::string>(found.rows[0][13]), "not reproducible");
  EXPECT_THAT(std::get<std::string>(found.rows[0][14]),
              testing::StartsWith(
                  "repeat 1, fold 2: same inputs, different result: accuracy: the first run has "));
}

TEST_F(StoreCatalogTest, DamagedCellsAreLeftOutAndNamed) {
  Run({Asked("knn", BundledLearner("knn"), KFold(3, 2))}, "a.cfdb");
  {
    Database db(path("a.cfdb"), Database::Access::kWrite);
    db.Execute("UPDATE cells SET n_test = 99 WHERE series = 1 AND fold = 1");
  }
  const CatalogAddition added = Add("a.cfdb");
  EXPECT_EQ(added.cells, 5);
  EXPECT_EQ(added.damaged, (std::vector<std::string>{"cell 1 of series 1"}));
}

TEST_F(StoreCatalogTest, AChangedByteIsFound) {
  Add("a.cfdb", "ann", {Scored("knn", 0.9)});
  std::string bytes = BytesOfFile(catalog());
  const std::size_t at = bytes.find("accuracy");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = 'b';
  EXPECT_EQ(MessageOfBytes(bytes),
            Cannot("read", "it is damaged (what it has of '" + path("a.cfdb").string() +
                               "'); remove it and add the stores again"));
}

// Of all bytes, those that are flipped one at a time: each is found, or part of no row.
TEST_F(StoreCatalogTest, AFlippedByteIsFoundOrChangesNothing) {
  Add("a.cfdb", "ann", {Scored("knn", 0.9)});
  constexpr const char* kAll =
      "SELECT * FROM stores s, runs r, datasets d, series e, steps t, cells c, scores o, plugins p";
  const std::string bytes = BytesOfFile(catalog()), rows = ToCsv(QueryCatalog(catalog(), kAll));
  std::size_t n_found = 0, n_tried = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 211) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    std::ofstream(path("other.catalog"), std::ios::binary) << flipped;
    ++n_tried;
    try {
      EXPECT_EQ(ToCsv(QueryCatalog(path("other.catalog"), kAll)), rows) << "byte " << i;
    } catch (const Error& e) {
      ++n_found;
      EXPECT_THAT(e.what(), testing::HasSubstr("catalog '" + path("other.catalog").string()));
    }
  }
  EXPECT_GT(n_found, n_tried / 10);
}

TEST_F(StoreCatalogTest, ACatalogThatWasCutOffIsRefused) {
  Add("a.cfdb");
  const std::string bytes = BytesOfFile(catalog());
  EXPECT_THAT(MessageOfBytes(bytes.substr(0, bytes.size() / 2)),
              testing::StartsWith(Cannot("read", "it is damaged (")));
}

TEST_F(StoreCatalogTest, OtherFilesAreRefusedAndNotChanged) {
  Add("a.cfdb");
  const std::string refused = Cannot("open", "it is not a Crossfold catalog; use another path");
  EXPECT_EQ(MessageOfBytes("not a catalog"), refused);
  const std::string store = BytesOfFile(path("a.cfdb"));
  EXPECT_EQ(MessageOfBytes(store), refused);
  EXPECT_EQ(MessageOf([&] { AddToCatalog(path("other.catalog"), path("a.cfdb"), {}); }), refused);
  EXPECT_EQ(BytesOfFile(path("other.catalog")), store);
}

TEST_F(StoreCatalogTest, ViewsOfAForgedCatalogAreRefused) {
  Add("a.cfdb");
  std::filesystem::copy_file(catalog(), path("other.catalog"));
  {
    Database db(path("other.catalog"), Database::Access::kWrite);
    db.Execute("DROP VIEW best; CREATE VIEW best AS SELECT 1 AS rank");
  }
  EXPECT_EQ(MessageOf([&] { QueryCatalog(path("other.catalog"), "SELECT * FROM best"); }),
            Cannot("read",
                   "it is damaged (its tables are not those of a catalog); remove it and add the "
                   "stores again"));
}

TEST_F(StoreCatalogTest, ACatalogOfANewerFormatIsRefused) {
  Add("a.cfdb");
  std::filesystem::copy_file(catalog(), path("other.catalog"));
  {
    Database db(path("other.catalog"), Database::Access::kWrite);
    db.Execute("PRAGMA user_version = 2");
  }
  EXPECT_EQ(MessageOf([&] { ListCatalog(path("other.catalog")); }),
            Cannot("open", "it has format 2, and this Crossfold reads 1; use a newer Crossfold"));
}

TEST_F(StoreCatalogTest, WithoutACatalogThereIsNothingToRead) {
  EXPECT_EQ(MessageOf([&] { ListCatalog(path("other.catalog")); }),
            Cannot("read", "there is none; crossfold catalog add makes it"));
  EXPECT_FALSE(std::filesystem::exists(path("other.catalog")));
}

// The files of a process that is killed while it replaces a store: pages are written, and the
// journal is not yet removed.
TEST_F(StoreCatalogTest, WhatIsHalfWrittenIsUndone) {
  Add("a.cfdb", "ann", {Scored("knn", 0.9)});
  {
    Database db(catalog(), Database::Access::kWrite);
    db.Execute("PRAGMA cache_size = 1");
    const Transaction transaction(db);
    db.Execute("DELETE FROM cells; DELETE FROM series; DELETE FROM steps; DELETE FROM scores");
    db.Execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) "
        "INSERT INTO runs SELECT 9, i, 'x', 'x', 'x', 'x', 1, 1 FROM n");
    std::filesystem::copy_file(catalog(), path("other.catalog"));
    std::filesystem::copy_file(catalog().string() + "-journal",
                               path("other.catalog").string() + "-journal");
  }
  ASSERT_NE(BytesOfFile(path("other.catalog")), BytesOfFile(catalog()));
  EXPECT_EQ(ToCsv(QueryCatalog(path("other.catalog"),
                               "SELECT (SELECT count(fold) FROM cells) AS cells, "
                               "(SELECT count(run) FROM runs) AS runs")),
            "cells,runs\n6,1\n");
}

}  // namespace
}  // namespace crossfold
