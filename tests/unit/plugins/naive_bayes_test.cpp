#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/naive_bayes_tables.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

// Probabilities of the last row, learnt from all others.
std::vector<double> LastRow(const DataPtr& data, const ParamValues& values) {
  const std::int64_t n = data->num_rows();
  return FitPredict("naive_bayes", values, RowsOf(data, RowRange(0, n - 1)), RowsOf(data, {n - 1}))
      .probabilities;
}

// Shares of two unnormalised scores.
auto Shares(double a, double b, double tolerance = 1e-12) {
  return ElementsAre(DoubleNear(a / (a + b), tolerance), DoubleNear(b / (a + b), tolerance));
}

const ParamValues kNoSmoothing = {{"laplace", 0.0}};
const ParamValues kSampleVariance = {{"laplace", 0.0}, {"variance", std::string("sample")}};

// ---- the worked examples of the lectures (shared/reference/worked_examples.md) ------------------

// The last row is the one to classify; its own class is never used.
DataPtr WeatherAnd(const std::string& row) {
  return ReadTestDataAnd("weather_nominal.csv", row, "play");
}

TEST(NaiveBayesTest, WeatherOnASunnyCoolHumidWindyDay) {
  // no: 3/5 1/5 4/5 3/5 5/14 = 0.020571428571; yes: 2/9 3/9 3/9 3/9 9/14 = 0.005291005291.
  EXPECT_THAT(LastRow(WeatherAnd("sunny,cool,high,TRUE,no\n"), kNoSmoothing),
              Shares(0.020571428571, 0.005291005291, 1e-10));
  EXPECT_THAT(LastRow(WeatherAnd("sunny,cool,high,TRUE,no\n"), kNoSmoothing),
              ElementsAre(DoubleNear(486.0 / 611, 1e-15), DoubleNear(125.0 / 611, 1e-15)));
}

TEST(NaiveBayesTest, AMissingEntryIsLeftOutOfThePrediction) {
  // no: 1/5 4/5 3/5 5/14 = 0.0343; yes: 3/9 3/9 3/9 9/14 = 0.0238.
  EXPECT_THAT(LastRow(WeatherAnd("?,cool,high,TRUE,no\n"), kNoSmoothing),
              ElementsAre(DoubleNear(36.0 / 61, 1e-15), DoubleNear(25.0 / 61, 1e-15)));
}

TEST(NaiveBayesTest, LaplaceCorrectionAddsOneRowToEveryLevel) {
  // no: 4/8 2/8 5/7 4/7 5/14; yes: 3/12 4/12 4/11 4/11 9/14. The ratio is 3025 : 1176.
  EXPECT_THAT(LastRow(WeatherAnd("sunny,cool,high,TRUE,no\n"), {}),
              ElementsAre(DoubleNear(3025.0 / 4201, 1e-15), DoubleNear(1176.0 / 4201, 1e-15)));
}

TEST(NaiveBayesTest, WeatherWithNumericTemperatureAndHumidity) {
  // Temperature 66, humidity 90. The lecture rounds the means and gets scores 0.000137 (no) and
  // 0.000036 (yes); in double precision they are 0.00013634724439546222 and 0.00003578708382801553.
  const DataPtr data = ReadTestDataAnd("weather_numeric.csv", "sunny,66,90,TRUE,no\n", "play");
  EXPECT_THAT(LastRow(data, kSampleVariance),
              Shares(0.00013634724439546222, 0.00003578708382801553));
  EXPECT_THAT(LastRow(data, kSampleVariance), Shares(0.000137, 0.000036, 0.002));
}

TEST(NaiveBayesTest, MaximumLikelihoodVariancesAreTheDefault) {
  // The same with n instead of n - 1, by a direct Python program.
  const DataPtr data = ReadTestDataAnd("weather_numeric.csv", "sunny,66,90,TRUE,no\n", "play");
  EXPECT_THAT(LastRow(data, kNoSmoothing), Shares(0.00014415561805189526, 0.00003459709709855302));
}

