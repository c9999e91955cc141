#include "store/cells/cell_row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "crossfold_plugin/error.hpp"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

Outcome Failed(const std::string& stage, cf_status code, const std::string& message) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure.stage = stage;
  outcome.failure.code = code;
  outcome.failure.message = message;
  outcome.n_train = 8;
  outcome.n_test = 2;
  return outcome;
}

TEST(CellRowTest, FailuresComeBack) {
  const CellRow row = ToCellRow(Failed("fit knn", CF_E_NUMERIC, "no distance"));
  EXPECT_EQ(row.status, StoredStatus::kFailed);
  const Outcome outcome = ToOutcome(row);
  EXPECT_EQ(outcome.status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcome.failure.stage, "fit knn");
  EXPECT_EQ(outcome.failure.code, CF_E_NUMERIC);
  EXPECT_EQ(outcome.failure.message, "no distance");
  EXPECT_FALSE(outcome.failure.by_limit);
  EXPECT_EQ(outcome.n_train, 8);
}

TEST(CellRowTest, LimitsAndLackOfMemoryAreStops) {
  Outcome limited = Failed("run", CF_E_INTERNAL, "the process was killed by signal 11");
  limited.failure.by_limit = true;
  EXPECT_EQ(ToCellRow(limited).status, StoredStatus::kStopped);
  EXPECT_TRUE(ToOutcome(ToCellRow(limited)).failure.by_limit);
  EXPECT_EQ(ToCellRow(Failed("fit knn", CF_E_OUT_OF_MEMORY, "out of memory")).status,
            StoredStatus::kStopped);
  EXPECT_EQ(ToCellRow(Failed("fit knn", CF_E_IO, "no space left")).status, StoredStatus::kStopped);
}

TEST(CellRowTest, TriesThatFailedBeforeAreKeptAndMakeNoOtherCell) {
  Outcome plain;
  plain.status = OutcomeStatus::kOk;
  plain.warnings = {"fit knn: changed the rounding mode"};
  Outcome retried = plain;
  retried.warnings.insert(retried.warnings.begin(), "run: try 1 failed (killed): it was lost");
  EXPECT_EQ(ToOutcome(ToCellRow(retried)).warnings, retried.warnings);
  EXPECT_TRUE(HaveSameNotes(ToCellRow(plain), ToCellRow(retried)));
  retried.warnings.push_back("fit knn: changed the locale to 'de_DE'");
  EXPECT_FALSE(HaveSameNotes(ToCellRow(plain), ToCellRow(retried)));
}

TEST(CellRowTest, WarningsOfMetricsAreNoPartOfACell) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  outcome.warnings = {"fit knn: changed the rounding mode", "score auc: changed the rounding mode"};
  EXPECT_THAT(ToOutcome(ToCellRow(outcome)).warnings,
              ElementsAre("fit knn: changed the rounding mode"));
}

TEST(CellRowTest, ACellWithoutWarningsHasNoNotes) {
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  EXPECT_EQ(ToCellRow(outcome).notes, "");
}

TEST(CellRowTest, NotesThatAreNoneAreRefused) {
  CellRow row = ToCellRow(Failed("fit knn", CF_E_NUMERIC, "no distance"));
  row.notes.pop_back();
  EXPECT_THROW(ToOutcome(row), plugin::Error);
}

TEST(CellRowTest, TheChecksumCoversAllOfTheRow) {
  CellRow row = ToCellRow(Failed("fit knn", CF_E_NUMERIC, "no distance"));
  row.prediction = "abc";
  const std::int64_t sum = ChecksumOf(1, 2, row);
  EXPECT_NE(ChecksumOf(2, 2, row), sum);
  EXPECT_NE(ChecksumOf(1, 3, row), sum);
  const auto changed = [&](auto change) {
    CellRow other = row;
    change(other);
    return ChecksumOf(1, 2, other);
  };
  EXPECT_NE(changed([](CellRow& r) { r.status = StoredStatus::kOk; }), sum);
  EXPECT_NE(changed([](CellRow& r) { ++r.n_train; }), sum);
  EXPECT_NE(changed([](CellRow& r) { ++r.n_test; }), sum);
  EXPECT_NE(changed([](CellRow& r) { r.prediction = "abd"; }), sum);
  EXPECT_NE(changed([](CellRow& r) { r.prediction = std::nullopt; }), sum);
  EXPECT_NE(changed([](CellRow& r) { r.notes += "x"; }), sum);
  EXPECT_NE(changed([](CellRow& r) { r.fit_s = 3; }), sum);
  EXPECT_NE(changed([](CellRow& r) { r.predict_s = 3; }), sum);
}

TEST(CellRowTest, TheChecksumOfAScoreCoversAllOfItsRow) {
  const ScoreRow row{1, 2, 3, {true, 0.5, ""}};
  const std::int64_t sum = ChecksumOf(row);
  EXPECT_NE(ChecksumOf({2, 2, 3, {true, 0.5, ""}}), sum);
  EXPECT_NE(ChecksumOf({1, 3, 3, {true, 0.5, ""}}), sum);
  EXPECT_NE(ChecksumOf({1, 2, 4, {true, 0.5, ""}}), sum);
  EXPECT_NE(ChecksumOf({1, 2, 3, {true, std::nextafter(0.5, 1.0), ""}}), sum);
  EXPECT_NE(ChecksumOf({1, 2, 3, {false, 0.5, ""}}), sum);
  EXPECT_NE(ChecksumOf({1, 2, 3, {true, -0.0, ""}}), ChecksumOf({1, 2, 3, {true, 0.0, ""}}));
  EXPECT_NE(ChecksumOf({1, 2, 3, {false, 0, "one class"}}),
            ChecksumOf({1, 2, 3, {false, 0, "two classes"}}));
}

TEST(CellRowTest, FinishedCellsComeBackWithoutIds) {
  FinishedCell cell;
  cell.series = {5, Sha256Of("series")};
  cell.fold = 3;
  cell.replaces = true;
  cell.row = ToCellRow(Failed("fit knn", CF_E_NUMERIC, "no distance"));
  cell.row->prediction = "abc";
  cell.scores.push_back({{6, Sha256Of("metric")}, {true, 0.5, ""}});
  cell.scores.push_back({{7, Sha256Of("other")}, {false, 0, "one class only"}});
  FieldWriter fields;
  WriteFinishedCell(cell, fields);
  FieldReader reader(fields.bytes());
  const FinishedCell back = ReadFinishedCell(reader);
  reader.End();
  EXPECT_EQ(back.series.id, 0);
  EXPECT_EQ(back.series.key, cell.series.key);
  EXPECT_EQ(back.fold, 3);
  EXPECT_TRUE(back.replaces);
  EXPECT_EQ(ChecksumOf(1, 2, *back.row), ChecksumOf(1, 2, *cell.row));
  ASSERT_EQ(back.scores.size(), 2u);
  EXPECT_TRUE(AreSame(back.scores[0].score, cell.scores[0].score));
  EXPECT_TRUE(AreSame(back.scores[1].score, cell.scores[1].score));
  EXPECT_EQ(back.scores[1].metric.key, cell.scores[1].metric.key);
}

}  // namespace
}  // namespace crossfold
