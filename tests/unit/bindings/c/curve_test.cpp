#include <cmath>

#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

Handle<crossfold_curve> Draw(crossfold_context* context, const crossfold_result* result,
                             std::size_t learner, const char* options) {
  crossfold_curve* made = nullptr;
  EXPECT_EQ(crossfold_result_curve(context, result, learner, options, &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_curve>(made);
}

crossfold_curve_info CurveOf(const crossfold_curve* curve) {
  auto info = Sized<crossfold_curve_info>();
  EXPECT_EQ(crossfold_curve_describe(curve, &info), CROSSFOLD_OK);
  return info;
}

std::string ExperimentKeeping(const char* keep) {
  return R"({"learners": {"knn": "knn{k=5}", "tree": "debug{action=throw_in_fit}"},
    "splitter": {"id": "kfold", "params": {"folds": 10, "shuffle": false}}, "metrics": "accuracy",
    "keep": ")" +
         std::string(keep) + "\"}";
}

class CCurveTest : public testing::Test {
 protected:
  const Handle<crossfold_context> context_ = NewContext();
  const Handle<crossfold_dataset> data_ =
      ReadFile(context_.get(), "breast_cancer.csv", R"({"target": "class"})");
  const Handle<crossfold_result> result_ =
      Evaluate(context_.get(), data_.get(), ExperimentKeeping("probabilities"));
};

// Expected: scikit-learn 1.2.1, roc_curve and roc_auc_score of the same predictions.
TEST_F(CCurveTest, TheRocCurveOfAllSplitsIsATableOfItsPoints) {
  const auto curve = Draw(context_.get(), result_.get(), 0, R"({"kind": "roc"})");
  const crossfold_curve_info info = CurveOf(curve.get());
  EXPECT_STREQ(info.positive, "malignant");
  EXPECT_EQ(info.undefined, nullptr);
  EXPECT_EQ(std::vector<std::string>(info.columns, info.columns + info.n_columns),
            (std::vector<std::string>{"threshold", "fpr", "tpr", "tp", "fp", "tn", "fn"}));
  ASSERT_EQ(info.n_rows, 7u);
  std::vector<double> tpr;
  for (std::size_t i = 0; i < info.n_rows; ++i) tpr.push_back(info.values[i * info.n_columns + 2]);
  EXPECT_THAT(
      tpr, testing::Pointwise(testing::DoubleNear(1e-8), {0.0, 0.73113208, 0.84433962, 0.88207547,
                                                          0.90566038, 0.95754717, 1.0}));
  ASSERT_EQ(info.n_figures, 1u);
  EXPECT_STREQ(info.figures[0], "auc");
  EXPECT_NEAR(info.figure_values[0], 0.9635259764283072, 1e-14);
}

// Expected: the same for the predictions of each split.
TEST_F(CCurveTest, ASplitHasACurveOfItsOwnAndAllSplitsAMean) {
  const auto one =
      Draw(context_.get(), result_.get(), 0, R"({"kind": "roc", "repeat": 0, "fold": 3})");
  EXPECT_NEAR(CurveOf(one.get()).figure_values[0], 0.9725, 1e-14);
  const auto mean =
      Draw(context_.get(), result_.get(), 0, R"({"kind": "roc", "aggregation": "vertical"})");
  const crossfold_curve_info info = CurveOf(mean.get());
  EXPECT_EQ(info.n_rows, 101u);
  EXPECT_STREQ(info.figures[1], "mean_auc");
  EXPECT_NEAR(info.figure_values[1], 0.9629287184259988, 1e-14);
}

TEST_F(CCurveTest, ALearnerWithoutPredictionsHasAnUndefinedCurve) {
  const auto curve = Draw(context_.get(), result_.get(), 1, R"({"kind": "precision_recall"})");
  const crossfold_curve_info info = CurveOf(curve.get());
  EXPECT_EQ(info.n_rows, 0u);
  EXPECT_STREQ(info.undefined, "there are no predictions");
  EXPECT_TRUE(std::isnan(info.figure_values[0]));
}

TEST_F(CCurveTest, ReliabilityAndDecisionCurvesTakeTheirOptions) {
  const auto reliability = Draw(context_.get(), result_.get(), 0,
                                R"({"kind": "reliability", "band": "none", "score": "brier"})");
  const crossfold_curve_info info = CurveOf(reliability.get());
  ASSERT_EQ(info.n_figures, 5u);
  const double* figure = info.figure_values;
  EXPECT_NEAR(figure[0], figure[1] - figure[2] + figure[3], 1e-12);
  EXPECT_TRUE(std::isnan(figure[4]));
  const auto decision = Draw(context_.get(), result_.get(), 0,
                             R"({"kind": "decision", "thresholds": [0.1, 0.5], "prevalence": 0.3,
                                 "confidence": 0.9, "samples": 50, "seed": 7})");
  const crossfold_curve_info decided = CurveOf(decision.get());
  EXPECT_EQ(decided.n_rows, 2u);
  EXPECT_EQ(decided.figure_values[0], 0.3);
  EXPECT_LT(decided.values[2], decided.values[1]);
}

TEST_F(CCurveTest, WhatCannotBeDrawnIsRefused) {
  const std::string attempt = "cannot draw a curve: ";
  const std::pair<const char*, std::string> cases[] = {
      {"{}", attempt + "the options has no 'kind'"},
      {R"({"kind": "rok"})", attempt +
                                 "'kind' is 'rok'; did you mean 'roc'? known: calibration, cost, "
                                 "decision, det, lift, precision_recall, reliability, roc, "
                                 "thresholds"},
      {R"({"kind": "decision", "thresholds": 0.1})",
       attempt + "'thresholds' is not a list of numbers"},
      {R"({"kind": "lift", "points": "hull"})",
       attempt + "the options has the unknown key 'points'; known: aggregation, fold, kind, "
                 "positive, repeat"},
      {R"({"kind": "lift", "aggregation": "vertical"})",
       attempt + "'aggregation' is 'vertical', which is for kind 'roc'; use 'pooled'"},
      {R"({"kind": "roc", "fold": 1})",
       attempt + "'repeat' and 'fold' together name a split; give both or neither"},
      {R"({"kind": "roc", "repeat": 1, "fold": 1})",
       attempt + "there is no fold 1 in a repeat 1; they count from 0"},
      {R"({"kind": "thresholds", "costs": [1, 2]})",
       attempt + "'costs' is not [[tn, fp], [fn, tp]]"},
      {R"({"kind": "roc", "positive": "bening"})",
       "cannot find the positive class: there is no class 'bening'; did you mean 'benign'? known: "
       "benign, malignant"}};
  for (const auto& [options, message] : cases) {
    crossfold_curve* made = nullptr;
    EXPECT_EQ(crossfold_result_curve(context_.get(), result_.get(), 0, options, &made),
              CROSSFOLD_INVALID_ARGUMENT);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(crossfold_last_error(context_.get()), message);
  }
  crossfold_curve* made = nullptr;
  EXPECT_EQ(crossfold_result_curve(context_.get(), result_.get(), 2, R"({"kind": "roc"})", &made),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(crossfold_last_error(context_.get()), attempt + "there is no learner 2, only 0 .. 1");
}

TEST_F(CCurveTest, ItNeedsProbabilities) {
  const auto labels = Evaluate(context_.get(), data_.get(), ExperimentKeeping("labels"));
  crossfold_curve* made = nullptr;
  EXPECT_EQ(crossfold_result_curve(context_.get(), labels.get(), 0, R"({"kind": "roc"})", &made),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context_.get()),
               "cannot draw a curve: no probabilities were kept; run the experiment with keep "
               "'probabilities'");
}

}  // namespace
}  // namespace crossfold
