// The library has no second implementation here to compare with: one tree by hand, and properties.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;

Prediction Boost(const ParamValues& values, const DataView& train, const DataView& test) {
  return FitPredict("xgboost", values, train, test);
}

ParamValues OneStump(double lambda) {
  return {{"rounds", 1},      {"max_depth", 1},          {"eta", 1.0},
          {"lambda", lambda}, {"min_child_weight", 0.0}, {"tree_method", "exact"}};
}

// Targets 1, 1, 5, 5 with the mean 3; the first derivatives of a side sum to 4, the second to 2, so
// the leaves are -4 / (2 + lambda) and 4 / (2 + lambda).
TEST(XgboostTest, OneRegressionTreeByHand) {
  const DataPtr data = ParseTable("x,y\n1,1\n2,1\n3,5\n4,5\n", "y");
  EXPECT_THAT(Boost(OneStump(0), AllRows(data), AllRows(data)).values, ElementsAre(1, 1, 5, 5));
  const Prediction shrunk = Boost(OneStump(1), AllRows(data), AllRows(data));
  EXPECT_NEAR(shrunk.values[0], 3 - 4.0 / 3, 1e-6);
  EXPECT_NEAR(shrunk.values[3], 3 + 4.0 / 3, 1e-6);
}

// Start at 1/2: derivatives 1/2 and 1/4 a row, so the leaves are 1 / (1/2 + 1) = 2/3.
TEST(XgboostTest, OneClassificationTreeByHand) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,b\n4,b\n", "y");
  const Prediction p = Boost(OneStump(1), AllRows(data), AllRows(data));
  const double likely = 1 / (1 + std::exp(-2.0 / 3));
  EXPECT_NEAR(p.probabilities[0], likely, 1e-6);
  EXPECT_NEAR(p.probabilities[7], likely, 1e-6);
  EXPECT_THAT(p.labels, ElementsAre(0, 0, 1, 1));
}

TEST(XgboostTest, MissingEntriesGoWhereTheyFitBest) {
  const DataPtr data = ParseTable("x,y\n1,0\n2,0\n3,8\n4,8\n?,8\n?,8\n", "y");
  EXPECT_THAT(Boost(OneStump(0), AllRows(data), AllRows(data)).values,
              ElementsAre(DoubleNear(0, 1e-5), DoubleNear(0, 1e-5), DoubleNear(8, 1e-5),
                          DoubleNear(8, 1e-5), DoubleNear(8, 1e-5), DoubleNear(8, 1e-5)));
}

TEST(XgboostTest, MoreRoundsFitTheTrainingRowsBetter) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  double last = std::numeric_limits<double>::infinity();
  for (const std::int64_t rounds : {1, 5, 20, 80}) {
    const Prediction p = Boost({{"rounds", rounds}}, AllRows(data), AllRows(data));
    double squares = 0;
    for (std::size_t i = 0; i < p.values.size(); ++i) {
      squares += std::pow(p.values[i] - data->values()[i], 2);
    }
    EXPECT_LT(squares, last) << rounds;
    last = squares;
  }
}

TEST(XgboostTest, EveryTreeMethodTellsIrisApart) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, FoldRows(RowRange(0, 150), 5, 0, false));
  const DataView test = RowsOf(iris, FoldRows(RowRange(0, 150), 5, 0, true));
  for (const char* method : {"exact", "approx", "hist"}) {
    EXPECT_GE(CountCorrect(*iris, Boost({{"tree_method", method}}, train, test)), 27) << method;
  }
}

// ---- early stopping ----------------------------------------------------------------------------

struct Stopped {
  const char* file;
  const char* target;
  ParamValues params;
  std::int64_t rounds;  // with the lowest loss
  double first;         // the value, or the probability of the last class, of the first held row
};

