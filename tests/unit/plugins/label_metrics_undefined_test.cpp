// Where metrics over labels have no value, and what they refuse before anything runs.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/error.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/metric_fixture.h"

namespace crossfold {
namespace {

std::string WhyUndefined(std::string_view metric, const Dataset& data, const Labels& predicted,
                         const ParamValues& params = {}) {
  const Score score = ScoreLabels(metric, data, predicted, params);
  EXPECT_FALSE(score.defined) << metric << " is " << score.value;
  return score.undefined;
}

// Truth and labels of two classes, A and B (positive).
std::string WhyUndefined(std::string_view metric, const Labels& truth, const Labels& predicted) {
  return WhyUndefined(metric, *TruthData(truth, 2), predicted);
}

std::string LabelRefusal(std::string_view metric, const Dataset& data,
                         const ParamValues& params = {}) {
  return RefusedArgument([&] { CheckMetric(*BundledSpec(Kind::kMetric, metric, params), data); });
}

// ---- undefined ----------------------------------------------------------------------------------

TEST(LabelMetricsUndefinedTest, PrecisionWithoutPredictedPositives) {
  EXPECT_EQ(WhyUndefined("precision", {0, 1}, {0, 0}), "no row was predicted 'B'");
}

TEST(LabelMetricsUndefinedTest, RecallWithoutPositives) {
  EXPECT_EQ(WhyUndefined("recall", {0, 0}, {0, 1}), "no row is of class 'B'");
}

TEST(LabelMetricsUndefinedTest, SpecificityWithoutNegatives) {
  EXPECT_EQ(WhyUndefined("specificity", {1, 1}, {0, 1}), "every row is of class 'B'");
  EXPECT_EQ(WhyUndefined("false_positive_rate", {1, 1}, {0, 1}), "every row is of class 'B'");
}

TEST(LabelMetricsUndefinedTest, FAndJaccardWithoutAnyPositive) {
  for (const char* metric : {"f1", "f_beta", "jaccard"}) {
    EXPECT_EQ(WhyUndefined(metric, {0, 0}, {0, 0}), "no row is of class 'B' or was predicted so");
  }
}

TEST(LabelMetricsUndefinedTest, FOfNoHitIsZeroNotUndefined) {
  const Score score = ScoreLabels("f1", *TruthData({0, 1}, 2), {1, 0});
  EXPECT_TRUE(score.defined);
  EXPECT_EQ(score.value, 0);
}

TEST(LabelMetricsUndefinedTest, MatthewsCorrelationWithAZeroFactor) {
  // scikit-learn returns 0 for the first.
  EXPECT_EQ(WhyUndefined("matthews_correlation", {1, 1, 0}, {1, 1, 1}),
            "all rows were predicted 'B'");
  EXPECT_EQ(WhyUndefined("matthews_correlation", {0, 0, 0}, {1, 0, 1}),
            "all rows are of class 'A'");
}

TEST(LabelMetricsUndefinedTest, KappaWhereChanceIsCertain) {
  EXPECT_EQ(WhyUndefined("cohen_kappa", {1, 1}, {1, 1}),
            "all rows are of class 'B' and were predicted so, as chance would do");
  // Always wrong is no better than chance, but defined.
  EXPECT_EQ(ScoreLabels("cohen_kappa", *TruthData({1, 1}, 2), {0, 0}).value, 0);
}

TEST(LabelMetricsUndefinedTest, LikelihoodRatiosThatDivideByZero) {
  EXPECT_EQ(WhyUndefined("positive_likelihood_ratio", {0, 0, 1, 1}, {0, 0, 1, 0}),
            "no row of another class was predicted 'B': the specificity is 1");
  EXPECT_EQ(WhyUndefined("negative_likelihood_ratio", {0, 0, 1, 1}, {1, 1, 1, 0}),
            "every row of another class was predicted 'B': the specificity is 0");
}

TEST(LabelMetricsUndefinedTest, LikelihoodRatiosAndYoudenWithOneSideOnly) {
  for (const char* metric :
       {"positive_likelihood_ratio", "negative_likelihood_ratio", "youden_j"}) {
    EXPECT_EQ(WhyUndefined(metric, {0, 0}, {0, 1}), "no row is of class 'B'");
    EXPECT_EQ(WhyUndefined(metric, {1, 1}, {0, 1}), "every row is of class 'B'");
  }
}

TEST(LabelMetricsUndefinedTest, AMacroAverageNamesTheClassWithoutValue) {
  const auto data = TruthData({0, 0, 1}, 3);
  EXPECT_EQ(WhyUndefined("recall", *data, {0, 1, 1}, {{"average", "macro"}}),
            "no row is of class 'C', so the class has no value to average; skip_undefined = true "
            "leaves it out");
  EXPECT_EQ(WhyUndefined("balanced_accuracy", *data, {0, 1, 1}),
            "no row is of class 'C', so the class has no value to average; skip_undefined = true "
            "leaves it out");
  EXPECT_EQ(WhyUndefined("g_mean", *data, {0, 1, 1}),
            "no row is of class 'C', so the class has no value to average; skip_undefined = true "
            "leaves it out");
}

TEST(LabelMetricsUndefinedTest, SkipUndefinedAveragesOverTheOtherClasses) {
  const auto data = TruthData({0, 0, 1}, 3);
  const ParamValues skip = {{"skip_undefined", true}};
  EXPECT_EQ(ScoreLabels("balanced_accuracy", *data, {0, 1, 1}, skip).value, 0.75);
  EXPECT_NEAR(ScoreLabels("g_mean", *data, {0, 1, 1}, skip).value, std::sqrt(0.5), 1e-15);
  const ParamValues macro = {{"average", "macro"}, {"skip_undefined", true}};
  EXPECT_EQ(ScoreLabels("precision", *data, {0, 1, 1}, macro).value, 0.75);
}

TEST(LabelMetricsUndefinedTest, AWeightedAverageDoesNotNeedClassesWithoutRows) {
  // Class C has no rows and weighs nothing; class B is never predicted.
  const auto data = TruthData({0, 0, 1}, 3);
  EXPECT_NEAR(ScoreLabels("recall", *data, {0, 1, 1}, {{"average", "weighted"}}).value, 2.0 / 3,
              1e-15);
  EXPECT_EQ(WhyUndefined("precision", *data, {0, 0, 0}, {{"average", "weighted"}}),
            "no row was predicted 'B', so the class has no value to average; skip_undefined = "
            "true leaves it out");
}

TEST(LabelMetricsUndefinedTest, WithoutRowsOrWeight) {
  const auto weightless = TruthData({0, 1}, 2, {0, 0});
  for (const char* metric :
       {"accuracy", "error_rate", "precision", "recall", "specificity", "false_positive_rate",
        "f_beta", "f1", "jaccard", "balanced_accuracy", "g_mean", "matthews_correlation",
        "cohen_kappa", "positive_likelihood_ratio", "negative_likelihood_ratio", "youden_j"}) {
    EXPECT_EQ(ScoreNoRows(metric).message, "there are no rows") << metric;
    EXPECT_EQ(WhyUndefined(metric, *weightless, {0, 1}), "the weights of all rows are zero")
        << metric;
  }
  const auto costs = Dataset::WithCosts(*weightless, {2, 2, {0, 1, 1, 0}});
  EXPECT_EQ(WhyUndefined("cost", *costs, {0, 1}), "the weights of all rows are zero");
  EXPECT_EQ(ScoreNoRows("row_cost").message, "there are no rows");
}

// ---- refused ------------------------------------------------------------------------------------

TEST(LabelMetricsUndefinedTest, ThreeClassesWithoutAPositiveOneAreRefused) {
  const auto data = TruthData({0, 1, 2}, 3);
  for (const char* metric :
       {"precision", "recall", "specificity", "false_positive_rate", "f_beta", "f1", "jaccard"}) {
    EXPECT_EQ(LabelRefusal(metric, *data),
              "cannot use metric '" + std::string(metric) +
                  "' on dataset 'truth': the dataset has 3 classes; name one with positive = "
                  "\"...\", or choose average = \"macro\", \"micro\" or \"weighted\"");
  }
  EXPECT_EQ(LabelRefusal("youden_j", *data),
            "cannot use metric 'youden_j' on dataset 'truth': the dataset has 3 classes; name one "
            "with positive = \"...\"");
  EXPECT_EQ(LabelRefusal("recall", *data, {{"positive", "C"}}), "");
  EXPECT_EQ(LabelRefusal("recall", *data, {{"average", "macro"}}), "");
}

TEST(LabelMetricsUndefinedTest, AnUnknownPositiveClassIsRefused) {
  EXPECT_EQ(LabelRefusal("f1", *TruthData({0, 1}, 2), {{"positive", "spam"}}),
            "cannot use metric 'f1{positive='spam'}' on dataset 'truth': positive = 'spam' is not "
            "a class of the dataset; known: A, B");
}

TEST(LabelMetricsUndefinedTest, APositiveClassHasNoEffectOnAnAverage) {
  const ParamValues macro = {{"positive", "B"}, {"average", "macro"}};
  EXPECT_EQ(test::MessageOf([&] { BundledSpec(Kind::kMetric, "f1", macro); }),
            "cannot make metric 'f1': 'positive' has no effect while average = macro; it needs "
            "average = binary");
}

TEST(LabelMetricsUndefinedTest, ACostMatrixOfAnotherShapeIsRefused) {
  const auto data = TruthData({0, 1, 2}, 3);
  EXPECT_EQ(LabelRefusal("cost", *data, {{"matrix", std::vector<double>{0, 1, 5, 0}}}),
            "cannot use metric 'cost{matrix={0, 1, 5, 0}}' on dataset 'truth': the cost matrix is "
            "2 x 2, the 3 classes need 3 x 3");
  EXPECT_EQ(LabelRefusal("cost", *data, {{"matrix", std::vector<double>{0, 1}}}),
            "cannot use metric 'cost{matrix={0, 1}}' on dataset 'truth': the cost matrix has 2 "
            "entries, the 3 classes need 3 x 3");
}

TEST(LabelMetricsUndefinedTest, MissingCostsAreRefusedWithTheWayOut) {
  const auto data = TruthData({0, 1}, 2);
  EXPECT_EQ(LabelRefusal("cost", *data),
            "cannot use metric 'cost' on dataset 'truth': there is no cost matrix; give the metric "
            "one with matrix = {...} or the dataset with costs = {...}");
  EXPECT_EQ(LabelRefusal("row_cost", *data),
            "cannot use metric 'row_cost' on dataset 'truth': the rows have no costs; name the "
            "columns that hold them with row_costs = { class = \"column\" }");
}

}  // namespace
}  // namespace crossfold
