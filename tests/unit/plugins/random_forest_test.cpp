#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;

struct Parts {
  DataView train, test;
};

// Every third row is tested, the first one being number 3.
Parts ThirdsOf(const DataPtr& data) {
  const RowIds all = RowRange(0, data->num_rows());
  return {RowsOf(data, FoldRows(all, 3, 2, false)), RowsOf(data, FoldRows(all, 3, 2, true))};
}

Prediction FitPredictWithSeed(const ParamValues& params, const Parts& parts, std::uint64_t seed) {
  return FittedModel::Fit(BundledLearner("random_forest", params), parts.train, seed, {})
      ->Predict(parts.test, {});
}

// Mean share of correct labels over the seeds 1 to `n_seeds`.
double MeanAccuracy(const ParamValues& params, const DataPtr& data, std::uint64_t n_seeds) {
  const Parts parts = ThirdsOf(data);
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= n_seeds; ++seed) {
    const Prediction p = FitPredictWithSeed(params, parts, seed);
    sum += static_cast<double>(CountCorrect(*data, p)) / static_cast<double>(p.rows.size());
  }
  return sum / static_cast<double>(n_seeds);
}

double MeanSquaredError(const DataPtr& data, const Prediction& p) {
  double sum = 0;
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    const double miss = p.values[i] - data->values()[static_cast<std::size_t>(p.rows[i])];
    sum += miss * miss;
  }
  return sum / static_cast<double>(p.rows.size());
}

// ---- accuracy ----------------------------------------------------------------------------------

// sklearn 1.2.1, RandomForestClassifier(100, n_jobs=1, random_state=0 .. 19), trained on the rows
// whose number is not a multiple of 3, tested on the others: mean and standard deviation.
TEST(RandomForestTest, DigitsAreAsAccurateAsInScikitLearn) {
  constexpr double kMean = 0.9702, kSd = 0.00283;
  EXPECT_NEAR(MeanAccuracy({}, ReadDigits(), 6), kMean, 4 * kSd / std::sqrt(6.0));
}

// The same with random_state=1000 .. 1099.
TEST(RandomForestTest, BreastCancerIsAsAccurateAsInScikitLearn) {
  constexpr double kMean = 0.96413, kSd = 0.00627;
  EXPECT_NEAR(MeanAccuracy({}, ReadTestData("breast_cancer.csv", "class"), 20), kMean,
              4 * kSd / std::sqrt(20.0));
}

// The same with max_features=None.
TEST(RandomForestTest, BaggedTreesAreAsAccurateAsInScikitLearn) {
  constexpr double kMean = 0.95242, kSd = 0.00414;
  EXPECT_NEAR(MeanAccuracy({{"features_per_node", 0}}, ReadDigits(), 6), kMean,
              4 * kSd / std::sqrt(6.0));
}

// RandomForestRegressor(100, max_features=1/3, random_state=0 .. 19): mean squared error.
TEST(RandomForestTest, DiabetesIsAsAccurateAsInScikitLearn) {
  constexpr double kMean = 2932.5, kSd = 52.0;
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const Parts parts = ThirdsOf(data);
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    sum += MeanSquaredError(data, FitPredictWithSeed({}, parts, seed));
  }
  EXPECT_NEAR(sum / 20, kMean, 4 * kSd / std::sqrt(20.0));
}

// ---- how trees are made ------------------------------------------------------------------------

TEST(RandomForestTest, OneTreeOnAllRowsAndFeaturesIsADecisionTree) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  const Parts parts = ThirdsOf(wine);
  const Prediction forest =
      FitPredictWithSeed({{"trees", 3}, {"features_per_node", 0}, {"bootstrap", false}}, parts, 1);
  const Prediction tree = FitPredict("decision_tree", {}, parts.train, parts.test);
  EXPECT_EQ(forest.labels, tree.labels);
  EXPECT_EQ(forest.probabilities, tree.probabilities);
}

TEST(RandomForestTest, WithoutASplitTheBootstrapSharesRemain) {
  // Each tree says the shares of its own sample of two a and one b, so thirds are averaged; all
  // samples together have nearly two thirds of a: sd 0.272 / sqrt(2000) = 0.0061.
  const DataPtr data = ParseTable("x,y\n1,a\n1,a\n1,b\n", "y");
  const Prediction p =
      FitPredict("random_forest", {{"trees", 2000}}, AllRows(data), RowsOf(data, {0}));
  EXPECT_NEAR(p.probabilities[0], 2.0 / 3, 0.025);
  EXPECT_NE(p.probabilities[0], 2.0 / 3);
}

