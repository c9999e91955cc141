// Values of the metrics over labels. What is undefined is in label_metrics_undefined_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/accumulate_law.h"
#include "unit/plugins/metric_fixture.h"
#include "unit/plugins/metric_reference.h"
#include "vectors.h"

namespace crossfold {
namespace {

// Truth and prediction of as many rows as a confusion matrix (row = truth) counts.
struct Counted {
  std::int32_t n_classes = 0;
  Labels truth, predicted;
};

Counted FromMatrix(const std::vector<std::vector<int>>& matrix) {
  Counted rows;
  rows.n_classes = static_cast<std::int32_t>(matrix.size());
  for (std::int32_t t = 0; t < rows.n_classes; ++t) {
    for (std::int32_t p = 0; p < rows.n_classes; ++p) {
      const auto n = static_cast<std::size_t>(
          matrix.at(static_cast<std::size_t>(t)).at(static_cast<std::size_t>(p)));
      rows.truth.insert(rows.truth.end(), n, t);
      rows.predicted.insert(rows.predicted.end(), n, p);
    }
  }
  return rows;
}

double LabelValue(std::string_view metric, const Counted& rows, const ParamValues& params = {}) {
  const Score score =
      ScoreLabels(metric, *TruthData(rows.truth, rows.n_classes), rows.predicted, params);
  EXPECT_TRUE(score.defined) << metric << ": " << score.undefined;
  return score.value;
}

// Truth and thresholded scores of the vector binary16: TP 5, FN 1, FP 3, TN 7.
Counted Binary16() {
  const VectorValue vector = TestVector("binary16");
  Counted rows{.n_classes = 2, .truth = vector["in"]["y"].get<Labels>(), .predicted = {}};
  for (const double s : Numbers(vector["in"]["s"])) {
    rows.predicted.push_back(s >= vector["in"]["threshold"].get<double>() ? 1 : 0);
  }
  return rows;
}

Counted Multi12() {
  const VectorValue vector = TestVector("multi12");
  return {.n_classes = 3,
          .truth = vector["in"]["y"].get<Labels>(),
          .predicted = vector["in"]["yhat"].get<Labels>()};
}

// Every metric, with each kind of parameters: for laws that hold for all.
std::vector<std::shared_ptr<const Spec>> AllMetrics(std::int32_t n_classes) {
  const auto k = static_cast<std::size_t>(n_classes);
  std::vector<double> matrix(k * k, 1);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<double>(i * i % 7) - 1;
  const std::string b = "B";
  std::vector<std::shared_ptr<const Spec>> metrics;
  const auto add = [&](std::string_view id, const ParamValues& params) {
    metrics.push_back(BundledSpec(Kind::kMetric, id, params));
  };
  for (const char* id : {"accuracy", "error_rate", "balanced_accuracy", "g_mean",
                         "matthews_correlation", "cohen_kappa"}) {
    add(id, {});
  }
  for (const char* id :
       {"precision", "recall", "specificity", "false_positive_rate", "f_beta", "f1", "jaccard"}) {
    add(id, {{"positive", b}});
    for (const char* average : {"macro", "micro", "weighted"}) add(id, {{"average", average}});
  }
  for (const char* id : {"positive_likelihood_ratio", "negative_likelihood_ratio", "youden_j"}) {
    add(id, {{"positive", b}});
  }
  add("cohen_kappa", {{"weighting", "quadratic"}});
  add("cost", {{"matrix", matrix}});
  add("cost", {{"matrix", matrix}, {"total", true}});
  return metrics;
}

laws::MetricRows RandomLabelRows(std::int64_t n, std::int32_t n_classes, bool weights,
                                 plugin::Random& random) {
  laws::MetricRows rows;
  for (std::int32_t c = 0; c < n_classes; ++c) {
    rows.class_names.emplace_back(1, static_cast<char>('A' + c));
  }
  const auto draw = [&] {
    return static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(n_classes)));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    rows.truth_labels.push_back(draw());
    rows.labels.push_back(random.Below(2) == 0 ? rows.truth_labels.back() : draw());
    if (weights) rows.weights.push_back(random.Uniform() * 3);
    for (std::int32_t c = 0; c < n_classes; ++c) rows.row_costs.push_back(random.Normal());
  }
  return rows;
}

