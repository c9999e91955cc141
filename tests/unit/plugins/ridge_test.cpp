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

DataView TwoThirds(const DataPtr& data) {
  return RowsOf(data, FoldRows(RowRange(0, data->num_rows()), 3, 0, false));
}
RowIds OneThird(const DataPtr& data) {
  return FoldRows(FoldRows(RowRange(0, data->num_rows()), 3, 0, false), 3, 1, true);
}

// ---- numbers -----------------------------------------------------------------------------------

TEST(RidgeTest, AgreesWithScikitLearn) {
  ExpectReference("ridge 1", "diabetes_regr.csv", "ridge", {}, 1e-9);
  ExpectReference("ridge 0.01", "diabetes_regr.csv", "ridge", {{"l2", 0.01}}, 1e-9);
  ExpectReference("ridge no intercept", "diabetes_regr.csv", "ridge", {{"intercept", false}}, 1e-9);
}

TEST(LeastSquaresTest, AgreesWithScikitLearn) {
  ExpectReference("least squares", "diabetes_regr.csv", "least_squares", {}, 1e-9);
  ExpectReference("least squares", "diabetes_regr.csv", "ridge", {{"l2", 0.0}}, 1e-9);
}

// x = -1, 0, 1 and y = 0, 3, 6 (mean 3): sum xy = 6, sum xx = 2, so the slope is 6 / (2 + l2).
TEST(RidgeTest, ThePenaltyIsAddedToTheSumOfSquares) {
  const DataPtr data = ParseTable("x,y\n-1,0\n0,3\n1,6\n", "y");
  EXPECT_THAT(FitPredict("ridge", {{"l2", 1.0}}, AllRows(data), RowsOf(data, {1, 2})).values,
              ElementsAre(DoubleNear(3, 1e-14), DoubleNear(5, 1e-14)));
  // Without the intercept too, as the mean of x is 0.
  EXPECT_THAT(
      FitPredict("ridge", {{"l2", 1.0}, {"intercept", false}}, AllRows(data), RowsOf(data, {1, 2}))
          .values,
      ElementsAre(DoubleNear(0, 1e-14), DoubleNear(2, 1e-14)));
}

// y = 10 x and x2 = 2 x: of all w + 2 v = 10 the shortest is w = 2, v = 4.
TEST(LeastSquaresTest, DependentFeaturesGetTheShortestSolution) {
  const DataPtr data = ParseTable("x,x2,y\n-1,-2,-10\n0,0,0\n1,2,10\n", "y");
  const DataPtr other = ParseTable("x,x2,y\n1,0,0\n0,1,0\n", "y");
  const auto model = FittedModel::Fit(BundledLearner("least_squares", {}), AllRows(data), 1, {});
  EXPECT_THAT(model->Predict(AllRows(other), {}).values,
              ElementsAre(DoubleNear(2, 1e-13), DoubleNear(4, 1e-13)));
}

// With more features than rows the least squares pass through every row.
TEST(LeastSquaresTest, MoreFeaturesThanRowsInterpolate) {
  const DataPtr diabetes = Diabetes();
  const DataView rows = RowsOf(diabetes, RowRange(0, 7));
  const Prediction p = FitPredict("least_squares", {}, rows, rows);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(p.values[i], diabetes->values()[i], 1e-9);
}

// The Wampler1 problem of NIST: y = 1 + x + ... + x^5 for x = 0 .. 20; every coefficient is 1. The
// columns differ by factors of 10^6.
TEST(LeastSquaresTest, SolvesWampler1) {
  std::vector<Column> columns;
  std::vector<double> y(21, 1);
  for (int power = 1; power <= 5; ++power) {
    std::vector<double> x;
    for (int i = 0; i <= 20; ++i) {
      x.push_back(std::pow(i, power));
      y[static_cast<std::size_t>(i)] += x.back();
    }
    columns.push_back(Column::Doubles("x" + std::to_string(power), x));
  }
  columns.push_back(Column::Doubles("y", y));
  const DataPtr wampler = Dataset::Create("wampler", std::move(columns), TargetRole("y"));
  // The predictions at the origin and at 1 in the first or the last column.
  const DataPtr unit =
      Dataset::Create("unit",
                      {Column::Doubles("x1", {0, 1, 0}), Column::Doubles("x2", {0, 0, 0}),
                       Column::Doubles("x3", {0, 0, 0}), Column::Doubles("x4", {0, 0, 0}),
                       Column::Doubles("x5", {0, 0, 1}), Column::Doubles("y", {0, 0, 0})},
                      TargetRole("y"));
  const auto model = FittedModel::Fit(BundledLearner("least_squares", {}), AllRows(wampler), 1, {});
  EXPECT_THAT(model->Predict(AllRows(unit), {}).values,
              ElementsAre(DoubleNear(1, 1e-8), DoubleNear(2, 1e-8), DoubleNear(2, 1e-8)));
}

