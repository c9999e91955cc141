#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;

const ParamValues kMedian = {{"numeric", std::string("median")}};
const ParamValues kZero = {{"numeric", std::string("constant")}};
const ParamValues kLevel = {{"categorical", std::string("constant")}};
const ParamValues kIndicator = {{"indicator", true}};

TEST(ImputeTest, NumbersAreFilledWithTheMeanTheMedianOrAConstant) {
  const DataPtr data = NumericColumn({1, kMissing, 2, 9});
  EXPECT_THAT(FitApply("impute", {}, data).columns, ElementsAre(ElementsAre(1, 4, 2, 9)));
  EXPECT_THAT(FitApply("impute", kMedian, data).columns, ElementsAre(ElementsAre(1, 2, 2, 9)));
  EXPECT_THAT(FitApply("impute", kZero, data).columns, ElementsAre(ElementsAre(1, 0, 2, 9)));
  const ParamValues seven = {{"numeric", std::string("constant")}, {"constant", -7.5}};
  EXPECT_THAT(FitApply("impute", seven, data).columns, ElementsAre(ElementsAre(1, -7.5, 2, 9)));
}

// SimpleImputer(strategy="mean" or "median").fit(X).statistics_ of scikit-learn 1.2.1.
TEST(ImputeTest, PenguinsAreFilledAsInScikitLearn) {
  const DataPtr data = Penguins();
  const DataView fourth = RowsOf(data, {3});  // all measurements are missing
  const Transformed mean = FitApply("impute", {}, AllRows(data), fourth);
  EXPECT_THAT(mean.column("bill_length_mm"), ElementsAre(DoubleNear(43.92192982456142, 1e-12)));
  EXPECT_THAT(mean.column("body_mass_g"), ElementsAre(DoubleNear(4201.754385964912, 1e-10)));
  const Transformed median = FitApply("impute", kMedian, AllRows(data), fourth);
  EXPECT_THAT(median.column("bill_length_mm"), ElementsAre(44.45));
  EXPECT_THAT(median.column("body_mass_g"), ElementsAre(4050));
}

TEST(ImputeTest, NothingIsMissingAfterwards) {
  const DataPtr data = Penguins();
  for (const ParamValues& values : {ParamValues{}, kMedian, kZero, kLevel, kIndicator}) {
    for (const std::vector<double>& column : FitApply("impute", values, data).columns) {
      EXPECT_THAT(column, Each(::testing::Not(::testing::IsNan())));
    }
  }
}

TEST(ImputeTest, OnlyTheTrainingRowsAreMeasured) {
  const DataPtr data = NumericColumn({1, 3, kMissing, 1000});
  EXPECT_THAT(FitApply("impute", {}, RowsOf(data, {0, 1}), RowsOf(data, {2, 3})).columns,
              ElementsAre(ElementsAre(2, 1000)));
}

TEST(ImputeTest, CategoriesAreFilledWithTheModeTiesToTheEarlierLevel) {
  const DataPtr data = ParseTable("c,y\nred,0\nblue,0\n?,0\nred,0\nblue,0\n", "y");
  const Transformed t = FitApply("impute", {}, data);
  EXPECT_THAT(t.levels, ElementsAre(ElementsAre("blue", "red")));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(1, 0, 0, 1, 0)));
}

TEST(ImputeTest, ALevelOfItsOwnIsTheLastOne) {
  const DataPtr data = ParseTable("c,d,y\nred,u,0\n?,v,0\n", "y");
  const Transformed t = FitApply("impute", kLevel, data);
  EXPECT_THAT(t.levels,
              ElementsAre(ElementsAre("red", "missing"), ElementsAre("u", "v", "missing")));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1)));
}

TEST(ImputeTest, ALevelThatIsThereAlreadyIsUsed) {
  const DataPtr data = ParseTable("c,y\nred,0\nnone,0\n?,0\n", "y");
  const Transformed t = FitApply(
      "impute", {{"categorical", std::string("constant")}, {"level", std::string("none")}}, data);
  EXPECT_THAT(t.levels, ElementsAre(ElementsAre("none", "red")));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(1, 0, 0)));
}

