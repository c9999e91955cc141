// Expected values: scikit-learn 1.2.1, which wraps the same library. Trained on the rows with
// i % 5 != 0, tested on the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "crossfold/fitted_model.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

ParamValues IrisSolver(const char* solver) {
  return {{"solver", solver}, {"c", 0.5}, {"tolerance", 1e-10}};
}

void ExpectProbabilities(const char* solver, const std::vector<std::vector<double>>& wanted,
                         double tolerance) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const Prediction p = PredictEveryFifth("liblinear", IrisSolver(solver), iris);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(p.probabilities[i * 30 + c], wanted[i][c], tolerance)
          << solver << " row " << 10 * i;
    }
  }
}

// LogisticRegression(solver="liblinear", multi_class="ovr", C=0.5, tol=1e-12 (l1: 1e-10)): rows 0,
// 10 and 20 of the test rows.
TEST(LiblinearTest, LogisticProbabilitiesAgreeWithScikitLearn) {
  const std::vector<std::vector<double>> l2 = {
      {0.8651566210912576, 0.13441740633988597, 0.00042597256885633004},
      {0.052646747538784525, 0.7313514519380933, 0.21600180052312232},
      {0.0008835844625466189, 0.18782907805470067, 0.8112873374827526}};
  ExpectProbabilities("l2_logistic", l2, 1e-6);
  ExpectProbabilities("l2_logistic_dual", l2, 1e-6);
  // Perhaps because the library stops after 100 Newton steps and scikit-learn's copy goes on.
  ExpectProbabilities("l1_logistic",
                      {{0.8707570133320549, 0.12918953288578316, 5.3453782161728565e-05},
                       {0.030597276777145663, 0.8608416800087036, 0.10856104321415075},
                       {0.0008207860456627615, 0.19727670386224622, 0.801902510092091}},
                      3e-5);
}

// LinearSVC(C=0.5, tol=1e-10) with these penalties and losses: correct rows of 30.
TEST(LiblinearTest, IrisIsToldApartAsByScikitLearn) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto correct = [&](const char* solver) {
    return CountCorrect(*iris, PredictEveryFifth("liblinear", IrisSolver(solver), iris));
  };
  EXPECT_EQ(correct("l2_squared_hinge"), 28);
  EXPECT_EQ(correct("l2_squared_hinge_dual"), 28);
  EXPECT_EQ(correct("l2_hinge_dual"), 28);
  EXPECT_EQ(correct("l1_squared_hinge"), 28);
  EXPECT_EQ(correct("crammer_singer"), 29);
  EXPECT_EQ(correct("l2_logistic"), 28);
  EXPECT_EQ(correct("l1_logistic"), 26);
}

// LinearSVR(epsilon=5, C=0.1, tol=1e-8) after StandardScaler: the first three predictions.
TEST(LiblinearTest, DiabetesIsPredictedAsByScikitLearn) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const auto expect = [&](const char* solver, std::vector<double> wanted) {
    const auto pipeline = Pipeline::Make(
        {BundledSpec(Kind::kTransform, "standardize", {}),
         BundledSpec(Kind::kLearner, "liblinear",
                     {{"svr_solver", solver}, {"c", 0.1}, {"epsilon", 5.0}, {"tolerance", 1e-8}})});
    const Prediction p =
        FittedModel::Fit(pipeline, RowsOf(data, FoldRows(RowRange(0, 442), 5, 0, false)), 1, {})
            ->Predict(RowsOf(data, FoldRows(RowRange(0, 442), 5, 0, true)), {});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(p.values[i], wanted[i], 1e-6) << solver;
  };
  expect("l2_squared", {203.53779708487838, 104.84957157718806, 101.45871425477614});
  expect("l2_squared_dual", {203.53779705003106, 104.8495714871955, 101.4587140778043});
  expect("l2_absolute_dual", {35.23964672514242, 32.18536022849214, 32.11748399416161});
}

// One weight w and no bias, rows x = 1 (y = 2) and x = 2 (y = 4), epsilon 0, c 1: the minimum of
// w^2 / 2 + (w - 2)^2 + (2 w - 4)^2 is at w = 20 / 11.
TEST(LiblinearTest, ASquaredRegressionByHand) {
  const DataPtr data = ParseTable("x,y\n1,2\n2,4\n", "y");
  const Prediction p = FitPredict(
      "liblinear",
      {{"svr_solver", "l2_squared"}, {"epsilon", 0.0}, {"bias", Null{}}, {"tolerance", 1e-12}},
      AllRows(data), AllRows(data));
  EXPECT_NEAR(p.values[0], 20.0 / 11, 1e-9);
  EXPECT_NEAR(p.values[1], 40.0 / 11, 1e-9);
}

