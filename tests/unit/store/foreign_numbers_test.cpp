// Numbers of a store that no run wrote: they ask for no memory and no time, and what they belong to
// is named.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/store_export.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_merge.h"
#include "crossfold/store_repair.h"
#include "crossfold/store_status.h"
#include "crossfold/store_verify.h"
#include "crossfold_plugin/error.hpp"
#include "store/cell_row.h"
#include "store/packed_bytes.h"
#include "store/prediction_blob.h"
#include "store/sqlite.h"
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

// A label of a class that the dataset does not have would be looked up behind its classes.
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

// As of pages that stand in for others on several levels of a tree.
TEST_F(ForeignNumbersTest, RowsWithoutEndAreDamage) {
  Database db(path(), Database::Access::kRead);
  Statement endless(
      db, "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c");
  std::int64_t n = 0;
  EXPECT_THAT(MessageOf([&] {
                while (endless.Step()) ++n;
              }),
              HasSubstr("crossfold repair"));
  EXPECT_LT(n, 4 * db.num_bytes());
}

}  // namespace
}  // namespace crossfold
