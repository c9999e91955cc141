#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <locale>
#include <sstream>

#include "unit/plugins/transform_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsNan;
using ::testing::Pointwise;

const ParamValues kLog = {{"method", std::string("log")}};
const ParamValues kBoxCox = {{"method", std::string("box_cox")}};

ParamValues Standardized(const char* method) {
  return {{"method", std::string(method)}, {"standardize", true}};
}

// The lambdas of a fitted transform, from its text.
std::vector<double> Lambdas(const ParamValues& values, const DataView& train) {
  std::istringstream text(FittedTransform("power", values, train).Export());
  text.imbue(std::locale::classic());
  std::string line;
  std::getline(text, line);
  std::getline(text, line);
  std::vector<double> lambdas;
  for (double lambda; text >> lambda && std::getline(text, line);) lambdas.push_back(lambda);
  return lambdas;
}

std::vector<double> FirstRow(const Transformed& t) {
  std::vector<double> row;
  for (const std::vector<double>& column : t.columns) row.push_back(column.at(0));
  return row;
}

TEST(PowerTest, LogTakesTheNaturalLogarithmOfTheShiftedEntries) {
  const DataPtr data = NumericColumn({1, std::exp(2.0), 0.5});
  EXPECT_THAT(FitApply("power", kLog, data).columns,
              ElementsAre(ElementsAre(0, DoubleEq(2), DoubleEq(std::log(0.5)))));
  const ParamValues shifted = {{"method", std::string("log")}, {"shift", 1}};
  EXPECT_THAT(FitApply("power", shifted, NumericColumn({0, -0.5})).columns,
              ElementsAre(ElementsAre(0, DoubleEq(std::log(0.5)))));
}

// PowerTransformer(method="box-cox").fit(X) of scikit-learn 1.2.1 on wine: lambdas_ and
// transform(X)[0].
TEST(PowerTest, BoxCoxOnWineIsThatOfScikitLearn) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  const std::vector<double> lambdas = {1.2645832733588644,  -0.2777553215111682, 1.427480436063573,
                                       0.6919714648406244,  -1.4291228006531924, 0.685923247068967,
                                       0.7349769155259776,  0.2680866143965569,  0.567416275837089,
                                       0.07589003958545275, 0.8855434724415486,  1.3761931901732434,
                                       -0.10330889220289029};
  EXPECT_THAT(Lambdas(kBoxCox, AllRows(wine)), Pointwise(DoubleNear(1e-6), lambdas));
  const std::vector<double> first = {1.529933502889455,   -0.4199357821653248, 0.20965583317838996,
                                     -1.1800957324731063, 1.6906644699842923,  0.8204291463036733,
                                     1.0170900434834753,  -0.5900389761985507, 1.196442495746779,
                                     0.4482999226475223,  0.373317848859157,   1.9950727246433886,
                                     1.0624885918790608};
  EXPECT_THAT(FirstRow(FitApply("power", Standardized("box_cox"), wine)),
              Pointwise(DoubleNear(1e-6), first));
}

// PowerTransformer(method="yeo-johnson", standardize=False) on the diabetes data: positive columns.
TEST(PowerTest, YeoJohnsonOnDiabetesIsThatOfScikitLearn) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const std::vector<double> lambdas = {
      1.2430558486380128, -0.9396842512483515, -0.5695149422848559,  0.051960822925172755,
      0.3295813509575584, 0.5255087866981013,  -0.07050941023206789, -0.1636745633926374,
      -0.203489771648718, 0.5047034548925468};
  EXPECT_THAT(Lambdas({}, AllRows(data)), Pointwise(DoubleNear(1e-6), lambdas));
  const std::vector<double> first = {129.76771549420693, 0.6851562583389018, 1.5165871093081098,
                                     5.2280292177441225, 13.060208928092154, 18.8367174331243,
                                     3.2286263257888215, 1.4149053582799007, 1.4849863281573692,
                                     17.001026437533604};
  EXPECT_THAT(FirstRow(FitApply("power", {}, data)), Pointwise(DoubleNear(1e-4), first));
}

// PowerTransformer(standardize=False).fit([[-3], [-1], [0.5], [2], [10]]).
TEST(PowerTest, YeoJohnsonTakesBothSigns) {
  const DataPtr data = NumericColumn({-3, -1, 0.5, 2, 10});
  EXPECT_THAT(Lambdas({}, AllRows(data)), ElementsAre(DoubleNear(0.56891518, 1e-7)));
  EXPECT_THAT(FitApply("power", {}, data).columns,
              ElementsAre(Pointwise(
                  DoubleNear(1e-6),
                  std::vector<double>{-4.382046242574261, -1.1854601277326011, 0.45604368089686165,
                                      1.52619957527586, 5.119546805227557})));
}