TEST(RidgeTest, AConstantFeatureChangesNothing) {
  const DataPtr data = ParseTable("x,c,y\n-1,0.1,0\n0,0.1,3\n1,0.1,6\n", "y");
  for (const double l2 : {0.0, 1.0}) {
    EXPECT_THAT(FitPredict("ridge", {{"l2", l2}}, AllRows(data), RowsOf(data, {2})).values,
                ElementsAre(DoubleNear(3 + 6 / (2 + l2), 1e-14)));
  }
}

TEST(RidgeTest, OneRowGivesItsTarget) {
  const DataPtr data = ParseTable("x,y\n4,7\n5,9\n", "y");
  EXPECT_THAT(FitPredict("ridge", {}, RowsOf(data, {0}), RowsOf(data, {1})).values, ElementsAre(7));
  EXPECT_THAT(FitPredict("least_squares", {}, RowsOf(data, {0}), RowsOf(data, {1})).values,
              ElementsAre(7));
}

TEST(RidgeTest, EqualScoresGoToTheLowerClass) {
  const DataPtr data = ParseTable("x,y\n-1,b\n1,a\n0,a\n", "y");
  EXPECT_THAT(FitPredict("ridge", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})).labels,
              ElementsAre(0));
}

TEST(RidgeTest, AClassThatTheTrainingRowsLackIsNeverPredicted) {
  const DataPtr iris = Iris();
  const Prediction p =
      FitPredict("ridge", {{"intercept", false}}, RowsOf(iris, RowRange(50, 150)), AllRows(iris));
  for (const std::int32_t label : p.labels) EXPECT_NE(label, 0);
  const Prediction one =
      FitPredict("least_squares", {}, RowsOf(iris, RowRange(50, 60)), RowsOf(iris, {0}));
  EXPECT_THAT(one.labels, ElementsAre(1));
}

TEST(RidgeTest, TheTextIsAFormulaWithTheNamesOfTheFeatures) {
  const DataPtr data = ParseTable("a b,c,y\n-1,5,0\n0,5,3\n1,5,6\n", "y");
  EXPECT_EQ(ExportedText("ridge", {{"l2", 4.0}}, AllRows(data)),
            "value = 3\n  + 1 * [a b]\n  + 0 * [c]\n");
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(RidgeTest, CategoriesAreRefused) {
  const DataPtr data = ParseTable("x,y\nu,1\nv,2\n", "y");
  EXPECT_THAT(FailureOf("ridge", {}, AllRows(data), AllRows(data)),
              testing::HasSubstr("cannot use learner 'ridge'"));
}

TEST(RidgeTest, InfiniteEntriesAreRefusedAtFitAndAtPredict) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", {0, 1, infinity}), Column::Doubles("y", {0, 1, 2})},
      TargetRole("y"));
  EXPECT_EQ(FailureOf("ridge", {}, AllRows(data), AllRows(data)),
            "cannot fit 'ridge' on dataset 'table': feature 'x' has an infinite or missing entry");
  EXPECT_EQ(FailureOf("ridge", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot predict with 'ridge' on dataset 'table': feature 'x' has an infinite or "
            "missing entry");
}

TEST(RidgeTest, RowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,3\n2,0,4\n", "y", "w");
  EXPECT_EQ(FailureOf("ridge", {}, AllRows(data), AllRows(data)),
            "cannot fit 'ridge' on dataset 'table': the training rows have a total weight of 0");
}

// ---- laws --------------------------------------------------------------------------------------

TEST(RidgeTest, KeepsTheLaws) {
  for (const DataPtr& data : {Diabetes(), Iris()}) {
    const DataView train = TwoThirds(data);
    const auto weights = SomeWeights(train.num_rows());
    for (const ParamValues& params : {ParamValues{}, ParamValues{{"intercept", false}}}) {
      ExpectSaveLoadLaw("ridge", params, train, AllRows(data));
      ExpectWeightsAreRepetitions("ridge", params, train, weights, AllRows(data), 1e-10);
      ExpectRowOrderDoesNotMatter("ridge", params, train, AllRows(data), 1e-10);
      ExpectImportanceLaw("ridge", params, train, 1e-10);
      ExpectFitPathLaw("ridge", params, "l2", {Value(1.0), Value(0.0), Value(1e-4), Value(1e3)},
                       train, AllRows(data));
      ExpectIncrementalLaw("ridge", params, train, OneThird(data), AllRows(data));
    }
  }
}