TEST(RandomForestTest, TheSeedDecidesAndNothingElse) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  const Parts parts = ThirdsOf(wine);
  const ParamValues params = {{"trees", 5}};
  EXPECT_EQ(FitPredictWithSeed(params, parts, 1).probabilities,
            FitPredictWithSeed(params, parts, 1).probabilities);
  EXPECT_NE(FitPredictWithSeed(params, parts, 1).probabilities,
            FitPredictWithSeed(params, parts, 2).probabilities);
}

TEST(RandomForestTest, MaxDepthAndMinLeafLimitTheTrees) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,b\n4,b\n", "y");
  const auto proba = [&](ParamValues params) {
    params.insert({{"trees", 1}, {"bootstrap", false}});
    return FitPredict("random_forest", params, AllRows(data), RowsOf(data, {0})).probabilities;
  };
  EXPECT_THAT(proba({}), ElementsAre(1, 0));
  EXPECT_THAT(proba({{"max_depth", 0}}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(proba({{"min_leaf", 2.0}}), ElementsAre(1, 0));
  EXPECT_THAT(proba({{"min_leaf", 3.0}}), ElementsAre(0.5, 0.5));
}

TEST(RandomForestTest, TheFeatureThatDecidesHasTheImportance) {
  // y follows x1; x2 is noise, which trees meet where the draw leaves x1 out.
  std::string csv = "x1,x2,y\n";
  for (int i = 0; i < 60; ++i) {
    csv += std::to_string(i) + "," + std::to_string(i * 37 % 61) + (i < 30 ? ",a\n" : ",b\n");
  }
  const DataPtr data = ParseTable(csv, "y");
  const auto model =
      FittedModel::Fit(BundledLearner("random_forest", {{"trees", 200}, {"features_per_node", 1}}),
                       AllRows(data), 1, {});
  const auto importance = model->Importance({});
  EXPECT_GT(importance[0].value, 0.6);
  EXPECT_NEAR(importance[0].value + importance[1].value, 1, 1e-12);
}

// ---- data --------------------------------------------------------------------------------------

TEST(RandomForestTest, OneClassOrOneRowIsCertain) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,a\n", "y");
  EXPECT_THAT(
      FitPredict("random_forest", {}, RowsOf(data, {0, 2}), RowsOf(data, {1})).probabilities,
      ElementsAre(1, 0));
  EXPECT_THAT(FitPredict("random_forest", {}, RowsOf(data, {1}), RowsOf(data, {0})).probabilities,
              ElementsAre(0, 1));
  const DataPtr alone = ParseTable("x,y\n1,a\n2,a\n", "y");
  EXPECT_THAT(FitPredict("random_forest", {}, AllRows(alone), AllRows(alone)).probabilities,
              ElementsAre(1, 1));
}

TEST(RandomForestTest, ConstantTargetsAreLearntExactly) {
  const DataPtr data = ParseTable("x,y\n1,0.1\n2,0.1\n3,0.1\n", "y");
  EXPECT_THAT(FitPredict("random_forest", {{"trees", 10}}, AllRows(data), AllRows(data)).values,
              Each(DoubleEq(0.1)));
}

TEST(RandomForestTest, CategoriesAndMissingEntriesAreTaken) {
  const DataPtr votes = ReadTestData("house_votes_84.csv", "Class");
  EXPECT_GE(CountCorrect(*votes, FitPredictWithSeed({}, ThirdsOf(votes), 1)), 133);  // of 145
}

TEST(RandomForestTest, MoreColumnsThanRowsAndNoColumnsWork) {
  const DataPtr wide = ParseTable("a,b,c,d,y\n1,2,3,4,u\n4,3,2,1,v\n", "y");
  EXPECT_EQ(CountCorrect(*wide, FitPredict("random_forest", {}, AllRows(wide), AllRows(wide))), 2);
  const DataPtr bare = ParseTable("y\na\nb\nb\nb\n", "y");
  EXPECT_THAT(FitPredict("random_forest", {}, AllRows(bare), AllRows(bare)).labels, Each(1));
}

TEST(RandomForestTest, MoreFeaturesPerNodeThanThereAreIsRefused) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n", "y");
  EXPECT_EQ(FailureOf("random_forest", {{"features_per_node", 2}}, AllRows(data), AllRows(data)),
            "cannot fit 'random_forest{features_per_node=2}' on dataset 'table': features_per_node "
            "= 2 exceeds the 1 feature");
}

TEST(RandomForestTest, InfiniteEntriesAreRefused) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create("table",
                                       {Column::Doubles("x", {1, 2, 3, kInfinity}),
                                        Column::Categories("y", {0, 1, 0, 1}, {"a", "b"})},
                                       TargetRole("y"));
  EXPECT_EQ(FailureOf("random_forest", {}, AllRows(data), AllRows(data)),
            "cannot fit 'random_forest' on dataset 'table': feature 'x' has an infinite entry");
  EXPECT_EQ(
      FailureOf("random_forest", {}, RowsOf(data, {0, 1, 2}), RowsOf(data, {3})),
      "cannot predict with 'random_forest' on dataset 'table': feature 'x' has an infinite entry");
}

