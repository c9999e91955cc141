#include "encoding/outcome_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "crossfold_plugin.hpp"
#include "unit/engine/data/damage.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

Outcome Finished() {
  Outcome outcome;
  outcome.status = OutcomeStatus::kOk;
  outcome.prediction.rows = {5, 0, 1LL << 40};
  outcome.prediction.labels = {1, 0, 2};
  outcome.prediction.values = {std::numeric_limits<double>::quiet_NaN(), -0.0, 5e-324};
  outcome.prediction.n_classes = 3;
  outcome.prediction.probabilities = {0.1, 0.2, 0.7, 1, 0, 0, 0.5, 0.5, 0};
  outcome.scores = {{true, 0.1 + 0.2, ""}, {false, 0, "one class only"}};
  outcome.warnings = {"fit knn: changed the rounding mode", ""};
  outcome.n_train = 120;
  outcome.n_test = 30;
  outcome.fit_s = 0.25;
  outcome.predict_s = 1e-9;
  return outcome;
}

Outcome Failed() {
  Outcome outcome;
  outcome.status = OutcomeStatus::kFailed;
  outcome.failure = {"fit debug", CF_E_NOT_CONVERGED, "not converged, as asked", true};
  return outcome;
}

std::string WrittenBytes(const Outcome& outcome) {
  FieldWriter fields;
  WriteOutcome(outcome, fields);
  return fields.Take();
}

Outcome ReadBytes(std::string_view bytes) {
  FieldReader fields(bytes);
  Outcome outcome = ReadOutcome(fields);
  fields.End();
  return outcome;
}

TEST(OutcomeFieldsTest, PredictionsAndScoresComeBackBitForBit) {
  const Outcome back = ReadBytes(WrittenBytes(Finished()));
  EXPECT_EQ(back.status, OutcomeStatus::kOk);
  EXPECT_THAT(back.prediction.rows, ElementsAre(5, 0, 1LL << 40));
  EXPECT_THAT(back.prediction.labels, ElementsAre(1, 0, 2));
  EXPECT_EQ(back.prediction.n_classes, 3);
  EXPECT_EQ(back.prediction.probabilities, Finished().prediction.probabilities);
  ASSERT_EQ(back.prediction.values.size(), 3u);
  EXPECT_TRUE(std::isnan(back.prediction.values[0]));
  EXPECT_TRUE(std::signbit(back.prediction.values[1]));
  ASSERT_EQ(back.scores.size(), 2u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(back.scores[0].value),
            std::bit_cast<std::uint64_t>(0.1 + 0.2));
  EXPECT_FALSE(back.scores[1].defined);
  EXPECT_EQ(back.scores[1].undefined, "one class only");
  EXPECT_THAT(back.warnings, ElementsAre("fit knn: changed the rounding mode", ""));
  EXPECT_EQ(back.n_train, 120);
  EXPECT_EQ(back.n_test, 30);
  EXPECT_EQ(back.fit_s, 0.25);
  EXPECT_EQ(back.predict_s, 1e-9);
  EXPECT_EQ(WrittenBytes(back), WrittenBytes(Finished()));
}

TEST(OutcomeFieldsTest, FailuresComeBack) {
  const Outcome back = ReadBytes(WrittenBytes(Failed()));
  EXPECT_EQ(back.status, OutcomeStatus::kFailed);
  EXPECT_EQ(back.failure.stage, "fit debug");
  EXPECT_EQ(back.failure.code, CF_E_NOT_CONVERGED);
  EXPECT_EQ(back.failure.message, "not converged, as asked");
  EXPECT_TRUE(back.failure.by_limit);
}

TEST(OutcomeFieldsTest, EveryCutIsRefused) {
  ForEachCut(WrittenBytes(Finished()), [](const std::string& cut) {
    EXPECT_THROW(ReadBytes(cut), plugin::Error) << cut.size() << " bytes";
  });
}

TEST(OutcomeFieldsTest, ChangedBytesAreRefusedOrGiveAnOutcome) {
  int refused = 0;
  ForEachFlip(WrittenBytes(Finished()), [&](const std::string& damaged) {
    try {
      ReadBytes(damaged);
    } catch (const plugin::Error&) {
      ++refused;
    }
  });
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace crossfold