// ---- figures ------------------------------------------------------------------------------------

TEST(LabelMetricsTest, OfTheVectorBinary16) {
  const Counted rows = Binary16();
  const VectorValue out = TestVector("binary16")["out"];
  EXPECT_NEAR(LabelValue("f_beta", rows, {{"beta", 0.5}}), out["f0.5"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("f1", rows), out["f1"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("f_beta", rows), out["f1"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("f_beta", rows, {{"beta", 2.0}}), out["f2"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("matthews_correlation", rows), out["mcc"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("cohen_kappa", rows), out["kappa"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("positive_likelihood_ratio", rows), out["lr_plus"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("negative_likelihood_ratio", rows), out["lr_minus"].get<double>(), 1e-12);
}

TEST(LabelMetricsTest, OfTheTableOfBinaryMetrics) {
  // frameworks.md 4.10, checked there with scikit-learn; what has a short value exactly.
  const Counted rows = Binary16();
  EXPECT_EQ(LabelValue("accuracy", rows), 0.75);
  EXPECT_EQ(LabelValue("error_rate", rows), 0.25);
  EXPECT_NEAR(LabelValue("balanced_accuracy", rows), 0.766666666667, 1e-12);
  EXPECT_EQ(LabelValue("precision", rows), 0.625);
  EXPECT_NEAR(LabelValue("recall", rows), 0.833333333333, 1e-12);
  EXPECT_EQ(LabelValue("specificity", rows), 0.7);
  EXPECT_EQ(LabelValue("false_positive_rate", rows), 0.3);
  EXPECT_NEAR(LabelValue("youden_j", rows), 0.533333333333, 1e-12);
  EXPECT_EQ(LabelValue("jaccard", rows), 5.0 / 9);
  EXPECT_NEAR(LabelValue("g_mean", rows), std::sqrt(5.0 / 6 * 0.7), 1e-15);
}

TEST(LabelMetricsTest, OfTheVectorMulti12) {
  const Counted rows = Multi12();
  const VectorValue out = TestVector("multi12")["out"];
  EXPECT_NEAR(LabelValue("cohen_kappa", rows), out["kappa"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("cohen_kappa", rows, {{"weighting", "linear"}}),
              out["kappa_linear"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("cohen_kappa", rows, {{"weighting", "quadratic"}}),
              out["kappa_quadratic"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("matthews_correlation", rows), out["mcc"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("f1", rows, {{"average", "macro"}}), out["f1_macro"].get<double>(), 1e-12);
  EXPECT_NEAR(LabelValue("balanced_accuracy", rows), out["balanced_accuracy"].get<double>(), 1e-12);
}

TEST(LabelMetricsTest, AveragesOfTheMulticlassExample) {
  // frameworks.md 4.10: macro P = R = F1 = 0.672222222222, micro = weighted = 2 / 3.
  const Counted rows = Multi12();
  for (const char* metric : {"precision", "recall", "f1"}) {
    EXPECT_NEAR(LabelValue(metric, rows, {{"average", "macro"}}), 0.672222222222, 1e-12) << metric;
    EXPECT_NEAR(LabelValue(metric, rows, {{"average", "micro"}}), 2.0 / 3, 1e-15) << metric;
    EXPECT_NEAR(LabelValue(metric, rows, {{"average", "weighted"}}), 2.0 / 3, 1e-15) << metric;
  }
}

TEST(LabelMetricsTest, IrisConfusionHasAccuracy94Percent) {
  EXPECT_EQ(LabelValue("accuracy", FromMatrix({{50, 0, 0}, {0, 44, 6}, {0, 3, 47}})), 0.94);
}

TEST(LabelMetricsTest, F1OfPrecisionOneAndRecallAFifthIsAThird) {
  const Counted rows = FromMatrix({{10, 0}, {4, 1}});
  EXPECT_EQ(LabelValue("precision", rows), 1);
  EXPECT_EQ(LabelValue("recall", rows), 0.2);
  EXPECT_EQ(LabelValue("f1", rows), 1.0 / 3);
}

TEST(LabelMetricsTest, ARareClassThatIsNeverPredicted) {
  const Counted rows = FromMatrix({{9990, 0}, {10, 0}});
  EXPECT_EQ(LabelValue("accuracy", rows), 0.999);
  EXPECT_EQ(LabelValue("recall", rows), 0);
  EXPECT_EQ(LabelValue("balanced_accuracy", rows), 0.5);
  EXPECT_EQ(LabelValue("g_mean", rows), 0);
}

TEST(LabelMetricsTest, CostAndAccuracyRankTheTwoModelsOfTheLectureDifferently) {
  // Class 0 is +: a hit gains 1, a miss costs 100, a false alarm 1.
  const ParamValues cost = {{"matrix", std::vector<double>{-1, 100, 1, 0}}, {"total", true}};
  const Counted first = FromMatrix({{150, 40}, {60, 250}});
  const Counted second = FromMatrix({{250, 45}, {5, 200}});
  EXPECT_EQ(LabelValue("cost", first, cost), 3910);
  EXPECT_EQ(LabelValue("cost", second, cost), 4255);
  EXPECT_EQ(LabelValue("accuracy", first), 0.8);
  EXPECT_EQ(LabelValue("accuracy", second), 0.9);
}

TEST(LabelMetricsTest, CostsOfTheVectorBinary9AtTwoThresholds) {
  // frameworks.md 4.10: costs [[0,1],[5,0]]; 7 in all at 0.5, and 4 at 1/6.
  const VectorValue in = TestVector("binary9")["in"];
  const std::vector<double> matrix = {0, 1, 5, 0};
  const auto at = [&](double threshold, bool total) {
    Counted rows{.n_classes = 2, .truth = in["y"].get<Labels>(), .predicted = {}};
    for (const double s : Numbers(in["s"])) rows.predicted.push_back(s >= threshold ? 1 : 0);
    return LabelValue("cost", rows, {{"matrix", matrix}, {"total", total}});
  };
  EXPECT_EQ(at(0.5, true), 7);
  EXPECT_NEAR(at(0.5, false), 0.777777777778, 1e-12);
  EXPECT_EQ(at(1.0 / 6, true), 4);
  EXPECT_NEAR(at(1.0 / 6, false), 0.444444444444, 1e-12);
}

TEST(LabelMetricsTest, ThePositiveClassCanBeChosen) {
  const Counted rows = Binary16();
  // With class A as positive TP is 7 and FP 1.
  EXPECT_EQ(LabelValue("precision", rows, {{"positive", "A"}}), 7.0 / 8);
  EXPECT_EQ(LabelValue("recall", rows, {{"positive", "A"}}), LabelValue("specificity", rows));
  EXPECT_DOUBLE_EQ(LabelValue("youden_j", rows, {{"positive", "A"}}), LabelValue("youden_j", rows));
}

TEST(LabelMetricsTest, SpecificityAveragesOverManyClasses) {
  // By hand from [[3,1,1],[1,3,0],[1,0,2]]: TN 5, 7, 8 and FP 2, 1, 1.
  const Counted rows = Multi12();
  EXPECT_NEAR(LabelValue("specificity", rows, {{"average", "macro"}}),
              (5.0 / 7 + 7.0 / 8 + 8.0 / 9) / 3, 1e-15);
  EXPECT_EQ(LabelValue("specificity", rows, {{"average", "micro"}}), 20.0 / 24);
  EXPECT_NEAR(LabelValue("false_positive_rate", rows, {{"average", "weighted"}}),
              (5 * 2.0 / 7 + 4 * 1.0 / 8 + 3 * 1.0 / 9) / 12, 1e-15);
}

TEST(LabelMetricsTest, PerfectAndReversedPredictionsGiveTheBounds) {
  const Counted right = FromMatrix({{3, 0}, {0, 4}});
  const Counted wrong = FromMatrix({{0, 3}, {3, 0}});
  for (const char* metric : {"matthews_correlation", "cohen_kappa", "youden_j"}) {
    EXPECT_EQ(LabelValue(metric, right), 1) << metric;
    EXPECT_EQ(LabelValue(metric, wrong), -1) << metric;
  }
}

TEST(LabelMetricsTest, IndependentPredictionsAgreeExactlyByChance) {
  const Counted rows = FromMatrix({{6, 14}, {9, 21}});
  EXPECT_EQ(LabelValue("matthews_correlation", rows), 0);
  EXPECT_EQ(LabelValue("cohen_kappa", rows), 0);
}

TEST(LabelMetricsTest, TinyAndHugeWeightsChangeNoCorrelation) {
  const Counted rows = Multi12();
  for (const double weight : {1e-200, 1e200}) {
    const auto data = TruthData(rows.truth, 3, std::vector<double>(12, weight));
    EXPECT_NEAR(ScoreLabels("matthews_correlation", *data, rows.predicted).value, 0.489361702128,
                1e-12);
    EXPECT_NEAR(ScoreLabels("cohen_kappa", *data, rows.predicted).value, 0.489361702128, 1e-12);
  }
}

TEST(LabelMetricsTest, NoRatioDependsOnTheUnitOfTheWeights) {
  const Counted rows = Multi12();
  const auto data = TruthData(rows.truth, 3, std::vector<double>(12, 1));
  const ParamValues macro = {{"average", "macro"}}, weighted = {{"average", "weighted"}};
  for (const double weight : {0x1p-1060, 0x1p1020}) {
    const auto other = TruthData(rows.truth, 3, std::vector<double>(12, weight));
    for (const char* metric : {"f1", "recall", "precision", "jaccard", "specificity"}) {
      for (const ParamValues& average : {macro, weighted}) {
        EXPECT_EQ(ScoreLabels(metric, *other, rows.predicted, average).value,
                  ScoreLabels(metric, *data, rows.predicted, average).value)
            << metric;
      }
    }
  }
}

TEST(LabelMetricsTest, WeightsThatAddUpToInfinityAreAnErrorAndNoValue) {
  const auto data = TruthData({0, 1, 1}, 2, {1e308, 1e308, 1e308});
  for (const char* metric : {"accuracy", "recall", "cohen_kappa", "g_mean"}) {
    EXPECT_EQ(test::MessageOf([&] {
                ScoreLabels(metric, *data, {0, 1, 0});
              }),
              "cannot score '" + std::string(metric) +
                  "' on dataset 'truth': the weights are too large to be summed; "
                  "divide them all by one number");
  }
}

// Class A weighs 1e-300 of class B, its predictions twice that: precision 1/2, recall 1.
TEST(LabelMetricsTest, ACorrelationIsNotLostWithAProductTooSmallForANumber) {
  const auto data = TruthData({0, 1, 1}, 2, {1e-150, 1e150, 1e-150});
  EXPECT_NEAR(ScoreLabels("matthews_correlation", *data, {0, 1, 0}).value, std::sqrt(0.5), 1e-12);
}

// The recall of A is 1e-600, which is not a number; its root is.
TEST(LabelMetricsTest, AGeometricMeanIsNotLostWithARecallTooSmallForANumber) {
  const auto data = TruthData({0, 0, 1}, 2, {1e-300, 1e300, 1});
  EXPECT_NEAR(ScoreLabels("g_mean", *data, {0, 1, 1}).value / 1e-300, 1, 1e-12);
}

TEST(LabelMetricsTest, CostsBeyondTheRangeOfNumbersAreAnErrorAndNotTheBound) {
  const auto data = Dataset::WithCosts(*TruthData({0, 0}, 2), {2, 2, {0, 1e308, 5, 0}});
  EXPECT_EQ(test::MessageOf([&] {
              ScoreLabels("cost", *data, {1, 1}, {{"total", true}});
            }),
            "cannot score 'cost{total=true}' on dataset 'truth': the costs are too large to "
            "be summed");
}

TEST(LabelMetricsTest, CostsComeFromTheDatasetUnlessTheMetricHasOwn) {
  const auto plain = TruthData({0, 0, 1, 1}, 2);
  const auto data = Dataset::WithCosts(*plain, {2, 2, {0, 1, 5, 0}});
  EXPECT_EQ(ScoreLabels("cost", *data, {0, 1, 0, 1}).value, 1.5);
  const ParamValues own = {{"matrix", std::vector<double>{0, 2, 4, 0}}};
  EXPECT_EQ(ScoreLabels("cost", *data, {0, 1, 0, 1}, own).value, 1.5);
  EXPECT_EQ(ScoreLabels("cost", *data, {0, 1, 1, 1}, own).value, 0.5);
}

TEST(LabelMetricsTest, RowCostsAreThoseOfThePredictedClass) {
  laws::MetricRows rows{.class_names = {"A", "B"}, .truth_labels = {0, 1, 0}, .labels = {0, 0, 1}};
  rows.row_costs = {0.5, 9, 3, 0, 0, 2};
  rows.weights = {1, 2, 1};
  EXPECT_EQ(laws::ScoreWhole(*BundledSpec(Kind::kMetric, "row_cost", {}), rows).value,
            (0.5 + 2 * 3 + 2) / 4);
  EXPECT_EQ(
      laws::ScoreWhole(*BundledSpec(Kind::kMetric, "row_cost", {{"total", true}}), rows).value,
      8.5);
}

// ---- other programs, laws -----------------------------------------------------------------------

TEST(LabelMetricsTest, EqualThoseOfScikitLearnOnRandomCases) {
  const std::vector<ReferenceCase> cases = ReadReferenceCases("reference_label_metrics.csv");
  ASSERT_GE(cases.size(), 9u);
  for (const ReferenceCase& reference : cases) ExpectReferenceMetrics(reference);
}

TEST(LabelMetricsTest, BlocksOfRowsGiveTheBytesOfAllRows) {
  plugin::Random random(4);
  for (const bool weights : {false, true}) {
    for (const std::int32_t n_classes : {2, 4, 40}) {
      for (const std::int64_t n : {0, 3, 60, 300}) {
        const laws::MetricRows rows = RandomLabelRows(n, n_classes, weights, random);
        for (const auto& metric : AllMetrics(n_classes)) laws::ExpectAccumulates(*metric, rows);
        laws::ExpectAccumulates(*BundledSpec(Kind::kMetric, "row_cost", {}), rows);
      }
    }
  }
}

TEST(LabelMetricsTest, TheHostShowsManyRowsInBlocks) {
  plugin::Random random(11);
  const laws::MetricRows rows = RandomLabelRows(20000, 2, true, random);
  const auto data = TruthData(rows.truth_labels, 2, rows.weights);
  for (const char* metric : {"accuracy", "f1", "matthews_correlation"}) {
    EXPECT_EQ(ScoreLabels(metric, *data, rows.labels).value,
              laws::ScoreWhole(*BundledSpec(Kind::kMetric, metric, {}), rows).value)
        << metric;
  }
}

TEST(LabelMetricsTest, WholeWeightsCountAsRepetitions) {
  plugin::Random random(5);
  laws::MetricRows weighted = RandomLabelRows(50, 3, false, random);
  laws::MetricRows repeated{.class_names = weighted.class_names};
  for (std::size_t i = 0; i < 50; ++i) {
    weighted.weights.push_back(static_cast<double>(random.Below(4)));
    const auto n = static_cast<std::size_t>(weighted.weights.back());
    repeated.truth_labels.insert(repeated.truth_labels.end(), n, weighted.truth_labels[i]);
    repeated.labels.insert(repeated.labels.end(), n, weighted.labels[i]);
  }
  for (const auto& metric : AllMetrics(3)) {
    EXPECT_EQ(laws::ScoreWhole(*metric, weighted), laws::ScoreWhole(*metric, repeated))
        << metric->ToString();
  }
}

TEST(LabelMetricsTest, TheOrderOfRowsDoesNotMatter) {
  plugin::Random random(6);
  const laws::MetricRows rows = RandomLabelRows(80, 3, false, random);
  std::vector<std::size_t> order(80);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.Shuffle(std::span<std::size_t>(order));
  laws::MetricRows shuffled{.class_names = rows.class_names};
  for (const std::size_t i : order) {
    shuffled.truth_labels.push_back(rows.truth_labels[i]);
    shuffled.labels.push_back(rows.labels[i]);
  }
  for (const auto& metric : AllMetrics(3)) {
    EXPECT_EQ(laws::ScoreWhole(*metric, rows), laws::ScoreWhole(*metric, shuffled))
        << metric->ToString();
  }
}

TEST(LabelMetricsTest, AnotherOrderOfTheClassesChangesOnlyWhatKnowsTheirOrder) {
  plugin::Random random(7);
  const laws::MetricRows rows = RandomLabelRows(80, 3, false, random);
  // Classes A, B, C stand as C, A, B.
  const std::vector<std::int32_t> place = {1, 2, 0};
  laws::MetricRows turned = rows;
  turned.class_names = {"C", "A", "B"};
  for (std::int32_t& label : turned.truth_labels) label = place[static_cast<std::size_t>(label)];
  for (std::int32_t& label : turned.labels) label = place[static_cast<std::size_t>(label)];
  for (const auto& metric : AllMetrics(3)) {
    const std::string name = metric->ToString();
    if (name.starts_with("cost") || name == "cohen_kappa{weighting=quadratic}") continue;
    EXPECT_NEAR(laws::ScoreWhole(*metric, rows).value, laws::ScoreWhole(*metric, turned).value,
                1e-15)
        << name;
  }
}

TEST(LabelMetricsTest, ManyClassesAreCountedInReasonableTime) {
  // 2000 classes: a sum over all pairs for each class would be 8e9 steps.
  Labels labels(2000);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i);
  laws::MetricRows rows{
      .class_names = std::vector<std::string>(2000, "c"), .truth_labels = labels, .labels = labels};
  const auto macro = BundledSpec(Kind::kMetric, "specificity", {{"average", "macro"}});
  EXPECT_EQ(laws::ScoreWhole(*macro, rows).value, 1);
}

// Truths, weights and predictions of 3,000 rows in 100 of so many classes.
std::vector<double> ScoresAmong(std::int32_t n_classes) {
  plugin::Random random(7);
  Labels truth, predicted;
  std::vector<double> weights;
  for (int i = 0; i < 3000; ++i) {
    truth.push_back(static_cast<std::int32_t>(random.Below(100)));
    predicted.push_back(random.Below(3) == 0 ? static_cast<std::int32_t>(random.Below(100))
                                             : truth.back());
    weights.push_back(random.Uniform());
  }
  std::vector<std::string> names;
  for (std::int32_t c = 0; c < n_classes; ++c) names.push_back("c" + std::to_string(c));
  Roles roles;
  roles.target = "class";
  roles.weights = "weight";
  const auto data = Dataset::Create(
      "truth", {Column::Categories("class", truth, names), Column::Doubles("weight", weights)},
      roles);
  std::vector<double> scores;
  for (const char* metric : {"accuracy", "error_rate", "matthews_correlation", "cohen_kappa"}) {
    scores.push_back(ScoreLabels(metric, *data, predicted).value);
  }
  scores.push_back(
      ScoreLabels("f1", *data, predicted, {{"average", std::string("weighted")}}).value);
  return scores;
}

// With many classes only the cells of the confusion matrix that have rows are counted.
TEST(LabelMetricsTest, ClassesWithoutRowsChangeNoBit) {
  EXPECT_EQ(ScoresAmong(501), ScoresAmong(100));
  EXPECT_EQ(ScoresAmong(600), ScoresAmong(500));
}

}  // namespace
}  // namespace crossfold