TEST(LiblinearTest, SolversWithoutProbabilitiesHaveScoresThatAreGreatestAtTheLabel) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const Prediction p = PredictEveryFifth("liblinear", IrisSolver("l2_squared_hinge"), iris);
  EXPECT_THAT(p.probabilities, testing::IsEmpty());
  ASSERT_EQ(p.values.size(), 90u);
  for (std::size_t i = 0; i < 30; ++i) {
    const auto first = p.values.begin() + static_cast<std::ptrdiff_t>(3 * i);
    EXPECT_EQ(std::max_element(first, first + 3) - first, p.labels[i]);
  }
}

// ---- what the library shares with the process --------------------------------------------------

// A solver that draws the order of its rows, stopped early, so that the order shows.
std::vector<double> DrawnValues(std::uint64_t seed) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  return FittedModel::Fit(
             BundledLearner("liblinear", {{"svr_solver", "l2_absolute_dual"}, {"tolerance", 0.1}}),
             AllRows(diabetes), seed, {})
      ->Predict(AllRows(diabetes), {})
      .values;
}

TEST(LiblinearTest, ItsRandomNumbersComeFromTheSeedAlone) {
  const std::vector<double> one = DrawnValues(1), two = DrawnValues(2);
  EXPECT_NE(one, two);
  std::vector<std::vector<double>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&found, t] { found[t] = DrawnValues(1 + t % 2); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < found.size(); ++t) EXPECT_EQ(found[t], t % 2 == 0 ? one : two);
}

TEST(LiblinearTest, WhatItPrintsGoesToTheLog) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  std::string logged;
  RunOptions options;
  options.log = [&](std::int32_t, const std::string& line) { logged += line + "\n"; };
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  FitPredict("liblinear", {}, AllRows(iris), AllRows(iris), options);
  FitPredict("liblinear", {{"solver", "l2_hinge_dual"}}, AllRows(iris), AllRows(iris), options);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(logged, testing::HasSubstr("liblinear: optimization finished"));
}

// ---- laws, corners, refusals -------------------------------------------------------------------

TEST(LiblinearTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, RowRange(30, 120)), test = AllRows(iris);
  for (const char* solver : {"l2_logistic", "l1_squared_hinge", "crammer_singer"}) {
    ExpectProbaLaw("liblinear", {{"solver", solver}}, train, test);
    ExpectSaveLoadLaw("liblinear", {{"solver", solver}}, train, test);
    ExpectRowOrderDoesNotMatter("liblinear", {{"solver", solver}}, train, test);
  }
  ExpectSaveLoadLaw("liblinear", {}, RowsOf(iris, RowRange(0, 100)), test);  // two classes
  ExpectSaveLoadLaw("liblinear", {}, RowsOf(iris, RowRange(0, 20)), test);   // one class
}

TEST(LiblinearTest, KeepsTheLawsOfItsCapabilitiesInRegression) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  const DataView train = RowsOf(diabetes, RowRange(0, 200)), test = AllRows(diabetes);
  ExpectSaveLoadLaw("liblinear", {}, train, test);
  ExpectRowOrderDoesNotMatter("liblinear", {}, train, test);
}

TEST(LiblinearTest, OneRowOneClassAndConstantColumns) {
  const DataPtr data = ParseTable("x,c,y\n1,5,a\n2,5,b\n3,5,b\n9,5,c\n", "y");
  const Prediction one = FitPredict("liblinear", {}, RowsOf(data, {1}), AllRows(data));
  EXPECT_THAT(one.labels, Each(1));
  EXPECT_EQ(one.probabilities[1], 1);
  const Prediction two =
      FitPredict("liblinear", {{"c", 100.0}}, RowsOf(data, {0, 3}), AllRows(data));
  EXPECT_EQ(two.labels[0], 0);
  EXPECT_EQ(two.labels[3], 2);
  EXPECT_EQ(two.probabilities[1], 0);
}

// Features from 0.1 to 1680, and a fixed limit of 1000 iterations.
TEST(LiblinearTest, ASolverThatGivesUpSaysWhatCanBeDone) {
  std::string logged;
  RunOptions options;
  options.log = [&](std::int32_t level, const std::string& line) {
    if (level == CF_LOG_WARN) logged = line;
  };
  const auto spec =
      BundledSpec(Kind::kLearner, "liblinear", {{"solver", "l2_hinge_dual"}, {"tolerance", 1e-10}});
  FittedModel::Fit(Pipeline::Make({spec}), AllRows(ReadTestData("wine.csv", "class")), 1, options);
  EXPECT_EQ(logged,
            "liblinear: WARNING: reaching max number of iterations; the fit is not at its optimum: "
            "scale the features, or take a smaller c, a larger tolerance or another solver");
}

TEST(LiblinearTest, InfiniteFeaturesAreRefusedByName) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Doubles("size", {1, 2, std::numeric_limits<double>::infinity()}),
                       Column::Doubles("y", {1, 2, 3})},
                      TargetRole("y"));
  EXPECT_EQ(FailureOf("liblinear", {}, AllRows(data), AllRows(data)),
            "cannot fit 'liblinear' on dataset 'table': feature 'size' has an infinite or missing "
            "entry");
}

}  // namespace
}  // namespace crossfold
