// Numbers of a store that no run wrote: they ask for no memory and no time, and what they belong to
// is named.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/store_export.h"
#include "crossfold/store_gc.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/store_verify.h"
#include "crossfold_plugin/error.hpp"
#include "store/cells/cell_row.h"
#include "store/cells/packed_bytes.h"
#include "store/cells/sqlite.h"
#include "store/cells/stored_prediction.h"
#include "unit/store/ledger_fixture.h"

namespace crossfold {
namespace {

using fixture::Asked;
using fixture::BundledLearner;
using fixture::KFold;
using fixture::MessageOf;
using fixture::PlainRun;
using testing::ElementsAre;
using testing::HasSubstr;

class ForeignNumbersTest : public fixture::LedgerTest {
 protected:
  void SetUp() override {
    Run({Asked("knn", BundledLearner("knn"), KFold(3, 1)),
         Asked("floor", BundledLearner("featureless"), KFold(2, 1))});
  }
  void Execute(const std::string& sql) const {
    Database db(path(), Database::Access::kWrite);
    db.Execute(sql.c_str());
    fixture::Reseal(db);
  }
  void SetBytes(const std::string& sql, const std::string& bytes) const {
    Database db(path(), Database::Access::kWrite);
    Statement(db, sql).BindBlob(1, bytes).Run();
    fixture::Reseal(db);
  }
  // Names of what is damaged; `n_whole` gets the number of the other cells.
  std::vector<std::string> Visit(int& n_whole) const {
    n_whole = 0;
    return Ledger(path()).Visit(1, LedgerPart::kAll, [&](const LedgerEntry&) { ++n_whole; });
  }
  std::string VisitError() const {
    return MessageOf([&] {
      int n_whole = 0;
      Visit(n_whole);
    });
  }
};

TEST_F(ForeignNumbersTest, ACountOfCellsThatTheSplitDoesNotHaveIsDamaged) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"count = 4000000000", "4000000000 cells"},
      {"count = -1", "-1 cells"},
      {"count = 0", "0 cells"},
      {"count = 4", "4 cells"},
      {"first = 1", "3 cells"},
      {"first = -1", "3 cells"},
      {"first = 9223372036854775807", "3 cells"},
      {"count = 9223372036854775807", "cells"}};
  for (const auto& [change, cells] : changes) {
    Execute("UPDATE wanted SET first = 0, count = 3 WHERE learner = 'knn'");
    Execute("UPDATE wanted SET " + change + " WHERE learner = 'knn'");
    const auto is_named = ElementsAre(testing::AllOf(HasSubstr("'knn'"), HasSubstr(cells)));
    int n_whole = 0;
    EXPECT_THAT(Visit(n_whole), is_named) << change;
    EXPECT_EQ(n_whole, 2) << change;
    EXPECT_THAT(ExportRun(path(), path("run.zip"), {}), is_named) << change;
    std::filesystem::remove(path("merged.cfdb"));
    EXPECT_THAT(MergeStores(path("merged.cfdb"), std::vector{path()}).damaged, is_named) << change;
  }
}

TEST_F(ForeignNumbersTest, ACountThatIsNoneIsToldByStatusAndRepaired) {
  for (const char* count : {"-1", "9223372036854775807"}) {
    Execute(std::string("UPDATE wanted SET count = ") + count + " WHERE learner = 'knn'");
    EXPECT_THAT(MessageOf([&] { ReadStoreStatus(path(), {}); }), HasSubstr("crossfold repair"));
    std::filesystem::remove(path("new.cfdb"));
    EXPECT_EQ(RepairStore(path(), path("new.cfdb")).saved, 5) << count;
    EXPECT_EQ(ReadStoreStatus(path("new.cfdb"), {}).learners.size(), 1u) << count;
  }
}

TEST_F(ForeignNumbersTest, RepairDropsACountThatTheSplitDoesNotHave) {
  Execute("UPDATE wanted SET count = 4000000000 WHERE learner = 'knn'");
  EXPECT_EQ(RepairStore(path(), path("new.cfdb")).saved, 5);
  EXPECT_EQ(ReadStoreStatus(path("new.cfdb"), {}).learners.size(), 1u);
}