constexpr const char* kLoan =
    "owner,marital,income,default\n"
    "yes,single,very high,yes\nno,married,high,yes\nno,single,medium,no\nyes,married,very high,no\n"
    "yes,divorced,high,yes\nno,married,low,no\nyes,divorced,very high,no\nno,single,high,yes\n"
    "no,married,medium,no\nno,single,low,yes\n"
    "no,married,very high,no\n";

TEST(NaiveBayesTest, LoanOfAMarriedTenantWithVeryHighIncome) {
  // no: 3/5 3/5 2/5 1/2 = 0.072; yes: 3/5 1/5 1/5 1/2 = 0.012.
  EXPECT_THAT(LastRow(ParseTable(kLoan, "default"), kNoSmoothing), Shares(0.072, 0.012));
}

constexpr const char* kNumericLoan =
    "owner,marital,income,default\n"
    "yes,single,125,yes\nno,married,100,yes\nno,single,70,no\nyes,married,120,no\n"
    "yes,divorced,95,yes\nno,married,60,no\nyes,divorced,220,no\nno,single,85,yes\n"
    "no,married,75,no\nno,single,90,yes\n"
    "no,married,120,no\n";

TEST(NaiveBayesTest, LoanWithNumericIncome) {
  // Class no: mean 109, sd 66.1816; yes: mean 99, sd 15.5724. The lecture prints the scores
  // 0.001070 and 0.000619; the second expectation is a direct Python program.
  EXPECT_THAT(LastRow(ParseTable(kNumericLoan, "default"), kSampleVariance),
              Shares(0.001070, 0.000619, 2e-4));
  EXPECT_THAT(LastRow(ParseTable(kNumericLoan, "default"), kSampleVariance),
              Shares(0.001070155035118672, 0.0006191713812496535));
}

TEST(NaiveBayesTest, IrisOnTheFoldsOfTheGoldenRun) {
  // shared/reference/frameworks.md 4.13: Gaussian, maximum-likelihood variances, no smoothing.
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::vector<std::int64_t> correct;
  for (std::int64_t fold = 0; fold < 5; ++fold) {
    const RowIds rows = RowRange(0, 150);
    correct.push_back(CountCorrect(
        *iris, FitPredict("naive_bayes", {}, RowsOf(iris, FoldRows(rows, 5, fold, false)),
                          RowsOf(iris, FoldRows(rows, 5, fold, true)))));
  }
  EXPECT_THAT(correct, ElementsAre(29, 29, 28, 29, 28));
}

// ---- missing, weights, absent classes ----------------------------------------------------------

TEST(NaiveBayesTest, MissingTrainingEntriesCountNowhere) {
  // Class a: 1 of 2 known entries is u; class b: 2 of 2. Priors 3/5 and 2/5.
  const DataPtr data = ParseTable("f,y\nu,a\nv,a\n?,a\nu,b\nu,b\nu,a\n", "y");
  EXPECT_THAT(LastRow(data, kNoSmoothing), Shares(0.5 * 0.6, 1.0 * 0.4));
}

TEST(NaiveBayesTest, AClassThatNeverShowsAFeatureSpreadsItsLevelsEvenly) {
  // Class a: 1/2 (two levels), class b: 1 of 1.
  const DataPtr data = ParseTable("f,y\n?,a\n?,a\nu,b\nv,b\nu,a\n", "y");
  EXPECT_THAT(LastRow(data, kNoSmoothing), Shares(0.5, 0.5));
}

TEST(NaiveBayesTest, AClassThatNeverShowsANumericFeatureUsesAllRows) {
  // Both classes: normal with the mean and variance of 1 and 3.
  const DataPtr data = ParseTable("x,y\n?,a\n1,b\n3,b\n7,a\n", "y");
  EXPECT_THAT(LastRow(data, {}), Shares(1, 2));
}

