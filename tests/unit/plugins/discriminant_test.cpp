#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/linear_reference.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* const kSmallFiles[] = {"iris.csv", "wine.csv", "breast_cancer.csv"};

// ---- numbers -----------------------------------------------------------------------------------

TEST(LdaTest, AgreesWithScikitLearnBySingularValues) {
  for (const char* file : kSmallFiles) ExpectReference("lda", file, "lda", {}, 1e-9);
}

// Some pixels are constant.
TEST(LdaTest, LeavesOutConstantColumnsAsScikitLearnDoes) {
  ExpectReference("lda", "digits.csv", "lda", {}, 1e-9);
}

TEST(LdaTest, AgreesWithScikitLearnWithShrinkage) {
  for (const char* file : {"iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"}) {
    ExpectReference("lda 0.3", file, "lda", {{"shrinkage", 0.3}}, 1e-9);
  }
}

TEST(QdaTest, AgreesWithScikitLearn) {
  for (const char* file : kSmallFiles) ExpectReference("qda", file, "qda", {}, 1e-9);
}

TEST(QdaTest, AgreesWithScikitLearnWithRegularisation) {
  for (const char* file : {"iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"}) {
    ExpectReference("qda 0.1", file, "qda", {{"reg", 0.1}}, 1e-9);
  }
}

// Classes at -1, 1 (mean 0) and 3, 5 (mean 4): pooled variance (2 + 2) / (4 - 2) = 2. At x = 1 the
// log densities are -1/4 and -9/4, so the odds are e^2.
TEST(LdaTest, ACaseByHand) {
  const DataPtr data = ParseTable("x,y\n-1,a\n1,a\n3,b\n5,b\n", "y");
  const double odds = std::exp(2);
  EXPECT_THAT(FitPredict("lda", {}, AllRows(data), RowsOf(data, {1})).probabilities,
              ElementsAre(DoubleNear(odds / (1 + odds), 1e-15), DoubleNear(1 / (1 + odds), 1e-15)));
  // With priors of 0.2 and 0.8 the odds are a quarter of that.
  EXPECT_THAT(FitPredict("lda", {{"priors", std::vector<double>{0.2, 0.8}}}, AllRows(data),
                         RowsOf(data, {1}))
                  .probabilities,
              ElementsAre(DoubleNear(odds / (4 + odds), 1e-15), DoubleNear(4 / (4 + odds), 1e-15)));
}

// Means 0 and 4, sample variances 2 and 8. At x = 2 the log densities are -1 - log(2) / 2 and
// -1/4 - log(8) / 2: odds of e^(-3/4) * 2.
TEST(QdaTest, ACaseByHand) {
  const DataPtr data = ParseTable("x,y\n-1,a\n1,a\n2,b\n6,b\n", "y");
  const double odds = std::exp(-0.75) * 2;
  EXPECT_THAT(FitPredict("qda", {}, AllRows(data), RowsOf(data, {2})).probabilities,
              ElementsAre(DoubleNear(odds / (1 + odds), 1e-15), DoubleNear(1 / (1 + odds), 1e-15)));
}

TEST(LdaTest, AClassThatTheTrainingRowsLackGetsZero) {
  const DataPtr iris = Iris();
  for (const char* learner : {"lda", "qda"}) {
    const Prediction p =
        FitPredict(learner, {}, RowsOf(iris, RowRange(0, 100)), RowsOf(iris, {149}));
    EXPECT_EQ(p.probabilities.at(2), 0.0) << learner;
    const Prediction one =
        FitPredict(learner, {}, RowsOf(iris, RowRange(50, 100)), RowsOf(iris, {149}));
    EXPECT_THAT(one.probabilities, ElementsAre(0.0, 1.0, 0.0)) << learner;
  }
}