// A label of a class that the dataset does not have would be looked up after its classes.
TEST_F(ForeignNumbersTest, APredictionOfOtherClassesOrRowsIsNeverUsed) {
  Prediction prediction;
  prediction.n_classes = 4'000'000'000;
  prediction.labels = {3'999'999};
  prediction.rows = {0};
  Prediction far = prediction;
  far.n_classes = 3;
  far.labels = {0};
  far.rows = {4'000'000'000};
  Prediction of_regression = far;
  of_regression.rows = {0};
  of_regression.n_classes = 0;
  of_regression.labels.clear();
  of_regression.values = {1.5};
  for (const Prediction& forged : {prediction, far, of_regression}) {
    const std::string bytes = PackPrediction(forged, {});
    EXPECT_THROW(UnpackPredictionOf(*fixture::Iris(), bytes, {}), plugin::Error);
    CellRow row;
    row.n_train = 100;
    row.n_test = 50;
    row.prediction = bytes;
    SetBytes(
        "UPDATE cells SET n_train = 100, n_test = 50, fit_s = 0, predict_s = 0, notes = NULL, "
        "prediction = ?1",
        bytes);
    {
      Database db(path(), Database::Access::kWrite);
      Statement cells(db, "SELECT series, fold FROM cells");
      Statement set(db, "UPDATE cells SET checksum = ? WHERE series = ? AND fold = ?");
      std::vector<std::pair<std::int64_t, std::int64_t>> keys;
      while (cells.Step()) keys.emplace_back(cells.Number(0), cells.Number(1));
      for (const auto& [series, fold] : keys) {
        set.Bind(1, ChecksumOf(series, fold, row)).Bind(2, series).Bind(3, fold).Run();
      }
      fixture::Reseal(db);
    }
    int n_whole = 0;
    EXPECT_EQ(Visit(n_whole).size(), 5u);
    const VerifyReport report =
        VerifyStore(path(), ParseVerifySample("100%"), BundledPlugins(), {}, PlainRun());
    EXPECT_EQ(report.Count(VerifyResult::kEqual), 0);
    const auto outcomes = Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))});
    EXPECT_EQ(outcomes.front().prediction.labels.size(), 50u) << "computed again";
  }
}

TEST_F(ForeignNumbersTest, ASplitHasNoMoreFoldsThanItsDefinitionCanHold) {
  Execute("UPDATE splits SET n_folds = 4000000000 WHERE n_folds = 3");
  Execute("UPDATE wanted SET count = 4000000000 WHERE learner = 'knn'");
  int n_whole = 0;
  EXPECT_THAT(Visit(n_whole), ElementsAre("'knn' on 'iris', 4000000000 cells"));
  EXPECT_EQ(n_whole, 2);
  Execute("UPDATE splits SET n_folds = 0 WHERE n_folds > 3");  // as a list
  EXPECT_THAT(Visit(n_whole), ElementsAre("'knn' on 'iris', 4000000000 cells"));
  EXPECT_EQ(RepairStore(path(), path("new.cfdb")).saved, 5);
}

TEST_F(ForeignNumbersTest, ARepeatThatWouldTakeAllMemoryIsNotCheckable) {
  for (const char* repeat : {"4000000000", "-1", "-4000000000", "9223372036854775807"}) {
    Execute(std::string("UPDATE series SET repeat = ") + repeat);
    const VerifyReport report =
        VerifyStore(path(), ParseVerifySample("100%"), BundledPlugins(), {}, PlainRun());
    EXPECT_EQ(report.Count(VerifyResult::kUnchecked), 5) << repeat;
  }
}

TEST_F(ForeignNumbersTest, AnImageHasNoMoreBytesThanItsPartsCanHold) {
  int n_whole = 0;
  Execute("UPDATE datasets SET image_bytes = 1000000000000");
  EXPECT_EQ(Visit(n_whole).size(), 5u);
  Execute("UPDATE datasets SET image_bytes = -1");
  EXPECT_EQ(Visit(n_whole).size(), 5u);
}

TEST_F(ForeignNumbersTest, APartOfADatasetUnpacksToNoMoreThanItsSize) {
  int n_whole = 0;
  SetBytes("UPDATE dataset_parts SET bytes = ?", PackBytes(std::string(20u << 20, '\0')));
  EXPECT_EQ(Visit(n_whole).size(), 5u);
  Execute("UPDATE datasets SET image_bytes = 20 << 20");
  EXPECT_EQ(Visit(n_whole).size(), 5u) << "parts have 16 MiB";
}

TEST_F(ForeignNumbersTest, ADefinitionUnpacksToNoMoreThanFoldsMayTake) {
  EXPECT_EQ(MostUnpacked(100), std::size_t{64} << 20);
  EXPECT_EQ(MostUnpacked(1u << 20), 200u << 20);
  EXPECT_EQ(MostUnpacked(100, 10'000'000), 160'000'000u) << "all rows in one fold";
  SetBytes("UPDATE splits SET definition = ?", PackBytes(std::string(65u << 20, '\0')));
  int n_whole = 0;
  EXPECT_EQ(Visit(n_whole).size(), 5u);
}

TEST_F(ForeignNumbersTest, AViewInThePlaceOfATableIsRefused) {
  Database(path(), Database::Access::kWrite)
      .Execute(
          "DROP TABLE wanted; CREATE VIEW wanted AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL "
          "SELECT i + 1 FROM c) SELECT 1 AS run, 1 AS series, 0 AS inner, 'knn' AS learner, "
          "'iris' AS dataset, i AS first, 1 AS count FROM c");
  EXPECT_EQ(VisitError(), "cannot open store '" + path().string() +
                              "': its 'wanted' is not a table; use another path");
}

