// Metrics of probabilities and rankings on random cases (few rows, ties, weights, missing classes)
// against scikit-learn and fractions: tests/bench/parity/score_metrics_reference.py says how the values were made.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/metric_reference.h"

namespace crossfold {
namespace {

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

TEST_P(ReferenceScoreMetricsTest, AgreesOnRandomCases) {
  EXPECT_GE(CompareMetric(GetParam()), 13);
}

INSTANTIATE_TEST_SUITE_P(Metrics, ReferenceScoreMetricsTest,
                         testing::Values("roc_auc", "average_precision", "pr_auc",
                                         "equal_error_rate", "lift", "log_loss", "brier",
                                         "brier_calibration", "brier_refinement", "top_k_accuracy",
                                         "expected_calibration_error", "max_calibration_error"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace crossfold