// The definition: psi(-x, 2 - lambda) = -psi(x, lambda), so the mirror image has 2 - lambda.
TEST(PowerTest, YeoJohnsonOfTheMirrorImageIsTheMirrorImage) {
  for (const std::vector<double>& x :
       {std::vector<double>{1, 2, 4, 30}, std::vector<double>{-5, 2, 4, 30}}) {
    std::vector<double> mirrored;
    for (const double value : x) mirrored.push_back(-value);
    const double lambda = Lambdas({}, AllRows(NumericColumn(x))).at(0);
    EXPECT_NEAR(Lambdas({}, AllRows(NumericColumn(mirrored))).at(0), 2 - lambda, 1e-6);
  }
}

TEST(PowerTest, AColumnOfYearsDoesNotCollapse) {
  // (2009^-10 - 1) / -10 is 0.1 for all of them in doubles, which looks like no variance at all.
  const DataPtr data = NumericColumn({2007, 2007, 2008, 2009, 2009, 2009});
  const std::vector<double> bent = FitApply("power", Standardized("yeo_johnson"), data).column("x");
  EXPECT_LT(bent[0], bent[2]);
  EXPECT_LT(bent[2], bent[3]);
}

TEST(PowerTest, StandardizeGivesMeanZeroAndVarianceOne) {
  const DataPtr data = ParseTable("x,w,y\n1,1,0\n4,3,0\n9,2,0\n99,0,0\n", "y", "w");
  const std::vector<double> x = FitApply("power", Standardized("log"), data).column("x");
  EXPECT_NEAR(x[0] + 3 * x[1] + 2 * x[2], 0, 1e-12);
  EXPECT_NEAR(x[0] * x[0] + 3 * x[1] * x[1] + 2 * x[2] * x[2], 6, 1e-12);
}

TEST(PowerTest, WeightsCountAsRepetitions) {
  const DataPtr weighted = ParseTable("x,w,y\n3,2,0\n1,3,0\n8,1,0\n99,0,0\n-5,2,0\n", "y", "w");
  const DataPtr repeated = NumericColumn({3, 3, 1, 1, 1, 8, -5, -5});
  EXPECT_NEAR(Lambdas({}, AllRows(weighted)).at(0), Lambdas({}, AllRows(repeated)).at(0), 1e-6);
}

TEST(PowerTest, AConstantColumnHasLambdaOne) {
  const DataPtr data = NumericColumn({3, 3, 5});
  const DataView train = RowsOf(data, {0, 1});
  EXPECT_THAT(FitApply("power", {}, train, AllRows(data)).columns,
              ElementsAre(ElementsAre(DoubleEq(3), DoubleEq(3), DoubleEq(5))));
  EXPECT_THAT(FitApply("power", Standardized("box_cox"), train, AllRows(data)).columns,
              ElementsAre(ElementsAre(0, 0, DoubleEq(2))));
}

TEST(PowerTest, MissingEntriesStayAndUnknownColumnsAreLeftAsTheyAre) {
  const DataPtr data = NumericColumn({1, kMissing, -3});
  EXPECT_THAT(FitApply("power", kLog, RowsOf(data, {0}), RowsOf(data, {0, 1})).columns,
              ElementsAre(ElementsAre(DoubleEq(0), IsNan())));
  EXPECT_THAT(FitApply("power", kLog, RowsOf(data, {1}), RowsOf(data, {2})).columns,
              ElementsAre(ElementsAre(-3)));
}

TEST(PowerTest, CategoriesPass) {
  const DataPtr data = ParseTable("c,x,y\nred,1,0\nblue,1,0\n", "y");
  EXPECT_THAT(FitApply("power", kLog, data).types, ElementsAre(CF_CAT32, CF_F64));
}

TEST(PowerTest, WhatHasNoLogarithmIsRefusedWithFeatureAndValue) {
  const DataPtr data = NumericColumn({1, 2, -0.25});
  const DataView positive = RowsOf(data, {0, 1});
  EXPECT_EQ(TransformFailure("power", kBoxCox, data),
            "feature 'x' has the value -0.25, and box_cox takes values above 0 only");
  EXPECT_EQ(FitApply("power", kLog, positive, AllRows(data)).failure,
            "feature 'x' has the value -0.25, and log takes values above 0 only");
  EXPECT_EQ(TransformFailure("power", {{"method", std::string("log")}, {"shift", 0.25}}, data),
            "feature 'x' has the value -0.25, and log takes values above -0.25 only");
}

TEST(PowerTest, InfiniteEntriesAndResultsAreRefused) {
  const DataPtr data = NumericColumn({1, 2, kInfinity, 1e300});
  EXPECT_EQ(TransformFailure("power", {}, data), "feature 'x' has an infinite entry");
  const DataPtr left_skewed = NumericColumn({1, 8, 9, 9, 9.5, 1e300});
  const std::string failure =
      FitApply("power", kBoxCox, RowsOf(left_skewed, {0, 1, 2, 3, 4}), RowsOf(left_skewed, {5}))
          .failure;
  EXPECT_THAT(failure, ::testing::MatchesRegex("feature 'x' has the value 1e\\+300, which lambda = "
                                               "[0-9.]+ makes infinite"));
}

TEST(PowerTest, ASavedModelDoesTheSame) {
  ExpectSurvivesSaving("power", Standardized("box_cox"), ReadTestData("wine.csv", "class"));
}

}  // namespace
}  // namespace crossfold