TEST_F(ForeignNumbersTest, RowsWithoutEndAreDamage) {
  Database db(path(), Database::Access::kRead);
  Statement endless(
      db, "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c");
  std::int64_t n = 0;
  EXPECT_THAT(MessageOf([&] {
                while (endless.Step()) ++n;
              }),
              HasSubstr("crossfold repair"));
  EXPECT_LT(n, 2'000'000);
}

// A store with more rows in a table, in which a page of that stands in for many: on each of eight
// levels all children of a page are one and the same.
class TangledStoreTest : public ForeignNumbersTest,
                         public testing::WithParamInterface<std::pair<const char*, const char*>> {
 protected:
  static constexpr std::size_t kPage = 4096;

  void Tangle() const {
    const std::string table = GetParam().first;
    std::size_t root = 0;
    {
      Database db(path(), Database::Access::kWrite);
      db.Execute((std::string("WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n "
                              "WHERE i < 3000) INSERT INTO ") +
                  table + " " + GetParam().second)
                     .c_str());
      fixture::Reseal(db);
      root = static_cast<std::size_t>(
          db.Number("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'"));
      db.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    std::string file = fixture::BytesOfFile(path());
    const std::string like = file.substr((root - 1) * kPage, kPage);
    ASSERT_TRUE(like[0] == 2 || like[0] == 5) << "the root of the table has no children";
    std::vector<std::size_t> pages = {root};
    for (std::size_t i = 0; i < 9; ++i) pages.push_back(PageAt(like, PointerPlace(like, i)));
    for (std::size_t level = 0; level + 1 < pages.size(); ++level) {
      std::string page = like;
      for (std::size_t i = 0; i < NumCells(like); ++i) {
        PutPage(page, PointerPlace(like, i), pages[level + 1]);
      }
      PutPage(page, 8, pages[level + 1]);
      file.replace((pages[level] - 1) * kPage, kPage, page);
    }
    folder_.Write("store.cfdb", file);
  }

 private:
  // https://www.sqlite.org/fileformat2.html, 1.6
  static std::size_t NumberAt(const std::string& page, std::size_t at, int n) {
    std::size_t number = 0;
    for (int i = 0; i < n; ++i) {
      number = number << 8 | static_cast<unsigned char>(page[at + static_cast<std::size_t>(i)]);
    }
    return number;
  }
  static std::size_t NumCells(const std::string& page) { return NumberAt(page, 3, 2); }
  static std::size_t PointerPlace(const std::string& page, std::size_t cell) {
    return NumberAt(page, 12 + 2 * cell, 2);
  }
  static std::size_t PageAt(const std::string& page, std::size_t at) {
    return NumberAt(page, at, 4);
  }
  static void PutPage(std::string& page, std::size_t at, std::size_t number) {
    for (int i = 3; i >= 0; --i) {
      page[at + static_cast<std::size_t>(i)] = static_cast<char>(number & 0xFF);
      number >>= 8;
    }
  }
};

TEST_P(TangledStoreTest, WhoReadsItComesToAnEnd) {
  Tangle();
  const std::string file = fixture::BytesOfFile(path());
  const std::vector<std::pair<std::string, std::function<void()>>> readers = {
      {"status", [&] { ReadStoreStatus(path(), {}); }},
      {"export", [&] { ExportRun(path(), path("run.zip"), {}); }},
      {"merge", [&] { MergeStores(path("merged.cfdb"), std::vector{path()}); }},
      {"verify",
       [&] { VerifyStore(path(), ParseVerifySample("100%"), BundledPlugins(), {}, PlainRun()); }},
      {"gc", [&] { CollectStoreGarbage(path()); }},
      {"repair", [&] { RepairStore(path(), path("new.cfdb")); }},
      {"run", [&] { Run({Asked("knn", BundledLearner("knn"), KFold(3, 1))}); }}};
  for (const auto& [name, read] : readers) {
    const auto start = std::chrono::steady_clock::now();
    MessageOf(read);  // some name what is damaged, and some have no use for the table
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 60) << name;
    folder_.Write("store.cfdb", file);
    for (const char* other : {"store.cfdb-wal", "store.cfdb-shm"}) {
      std::filesystem::remove(path(other));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Tables, TangledStoreTest,
    testing::Values(
        std::pair("cells",
                  "SELECT series, i, status, n_train, n_test, fit_s, predict_s, NULL, NULL, "
                  "cells.checksum FROM cells, n WHERE fold = 0 AND series = 1"),
        std::pair("wanted",
                  "SELECT run, series, 0, 'knn', 'iris', i, 1, 0 FROM wanted, n WHERE series = 1")),
    [](const auto& one) { return std::string(one.param.first); });

}  // namespace
}  // namespace crossfold
