#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/linear_reference.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

Prediction Logistic(const ParamValues& params, const DataView& train, const DataView& test) {
  return FitPredict("logistic_regression", params, train, test);
}

// ---- numbers -----------------------------------------------------------------------------------

TEST(LogisticRegressionTest, AgreesWithScikitLearn) {
  for (const char* file : {"iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"}) {
    ExpectReference("logistic 1", file, "logistic_regression", {}, 1e-9);
  }
}

TEST(LogisticRegressionTest, AgreesWithScikitLearnOnAnotherPenalty) {
  ExpectReference("logistic 0.01", "iris.csv", "logistic_regression", {{"l2", 0.01}}, 1e-9);
}

// scikit-learn's numbers, as above; the rows are read in blocks.
TEST(LogisticRegressionTest, LbfgsAgreesWithScikitLearn) {
  for (const char* file : {"iris.csv", "wine.csv", "breast_cancer.csv", "digits.csv"}) {
    ExpectReference("logistic 1", file, "logistic_regression",
                    {{"solver", "lbfgs"}, {"max_iter", 1000}}, 1e-6);
  }
}

TEST(LogisticRegressionTest, SvrgAgreesWithScikitLearn) {
  for (const char* file : {"iris.csv", "wine.csv"}) {
    ExpectReference("logistic 1", file, "logistic_regression",
                    {{"solver", "svrg"}, {"tolerance", 1e-10}, {"max_iter", 10000}}, 1e-7);
  }
}

TEST(LogisticRegressionTest, TheSolversThatReadBlocksTakeNoL1) {
  EXPECT_THAT(FailureOf("logistic_regression", {{"solver", "lbfgs"}, {"l1", 1.0}}, AllRows(Iris()),
                        RowsOf(Iris(), {0})),
              ::testing::HasSubstr("'l1' has no effect while solver = lbfgs"));
}

TEST(LogisticRegressionTest, EverySolverRefusesSeparatedClassesWithoutAPenalty) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,b\n4,b\n", "y");
  for (const char* solver : {"lbfgs", "svrg"}) {
    EXPECT_THAT(
        FailureOf("logistic_regression", {{"solver", solver}, {"l2", 0.0}, {"max_iter", 300}},
                  AllRows(data), AllRows(data)),
        ::testing::HasSubstr("raise l2 above 0"));
  }
}

// One bool feature and no penalty: the probabilities are the shares within its two values.
TEST(LogisticRegressionTest, WithoutAPenaltyAGroupGetsItsShare) {
  const DataPtr data = ParseTable("x,y\n0,a\n0,a\n0,b\n1,a\n1,b\n1,b\n1,b\n", "y");
  EXPECT_THAT(Logistic({{"l2", 0.0}}, AllRows(data), RowsOf(data, {0, 6})).probabilities,
              ElementsAre(DoubleNear(2.0 / 3, 1e-12), DoubleNear(1.0 / 3, 1e-12),
                          DoubleNear(0.25, 1e-12), DoubleNear(0.75, 1e-12)));
}

TEST(LogisticRegressionTest, WithoutAPenaltyAGroupGetsItsSharesOfThreeClasses) {
  const DataPtr data = ParseTable("x,y\n0,a\n0,a\n0,b\n0,c\n1,a\n1,b\n1,b\n1,c\n1,c\n", "y");
  EXPECT_THAT(Logistic({{"l2", 0.0}}, AllRows(data), RowsOf(data, {0, 8})).probabilities,
              ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.25, 1e-12), DoubleNear(0.25, 1e-12),
                          DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12), DoubleNear(0.4, 1e-12)));
}

// Equal features share the coefficient; the probabilities are those of the group's shares still.
TEST(LogisticRegressionTest, DependentAndConstantFeaturesWorkWithoutAPenalty) {
  const DataPtr data =
      ParseTable("x,x2,c,y\n0,0,7,a\n0,0,7,a\n0,0,7,b\n1,2,7,a\n1,2,7,b\n1,2,7,b\n1,2,7,b\n", "y");
  EXPECT_THAT(Logistic({{"l2", 0.0}}, AllRows(data), RowsOf(data, {0, 6})).probabilities,
              ElementsAre(DoubleNear(2.0 / 3, 1e-12), DoubleNear(1.0 / 3, 1e-12),
                          DoubleNear(0.25, 1e-12), DoubleNear(0.75, 1e-12)));
}