TEST(RandomForestTest, WeightsThatCannotBeDrawnFromAreRefused) {
  const DataPtr none = ParseTable("x,w,y\n1,0,a\n2,0,b\n", "y", "w");
  EXPECT_EQ(FailureOf("random_forest", {}, AllRows(none), AllRows(none)),
            "cannot fit 'random_forest' on dataset 'table': no training row has a weight above 0");
  const DataPtr huge = ParseTable("x,w,y\n1,3e9,a\n2,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("random_forest", {}, AllRows(huge), AllRows(huge)),
            "cannot fit 'random_forest' on dataset 'table': the weights stand for more than "
            "2147483648 rows, too many to draw from; use bootstrap = false");
}

// ---- laws --------------------------------------------------------------------------------------

TEST(RandomForestTest, KeepsTheLawsOfItsCapabilities) {
  const ParamValues five = {{"trees", 5}};
  for (const DataPtr& data :
       {ReadTestData("wine.csv", "class"), ReadTestData("house_votes_84.csv", "Class")}) {
    const Parts parts = ThirdsOf(data);
    ExpectProbaLaw("random_forest", five, parts.train, AllRows(data));
    ExpectSaveLoadLaw("random_forest", five, parts.train, AllRows(data));
    ExpectFitPathLaw("random_forest", {}, "trees", {1, 20, 7}, parts.train, AllRows(data));
    ExpectPrepareLaw("random_forest", five, AllRows(data), parts.train, AllRows(data));
    ExpectPreparedPathLaw("random_forest", {{"min_leaf", 3.0}}, "trees", {1, 9, 4}, AllRows(data),
                          parts.train, AllRows(data));
    ExpectRowOrderDoesNotMatter("random_forest", five, parts.train, AllRows(data));
  }
  const DataPtr numbers = ReadTestData("diabetes_regr.csv", "target");
  const Parts parts = ThirdsOf(numbers);
  ExpectSaveLoadLaw("random_forest", five, parts.train, AllRows(numbers));
  ExpectFitPathLaw("random_forest", {}, "trees", {3, 1, 11}, parts.train, AllRows(numbers));
  ExpectPrepareLaw("random_forest", five, AllRows(numbers), parts.train, AllRows(numbers));
  ExpectRowOrderDoesNotMatter("random_forest", five, parts.train, AllRows(numbers));
}

// The draws of features go by their places, so only a forest without them is the same; shallow
// trees, because small nodes have equally good features, and the first of them wins.
TEST(RandomForestTest, ImportanceFollowsTheColumns) {
  ExpectImportanceLaw("random_forest", {{"trees", 5}, {"features_per_node", 0}, {"max_depth", 2}},
                      AllRows(ReadTestData("diabetes_regr.csv", "target")), 1e-9);
}

TEST(RandomForestTest, AWeightOfTwoIsTheRowTwice) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  for (const bool bootstrap : {true, false}) {
    ExpectWeightsAreRepetitions("random_forest", {{"trees", 20}, {"bootstrap", bootstrap}},
                                AllRows(iris), SomeWeights(150), AllRows(iris), 1e-12);
  }
}

TEST(RandomForestTest, FractionsOfWeightsAreChances) {
  // a has 0.9 of the weight; the shares of 2000 samples of two rows: sd 0.212 / sqrt(2000).
  const DataPtr data = ParseTable("x,w,y\n1,0.9,a\n1,0.1,b\n", "y", "w");
  EXPECT_NEAR(FitPredict("random_forest", {{"trees", 2000}}, AllRows(data), RowsOf(data, {0}))
                  .probabilities[0],
              0.9, 0.02);
}

// Found by random settings: the shares of a row that goes down several branches, added over a
// hundred trees, came to 1.0000000000000027. The seed is the first of 400 for which they did.
TEST(RandomForestTest, AddedSharesNeverExceedOne) {
  plugin::Random random(303);
  std::vector<double> x, z;
  std::vector<std::int32_t> y;
  const auto with_gaps = [&] { return random.Below(4) == 0 ? std::nan("") : random.Normal(); };
  for (int i = 0; i < 20; ++i) {
    x.push_back(with_gaps());
    z.push_back(with_gaps());
    y.push_back(static_cast<std::int32_t>(random.Below(2)));
  }
  const DataPtr data = Dataset::Create(
      "gaps",
      {Column::Doubles("x", x), Column::Doubles("z", z), Column::Categories("y", y, {"no", "yes"})},
      {.target = "y"});
  EXPECT_EQ(FailureOf("random_forest", {{"bootstrap", false}, {"min_leaf", 0.0}}, AllRows(data),
                      AllRows(data)),
            "");
}

}  // namespace
}  // namespace crossfold