TEST(LdaTest, MoreFeaturesThanRowsWork) {
  const DataPtr digits = ReadDigits();
  const DataView train = RowsOf(digits, RowRange(0, 40));
  EXPECT_GT(CountCorrect(*digits, FitPredict("lda", {}, train, RowsOf(digits, RowRange(40, 140)))),
            50);
}

TEST(LdaTest, FeaturesThatAreConstantLeaveThePriors) {
  const DataPtr data = ParseTable("x,y\n0.1,a\n0.1,a\n0.1,b\n", "y");
  EXPECT_THAT(FitPredict("lda", {}, AllRows(data), RowsOf(data, {2})).probabilities,
              ElementsAre(DoubleNear(2.0 / 3, 1e-15), DoubleNear(1.0 / 3, 1e-15)));
}

// Without shrinkage the variance is (2 + 2) / 4 = 1: slopes 0 - 2 and 4 - 2 from the middle, where
// both scores are log(1/2) - 2.
TEST(LdaTest, TheTextIsAFormulaWithTheNamesOfTheFeatures) {
  const DataPtr data = ParseTable("x,y\n-1,a\n1,a\n3,b\n5,b\n", "y");
  EXPECT_EQ(ExportedText("lda", {{"shrinkage", 0.0}}, AllRows(data)),
            "score(a) = 1.3068528194400546\n  - 2 * [x]\n"
            "score(b) = -6.693147180559945\n  + 2 * [x]\n");
}

TEST(QdaTest, TheTextHasPriorsMeansAndCovariances) {
  const DataPtr data = ParseTable("x,z,y\n0,0,a\n2,0,a\n1,3,a\n", "y");
  EXPECT_THAT(ExportedText("qda", {}, AllRows(data)),
              HasSubstr("class a: prior 1\n  [x]: mean 1, cov"));
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(QdaTest, ASingularClassIsRefusedByName) {
  const DataPtr data = ParseTable("x,z,y\n0,0,a\n1,2,a\n2,1,a\n0,0,b\n1,1,b\n2,2,b\n", "y");
  EXPECT_EQ(FailureOf("qda", {}, AllRows(data), AllRows(data)),
            "cannot fit 'qda' on dataset 'table': the covariance of class 'b' is singular: its "
            "rank is 1 with 2 features; raise reg");
  EXPECT_EQ(FailureOf("qda", {{"reg", 0.01}}, AllRows(data), AllRows(data)), "");
}

TEST(QdaTest, AClassOfOneRowIsRefused) {
  const DataPtr data = ParseTable("x,y\n0,a\n1,a\n5,b\n", "y");
  EXPECT_EQ(FailureOf("qda", {}, AllRows(data), AllRows(data)),
            "cannot fit 'qda' on dataset 'table': class 'b' has a total weight of at most 1, so it "
            "has no covariance (weights count as repetitions)");
}

TEST(LdaTest, AsManyClassesAsRowsAreRefused) {
  const DataPtr data = ParseTable("x,y\n0,a\n1,b\n", "y");
  EXPECT_EQ(FailureOf("lda", {}, AllRows(data), AllRows(data)),
            "cannot fit 'lda' on dataset 'table': the training rows have a total weight of 2; it "
            "must exceed the 2 classes (weights count as repetitions)");
}

TEST(LdaTest, ASingularCovarianceWithoutShrinkageIsRefused) {
  const DataPtr data = ParseTable("x,z,y\n0,0,a\n1,1,a\n2,2,b\n4,4,b\n", "y");
  EXPECT_EQ(FailureOf("lda", {{"shrinkage", 0.0}}, AllRows(data), AllRows(data)),
            "cannot fit 'lda{shrinkage=0}' on dataset 'table': the covariance within the classes "
            "is singular; raise shrinkage or use none");
  EXPECT_EQ(FailureOf("lda", {}, AllRows(data), AllRows(data)), "");
}

TEST(LdaTest, PriorsThatDoNotFitAreRefused) {
  const DataPtr data = ParseTable("x,y\n0,a\n1,a\n2,b\n4,b\n", "y");
  EXPECT_EQ(FailureOf("lda", {{"priors", std::vector<double>{1.0}}}, AllRows(data), AllRows(data)),
            "cannot fit 'lda{priors={1}}' on dataset 'table': priors has 1 number, the target has "
            "2 classes");
  EXPECT_EQ(
      FailureOf("qda", {{"priors", std::vector<double>{1.0, 0.0}}}, AllRows(data), AllRows(data)),
      "cannot fit 'qda{priors={1, 0}}' on dataset 'table': the prior of class 'b' is 0, but it has "
      "training rows");
}

TEST(LdaTest, InfiniteEntriesAreRefusedAtFitAndAtPredict) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create("table",
                                       {Column::Doubles("x", {0, 1, 2, 4, infinity}),
                                        Column::Categories("y", {0, 0, 1, 1, 1}, {"a", "b"})},
                                       TargetRole("y"));
  for (const std::string learner : {"lda", "qda"}) {
    EXPECT_EQ(FailureOf(learner, {}, AllRows(data), AllRows(data)),
              "cannot fit '" + learner +
                  "' on dataset 'table': feature 'x' has an infinite or missing entry");
    EXPECT_EQ(FailureOf(learner, {}, RowsOf(data, {0, 1, 2, 3}), RowsOf(data, {4})),
              "cannot predict with '" + learner +
                  "' on dataset 'table': feature 'x' has an infinite or missing entry");
  }
}