TEST(LeastSquaresTest, KeepsTheLaws) {
  for (const DataPtr& data : {Diabetes(), Iris()}) {
    const DataView train = TwoThirds(data);
    const auto weights = SomeWeights(train.num_rows());
    ExpectSaveLoadLaw("least_squares", {}, train, AllRows(data));
    ExpectWeightsAreRepetitions("least_squares", {}, train, weights, AllRows(data), 1e-10);
    ExpectRowOrderDoesNotMatter("least_squares", {}, train, AllRows(data), 1e-10);
    ExpectImportanceLaw("least_squares", {}, train, 1e-10);
    ExpectIncrementalLaw("least_squares", {}, train, OneThird(data), AllRows(data));
  }
}

// ---- cross prediction --------------------------------------------------------------------------

// Settings whose sums are solved well and badly, with and without an intercept.
std::vector<ParamValues> SomePenalties() {
  return {ParamValues{{"l2", 1.0}}, ParamValues{{"l2", 0.0}},
          ParamValues{{"l2", 1e-6}, {"intercept", false}}, ParamValues{{"l2", 100.0}}};
}

TEST(RidgeTest, KeepsTheLawOfCrossPredictInLargeFolds) {
  for (const DataPtr& data : {Diabetes(), Iris(), ReadTestData("wine.csv", "class")}) {
    const std::int64_t n = data->num_rows();
    ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), SomeFolds(n, 4), 4);
    ExpectCrossPredictLaw("least_squares", {ParamValues{}, ParamValues{{"intercept", false}}},
                          AllRows(data), SomeFolds(n, 4), 4);
  }
}

// Folds of one, two and three rows are taken out in closed form.
TEST(RidgeTest, KeepsTheLawOfCrossPredictInSmallFolds) {
  for (const DataPtr& data : {Diabetes(), ReadTestData("wine.csv", "class")}) {
    const DataView some = RowsOf(data, FoldRows(RowRange(0, data->num_rows()), 3, 0, true));
    const auto n = static_cast<std::int32_t>(some.num_rows());
    ExpectCrossPredictLaw("ridge", SomePenalties(), some, SomeFolds(n, n), n);
    ExpectCrossPredictLaw("least_squares", {ParamValues{}}, some, SomeFolds(n, n / 3), n / 3);
  }
}

// Pixels that are constant, or constant but for one row.
TEST(RidgeTest, CrossPredictsDigits) {
  const DataPtr digits = ReadDigits();
  const DataView some = RowsOf(digits, RowRange(0, 150));
  ExpectCrossPredictLaw("ridge", SomePenalties(), some, SomeFolds(150, 3), 3);
  ExpectCrossPredictLaw("ridge", {ParamValues{}}, some, SomeFolds(150, 30), 30);
}

// The second column is the first plus noise of 10^-k: the more nearly dependent they are, the more
// folds are fitted separately.
TEST(RidgeTest, CrossPredictsNearlyDependentFeatures) {
  for (int k = 0; k <= 16; k += 2) {
    plugin::Random random(static_cast<std::uint64_t>(k));
    std::vector<double> a, b, y;
    for (int i = 0; i < 60; ++i) {
      a.push_back(100 + random.Normal());
      b.push_back(a.back() + std::pow(10, -k) * random.Normal());
      y.push_back(3 * a.back() + random.Normal());
    }
    const DataPtr data = Dataset::Create(
        "near", {Column::Doubles("a", a), Column::Doubles("b", b), Column::Doubles("y", y)},
        TargetRole("y"));
    SCOPED_TRACE(k);
    ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), SomeFolds(60, 5), 5);
    ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), SomeFolds(60, 60), 60);
  }
}

// Separate fits with a penalty lose digits of the small column here.
TEST(RidgeTest, CrossPredictsColumnsOfVeryDifferentSizes) {
  for (const double size : {1e3, 1e5, 1e7, 1e8, 1e9, 1e12, 1e150}) {
    plugin::Random random(7);
    std::vector<double> a, b, y;
    for (int i = 0; i < 40; ++i) {
      y.push_back(random.Normal());
      a.push_back(y.back() + random.Normal());
      b.push_back(size * (y.back() + random.Normal()));
    }
    const DataPtr data = Dataset::Create(
        "sizes", {Column::Doubles("a", a), Column::Doubles("b", b), Column::Doubles("y", y)},
        TargetRole("y"));
    SCOPED_TRACE(size);
    ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), SomeFolds(40, 4), 4);
    ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), SomeFolds(40, 40), 40);
  }
}