TEST(NaiveBayesTest, AWeightOfTwoEqualsTwoRows) {
  const DataPtr weighted =
      ParseTable("f,x,w,y\nu,1,2,a\nv,2,1,a\nv,5,1,b\nu,4,2,b\nv,9,0,b\nu,3,1,a\n", "y", "w");
  const DataPtr repeated =
      ParseTable("f,x,y\nu,1,a\nu,1,a\nv,2,a\nv,5,b\nu,4,b\nu,4,b\nu,3,a\n", "y");
  for (const char* variance : {"ml", "sample"}) {
    const ParamValues values = {{"variance", std::string(variance)}};
    const std::vector<double> expected = LastRow(repeated, values);
    EXPECT_THAT(LastRow(weighted, values),
                ElementsAre(DoubleNear(expected[0], 1e-15), DoubleNear(expected[1], 1e-15)));
  }
}

TEST(NaiveBayesTest, AClassThatTheTrainingRowsLackGetsZero) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  // Rows 0 to 99 are setosa and versicolor; row 149 is virginica.
  const Prediction p =
      FitPredict("naive_bayes", {}, RowsOf(iris, RowRange(0, 100)), RowsOf(iris, {149}));
  EXPECT_EQ(p.probabilities.at(2), 0.0);
  EXPECT_THAT(p.labels, ElementsAre(1));
}

TEST(NaiveBayesTest, WithoutFeaturesThePriorsRemain) {
  const DataPtr data = ParseTable("y\na\nb\nb\nb\na\n", "y");
  EXPECT_THAT(LastRow(data, {}), Shares(1, 3));
}

TEST(NaiveBayesTest, BoolFeaturesCountAsCategories) {
  // Class a: true in 2 of 2, class b: 1 of 3; with Laplace 3/4 and 2/5.
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Booleans("f", {true, true, true, false, false, true}),
                       Column::Categories("y", {0, 0, 1, 1, 1, 0}, {"a", "b"})},
                      TargetRole("y"));
  EXPECT_THAT(LastRow(data, {}), Shares(0.4 * 0.75, 0.6 * 0.4));
}

// ---- extremes ----------------------------------------------------------------------------------

TEST(NaiveBayesTest, DensitiesThatUnderflowAreComparedByTheirLogarithms) {
  // 1000 and 999 standard deviations away: both densities are 0 in double precision.
  const DataPtr data = ParseTable("x,y\n-1,a\n1,a\n0,b\n2,b\n1000,a\n", "y");
  EXPECT_THAT(LastRow(data, {}), ElementsAre(DoubleEq(0), DoubleEq(1)));
}

TEST(NaiveBayesTest, ARowThatIsImpossibleInEveryClassGetsThePriors) {
  const DataPtr data = ParseTable("f,g,y\nu,s,a\nu,s,a\nu,s,a\nv,t,b\nu,t,a\n", "y");
  EXPECT_THAT(LastRow(data, kNoSmoothing), ElementsAre(0.75, 0.25));
}

TEST(NaiveBayesTest, AConstantFeatureSaysNothing) {
  const DataPtr data = ParseTable("x,y\n0.1,a\n0.1,b\n0.1,b\n7,a\n", "y");
  EXPECT_THAT(LastRow(data, {}), Shares(1, 2));
}

TEST(NaiveBayesTest, TheFloorKeepsAConstantClassUsable) {
  // Class a is always 0, so its sd is min_sd times the sd of 0 0 2 4, which is sqrt(2.75).
  const DataPtr data = ParseTable("x,y\n0,a\n0,a\n2,b\n4,b\n1,a\n", "y");
  const double floor = 0.5 * std::sqrt(2.75);
  const double a = std::exp(-0.5 / (floor * floor)) / floor;
  const double b = std::exp(-0.5 * 4 / 1);  // mean 3, sd 1
  EXPECT_THAT(LastRow(data, {{"min_sd", 0.5}}), Shares(a, b));
}

TEST(NaiveBayesTest, WithoutAFloorAConstantClassIsRefused) {
  const DataPtr data = ParseTable("x,y\n0,a\n0,a\n2,b\n4,b\n", "y");
  EXPECT_EQ(FailureOf("naive_bayes", {{"min_sd", 0.0}}, AllRows(data), AllRows(data)),
            "cannot fit 'naive_bayes{min_sd=0}' on dataset 'table': feature 'x' of class 'a' has "
            "standard deviation 0; raise min_sd");
}