TEST(LdaTest, RowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,b\n", "y", "w");
  EXPECT_EQ(FailureOf("lda", {}, AllRows(data), AllRows(data)),
            "cannot fit 'lda' on dataset 'table': the training rows have a total weight of 0");
}

// ---- laws --------------------------------------------------------------------------------------

TEST(LdaTest, KeepsTheLaws) {
  const DataPtr iris = Iris();
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 3, 0, false));
  for (const ParamValues& params : {ParamValues{}, ParamValues{{"shrinkage", 0.2}}}) {
    ExpectProbaLaw("lda", params, train, AllRows(iris));
    ExpectSaveLoadLaw("lda", params, train, AllRows(iris));
    ExpectWeightsAreRepetitions("lda", params, train, SomeWeights(100), AllRows(iris), 1e-11);
    ExpectRowOrderDoesNotMatter("lda", params, train, AllRows(iris), 1e-11);
  }
}

TEST(QdaTest, KeepsTheLaws) {
  const DataPtr iris = Iris();
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 3, 0, false));
  for (const ParamValues& params : {ParamValues{}, ParamValues{{"reg", 0.2}}}) {
    ExpectProbaLaw("qda", params, train, AllRows(iris));
    ExpectSaveLoadLaw("qda", params, train, AllRows(iris));
    ExpectWeightsAreRepetitions("qda", params, train, SomeWeights(100), AllRows(iris), 1e-11);
    ExpectRowOrderDoesNotMatter("qda", params, train, AllRows(iris), 1e-11);
  }
}

// ---- cross prediction --------------------------------------------------------------------------

std::vector<ParamValues> LdaSettings() {
  return {ParamValues{}, ParamValues{{"shrinkage", 0.3}}, ParamValues{{"shrinkage", 0.0}}};
}
std::vector<ParamValues> QdaSettings() {
  return {ParamValues{}, ParamValues{{"reg", 0.1}}, ParamValues{{"reg", 1e-6}}};
}

TEST(LdaTest, KeepsTheLawOfCrossPredict) {
  for (const char* file : kSmallFiles) {
    const DataPtr data = ReadTestData(file, "class");
    const DataView some = RowsOf(data, FoldRows(RowRange(0, data->num_rows()), 2, 0, true));
    const std::int64_t n = some.num_rows();
    ExpectCrossPredictLaw("lda", LdaSettings(), some, SomeFolds(n, 4), 4);
    ExpectCrossPredictLaw("qda", QdaSettings(), some, SomeFolds(n, 4), 4);
  }
}

