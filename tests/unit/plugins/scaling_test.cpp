#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsNan;

const ParamValues kOddRange = {{"low", -1}, {"high", 2}};

TEST(MinMaxTest, TheSmallestEntryBecomesLowAndTheGreatestHigh) {
  const DataPtr data = NumericColumn({3, 1, 5, 2});
  EXPECT_THAT(FitApply("min_max", {}, data).columns, ElementsAre(ElementsAre(0.5, 0, 1, 0.25)));
  EXPECT_THAT(FitApply("min_max", kOddRange, data).columns,
              ElementsAre(ElementsAre(0.5, -1, 2, -0.25)));
}

// sklearn.preprocessing.MinMaxScaler((-1, 2)).fit_transform(X)[100] of scikit-learn 1.2.1.
TEST(MinMaxTest, IrisComesOutAsInScikitLearn) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const Transformed t = FitApply("min_max", kOddRange, AllRows(iris), RowsOf(iris, {100}));
  EXPECT_THAT(
      t.columns,
      ElementsAre(ElementsAre(DoubleNear(0.66666667, 1e-8)), ElementsAre(DoubleNear(0.625, 1e-8)),
                  ElementsAre(DoubleNear(1.54237288, 1e-8)), ElementsAre(DoubleNear(2, 1e-8))));
}

TEST(MinMaxTest, BothEndsAreExact) {
  // 0.2 + 1 * (0.9 - 0.2) is not 0.9 in doubles.
  const DataPtr data = NumericColumn({0, 3});
  EXPECT_THAT(FitApply("min_max", {{"low", 0.2}, {"high", 0.9}}, data).columns,
              ElementsAre(ElementsAre(0.2, 0.9)));
}

TEST(MinMaxTest, OtherRowsLeaveTheRangeUnlessTheyAreClipped) {
  const DataPtr data = NumericColumn({0, 10, 15, -5, kMissing});
  const DataView train = RowsOf(data, {0, 1}), rows = RowsOf(data, {2, 3, 4});
  EXPECT_THAT(FitApply("min_max", {}, train, rows).columns,
              ElementsAre(ElementsAre(DoubleEq(1.5), DoubleEq(-0.5), IsNan())));
  EXPECT_THAT(FitApply("min_max", {{"clip", true}}, train, rows).columns,
              ElementsAre(ElementsAre(DoubleEq(1), DoubleEq(0), IsNan())));
}

TEST(MinMaxTest, AConstantColumnBecomesLow) {
  const DataPtr data = NumericColumn({7, 7, 9});
  EXPECT_THAT(FitApply("min_max", kOddRange, RowsOf(data, {0, 1}), AllRows(data)).columns,
              ElementsAre(ElementsAre(-1, -1, 5)));
}

TEST(MinMaxTest, AColumnWithoutTrainingEntriesIsLeftAsItIs) {
  const DataPtr data = NumericColumn({kMissing, 9});
  EXPECT_THAT(FitApply("min_max", {{"clip", true}}, RowsOf(data, {0}), RowsOf(data, {1})).columns,
              ElementsAre(ElementsAre(9)));
}

TEST(MinMaxTest, RowsOfWeightZeroAreAbsent) {
  const DataPtr data = ParseTable("x,w,y\n1,1,0\n5,3,0\n99,0,0\n", "y", "w");
  EXPECT_THAT(FitApply("min_max", {}, AllRows(data), RowsOf(data, {0, 1})).columns,
              ElementsAre(ElementsAre(0, 1)));
}

TEST(MinMaxTest, CategoriesPassAndBoolsBecomeNumbers) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Categories("colour", {1, 0}, {"red", "blue"}),
                       Column::Booleans("round", {true, false}), Column::Doubles("y", {0, 0})},
                      TargetRole("y"));
  const Transformed t = FitApply("min_max", kOddRange, data);
  EXPECT_THAT(t.names, ElementsAre("colour", "round"));
  EXPECT_THAT(t.types, ElementsAre(CF_CAT32, CF_F64));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(1, 0), ElementsAre(2, -1)));
}

TEST(MinMaxTest, AnEmptyRangeIsRefused) {
  EXPECT_EQ(TransformFailure("min_max", {{"low", 1}, {"high", 1}}, NumericColumn({1, 2})),
            "low must be less than high, and their difference finite");
}