// 300 rows whose entry in the middle is `far` from the others, with the weights 1, 2 and 3.
DataPtr RowsWithOneFarAway(int n_classes, const char* far) {
  std::ostringstream text;
  text.precision(17);
  text << "x1,x2,w,y\n";
  for (int i = 0; i < 300; ++i) {
    const int y = (i * 7 + (i * 37) % 101 / 20 + i * i) % n_classes;
    if (i == 150) {
      text << far;
    } else {
      text << std::exp(((i * 37) % 101 - 50) / 25.0);
    }
    text << ',' << ((i * 61) % 97) / 97.0 << ',' << 1 + i % 3 << ',' << "abc"[y] << '\n';
  }
  return ParseTable(text.str(), "y", "w");
}

// Newton's method in extended precision (numpy's longdouble, slopes below 1e-13) on the same rows.
// Rounding moves the score of the row far away by more than the tolerance.
TEST(LogisticRegressionTest, ARowFarAwayDoesNotKeepItFromTheMinimum) {
  const DataPtr two = RowsWithOneFarAway(2, "1e9"), three = RowsWithOneFarAway(3, "1e7");
  EXPECT_THAT(Logistic({{"l2", 0.0}}, AllRows(two), RowsOf(two, {0, 150, 299})).probabilities,
              Pointwise(DoubleNear(1e-8), {0.5536628297601467, 0.44633717023985336, 1.0, 0.0,
                                           0.5931885254426763, 0.40681147455732375}));
  EXPECT_THAT(Logistic({}, AllRows(three), RowsOf(three, {0, 150, 299})).probabilities,
              Pointwise(DoubleNear(1e-8),
                        {0.3550935972143802, 0.2271652375783671, 0.4177411652072527, 0.0, 1.0, 0.0,
                         0.36728047682766624, 0.2780923646369383, 0.35462715853539545}));
  EXPECT_THAT(Logistic({{"l2", 1e-3}}, AllRows(three), RowsOf(three, {0, 150, 299})).probabilities,
              Pointwise(DoubleNear(1e-8),
                        {0.3520509683996444, 0.22522525061395718, 0.4227237809863984, 0.0, 1.0, 0.0,
                         0.3648443452269052, 0.27629194787912775, 0.35886370689396707}));
}

// A strong l1 leaves only the intercept: the class shares.
TEST(LogisticRegressionTest, AStrongL1LeavesTheClassShares) {
  const DataPtr iris = Iris();
  const Prediction p = Logistic({{"l2", 0.0}, {"l1", 1e4}}, AllRows(iris), RowsOf(iris, {0}));
  EXPECT_THAT(p.probabilities, Each(DoubleNear(1.0 / 3, 1e-12)));
}

// At the minimum the derivative of the log-losses by a coefficient is -l1 if the coefficient is
// above 0, l1 if below, and between these if it is 0; by the intercept it is 0.
TEST(LogisticRegressionTest, L1MeetsTheConditionsOfTheMinimum) {
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  const ParamValues params = {{"l2", 0.0}, {"l1", 2.0}};
  const Prediction p = Logistic(params, AllRows(cancer), AllRows(cancer));
  std::istringstream text(ExportedText("logistic_regression", params, AllRows(cancer)));
  std::string line;
  std::getline(text, line);  // the intercept
  const RowTable rows = RowTable::ForPrediction(*cancer, nullptr);
  const plugin::FeatureView view(rows.get());
  int n_zero = 0;
  for (std::int64_t j = 0; j < view.num_features(); ++j) {
    double slope = 0;
    for (std::int64_t i = 0; i < cancer->num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      slope += view.x(i, j) * (p.probabilities[2 * row + 1] - cancer->labels()[row]);
    }
    std::getline(text, line);
    const bool is_zero = line.starts_with("  + 0 *") || line.starts_with("  - 0 *");
    n_zero += is_zero ? 1 : 0;
    if (is_zero) {
      EXPECT_LE(std::abs(slope), 2) << line;
    } else {
      EXPECT_NEAR(slope, line.starts_with("  +") ? -2 : 2, 1e-7) << line;
    }
  }
  EXPECT_GT(n_zero, 5);
  EXPECT_LT(n_zero, 30);
}

