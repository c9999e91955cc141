#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsNan;

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

}  // namespace
}  // namespace crossfold
