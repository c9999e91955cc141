#include <cmath>

#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

using testing::Pair;

constexpr char kThree[] = R"({"learners": {"bayes": "naive_bayes", "floor": "featureless",
  "knn": "knn{k=5}"}, "splitter": {"id": "kfold", "params": {"folds": 10, "shuffle": false}},
  "metrics": ["accuracy", "log_loss"]})";

Handle<crossfold_comparison> Compare(crossfold_context* context, const crossfold_result* result,
                                     const char* options) {
  crossfold_comparison* made = nullptr;
  EXPECT_EQ(crossfold_result_compare(context, result, options, &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_comparison>(made);
}

crossfold_pair PairAt(const crossfold_comparison* comparison, std::size_t index) {
  auto pair = Sized<crossfold_pair>();
  EXPECT_EQ(crossfold_comparison_pair(comparison, index, &pair), CROSSFOLD_OK);
  return pair;
}

class CComparisonTest : public testing::Test {
 protected:
  const Handle<crossfold_context> context_ = NewContext();
  const Handle<crossfold_dataset> iris_ = Iris(context_.get());
  const Handle<crossfold_result> result_ = Evaluate(context_.get(), iris_.get(), kThree);
};

// Expected: scipy 1.10.1, Student's t of the ten differences with the variance (1/10 + 15/135) s^2
// of their mean, and the posterior with (1/10 + 0.1/0.9) s^2.
TEST_F(CComparisonTest, PairsHaveTheCorrectedTestOfTheirDifferences) {
  const auto comparison = Compare(context_.get(), result_.get(), R"({"metric": "accuracy"})");
  ASSERT_EQ(crossfold_comparison_count(comparison.get()), 3u);
  const crossfold_pair pair = PairAt(comparison.get(), 1);
  EXPECT_THAT(std::pair(pair.a, pair.b), Pair(0u, 2u));
  EXPECT_STREQ(pair.test, "corrected resampled t");
  EXPECT_EQ(pair.better, 0);
  EXPECT_NEAR(pair.mean_a, 143.0 / 150, 1e-15);
  EXPECT_NEAR(pair.difference, -2.0 / 150, 1e-15);
  EXPECT_NEAR(pair.statistic, -1.032370802417528, 1e-13);
  EXPECT_EQ(pair.df, 9);
  EXPECT_NEAR(pair.p, 0.3288416458180915, 1e-12);
  EXPECT_NEAR(pair.low, -0.042549672494206436, 1e-9);
  EXPECT_NEAR(pair.high, 0.01588300582753978, 1e-9);
  EXPECT_NEAR(pair.p_worse, 0.5989298448267473, 1e-12);
  EXPECT_NEAR(pair.p_better, 0.05214350794129574, 1e-12);
  EXPECT_EQ(pair.undefined, nullptr);
  // Holm over three p-values: the smallest is multiplied by 3.
  const crossfold_pair first = PairAt(comparison.get(), 0);
  EXPECT_EQ(first.better, 1);
  EXPECT_EQ(first.p_adjusted, 3 * first.p);
  EXPECT_NEAR(first.p, 1.2520907763835563e-11, 1e-23);
}

TEST_F(CComparisonTest, AControlIsComparedWithEveryOtherLearner) {
  const auto comparison =
      Compare(context_.get(), result_.get(), R"({"metric": "log_loss", "control": "floor"})");
  ASSERT_EQ(crossfold_comparison_count(comparison.get()), 2u);
  const crossfold_pair pair = PairAt(comparison.get(), 1);
  EXPECT_THAT(std::pair(pair.a, pair.b), Pair(2u, 1u));
  EXPECT_TRUE(std::isnan(pair.rope)) << "log_loss has no bound";
}

// Expected: the counts by a look at the predictions; p = 2 P(X < 8) + P(X = 8) of a binomial with n
// = 17, p = 1/2, by scipy 1.10.1.
TEST_F(CComparisonTest, OneSplitIsComparedRowByRow) {
  const auto data = ReadFile(context_.get(), "breast_cancer.csv", R"({"target": "class"})");
  const auto result = Evaluate(context_.get(), data.get(), R"({"learners": {"bayes": "naive_bayes",
      "knn": "knn{k=5}"}, "splitter": "holdout", "metrics": "accuracy"})");
  const auto comparison = Compare(context_.get(), result.get(), nullptr);
  const crossfold_pair pair = PairAt(comparison.get(), 0);
  EXPECT_STREQ(pair.test, "McNemar mid-p");
  EXPECT_EQ(pair.rows, 190);
  EXPECT_EQ(pair.only_a, 9);
  EXPECT_EQ(pair.only_b, 8);
  EXPECT_NEAR(pair.difference, 1.0 / 190, 1e-15);
  EXPECT_NEAR(pair.p, 0.814529418945312, 1e-12);
}

TEST_F(CComparisonTest, WhatCannotBeComparedIsRefused) {
  const std::string attempt = "cannot compare the learners: ";
  const std::pair<const char*, std::string> cases[] = {
      {"{}", attempt + "the options has no 'metric', and the experiment has 2; known: accuracy, "
                       "log_loss"},
      {R"({"metric": "log_los"})",
       "cannot find metric 'log_los': did you mean 'log_loss'? known: "},
      {R"({"metric": "rmse"})", attempt + "'metric' is 'rmse'; known: accuracy, log_loss"},
      {R"({"metric": "accuracy", "learners": ["knn", "nb"]})",
       attempt + "item 2 of 'learners' is 'nb'; known: bayes, floor, knn"},
      {R"({"metric": "accuracy", "learners": ["knn", "knn"]})",
       attempt + "learner 'knn' is named twice; name it once"},
      {R"({"metric": "accuracy", "learners": ["knn", "bayes"], "control": "floor"})",
       attempt + "the control 'floor' is not among the learners; add it to them"},
      {R"({"metric": "accuracy", "test": "t"})",
       attempt + "'test' is 't'; known: corrected_t, five_by_two_f, five_by_two_t, mcnemar"},
      {R"({"metric": "accuracy", "test": "five_by_two_t"})",
       attempt + "test 'five_by_two_t' is not valid: it needs 5 repeats of 2 folds, these are 10 "
                 "folds; use kfold{folds=2,repeats=5}, or test 'corrected_t'"},
      {R"({"metric": "accuracy", "confidence": 1})",
       attempt + "confidence = 1 is outside (0, 1); use a number between them"},
      {R"({"metric": "accuracy", "rope": -1})",
       attempt + "rope = -1 is not the half-width of a region; use 0.01, or 0 for none"}};
  for (const auto& [options, message] : cases) {
    crossfold_comparison* made = nullptr;
    EXPECT_EQ(crossfold_result_compare(context_.get(), result_.get(), options, &made),
              CROSSFOLD_INVALID_ARGUMENT);
    EXPECT_EQ(made, nullptr);
    EXPECT_THAT(crossfold_last_error(context_.get()), testing::StartsWith(message));
  }
}

TEST_F(CComparisonTest, APairThatIsNotThereIsAWrongArgument) {
  const auto comparison = Compare(context_.get(), result_.get(), R"({"metric": "accuracy"})");
  auto pair = Sized<crossfold_pair>();
  EXPECT_EQ(crossfold_comparison_pair(comparison.get(), 3, &pair), CROSSFOLD_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace crossfold