TEST(NaiveBayesTest, WeightsThatSumToOneHaveNoSampleVariance) {
  const DataPtr data = ParseTable("x,w,y\n0,0.5,a\n1,0.5,a\n2,1,b\n4,1,b\n", "y", "w");
  EXPECT_EQ(
      FailureOf("naive_bayes", {{"variance", std::string("sample")}}, AllRows(data), AllRows(data)),
      "cannot fit 'naive_bayes{variance=sample}' on dataset 'table': feature 'x' of class 'a' has "
      "a total weight of at most 1, so it has no sample standard deviation (weights count as "
      "repetitions)");
}

TEST(NaiveBayesTest, ValuesWithoutAFiniteMeanAreRefused) {
  const DataPtr data = ParseTable("x,y\n1e308,a\n1.5e308,a\n2,b\n4,b\n", "y");
  EXPECT_EQ(FailureOf("naive_bayes", {}, AllRows(data), AllRows(data)),
            "cannot fit 'naive_bayes' on dataset 'table': feature 'x' has no finite mean and "
            "standard deviation");
}

// Naive Bayes, leave-one-out with smoothing, where what is added changes with every row that
// leaves: cross prediction against separate fits, byte for byte.
using plugin::Random;

ParamValues Smoothed(double share) { return {{"var_smoothing", share}, {"min_sd", 0.0}}; }

const std::vector<ParamValues> kSmoothedSettings = {
    Smoothed(1e-9),
    Smoothed(0.5),
    {{"var_smoothing", 1e-9}, {"min_sd", 0.0}, {"variance", std::string("sample")}},
    {{"var_smoothing", 1e-3}, {"min_sd", 1e-3}},
    {{"var_smoothing", 1e-9}, {"min_sd", 0.0}, {"prior", std::string("uniform")}}};

// A row at the edge of the column with the largest variance changes which column that is.
TEST(NaiveBayesSmoothedTest, SeveralColumnsNearTheLargestVariance) {
  DataPtr data = NormalNumbers(300, {{0, 1}, {5, 1.001}, {-7, 0.999}, {100, 1}, {0, 0.9}}, 3, 21);
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(data));
  data = NormalNumbers(24, {{0, 1}, {5, 1.01}, {-7, 0.99}, {100, 1.1}, {0, 0.8}}, 2, 22);
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(data));
}

TEST(NaiveBayesSmoothedTest, TiesOfTheLargestVariance) {
  Random random(23);
  std::vector<std::vector<double>> columns(5);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 200; ++i) {
    const double x = std::round(8 * random.Normal()) / 8;
    columns[0].push_back(0.1 * static_cast<double>(random.Below(9)));
    columns[1].push_back(x);
    columns[2].push_back(-x);
    columns[3].push_back(x + 16);
    columns[4].push_back(columns[1][i / 2]);
    labels.push_back(static_cast<std::int32_t>(random.Below(2)));
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(Numbers(columns, labels, {"a", "b"})));
}

TEST(NaiveBayesSmoothedTest, ColumnsThatAreConstantInClassesOrNearlyConstant) {
  std::vector<std::vector<double>> columns(7, std::vector<double>(60));
  std::vector<std::int32_t> labels(60);
  for (std::size_t i = 0; i < 60; ++i) {
    labels[i] = static_cast<std::int32_t>(i % 3);
    columns[0][i] = static_cast<double>(i * i % 13);
    columns[1][i] = i % 3 == 0 ? 0.7 : static_cast<double>(i);  // in one class
    columns[2][i] = 0.1 * labels[i];                            // in each of them
    columns[3][i] = i % 3 == 2 ? 0.3 : 0.1;                     // in each, of two values
    columns[4][i] = i == 30 ? 0.2 : 0.1;                        // but for one row
    columns[5][i] = i == 31 || i == 33 ? 0.2 : 0.1;             // but for two rows
    columns[6][i] = 1e6 + 1e-9 * static_cast<double>(i % 7);    // but for the last digits
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings,
                       AllRows(Numbers(columns, labels, {"a", "b", "c", "none"})));
}