TEST(MinMaxTest, InfiniteEntriesAreRefusedWhenFittingAndWhenApplying) {
  const DataPtr data = NumericColumn({1, 2, kInfinity});
  EXPECT_EQ(TransformFailure("min_max", {}, data), "feature 'x' has an infinite entry");
  EXPECT_EQ(FitApply("min_max", {}, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has an infinite entry");
}

TEST(MinMaxTest, ARangeThatOverflowsIsRefused) {
  EXPECT_EQ(TransformFailure("min_max", {}, NumericColumn({-1e308, 1e308})),
            "feature 'x' has no finite range");
}

TEST(MinMaxTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("min_max", kOddRange, ReadTestData("iris.csv", "class"));
}

// Median 5.5, quartiles 2.5 and 10 (type 7): numpy.quantile([1, 2, 4, 7, 11, 100], [.25, .5, .75]).
DataPtr NumbersWithAnOutlier() { return NumericColumn({7, 1, 100, 2, 11, 4}); }

TEST(RobustTest, SubtractsTheMedianAndDividesByTheInterquartileRange) {
  EXPECT_THAT(
      FitApply("robust", {}, NumbersWithAnOutlier()).columns,
      ElementsAre(ElementsAre(DoubleEq(1.5 / 7.5), DoubleEq(-4.5 / 7.5), DoubleEq(94.5 / 7.5),
                              DoubleEq(-3.5 / 7.5), DoubleEq(5.5 / 7.5), DoubleEq(-1.5 / 7.5))));
}

// RobustScaler().fit_transform(X)[100] of scikit-learn 1.2.1.
TEST(RobustTest, IrisComesOutAsInScikitLearn) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const Transformed t = FitApply("robust", {}, AllRows(iris), RowsOf(iris, {100}));
  EXPECT_THAT(
      t.columns,
      ElementsAre(ElementsAre(DoubleNear(0.38461538, 1e-8)), ElementsAre(DoubleNear(0.6, 1e-8)),
                  ElementsAre(DoubleNear(0.47142857, 1e-8)), ElementsAre(DoubleNear(0.8, 1e-8))));
}

TEST(RobustTest, OtherQuantilesCanBeAsked) {
  // numpy.quantile: 1.5 at 0.1, 55.5 at 0.9.
  const DataPtr data = NumbersWithAnOutlier();
  const ParamValues deciles = {{"low_quantile", 0.1}, {"high_quantile", 0.9}};
  EXPECT_THAT(FitApply("robust", deciles, AllRows(data), RowsOf(data, {0})).columns,
              ElementsAre(ElementsAre(DoubleNear(1.5 / 54, 1e-15))));
}

TEST(RobustTest, CentreAndScaleCanBeLeftOut) {
  const DataPtr data = NumbersWithAnOutlier();
  EXPECT_THAT(FitApply("robust", {{"scale", false}}, AllRows(data), RowsOf(data, {0})).columns,
              ElementsAre(ElementsAre(1.5)));
  EXPECT_THAT(FitApply("robust", {{"center", false}}, AllRows(data), RowsOf(data, {0})).columns,
              ElementsAre(ElementsAre(DoubleEq(7 / 7.5))));
}

TEST(RobustTest, WeightsCountAsRepetitions) {
  const DataPtr weighted = ParseTable("x,w,y\n3,2,0\n1,3,0\n8,1,0\n99,0,0\n5,2,0\n", "y", "w");
  const DataPtr repeated = NumericColumn({3, 1, 8, 3, 5, 1, 1, 5});
  EXPECT_EQ(FitApply("robust", {}, AllRows(weighted), RowsOf(weighted, {0, 1, 2})).columns,
            FitApply("robust", {}, AllRows(repeated), RowsOf(repeated, {0, 1, 2})).columns);
}

TEST(RobustTest, TheOrderOfTheRowsDoesNotMatter) {
  const DataPtr data = NumbersWithAnOutlier();
  EXPECT_EQ(FitApply("robust", {}, RowsOf(data, {5, 4, 3, 2, 1, 0}), AllRows(data)).columns,
            FitApply("robust", {}, data).columns);
}

TEST(RobustTest, EqualQuartilesDivideByOne) {
  const DataPtr data = NumericColumn({2, 2, 2, 2, 2, 9});
  EXPECT_THAT(FitApply("robust", {}, data).columns, ElementsAre(ElementsAre(0, 0, 0, 0, 0, 7)));
}

TEST(RobustTest, OneTrainingRowIsEnough) {
  const DataPtr data = NumericColumn({4, 6});
  EXPECT_THAT(FitApply("robust", {}, RowsOf(data, {0}), AllRows(data)).columns,
              ElementsAre(ElementsAre(0, 2)));
}

TEST(RobustTest, MissingEntriesAreIgnoredAndStayMissing) {
  const DataPtr data = NumericColumn({1, kMissing, 3});
  EXPECT_THAT(FitApply("robust", {}, data).columns,
              ElementsAre(ElementsAre(DoubleEq(-1), IsNan(), DoubleEq(1))));
  EXPECT_THAT(FitApply("robust", {}, RowsOf(data, {1}), RowsOf(data, {2})).columns,
              ElementsAre(ElementsAre(3)));
}

TEST(RobustTest, CategoriesPass) {
  const DataPtr data = ParseTable("c,x,y\nred,1,0\nblue,3,0\n", "y");
  const Transformed t = FitApply("robust", {}, data);
  EXPECT_THAT(t.types, ElementsAre(CF_CAT32, CF_F64));
  EXPECT_THAT(t.column("x"), ElementsAre(-1, 1));
}

TEST(RobustTest, QuantilesInTheWrongOrderAreRefused) {
  EXPECT_EQ(TransformFailure("robust", {{"low_quantile", 0.8}}, NumbersWithAnOutlier()),
            "low_quantile must be less than high_quantile");
}

// The quartiles of 1, 2, 3 are 1 apart, those of a half of them one half.
TEST(RobustTest, AnEntryThatTheScaleMakesInfiniteIsRefusedByName) {
  const DataPtr data = NumericColumn({0.5, 1, 1.5, 1.5e308});
  EXPECT_EQ(FitApply("robust", {}, RowsOf(data, {0, 1, 2}), AllRows(data)).failure,
            "feature 'x' has the value 1.5e+308, which is too large for the scale of the training "
            "rows");
}

TEST(RobustTest, InfiniteEntriesAreRefusedWhenFittingAndWhenApplying) {
  const DataPtr data = NumericColumn({1, 2, -kInfinity});
  EXPECT_EQ(TransformFailure("robust", {}, data), "feature 'x' has an infinite entry");
  EXPECT_EQ(FitApply("robust", {}, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has an infinite entry");
}

TEST(RobustTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("robust", {}, ReadTestData("iris.csv", "class"));
}

const ParamValues kSampleSd = {{"sd", std::string("sample")}};

// Fits on some rows, applies to others.
Transformed Standardize(const ParamValues& values, const DataView& train, const DataView& test) {
  return FitApply("standardize", values, train, test);
}

// Mean 5, population standard deviation 2.
DataPtr EightNumbers() { return NumericColumn({2, 4, 4, 4, 5, 5, 7, 9}); }

TEST(StandardizeTest, SubtractsTheMeanAndDividesByThePopulationSd) {
  const DataPtr data = EightNumbers();
  const Transformed t = Standardize({}, AllRows(data), AllRows(data));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2)));
  EXPECT_THAT(t.names, ElementsAre("x"));
  EXPECT_THAT(t.types, ElementsAre(CF_F64));
}