// Expected values: reference_early_stopping.py, XGBoost 1.7.4 for Python with
// early_stopping_rounds = 5.
TEST(XgboostTest, EarlyStoppingKeepsTheRoundsOfXgboostsOwn) {
  for (const Stopped& c :
       {Stopped{"breast_cancer.csv", "class", {}, 13, 0.9168248176574707},
        Stopped{
            "breast_cancer.csv", "class", {{"eta", 0.1}, {"max_depth", 3}}, 44, 0.9048882126808167},
        Stopped{"iris.csv", "class", {{"eta", 0.1}}, 49, 0.00679514417424798},
        Stopped{"diabetes_regr.csv",
                "target",
                {{"eta", 0.05}, {"max_depth", 3}},
                44,
                210.80662536621094}}) {
    const DataPtr data = ReadTestData(c.file, c.target);
    RowIds train, held;
    for (std::int64_t i = 0; i < data->num_rows(); ++i) (i % 5 == 0 ? held : train).push_back(i);
    ParamValues values = c.params;
    values.insert({{"rounds", 500}, {"patience", 5}, {"early_stopping_share", 0.2}});
    const auto spec = laws::LearnerSpec("xgboost", values);
    const auto stopped = laws::FitValidated(*spec, RowsOf(data, train), RowsOf(data, held));
    const auto found = laws::Predict(*spec, stopped.get(), RowsOf(data, held));
    const std::vector<double>& numbers =
        data->num_classes() > 0 ? found.probabilities : found.values;
    const std::int64_t width = std::max<std::int64_t>(data->num_classes(), 1);
    EXPECT_NEAR(numbers[static_cast<std::size_t>(width) - 1], c.first, 1e-6 * std::abs(c.first))
        << c.file;
    // The rounds after the best one are gone.
    ParamValues known = c.params;
    known.emplace("rounds", c.rounds);
    const auto plain = laws::LearnerSpec("xgboost", known);
    const auto expected =
        laws::Predict(*plain, laws::Fit(*plain, RowsOf(data, train)).get(), RowsOf(data, held));
    EXPECT_EQ(found.values, expected.values) << c.file;
    EXPECT_EQ(found.probabilities, expected.probabilities) << c.file;
  }
}

TEST(XgboostTest, AStoppedModelIsSavedAsItIs) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto model =
      FittedModel::Fit(BundledLearner("xgboost", {{"rounds", 50}, {"early_stopping_share", 0.3}}),
                       AllRows(iris), 3, {});
  const auto loaded = FittedModel::FromBytes(model->ToBytes(), "stopped", BundledPlugins());
  EXPECT_EQ(loaded->learner().ToString(), "xgboost{early_stopping_share=0.3,rounds=50}");
  EXPECT_EQ(loaded->Predict(AllRows(iris), {}).probabilities,
            model->Predict(AllRows(iris), {}).probabilities);
}

TEST(XgboostTest, ValidationRowsOfOtherClassesAreLeftOut) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto spec = laws::LearnerSpec("xgboost", {{"rounds", 5}, {"early_stopping_share", 0.2}});
  const DataView train = RowsOf(iris, RowRange(0, 90));  // two of the three classes
  const auto model = laws::FitValidated(*spec, train, RowsOf(iris, RowRange(90, 150)));
  const auto same = laws::FitValidated(*spec, train, RowsOf(iris, RowRange(90, 100)));
  EXPECT_EQ(laws::Predict(*spec, model.get(), AllRows(iris)).probabilities,
            laws::Predict(*spec, same.get(), AllRows(iris)).probabilities);
  EXPECT_EQ(laws::TryFitValidated(*spec, train, RowsOf(iris, RowRange(100, 150))).message,
            "no validation row has a weight above 0 and a target of the training rows");
}

TEST(XgboostTest, PatienceNeedsValidationRows) {
  EXPECT_EQ(test::MessageOf([&] {
              BundledLearner("xgboost", {{"patience", 5}});
            }),
            "cannot make learner 'xgboost': 'patience' has no effect without early_stopping_share");
}

// ---- what the library shares with the process --------------------------------------------------

std::vector<double> DrawnProbabilities(std::uint64_t seed) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  return FittedModel::Fit(
             BundledLearner("xgboost",
                            {{"subsample", 0.5}, {"colsample_bytree", 0.5}, {"rounds", 10}}),
             AllRows(iris), seed, {})
      ->Predict(AllRows(iris), {})
      .probabilities;
}