TEST(ImputeTest, TheTrainingRowsDecideWhichColumnsGetAnIndicator) {
  const DataPtr data = ParseTable("a,b,c,y\n1,?,u,0\n2,5,v,0\n3,6,?,0\n?,7,u,0\n", "y");
  const Transformed t = FitApply("impute", kIndicator, RowsOf(data, {0, 1, 2}), AllRows(data));
  EXPECT_THAT(t.names, ElementsAre("a", "b", "c", "b_missing", "c_missing"));
  EXPECT_THAT(t.column("b_missing"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(t.column("c_missing"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(t.column("a"), ElementsAre(1, 2, 3, 2));
}

TEST(ImputeTest, AColumnThatIsMissingThroughoutTrainingIsRefusedByName) {
  const DataPtr numbers = NumericColumn({kMissing, kMissing, 3});
  const DataView train = RowsOf(numbers, {0, 1});
  EXPECT_EQ(
      FitApply("impute", {}, train, train).failure,
      "feature 'x' is missing in all training rows, so it has no mean; use numeric = constant");
  EXPECT_EQ(
      FitApply("impute", kMedian, train, train).failure,
      "feature 'x' is missing in all training rows, so it has no median; use numeric = constant");
  EXPECT_THAT(FitApply("impute", kZero, train, AllRows(numbers)).columns,
              ElementsAre(ElementsAre(0, 0, 3)));
  const DataPtr levels = ParseTable("c,y\n?,0\n?,0\nred,1\n", "y");
  EXPECT_EQ(FitApply("impute", {}, RowsOf(levels, {0, 1}), AllRows(levels)).failure,
            "feature 'c' is missing in all training rows, so it has no mode; use categorical = "
            "constant");
  EXPECT_THAT(FitApply("impute", kLevel, RowsOf(levels, {0, 1}), AllRows(levels)).columns,
              ElementsAre(ElementsAre(1, 1, 0)));
}

TEST(ImputeTest, WeightsCountAsRepetitions) {
  const DataPtr data =
      ParseTable("x,c,w,y\n1,red,1,0\n4,blue,3,0\n9,red,1,0\n99,red,0,0\n?,?,0,0\n", "y", "w");
  const DataView last = RowsOf(data, {4});
  const Transformed mean = FitApply("impute", kIndicator, AllRows(data), last);
  // (1 + 3 * 4 + 9) / 5; blue three times, red twice. The missing row itself is absent, so there is
  // no indicator.
  EXPECT_THAT(mean.names, ElementsAre("x", "c"));
  EXPECT_THAT(mean.columns, ElementsAre(ElementsAre(DoubleEq(4.4)), ElementsAre(0)));
  EXPECT_THAT(FitApply("impute", kMedian, AllRows(data), last).column("x"), ElementsAre(4));
}

TEST(ImputeTest, BoolsBecomeNumbersAndColumnsWithoutMissingEntriesStay) {
  const DataPtr data = Dataset::Create(
      "table", {Column::Booleans("round", {true, false}), Column::Doubles("y", {0, 0})},
      TargetRole("y"));
  const Transformed t = FitApply("impute", {}, data);
  EXPECT_THAT(t.types, ElementsAre(CF_F64));
  EXPECT_THAT(t.columns, ElementsAre(ElementsAre(1, 0)));
}

TEST(ImputeTest, InfiniteEntriesAreRefusedWhenFittingAndWhenApplying) {
  const DataPtr data = NumericColumn({1, 2, kInfinity});
  EXPECT_EQ(TransformFailure("impute", {}, data), "feature 'x' has an infinite entry");
  EXPECT_EQ(FitApply("impute", {}, RowsOf(data, {0, 1}), AllRows(data)).failure,
            "feature 'x' has an infinite entry");
}

TEST(ImputeTest, ALearnerThatRefusesMissingEntriesTakesTheColumns) {
  const DataPtr data = ParseTable("x,y\n1,a\n?,a\n8,b\n9,b\n", "y");
  const auto knn = BundledSpec(Kind::kLearner, "knn", {{"k", 1}});
  const auto impute = BundledSpec(Kind::kTransform, "impute", {});
  const Prediction p = FittedModel::Fit(Pipeline::Make({impute, knn}), AllRows(data), 1, {})
                           ->Predict(AllRows(data), {});
  EXPECT_THAT(p.labels, ElementsAre(0, 0, 1, 1));
}

TEST(ImputeTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("impute", kIndicator, Penguins());
  ExpectSurvivesSaving("impute", kLevel, Penguins());
}

}  // namespace
}  // namespace crossfold