TEST(StandardizeTest, TheSampleSdDividesByOneLess) {
  const DataPtr data = EightNumbers();
  const Transformed t = Standardize(kSampleSd, AllRows(data), RowsOf(data, {7}));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(DoubleEq(4 / std::sqrt(32.0 / 7)))));
}

TEST(StandardizeTest, CentreAndScaleCanBeLeftOut) {
  const DataPtr data = EightNumbers();
  EXPECT_THAT(Standardize({{"scale", false}}, AllRows(data), RowsOf(data, {0, 7})).columns,
              ElementsAre(ElementsAre(-3, 4)));
  EXPECT_THAT(Standardize({{"center", false}}, AllRows(data), RowsOf(data, {0, 7})).columns,
              ElementsAre(ElementsAre(1, 4.5)));
}

TEST(StandardizeTest, OnlyTheTrainingRowsAreMeasured) {
  const DataPtr data = NumericColumn({1, 3, 1000});
  const Transformed t = Standardize({}, RowsOf(data, {0, 1}), RowsOf(data, {2, 0}));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(998, -1)));
}

TEST(StandardizeTest, AConstantColumnBecomesZero) {
  // The rounded mean of three times 0.1 is not 0.1, so this would not come out by itself.
  const DataPtr data = NumericColumn({0.1, 0.1, 0.1, 2.1});
  const Transformed t = Standardize({}, RowsOf(data, {0, 1, 2}), AllRows(data));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(0, 0, 0, 2)));
}