// A column as numbers, divided by the standard deviation if `scaled`.
std::vector<double> NumbersOf(const Dataset& data, std::int64_t feature, bool scaled) {
  const RowTable table = RowTable::ForPrediction(data, nullptr);
  const plugin::FeatureView view(table.get());
  std::vector<double> numbers;
  double sum = 0, squares = 0;
  for (std::int64_t i = 0; i < data.num_rows(); ++i) {
    const double x = view.x(i, feature);
    numbers.push_back(x);
    sum += x;
  }
  const auto n = static_cast<double>(numbers.size());
  for (const double x : numbers) squares += (x - sum / n) * (x - sum / n);
  for (double& x : numbers) x = scaled ? (x - sum / n) / std::sqrt(squares / n) : x;
  return numbers;
}

std::vector<std::int32_t> LabelsOf(const Dataset& data) {
  return {data.labels().begin(), data.labels().end()};
}

DataPtr Standardised(const DataPtr& data) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < data->num_features(); ++j) {
    columns.push_back(Column::Doubles("x" + std::to_string(j), NumbersOf(*data, j, true)));
  }
  const auto classes = data->class_names();
  columns.push_back(Column::Categories("y", LabelsOf(*data), {classes.begin(), classes.end()}));
  return Dataset::Create("standardised", std::move(columns), TargetRole("y"));
}

// Which third of its range an entry is in, as three columns that add up to 1.
DataPtr InThirds(const DataPtr& data) {
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < data->num_features(); ++j) {
    const std::vector<double> numbers = NumbersOf(*data, j, false);
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    for (int third = 0; third < 3; ++third) {
      std::vector<double> is_in;
      for (const double x : numbers) {
        is_in.push_back(std::min(2, static_cast<int>(3 * (x - *low) / (*high - *low))) == third);
      }
      columns.push_back(Column::Doubles("x" + std::to_string(3 * j + third), std::move(is_in)));
    }
  }
  const auto classes = data->class_names();
  columns.push_back(Column::Categories("y", LabelsOf(*data), {classes.begin(), classes.end()}));
  return Dataset::Create("thirds", std::move(columns), TargetRole("y"));
}

// The conditions above for each score, `l2` being 0. A derivative may be off by `tolerance`.
void ExpectMinimumOfL1(const DataPtr& data, double l1, double tolerance) {
  const ParamValues params = {{"l2", 0.0}, {"l1", l1}};
  std::string log;
  RunOptions options;
  options.log = [&](std::int32_t, const std::string& line) { log += line; };
  const Prediction p =
      FitPredict("logistic_regression", params, AllRows(data), AllRows(data), options);
  EXPECT_EQ(log, "");
  const auto n_classes = static_cast<std::int32_t>(data->num_classes());
  std::istringstream text(ExportedText("logistic_regression", params, AllRows(data)));
  std::vector<std::vector<double>> features;
  for (std::int64_t j = 0; j < data->num_features(); ++j) {
    features.push_back(NumbersOf(*data, j, false));
  }
  for (std::int32_t k = n_classes == 2 ? 1 : 0; k < n_classes; ++k) {
    const auto slope = [&](const std::function<double(std::size_t)>& x) {
      double sum = 0;
      for (std::size_t i = 0; i < p.rows.size(); ++i) {
        const double share =
            p.probabilities[i * static_cast<std::size_t>(n_classes) + static_cast<std::size_t>(k)];
        sum += x(i) * (share - (data->labels()[i] == k ? 1 : 0));
      }
      return sum;
    };
    std::string line;
    std::getline(text, line);
    EXPECT_NEAR(slope([](std::size_t) { return 1; }), 0, tolerance) << line;
    for (const std::vector<double>& numbers : features) {
      const double of_feature = slope([&](std::size_t i) { return numbers[i]; });
      std::getline(text, line);
      const std::string where = line + " of class " + std::to_string(k) + " of " + data->name();
      if (line.starts_with("  + 0 *") || line.starts_with("  - 0 *")) {
        EXPECT_LE(std::abs(of_feature), l1 + tolerance) << where;
      } else {
        EXPECT_NEAR(of_feature, line.starts_with("  +") ? -l1 : l1, tolerance) << where;
      }
    }
  }
}