TEST(LdaTest, CrossPredictsEachRowFromAllOthers) {
  const DataPtr data = Iris();
  const DataView some = RowsOf(data, FoldRows(RowRange(0, 150), 3, 0, true));
  ExpectCrossPredictLaw("lda", LdaSettings(), some, SomeFolds(50, 50), 50);
  ExpectCrossPredictLaw("qda", QdaSettings(), some, SomeFolds(50, 50), 50);
}

// Pixels that are constant, or constant without a fold, or constant within a class.
TEST(LdaTest, CrossPredictsDigits) {
  const DataPtr digits = ReadDigits();
  const DataView some = RowsOf(digits, RowRange(0, 300));
  ExpectCrossPredictLaw("lda", LdaSettings(), some, SomeFolds(300, 3), 3);
  ExpectCrossPredictLaw("qda", QdaSettings(), some, SomeFolds(300, 3), 3);
}

// The second column is the first plus noise of 10^-k.
TEST(LdaTest, CrossPredictsNearlyDependentFeatures) {
  for (int k = 0; k <= 16; k += 2) {
    plugin::Random random(static_cast<std::uint64_t>(k));
    std::vector<double> a, b;
    std::vector<std::int32_t> y;
    for (int i = 0; i < 60; ++i) {
      y.push_back(i % 2);
      a.push_back(100 + y.back() + random.Normal());
      b.push_back(a.back() + std::pow(10, -k) * random.Normal());
    }
    const DataPtr data = Dataset::Create(
        "near",
        {Column::Doubles("a", a), Column::Doubles("b", b), Column::Categories("y", y, {"p", "q"})},
        TargetRole("y"));
    SCOPED_TRACE(k);
    ExpectCrossPredictLaw("lda", LdaSettings(), AllRows(data), SomeFolds(60, 5), 5);
    ExpectCrossPredictLaw("qda", QdaSettings(), AllRows(data), SomeFolds(60, 5), 5);
  }
}

// A class that a fold takes away, one that has one row, given priors, weights, ties.
TEST(LdaTest, CrossPredictsCorners) {
  const DataPtr classes =
      ParseTable("x,z,y\n0,1,a\n1,2,a\n2,0,b\n3,1,b\n4,5,c\n1,1,a\n0,4,b\n3,3,a\n5,1,b\n", "y");
  const std::vector<std::int32_t> folds = {0, 1, 0, 1, 2, -1, -1, -1, -1};
  ExpectCrossPredictLaw("lda", LdaSettings(), AllRows(classes), folds, 3);
  ExpectCrossPredictLaw("qda", QdaSettings(), AllRows(classes), folds, 3);
  const std::vector<double> priors = {0.2, 0.3, 0.5}, zero = {0.5, 0.5, 0};
  for (const char* id : {"lda", "qda"}) {
    ExpectCrossPredictLaw(id, {{{"priors", priors}}, {{"priors", zero}}, {}}, AllRows(classes),
                          folds, 3);
  }
  const DataPtr ties = ParseTable("x,y\n-1,a\n1,a\n3,b\n5,b\n2,a\n2,b\n", "y");
  ExpectCrossPredictLaw("lda", LdaSettings(), AllRows(ties), {-1, -1, -1, -1, 0, 0}, 1);
  const DataPtr weighted = ParseTable(
      "x,w,y\n-1,2,a\n1,1,a\n0,0,a\n3,1.5,b\n5,1,b\n2,2,a\n2.5,0.5,b\n4,1,b\n", "y", "w");
  const std::vector<std::int32_t> some = {0, 1, 0, 1, 2, 2, -1, 0};
  ExpectCrossPredictLaw("lda", LdaSettings(), AllRows(weighted), some, 3);
  ExpectCrossPredictLaw("qda", QdaSettings(), AllRows(weighted), some, 3);
}

}  // namespace
}  // namespace crossfold