// More features than rows, targets far from 1 in size, a class with one row, columns far from 0.
TEST(RidgeTest, CrossPredictsCorners) {
  const DataPtr diabetes = Diabetes();
  ExpectCrossPredictLaw("ridge", SomePenalties(), RowsOf(diabetes, RowRange(0, 9)), SomeFolds(9, 9),
                        9);
  const DataPtr large = ParseTable("x,y\n1,1e9\n2,3e9\n4,-1e9\n5,0.5\n7,2e9\n9,1e9\n", "y");
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(large), {0, 1, 2, 3, 4, 5}, 6);
  const DataPtr classes = ParseTable("x,z,y\n0,1,a\n1,2,a\n2,0,b\n3,1,b\n4,5,c\n", "y");
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(classes), {0, 1, 0, 1, 2}, 3);
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(classes), {0, 0, 1, 1, 1}, 2);
  const DataPtr far = ParseTable("x,y\n1e9,1\n1000000001,2\n1000000002,4\n1000000004,3\n", "y");
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(far), {0, 1, 2, 3}, 4);
}

// Scores that tie: a label must be that of the separate fit.
TEST(RidgeTest, CrossPredictsTies) {
  const DataPtr data = ParseTable("x,y\n-1,b\n1,a\n0,a\n-1,b\n1,a\n0,b\n", "y");
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(data), {-1, -1, 0, -1, -1, 1}, 2);
}

TEST(RidgeTest, CrossPredictsWeightedRowsAndFailsWhereSeparateFitsFail) {
  const DataPtr weighted =
      ParseTable("x,w,y\n1,2,1\n2,0,3\n4,1.5,-1\n5,1,0.5\n7,3,2\n9,0,1\n", "y", "w");
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(weighted), {0, 1, 2, 0, 1, 2}, 3);
  const double infinity = std::numeric_limits<double>::infinity();
  const DataPtr infinite = Dataset::Create(
      "table",
      {Column::Doubles("x", {0, 1, 3, 4, infinity}), Column::Doubles("y", {0, 1, 2, 1, 0})},
      TargetRole("y"));
  ExpectCrossPredictLaw("ridge", SomePenalties(), AllRows(infinite), {0, 0, 1, 1, 1}, 2);
  const DataPtr one = ParseTable("x,w,y\n1,1,1\n2,0,3\n", "y", "w");
  ExpectCrossPredictLaw("ridge", {ParamValues{}}, AllRows(one), {0, 1}, 2);
}

// Digits have pixels that are constant, and others that are constant without the removed rows.
TEST(RidgeTest, TakesRowsOutOfColumnsThatAreConstantThen) {
  const DataPtr digits = ReadDigits();
  ExpectIncrementalLaw("ridge", {}, RowsOf(digits, RowRange(0, 400)), RowRange(100, 140),
                       RowsOf(digits, RowRange(400, 450)));
}

// Removes rows from a model; the message, or "".
std::string RemovalFailure(std::string_view learner, const DataPtr& data, RowIds removed) {
  const auto spec = laws::LearnerSpec(learner, {});
  const auto* table = laws::Required<cf_cap_incremental>(*spec, CF_CAP_INCREMENTAL);
  const auto model = laws::Fit(*spec, AllRows(data));
  const RowTable rows = RowTable::ForTraining(*data, &removed);
  return CallPlugin(
             spec->component(), {},
             [&](const cf_call* c) { return table->remove_rows(c, model.get(), &rows.get()); })
      .message;
}

TEST(LeastSquaresTest, RefusesToTakeRowsOutOfDependentFeatures) {
  const DataPtr data = ParseTable("x,x2,y\n-1,-2,1\n0,0,2\n1,2,4\n5,1,2\n", "y");
  EXPECT_EQ(RemovalFailure("least_squares", data, {3}),
            "the features are too nearly dependent or too different in size to be updated; fit all "
            "rows again");
  EXPECT_EQ(RemovalFailure("ridge", data, {3}), "");
  EXPECT_EQ(RemovalFailure("ridge", data, {0, 1, 2, 3}), "no training rows would be left");
}

}  // namespace
}  // namespace crossfold