TEST(LogisticRegressionTest, L1AloneAgreesWithScikitLearnsSagaForThreeClasses) {
  ExpectReference("logistic l1 1", "iris.csv", "logistic_regression", {{"l2", 0.0}, {"l1", 1.0}},
                  1e-9);
}

TEST(LogisticRegressionTest, L1AloneAgreesWithScikitLearnsSagaOnStandardisedFeatures) {
  const auto after_scaling = [](double l1) {
    return Pipeline::Make(
        {BundledSpec(Kind::kTransform, "standardize", {}),
         BundledSpec(Kind::kLearner, "logistic_regression", {{"l2", 0.0}, {"l1", l1}})});
  };
  ExpectReference("logistic l1 1 scaled", "wine.csv", after_scaling(1), 1e-9);
  ExpectReference("logistic l1 0.1 scaled", "wine.csv", after_scaling(0.1), 1e-9);
  ExpectReference("logistic l1 0.1 scaled", "iris.csv", after_scaling(0.1), 1e-9);
}

// A number added to a feature's coefficients of all scores changes no probability, so the second
// derivatives alone have no single lowest point.
TEST(LogisticRegressionTest, L1AloneMeetsTheConditionsOfTheMinimumForManyClasses) {
  for (const double l1 : {0.01, 0.1, 1.0, 10.0}) {
    SCOPED_TRACE(l1);
    ExpectMinimumOfL1(Iris(), l1, 1e-6);
    ExpectMinimumOfL1(Standardised(Iris()), l1, 1e-6);
    const DataPtr wine = ReadTestData("wine.csv", "class");
    ExpectMinimumOfL1(wine, l1, 1e-4);  // features of up to 1680
    ExpectMinimumOfL1(Standardised(wine), l1, 1e-6);
  }
  ExpectMinimumOfL1(ReadDigits(), 1, 1e-5);
}

// Setosa is separated but for this penalty, which is far smaller than the rounding of the sum of
// log-losses. The sum then is that of versicolor against virginica: R's glm(family = binomial) has
// the residual deviance 11.899 for them, which is twice the sum.
TEST(LogisticRegressionTest, WhereRoundingBoundsL1TheBestCoefficientsComeWithAWarning) {
  std::string warning;
  RunOptions options;
  options.log = [&](std::int32_t level, const std::string& line) {
    if (level == CF_LOG_WARN) warning = line;
  };
  const DataPtr iris = Iris();
  const Prediction p = FitPredict("logistic_regression", {{"l2", 0.0}, {"l1", 1e-14}},
                                  AllRows(iris), AllRows(iris), options);
  EXPECT_THAT(warning, testing::StartsWith(
                           "logistic_regression: rounding errors hide how to lower the objective"));
  double deviance = 0;
  for (std::size_t i = 0; i < 150; ++i) {
    deviance -= 2 * std::log(p.probabilities[3 * i + static_cast<std::size_t>(iris->labels()[i])]);
  }
  EXPECT_NEAR(deviance, 11.899, 0.001);
}

// As the columns of one_hot.
TEST(LogisticRegressionTest, L1AloneMeetsTheConditionsOfTheMinimumForDependentColumns) {
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  const DataPtr wine = ReadTestData("wine.csv", "class");
  for (const double l1 : {0.1, 1.0, 10.0}) {
    SCOPED_TRACE(l1);
    ExpectMinimumOfL1(InThirds(Iris()), l1, 1e-6);
    ExpectMinimumOfL1(InThirds(wine), l1, 1e-6);
    ExpectMinimumOfL1(InThirds(cancer), l1, 1e-6);
  }
}

TEST(LogisticRegressionTest, AClassThatTheTrainingRowsLackGetsZero) {
  const DataPtr iris = Iris();
  const Prediction p = Logistic({}, RowsOf(iris, RowRange(50, 150)), RowsOf(iris, {0, 149}));
  EXPECT_EQ(p.probabilities.at(0), 0.0);
  EXPECT_EQ(p.probabilities.at(3), 0.0);
  EXPECT_THAT(Logistic({}, RowsOf(iris, RowRange(50, 100)), RowsOf(iris, {0})).probabilities,
              ElementsAre(0.0, 1.0, 0.0));
}