TEST(XgboostTest, ItsRandomNumbersComeFromTheSeedAloneOnEveryThread) {
  const std::uint64_t other = std::uint64_t{1} << 40;
  const std::vector<double> one = DrawnProbabilities(1), two = DrawnProbabilities(other);
  EXPECT_NE(one, two);
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back(
        [&found, t, other] { found[t] = DrawnProbabilities(t % 2 == 0 ? 1 : other); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], t % 2 == 0 ? one : two);
}

TEST(XgboostTest, NothingIsPrinted) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const char* method : {"exact", "approx", "hist"}) {
    Boost({{"rounds", 3}, {"tree_method", method}}, AllRows(iris), AllRows(iris));
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// ---- laws, corners, refusals -------------------------------------------------------------------

TEST(XgboostTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, RowRange(30, 120)), test = AllRows(iris);
  const ParamValues values = {{"rounds", 5}, {"subsample", 0.7}};
  ExpectProbaLaw("xgboost", values, train, test);
  ExpectSaveLoadLaw("xgboost", values, train, test);
  ExpectRowOrderDoesNotMatter("xgboost", values, train, test);
  ExpectProbaLaw("xgboost", values, RowsOf(iris, RowRange(0, 100)), test);  // two classes
  ExpectSaveLoadLaw("xgboost", values, RowsOf(iris, RowRange(0, 100)), test);
  ExpectSaveLoadLaw("xgboost", values, RowsOf(iris, RowRange(0, 20)), test);  // one class
}

TEST(XgboostTest, KeepsTheLawsOfItsCapabilitiesInRegression) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  const DataView train = RowsOf(diabetes, RowRange(0, 200)), test = AllRows(diabetes);
  ExpectSaveLoadLaw("xgboost", {{"rounds", 5}}, train, test);
  ExpectRowOrderDoesNotMatter("xgboost", {{"rounds", 5}}, train, test);
}

// The library sums in floats, so the two agree to some of their seven digits.
TEST(XgboostTest, WeightsAreRepetitions) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectWeightsAreRepetitions("xgboost", {{"rounds", 5}, {"tree_method", "exact"}},
                              RowsOf(iris, RowRange(30, 120)), SomeWeights(90), AllRows(iris),
                              1e-5);
}

TEST(XgboostTest, OneRowOneClassAndConstantColumns) {
  const DataPtr data = ParseTable("x,c,y\n1,5,a\n2,5,b\n3,5,b\n4,5,c\n", "y");
  const Prediction one = Boost({}, RowsOf(data, {1}), AllRows(data));
  EXPECT_THAT(one.labels, Each(1));
  EXPECT_EQ(one.probabilities[1], 1);
  const Prediction two = Boost({}, RowsOf(data, {0, 3}), AllRows(data));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(two.probabilities[3 * i + 1], 0);
  const DataPtr numbers = ParseTable("x,y\n5,1\n5,3\n5,8\n", "y");
  EXPECT_THAT(Boost({}, AllRows(numbers), AllRows(numbers)).values, Each(DoubleNear(4, 1e-5)));
  EXPECT_THAT(Boost({}, RowsOf(numbers, {1}), AllRows(numbers)).values, Each(3));
}

TEST(XgboostTest, EntriesBeyondTheRangeOfFloatsAreRefusedByName) {
  const DataPtr data = ParseTable("size,y\n1,1\n1e39,2\n3,3\n", "y");
  EXPECT_EQ(FailureOf("xgboost", {}, AllRows(data), AllRows(data)),
            "cannot fit 'xgboost' on dataset 'table': feature 'size' has an entry beyond the range "
            "of xgboost's numbers (3.4e38)");
  EXPECT_EQ(FailureOf("xgboost", {}, RowsOf(data, {0, 2}), RowsOf(data, {1})),
            "cannot predict with 'xgboost' on dataset 'table': feature 'size' has an entry beyond "
            "the range of xgboost's numbers (3.4e38)");
}

TEST(XgboostTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,a\n3,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("xgboost", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'xgboost' on dataset 'table': the training rows have a total weight of 0");
}

}  // namespace
}  // namespace crossfold