TEST(StandardizeTest, OneTrainingRowHasNoSpreadWhicheverSdIsAsked) {
  const DataPtr data = NumericColumn({4, 6});
  EXPECT_THAT(Standardize(kSampleSd, RowsOf(data, {0}), AllRows(data)).columns,
              ElementsAre(ElementsAre(0, 2)));
}

TEST(StandardizeTest, MissingEntriesAreIgnoredAndStayMissing) {
  const DataPtr data = NumericColumn({1, kMissing, 3});
  const Transformed t = Standardize({}, AllRows(data), AllRows(data));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(DoubleEq(-1), IsNan(), DoubleEq(1))));
}

TEST(StandardizeTest, AColumnWithoutTrainingEntriesIsLeftAsItIs) {
  const DataPtr data = NumericColumn({kMissing, kMissing, 3});
  const Transformed t = Standardize({}, RowsOf(data, {0, 1}), RowsOf(data, {2, 0}));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(DoubleEq(3), IsNan())));
}

TEST(StandardizeTest, WeightsCountAsRepetitions) {
  // 1 once and 4 three times: mean 3.25, population variance 1.6875, sample variance 2.25.
  const DataPtr data = ParseTable("x,w,y\n1,1,0\n4,3,0\n99,0,0\n", "y", "w");
  EXPECT_THAT(Standardize({}, AllRows(data), RowsOf(data, {0})).columns,
              ElementsAre(ElementsAre(DoubleEq(-2.25 / std::sqrt(1.6875)))));
  EXPECT_THAT(Standardize(kSampleSd, AllRows(data), RowsOf(data, {0})).columns,
              ElementsAre(ElementsAre(DoubleEq(-1.5))));
}

TEST(StandardizeTest, CategoriesPassAndIntegersAndBoolsBecomeNumbers) {
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Categories("colour", {1, 0}, {"red", "blue"}), Column::Integers("size", {10, 20}),
       Column::Booleans("round", {true, false}), Column::Doubles("y", {0, 0})},
      TargetRole("y"));
  const Transformed t = Standardize({}, AllRows(data), AllRows(data));
  EXPECT_THAT(t.names, ElementsAre("colour", "size", "round"));
  EXPECT_THAT(t.types, ElementsAre(CF_CAT32, CF_F64, CF_F64));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(1, 0), ElementsAre(-1, 1), ElementsAre(1, -1)));
}

TEST(StandardizeTest, InfiniteTrainingEntriesAreRefusedByName) {
  const DataPtr data = NumericColumn({1, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(Standardize({}, AllRows(data), AllRows(data)).failure,
            "feature 'x' has no finite mean and standard deviation");
}

// The standard deviation is 0.5, so that twice the number is to be made of it.
TEST(StandardizeTest, AnEntryThatTheScaleMakesInfiniteIsRefusedByName) {
  const DataPtr data = NumericColumn({1, 2, 1.5e308});
  EXPECT_EQ(Standardize({}, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has the value 1.5e+308, which is too large for the scale of the training "
            "rows");
}

TEST(StandardizeTest, InAPipelineTheScaleOfAFeatureNoLongerMatters) {
  // Row 3 is nearest to row 0 as measured (the second feature dominates), to row 1 standardised.
  const DataPtr data = ParseTable("x1,x2,y\n0,100,a\n9,130,b\n5,0,a\n9,105,b\n", "y");
  const DataView train = RowsOf(data, {0, 1, 2}), test = RowsOf(data, {3});
  const auto knn = BundledSpec(Kind::kLearner, "knn", {{"k", 1}});
  const auto standardize = BundledSpec(Kind::kTransform, "standardize", {});
  const auto label = [&](std::vector<std::shared_ptr<const Spec>> steps) {
    return FittedModel::Fit(Pipeline::Make(std::move(steps)), train, 1, {})
        ->Predict(test, {})
        .labels.at(0);
  };
  EXPECT_EQ(label({knn}), 0);
  EXPECT_EQ(label({standardize, knn}), 1);
}

TEST(StandardizeTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, RowRange(30, 120)), test = AllRows(iris);
  ExpectTransformSaveLoadLaw("standardize", {}, train, test);
  ExpectTransformWeightsAreRepetitions("standardize", kSampleSd, train, SomeWeights(90), test,
                                       1e-14);
}

}  // namespace
}  // namespace crossfold