TEST(LogisticRegressionTest, MoreFeaturesThanRowsWork) {
  const DataPtr digits = ReadDigits();
  const DataView train = RowsOf(digits, RowRange(0, 40));
  EXPECT_GT(CountCorrect(*digits, Logistic({}, train, RowsOf(digits, RowRange(40, 140)))), 60);
}

TEST(LogisticRegressionTest, TheTextIsAFormulaWithTheNamesOfTheFeatures) {
  const DataPtr data = ParseTable("x,z,y\n1,0,a\n3,0,b\n", "y");
  EXPECT_EQ(ExportedText("logistic_regression", {{"l1", 5.0}}, AllRows(data)),
            "log odds(b : a) = 0\n  + 0 * [x]\n  + 0 * [z]\n");
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(LogisticRegressionTest, SeparatedClassesWithoutAPenaltyAreRefused) {
  const DataPtr data = ParseTable("x,y\n0,a\n1,a\n2,b\n3,b\n", "y");
  EXPECT_EQ(FailureOf("logistic_regression", {{"l2", 0.0}}, AllRows(data), AllRows(data)),
            "cannot fit 'logistic_regression{l2=0}' on dataset 'table': the features separate the "
            "classes perfectly, so there are no best coefficients; raise l2 above 0");
}

// Only the class c can be separated: the log-loss stays above 0, and its coefficients grow.
TEST(LogisticRegressionTest, ASeparatedPartWithoutAPenaltyIsNotTakenForConverged) {
  const DataPtr data = ParseTable("x,y\n0,a\n0,b\n0,a\n1,b\n1,a\n1,b\n5,c\n6,c\n", "y");
  const std::string failure =
      FailureOf("logistic_regression", {{"l2", 0.0}}, AllRows(data), AllRows(data));
  EXPECT_THAT(failure, testing::HasSubstr("did not converge in 100 iterations"));
  EXPECT_EQ(FailureOf("logistic_regression", {{"l2", 1e-6}}, AllRows(data), AllRows(data)), "");
}

TEST(LogisticRegressionTest, TooFewIterationsAreReported) {
  const DataPtr iris = Iris();
  EXPECT_THAT(FailureOf("logistic_regression", {{"max_iter", std::int64_t{2}}}, AllRows(iris),
                        AllRows(iris)),
              testing::HasSubstr("did not converge in 2 iterations"));
}

TEST(LogisticRegressionTest, InfiniteEntriesAreRefusedAtFitAndAtPredict) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Doubles("x", {0, 1, infinity}), Column::Categories("y", {0, 1, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_EQ(FailureOf("logistic_regression", {}, AllRows(data), AllRows(data)),
            "cannot fit 'logistic_regression' on dataset 'table': feature 'x' has an infinite or "
            "missing entry");
  EXPECT_EQ(FailureOf("logistic_regression", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot predict with 'logistic_regression' on dataset 'table': feature 'x' has an "
            "infinite or missing entry");
}

// ---- starts ------------------------------------------------------------------------------------

FittedPtr FitLogistic(const ParamValues& params, const DataView& train) {
  return FittedModel::Fit(BundledLearner("logistic_regression", params), train, 1, {});
}

// Both end where a step changes no log odds by more than 1e-8.
void ExpectAgreesFromAStart(const ParamValues& of_start, const DataView& start_rows,
                            const ParamValues& params, const DataView& train) {
  const FittedPtr start = FitLogistic(of_start, start_rows);
  const Prediction warm = FitFrom(*start, "logistic_regression", params, train)->Predict(train, {});
  EXPECT_THAT(warm.probabilities,
              Pointwise(DoubleNear(1e-8), Logistic(params, train, train).probabilities))
      << start->learner().ToString();
}

TEST(LogisticRegressionTest, FromANeighbouringModelItAgreesWithAFitFromNothing) {
  for (const char* file : {"iris.csv", "breast_cancer.csv"}) {
    const DataPtr data = ReadTestData(file, "class");
    const DataView all = AllRows(data);
    const DataView most = RowsOf(data, FoldRows(RowRange(0, data->num_rows()), 5, 0, false));
    ExpectAgreesFromAStart({{"l2", 1.0}}, all, {{"l2", 1.2}}, all);
    ExpectAgreesFromAStart({{"l2", 1.0}}, all, {{"l2", 1.0}}, most);
    ExpectAgreesFromAStart({{"l2", 1.0}, {"intercept", false}}, all, {{"l2", 1.2}}, most);
    ExpectAgreesFromAStart({{"l2", 1.0}}, all, {{"l2", 1.2}, {"intercept", false}}, most);
    ExpectAgreesFromAStart({{"l2", 0.5}, {"l1", 0.5}}, all, {{"l2", 0.5}, {"l1", 0.6}}, most);
  }
}

// The coefficients, too: what no penalty sees has the mean 0 over the scores.
TEST(LogisticRegressionTest, FromAPenalisedModelItAgreesWithoutAPenalty) {
  const DataPtr data = ParseTable("x,y\n0,a\n0,a\n0,b\n0,c\n1,a\n1,b\n1,b\n1,c\n1,c\n", "y");
  const FittedPtr start = FitLogistic({{"l2", 1.0}, {"intercept", false}}, AllRows(data));
  const FittedPtr warm = FitFrom(*start, "logistic_regression", {{"l2", 0.0}}, AllRows(data));
  const FittedPtr cold = FitLogistic({{"l2", 0.0}}, AllRows(data));
  EXPECT_NEAR(warm->Importance({})[0].value, cold->Importance({})[0].value, 1e-9);
  EXPECT_THAT(warm->Predict(AllRows(data), {}).probabilities,
              Pointwise(DoubleNear(1e-9), cold->Predict(AllRows(data), {}).probabilities));
}

TEST(LogisticRegressionTest, FromANeighbouringModelFewerStepsAreEnough) {
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  const FittedPtr start = FitLogistic({{"l2", 1.0}}, AllRows(cancer));
  const ParamValues params = {{"l2", 1.1}, {"max_iter", std::int64_t{5}}};
  EXPECT_EQ(FailureOfFitFrom(*start, "logistic_regression", params, AllRows(cancer)), "");
  EXPECT_THAT(FailureOf("logistic_regression", params, AllRows(cancer), AllRows(cancer)),
              testing::HasSubstr("did not converge in 5 iterations"));
}

TEST(LogisticRegressionTest, AStartFromRowsOfOtherClassesIsRefused) {
  const DataPtr iris = Iris();
  const FittedPtr two = FitLogistic({}, RowsOf(iris, RowRange(50, 150)));
  EXPECT_EQ(FailureOfFitFrom(*two, "logistic_regression", {{"l2", 2.0}}, AllRows(iris)),
            "cannot fit 'logistic_regression{l2=2}' on dataset 'iris' from the model of "
            "'logistic_regression': the training rows have different classes from the model to "
            "start from; start from a model with the same classes");
  EXPECT_EQ(FailureOfFitFrom(*two, "logistic_regression", {}, RowsOf(iris, RowRange(60, 150))), "");
}

TEST(LogisticRegressionTest, AStartFromOneClassIsThatClass) {
  const DataPtr iris = Iris();
  const DataView one = RowsOf(iris, RowRange(50, 100));
  const FittedPtr warm = FitFrom(*FitLogistic({}, one), "logistic_regression", {}, one);
  EXPECT_THAT(warm->Predict(RowsOf(iris, {0}), {}).probabilities, ElementsAre(0.0, 1.0, 0.0));
}

// ---- laws --------------------------------------------------------------------------------------

TEST(LogisticRegressionTest, KeepsTheLaws) {
  const DataPtr iris = Iris();
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 3, 0, false));
  const char* id = "logistic_regression";
  for (const ParamValues& params :
       {ParamValues{}, ParamValues{{"l2", 0.1}, {"intercept", false}},
        ParamValues{{"l2", 0.5}, {"l1", 0.5}}, ParamValues{{"l2", 0.0}, {"l1", 1.0}}}) {
    ExpectProbaLaw(id, params, train, AllRows(iris));
    ExpectSaveLoadLaw(id, params, train, AllRows(iris));
    ExpectWeightsAreRepetitions(id, params, train, SomeWeights(100), AllRows(iris), 1e-9);
    ExpectRowOrderDoesNotMatter(id, params, train, AllRows(iris), 1e-9);
    ExpectImportanceLaw(id, params, train, 1e-9);
  }
}

}  // namespace
}  // namespace crossfold
