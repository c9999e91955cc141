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

}  // namespace
}  // namespace crossfold
