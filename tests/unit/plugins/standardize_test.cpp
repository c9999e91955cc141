#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsNan;

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
