#include "store/cells/stored_prediction.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "crossfold_plugin/error.hpp"

namespace crossfold {
namespace {

constexpr std::size_t kHead = 9;

Prediction Labels(std::vector<std::int64_t> rows, std::vector<std::int32_t> labels,
                  std::int64_t n_classes) {
  Prediction prediction;
  prediction.rows = std::move(rows);
  prediction.labels = std::move(labels);
  prediction.n_classes = n_classes;
  return prediction;
}

void ExpectSame(const Prediction& a, const Prediction& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.n_classes, b.n_classes);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.values[i]), std::bit_cast<std::uint64_t>(b.values[i]));
  }
  EXPECT_EQ(a.probabilities, b.probabilities);
}

TEST(PredictionBlobTest, ALabelTakesAByteAndRowsOfTheSplitNone) {
  const Prediction prediction = Labels({7, 3, 5}, {0, 2, 1}, 3);
  const std::string bytes = PackPrediction(prediction, prediction.rows);
  EXPECT_EQ(bytes.size(), kHead + 1 + 3);
  ExpectSame(UnpackPrediction(bytes, prediction.rows), prediction);
}

TEST(PredictionBlobTest, ManyClassesTakeTwoAndFourBytes) {
  const Prediction two = Labels({1, 2}, {0, 256}, 257);
  EXPECT_EQ(PackPrediction(two, two.rows).size(), kHead + 1 + 4);
  ExpectSame(UnpackPrediction(PackPrediction(two, two.rows), two.rows), two);
  const Prediction four = Labels({1, 2}, {0, 65536}, 65537);
  EXPECT_EQ(PackPrediction(four, four.rows).size(), kHead + 1 + 8);
  ExpectSame(UnpackPrediction(PackPrediction(four, four.rows), four.rows), four);
}

TEST(PredictionBlobTest, OtherRowsAreWrittenOut) {
  const Prediction prediction = Labels({7, 3, 5}, {0, 2, 1}, 3);
  const std::vector<std::int64_t> tested = {3, 5, 7};
  const std::string bytes = PackPrediction(prediction, tested);
  EXPECT_EQ(bytes.size(), kHead + 24 + 1 + 3);
  ExpectSame(UnpackPrediction(bytes, tested), prediction);
  ExpectSame(UnpackPrediction(PackPrediction(prediction, {}), {}), prediction);
}

TEST(PredictionBlobTest, RealsKeepEveryBit) {
  Prediction prediction;
  prediction.rows = {0, 1, 2, 3, 4};
  prediction.values = {-0.0, std::numeric_limits<double>::denorm_min(), 0.1,
                       std::numeric_limits<double>::infinity(), 1e308};
  ExpectSame(UnpackPrediction(PackPrediction(prediction, prediction.rows), prediction.rows),
             prediction);
}

TEST(PredictionBlobTest, ProbabilitiesComeWithLabels) {
  Prediction prediction = Labels({4, 9}, {1, 0}, 2);
  prediction.probabilities = {0.25, 0.75, 2.0 / 3, 1.0 / 3};
  ExpectSame(UnpackPrediction(PackPrediction(prediction, prediction.rows), prediction.rows),
             prediction);
}

TEST(PredictionBlobTest, AnEmptyPredictionIsOne) {
  ExpectSame(UnpackPrediction(PackPrediction(Prediction(), {}), {}), Prediction());
}

TEST(PredictionBlobTest, EveryCutIsRefused) {
  Prediction prediction = Labels({4, 9}, {1, 0}, 2);
  prediction.probabilities = {0.25, 0.75, 2.0 / 3, 1.0 / 3};
  const std::string bytes = PackPrediction(prediction, {});
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THROW(UnpackPrediction(bytes.substr(0, n), {}), plugin::Error) << n;
  }
  EXPECT_THROW(UnpackPrediction(bytes + "x", {}), plugin::Error);
}

TEST(PredictionBlobTest, LengthsThatLieAskForNoMemory) {
  std::string bytes = PackPrediction(Labels({4, 9}, {1, 0}, 2), {});
  for (std::size_t i = 1; i < kHead; ++i) bytes[i] = '\xff';
  EXPECT_THROW(UnpackPrediction(bytes, {}), plugin::Error);
}

TEST(PredictionBlobTest, LabelsOutsideTheClassesAreRefused) {
  std::string bytes = PackPrediction(Labels({4, 9}, {1, 0}, 2), {});
  bytes.back() = 2;
  EXPECT_THROW(UnpackPrediction(bytes, {}), plugin::Error);
}

TEST(PredictionBlobTest, OtherTestRowsAreRefusedByTheirNumber) {
  const Prediction prediction = Labels({7, 3, 5}, {0, 2, 1}, 3);
  const std::vector<std::int64_t> fewer = {7, 3};
  EXPECT_THROW(UnpackPrediction(PackPrediction(prediction, prediction.rows), fewer), plugin::Error);
}

}  // namespace
}  // namespace crossfold