// Their variance is 0, and yet they are not equal.
TEST(NaiveBayesSmoothedTest, NumbersWhoseSquaresUnderflow) {
  Random random(29);
  std::vector<double> small, of_each_class, of_either_sign, zero;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 40; ++i) {
    labels.push_back(static_cast<std::int32_t>(i % 2));
    small.push_back(1e-110 * random.Normal());
    of_each_class.push_back(i % 2 == 0 ? 1e-170 : 2e-170);
    of_either_sign.push_back(i % 2 == 0 ? small.back() : (i % 4 == 1 ? 1e-115 : -1e-115) * 1e-55);
    zero.push_back(i % 2 == 0 ? small.back() : 0);
  }
  for (const auto& column : {of_each_class, of_either_sign, zero}) {
    ExpectLeaveOneOutLaw(kSmoothedSettings, AllRows(Numbers({small, column}, labels, {"a", "b"})));
  }
}

TEST(NaiveBayesSmoothedTest, AColumnThatIsConstantInTheViewAlone) {
  const DataPtr digits = ReadDigits();
  ExpectLeaveOneOutLaw(kSmoothedSettings, RowsOf(digits, RowRange(0, Enough(90))));
  ExpectLeaveOneOutLaw({Smoothed(1e-9)}, RowsOf(digits, RowRange(0, Enough(400))));
}

TEST(NaiveBayesSmoothedTest, ClassesOfOneToSixRows) {
  Random random(24);
  std::vector<std::vector<double>> columns(3);
  std::vector<std::int32_t> labels;
  for (std::int32_t c = 0; c < 6; ++c) {
    for (std::int32_t i = 0; i <= c; ++i) {
      labels.push_back(c);
      for (std::vector<double>& column : columns) column.push_back(c + random.Normal());
    }
  }
  ExpectLeaveOneOutLaw(kSmoothedSettings,
                       AllRows(Numbers(columns, labels, {"a", "b", "c", "d", "e", "f", "none"})));
}

TEST(NaiveBayesSmoothedTest, MoreRowsThanABlockOfEveryClass) {
  ExpectLeaveOneOutLaw({Smoothed(1e-9)},
                       AllRows(NormalNumbers(700, {{0, 1}, {3, 2}, {9, 2}}, 3, 25)));
}

// What is added leaves the range of doubles, or all but.
TEST(NaiveBayesSmoothedTest, TinyAndHugeShares) {
  const DataPtr data = NormalNumbers(60, {{0, 1}, {3, 2}, {0, 1e70}}, 2, 26);
  const DataPtr small = NormalNumbers(60, {{0, 1e-5}, {3, 1e-4}}, 2, 27);
  const std::vector<ParamValues> settings = {Smoothed(1e-320), Smoothed(1e-300), Smoothed(1e-245),
                                             Smoothed(1e100),  Smoothed(1e249),  Smoothed(1e308)};
  ExpectLeaveOneOutLaw(settings, AllRows(data));
  ExpectLeaveOneOutLaw(settings, AllRows(small));
}

TEST(NaiveBayesSmoothedTest, RandomTablesWithTies) {
  Random random(28);
  for (std::size_t draw = 0; draw < Enough(40); ++draw) {
    const std::size_t n = 4 + random.Below(50);
    const auto n_classes = 1 + random.Below(4);
    std::vector<std::vector<double>> columns(1 + random.Below(6));
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < n; ++i) {
      labels.push_back(static_cast<std::int32_t>(random.Below(n_classes)));
    }
    for (std::vector<double>& column : columns) {
      const auto n_values = 1 + random.Below(5);
      const double unit = random.Below(2) == 0 ? 0.1 : 1;
      const double centre = unit * static_cast<double>(random.Below(1000));
      for (std::size_t i = 0; i < n; ++i) {
        column.push_back(centre + unit * static_cast<double>(random.Below(n_values)));
      }
    }
    SCOPED_TRACE("draw " + std::to_string(draw));
    ExpectLeaveOneOutLaw(kSmoothedSettings,
                         AllRows(Numbers(columns, labels, {"a", "b", "c", "d"})));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace crossfold
