// The law of crossfold.accumulate/1 for the metrics of probabilities, and what the host makes of
// it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/accumulate_law.h"
#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/metric_reference.h"

namespace crossfold {
namespace {

// Every metric of probabilities that takes blocks, with parameters that change how it counts.
std::vector<std::shared_ptr<const Spec>> StreamingMetrics() {
  const auto make = [](const char* id, const ParamValues& values) {
    return BundledSpec(Kind::kMetric, id, values);
  };
  const ParamValues positive = {{"of", "positive"}, {"positive", "A"}};
  return {make("log_loss", {}),
          make("log_loss", {{"clip", 0.0}}),
          make("brier", {}),
          make("brier", {{"scale", "sum"}}),
          make("expected_calibration_error", {}),
          make("expected_calibration_error", {{"binning", "quantile"}}),
          make("expected_calibration_error", positive),
          make("max_calibration_error", {}),
          make("max_calibration_error", {{"binning", "quantile"}}),
          make("top_k_accuracy", {{"k", std::int64_t{1}}}),
          make("top_k_accuracy", {{"k", std::int64_t{1}}, {"ties", "share"}}),
          make("spherical_score", {})};
}

// Random rows of three classes; probabilities in eighths, so with ties.
laws::MetricRows RandomMetricRows(std::uint64_t seed, std::size_t n, bool has_weights) {
  plugin::Random random(seed);
  laws::MetricRows rows;
  rows.class_names = {"A", "B", "C"};
  for (std::size_t i = 0; i < n; ++i) {
    rows.truth_labels.push_back(static_cast<std::int32_t>(random.Below(3)));
    rows.labels.push_back(0);
    const auto first = static_cast<double>(random.Below(9));
    const auto second = static_cast<double>(random.Below(static_cast<std::uint64_t>(9 - first)));
    for (const double eighths : {first, second, 8 - first - second}) {
      rows.probabilities.push_back(eighths / 8);
    }
    if (has_weights) rows.weights.push_back(random.Below(4) == 0 ? 0 : random.Uniform());
  }
  return rows;
}

TEST(ScoreMetricsLawsTest, BlocksGiveTheBytesOfTheWhole) {
  for (const auto& metric : StreamingMetrics()) {
    for (const std::size_t n : {1u, 7u, 60u}) {
      laws::ExpectAccumulates(*metric, RandomMetricRows(n, n, false));
      laws::ExpectAccumulates(*metric, RandomMetricRows(n, n, true));
    }
  }
}

TEST(ScoreMetricsLawsTest, BlocksGiveTheSameReasons) {
  laws::MetricRows rows = RandomMetricRows(1, 5, true);
  for (double& weight : rows.weights) weight = 0;
  for (const auto& metric : StreamingMetrics()) {
    laws::ExpectAccumulates(*metric, rows);
    laws::ExpectAccumulates(*metric, RandomMetricRows(1, 0, false));
  }
}

// More rows than the host puts in a block.
TEST(ScoreMetricsLawsTest, SeveralMetricsAtOnceGiveWhatEachGives) {
  const laws::MetricRows rows = RandomMetricRows(5, 20000, false);
  const auto data = TruthData(rows.truth_labels, 3);
  Prediction prediction;
  prediction.rows = FirstRows(rows.truth_labels.size());
  prediction.labels = rows.labels;
  prediction.n_classes = 3;
  prediction.probabilities = rows.probabilities;
  MetricList metrics = StreamingMetrics();
  metrics.push_back(BundledSpec(Kind::kMetric, "roc_auc", {{"average", "ovo"}}));
  metrics.push_back(BundledSpec(Kind::kMetric, "accuracy", {}));
  const std::vector<Score> all = ScorePredictions(metrics, *data, prediction);
  ASSERT_EQ(all.size(), metrics.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Score one = ScorePrediction(*metrics[m], *data, prediction);
    EXPECT_EQ(all[m].defined, one.defined) << metrics[m]->ToString();
    EXPECT_EQ(all[m].value, one.value) << metrics[m]->ToString();
    const laws::Verdict whole = laws::ScoreWhole(*metrics[m], rows);
    EXPECT_EQ(all[m].value, whole.value) << metrics[m]->ToString();
  }
}

// Metrics of probabilities and rankings on random cases (few rows, ties, weights, missing classes)
// against scikit-learn and fractions: tests/bench/parity/score_metrics_reference.py says how the
// values were made.
Value ParamOf(const std::string& text) {
  if (text.find_first_not_of("0123456789") == std::string::npos) {
    return Value(std::int64_t{std::stoi(text)});
  }
  if (text.find_first_not_of("0123456789.") == std::string::npos) return Value(std::stod(text));
  return Value(text);
}

ParamValues ParamsOf(const std::string& text) {
  ParamValues values;
  for (const std::string& part : SplitText(text, ';')) {
    const std::vector<std::string> pair = SplitText(part, '=');
    values[pair[0]] = ParamOf(pair[1]);
  }
  return values;
}

struct StoredCase {
  std::int32_t n_classes = 0;
  bool is_weighted = false;
  Labels truth;
  std::vector<double> weights, probabilities;

  void AddRow(const std::vector<std::string>& fields) {
    truth.push_back(std::stoi(fields[1]));
    if (is_weighted) weights.push_back(std::stod(fields[2]));
    for (std::size_t f = 3; f < fields.size(); ++f) probabilities.push_back(std::stod(fields[f]));
  }
};

// Compares all values of a metric with the stored ones and returns how many there were.
int CompareMetric(const std::string& metric) {
  std::ifstream file(ReferenceFile("reference_score_metrics.csv"));
  EXPECT_TRUE(file.is_open());
  StoredCase current;
  int n_cases = 0, n_compared = 0;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = SplitText(line, ',');
    if (fields[0] == "case") {
      current = StoredCase();
      current.n_classes = std::stoi(fields[1]);
      current.is_weighted = fields[2] == "weighted";
      ++n_cases;
    } else if (fields[0] == "row") {
      current.AddRow(fields);
    } else if (fields[1] == metric) {
      ++n_compared;
      const auto data = TruthData(current.truth, current.n_classes, current.weights);
      const Score score =
          ScoreProbabilities(metric, *data, current.probabilities, ParamsOf(fields[2]));
      const std::string where = "case " + std::to_string(n_cases) + ": " + line;
      EXPECT_EQ(score.defined, fields[3] != "undefined") << where << " " << score.undefined;
      if (!score.defined) continue;
      const double expected = std::stod(fields[3]);
      EXPECT_NEAR(score.value, expected, 1e-12 * std::fabs(expected) + 1e-15) << where;
    }
  }
  return n_compared;
}

class ReferenceScoreMetricsTest : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceScoreMetricsTest, AgreesOnRandomCases) { EXPECT_GE(CompareMetric(GetParam()), 13); }

INSTANTIATE_TEST_SUITE_P(Metrics, ReferenceScoreMetricsTest,
                         testing::Values("roc_auc", "average_precision", "pr_auc",
                                         "equal_error_rate", "lift", "log_loss", "brier",
                                         "brier_calibration", "brier_refinement", "top_k_accuracy",
                                         "expected_calibration_error", "max_calibration_error"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace crossfold
