#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Pointwise;

Value Units(std::vector<std::int64_t> units) { return units; }

Prediction Mlp(const ParamValues& values, const DataView& train, const DataView& test) {
  return FitPredict("mlp", values, train, test);
}

// Standardised inputs, as the README asks for.
Prediction ScaledMlp(const ParamValues& values, std::uint64_t seed, const DataView& train,
                     const DataView& test) {
  const auto pipeline = Pipeline::Make({BundledSpec(Kind::kTransform, "standardize", {}),
                                        BundledSpec(Kind::kLearner, "mlp", values)});
  return FittedModel::Fit(pipeline, train, seed, {})->Predict(test, {});
}

const char* const kXor = "x1,x2,y\n0,0,off\n0,1,on\n1,0,on\n1,1,off\n";

TEST(MlpTest, LearnsXorWithAHiddenLayerAndCannotWithoutOne) {
  const DataPtr data = ParseTable(kXor, "y");
  const ParamValues values = {{"hidden", Units({8})},
                              {"activation", "tanh"},
                              {"learning_rate", 0.05},
                              {"l2", 0.0},
                              {"epochs", 500}};
  const Prediction learned = Mlp(values, AllRows(data), AllRows(data));
  EXPECT_EQ(CountCorrect(*data, learned), 4);
  EXPECT_GT(learned.probabilities[0], 0.9);
  ParamValues linear = values;
  linear["hidden"] = Units({});
  // The best linear answer to XOR is 1/2 everywhere.
  for (const double p : Mlp(linear, AllRows(data), AllRows(data)).probabilities) {
    EXPECT_NEAR(p, 0.5, 1e-3);
  }
}

TEST(MlpTest, EverySolverAndActivationLearnsXor) {
  const DataPtr data = ParseTable(kXor, "y");
  for (const char* activation : {"relu", "tanh", "logistic"}) {
    for (const char* solver : {"adam", "sgd"}) {
      const double rate = std::string(solver) == "adam" ? 0.05 : 0.3;
      EXPECT_EQ(CountCorrect(*data, Mlp({{"hidden", Units({12})},
                                         {"activation", activation},
                                         {"solver", solver},
                                         {"learning_rate", rate},
                                         {"l2", 0.0},
                                         {"epochs", 1000}},
                                        AllRows(data), AllRows(data))),
                4)
          << activation << " " << solver;
    }
  }
}

TEST(MlpTest, LayersAndUnitsAreAShorterWayToSayHidden) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto probabilities = [&](ParamValues values) {
    values["epochs"] = 3;
    return Mlp(values, AllRows(iris), AllRows(iris)).probabilities;
  };
  EXPECT_EQ(probabilities({{"layers", 2}, {"units", 7}}),
            probabilities({{"hidden", Units({7, 7})}}));
  EXPECT_EQ(probabilities({{"layers", 0}}), probabilities({{"hidden", Units({})}}));
  EXPECT_NE(probabilities({{"layers", 1}, {"units", 7}}),
            probabilities({{"hidden", Units({7, 7})}}));
}

// ---- other programs ----------------------------------------------------------------------------

// scikit-learn 1.2.1, MLPClassifier((32,), batch_size=50, max_iter=20, n_iter_no_change=10**6,
// alpha=0), inputs through StandardScaler, trained on the rows with i % 5 != 0: of the other 360
// digits 344.7 correct on average over the seeds 0 to 19, standard deviation 3.2, from 338 to 351.
TEST(MlpTest, DigitsAreReadAsWellAsByScikitLearn) {
  const DataPtr digits = ReadDigits();
  const RowIds train = FoldRows(RowRange(0, 1797), 5, 0, false);
  const RowIds test = FoldRows(RowRange(0, 1797), 5, 0, true);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    sum += static_cast<double>(CountCorrect(
        *digits,
        ScaledMlp({{"hidden", Units({32})}, {"batch_size", 50}, {"epochs", 20}, {"l2", 0.0}}, seed,
                  RowsOf(digits, train), RowsOf(digits, test))));
  }
  EXPECT_NEAR(sum / 5, 344.7, 4.5);  // three standard errors of a mean of five
}

// The same with (16,), max_iter=100, learning_rate_init=0.01 on iris: 29 of 30 for every seed.
TEST(MlpTest, IrisIsToldApartAsWellAsByScikitLearn) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_EQ(
        CountCorrect(*iris, ScaledMlp({{"hidden", Units({16})},
                                       {"batch_size", 50},
                                       {"epochs", 100},
                                       {"learning_rate", 0.01},
                                       {"l2", 0.0}},
                                      seed, RowsOf(iris, FoldRows(RowRange(0, 150), 5, 0, false)),
                                      RowsOf(iris, FoldRows(RowRange(0, 150), 5, 0, true)))),
        29);
  }
}

// MLPRegressor((16,), activation="tanh", batch_size=50, max_iter=50, n_iter_no_change=10**6,
// alpha=0) on the standardised target: the root mean squared error is 53.49 on average over the
// seeds 0 to 19, standard deviation 1.27, from 51.6 to 56.2. (With relu the two start from other
// weights.)
TEST(MlpTest, DiabetesIsPredictedAsWellAsByScikitLearn) {
  const DataPtr data = ReadTestData("diabetes_regr.csv", "target");
  const DataView train = RowsOf(data, FoldRows(RowRange(0, 442), 5, 0, false));
  const DataView test = RowsOf(data, FoldRows(RowRange(0, 442), 5, 0, true));
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Prediction p = ScaledMlp({{"hidden", Units({16})},
                                    {"activation", "tanh"},
                                    {"batch_size", 50},
                                    {"epochs", 50},
                                    {"l2", 0.0}},
                                   seed, train, test);
    double squares = 0;
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      squares += std::pow(p.values[i] - data->values()[static_cast<std::size_t>(p.rows[i])], 2);
    }
    sum += std::sqrt(squares / static_cast<double>(p.rows.size()));
  }
  EXPECT_NEAR(sum / 10, 53.49, 1.5);  // three standard errors of the difference
}

// Without hidden layers and with the whole training set as the batch this is least squares.
// y = 3 + 2 x exactly, so the line is found.
TEST(MlpTest, WithoutHiddenLayersRegressionFindsTheLine) {
  const DataPtr data = ParseTable("x,y\n-1,1\n0,3\n1,5\n2,7\n", "y");
  const Prediction p = Mlp({{"layers", 0}, {"learning_rate", 0.05}, {"l2", 0.0}, {"epochs", 2000}},
                           AllRows(data), AllRows(data));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(p.values[i], 1 + 2.0 * static_cast<double>(i), 1e-6);
}

// ---- seeds, weights, laws ----------------------------------------------------------------------

TEST(MlpTest, TheSameSeedGivesTheSameBytesAndAnotherSeedOthers) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto with_seed = [&](std::uint64_t seed) {
    return ScaledMlp({{"epochs", 5}}, seed, AllRows(iris), AllRows(iris)).probabilities;
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(MlpTest, ARowIsPredictedTheSameAloneAndAmongOthers) {
  const DataPtr digits = ReadDigits();
  const auto model =
      FittedModel::Fit(BundledLearner("mlp", {{"epochs", 1}, {"hidden", Units({33, 5})}}),
                       RowsOf(digits, RowRange(0, 300)), 1, {});
  const Prediction together = model->Predict(RowsOf(digits, RowRange(300, 400)), {});
  for (std::int64_t i = 0; i < 100; i += 7) {
    const Prediction alone = model->Predict(RowsOf(digits, {300 + i}), {});
    for (std::size_t c = 0; c < 10; ++c) {
      EXPECT_EQ(alone.probabilities[c],
                together.probabilities[static_cast<std::size_t>(i) * 10 + c]);
    }
  }
}

TEST(MlpTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, RowRange(30, 120)), test = AllRows(iris);
  const ParamValues values = {{"hidden", Units({5, 4})}, {"epochs", 10}, {"batch_size", 20}};
  ExpectProbaLaw("mlp", values, train, test);
  ExpectSaveLoadLaw("mlp", values, train, test);
  ExpectRowOrderDoesNotMatter("mlp", values, train, test);
}

TEST(MlpTest, KeepsTheLawsOfItsCapabilitiesInRegression) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  const DataView train = RowsOf(diabetes, RowRange(0, 200)), test = AllRows(diabetes);
  const ParamValues values = {{"hidden", Units({5})}, {"epochs", 5}, {"validation", 0.2}};
  ExpectSaveLoadLaw("mlp", values, train, test);
  ExpectRowOrderDoesNotMatter("mlp", values, train, test);
}

// Exact where a step sees all rows; the sums round differently.
TEST(MlpTest, InOneBatchWeightsAreRepetitions) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  ExpectWeightsAreRepetitions(
      "mlp", {{"activation", "tanh"}, {"hidden", Units({6})}, {"batch_size", 1000}, {"epochs", 30}},
      RowsOf(iris, RowRange(30, 120)), SomeWeights(90), AllRows(iris), 1e-9);
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  ExpectWeightsAreRepetitions("mlp",
                              {{"activation", "tanh"},
                               {"hidden", Units({6})},
                               {"batch_size", 10000},
                               {"solver", "sgd"},
                               {"epochs", 30}},
                              RowsOf(diabetes, RowRange(0, 200)), SomeWeights(200),
                              AllRows(diabetes), 1e-9);
}

// ---- early stopping ----------------------------------------------------------------------------

TEST(MlpTest, EarlyStoppingMakesFurtherEpochsWithoutEffect) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  const auto predicted = [&](std::int64_t epochs, double validation) {
    return ScaledMlp({{"epochs", epochs},
                      {"validation", validation},
                      {"patience", 5},
                      {"learning_rate", 0.01}},
                     1, AllRows(diabetes), AllRows(diabetes))
        .values;
  };
  EXPECT_EQ(predicted(200, 0.2), predicted(300, 0.2));
  EXPECT_NE(predicted(200, 0.0), predicted(300, 0.0));
}

// ---- starts ------------------------------------------------------------------------------------

FittedPtr FitMlp(const ParamValues& values, const DataView& train) {
  return FittedModel::Fit(BundledLearner("mlp", values), train, 1, {});
}

// Steps of almost no length leave the start as it was, in the units of the other rows' target, too.
// Rows of iris: every fourth validates.
struct IrisParts {
  DataPtr data = ReadTestData("iris.csv", "class");
  DataView train, held;
  IrisParts() {
    RowIds kept, others;
    for (std::int64_t i = 0; i < 150; ++i) (i % 4 == 1 ? others : kept).push_back(i);
    train = RowsOf(data, kept);
    held = RowsOf(data, others);
  }
};

// The mean cross-entropy on the held rows after each of these many epochs, each by a fit of its
// own.
std::vector<double> LossAfterEpochs(const IrisParts& iris, const ParamValues& values, int most) {
  std::vector<double> losses;
  for (std::int64_t epochs = 1; epochs <= most; ++epochs) {
    ParamValues these = values;
    these["epochs"] = epochs;
    const auto spec = laws::LearnerSpec("mlp", these);
    const auto p = laws::Predict(*spec, laws::Fit(*spec, iris.train).get(), iris.held);
    double loss = 0;
    for (std::int64_t i = 0; i < iris.held.num_rows(); ++i) {
      const auto row = static_cast<std::size_t>(iris.held.row_id(i));
      const auto label = static_cast<std::size_t>(iris.data->labels()[row]);
      loss -= std::log(p.probabilities[static_cast<std::size_t>(i) * 3 + label]);
    }
    losses.push_back(loss / static_cast<double>(iris.held.num_rows()));
  }
  return losses;
}

TEST(MlpTest, ValidationRowsChooseTheEpochWithTheLowestLoss) {
  const IrisParts iris;
  const ParamValues values = {{"learning_rate", 0.03}, {"hidden", Units({20})}, {"l2", 0.0}};
  constexpr int kEpochs = 60;
  const std::vector<double> losses = LossAfterEpochs(iris, values, kEpochs);
  for (const int patience : {3, kEpochs}) {
    std::size_t best = 0;
    for (std::size_t e = 1; e < losses.size() && e - best <= static_cast<std::size_t>(patience);
         ++e) {
      if (losses[e] < losses[best]) best = e;
    }
    ParamValues stopped = values;
    stopped.insert({{"epochs", kEpochs},
                    {"patience", patience},
                    {"min_delta", 0.0},
                    {"early_stopping_share", 0.25}});
    const auto spec = laws::LearnerSpec("mlp", stopped);
    ParamValues chosen = values;
    chosen["epochs"] = static_cast<std::int64_t>(best) + 1;
    const auto plain = laws::LearnerSpec("mlp", chosen);
    EXPECT_EQ(
        laws::Predict(*spec, laws::FitValidated(*spec, iris.train, iris.held).get(), iris.held)
            .probabilities,
        laws::Predict(*plain, laws::Fit(*plain, iris.train).get(), iris.held).probabilities)
        << "patience " << patience << ", epoch " << best + 1;
  }
}

TEST(MlpTest, ItHoldsRowsOutInOneWayOnly) {
  const IrisParts iris;
  const auto spec =
      laws::LearnerSpec("mlp", {{"validation", 0.2}, {"early_stopping_share", 0.2}, {"epochs", 2}});
  EXPECT_EQ(laws::TryFitValidated(*spec, iris.train, iris.held).message,
            "both validation and early_stopping_share hold rows out; leave out validation");
}

TEST(MlpTest, AStartHoldsNoValidationRowsOut) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const auto learner = BundledLearner("mlp", {{"epochs", 2}, {"early_stopping_share", 0.2}});
  const auto start = FittedModel::Fit(learner, AllRows(iris), 1, {});
  EXPECT_EQ(test::MessageOf([&] { FittedModel::FitFrom(learner, AllRows(iris), 1, *start, {}); }),
            "cannot fit 'mlp{early_stopping_share=0.2,epochs=2}' on dataset 'iris' from the model "
            "of 'mlp{early_stopping_share=0.2,epochs=2}': a fit from a model holds no validation "
            "rows out; leave out early_stopping_share");
}

TEST(MlpTest, FromAStartItGoesOnWithTheWeightsOfTheStart) {
  const ParamValues values = {{"hidden", Units({5})}, {"epochs", 20}};
  const ParamValues still = {
      {"hidden", Units({5})}, {"epochs", 1}, {"learning_rate", 1e-15}, {"shuffle", false}};
  for (const DataPtr& data :
       {ReadTestData("iris.csv", "class"), ReadTestData("diabetes_regr.csv", "target")}) {
    const FittedPtr start = FitMlp(values, AllRows(data));
    const Prediction before = start->Predict(AllRows(data), {});
    const DataView some = RowsOf(data, FoldRows(RowRange(0, data->num_rows()), 2, 0, true));
    const Prediction after = FitFrom(*start, "mlp", still, some)->Predict(AllRows(data), {});
    EXPECT_THAT(after.probabilities, Pointwise(DoubleNear(1e-10), before.probabilities));
    EXPECT_THAT(after.values, Pointwise(DoubleNear(1e-8), before.values));
    EXPECT_EQ(start->Predict(AllRows(data), {}).values, before.values);
  }
}

// Without hidden layers there is one minimum: that of ridge regression.
TEST(MlpTest, FromANeighbouringModelItAgreesWithAConvergedFitFromNothing) {
  const DataPtr data = ParseTable("x,y\n-1,1\n0,3.5\n1,4\n2,7\n3,8\n", "y");
  const auto values = [](double l2, std::int64_t epochs) {
    return ParamValues{{"layers", 0},          {"solver", "sgd"}, {"momentum", 0.5},
                       {"learning_rate", 0.1}, {"l2", l2},        {"epochs", epochs}};
  };
  const auto predicted = [&](const FittedModel& model) {
    return model.Predict(AllRows(data), {}).values;
  };
  const std::vector<double> converged = predicted(*FitMlp(values(0.11, 2000), AllRows(data)));
  const FittedPtr start = FitMlp(values(0.1, 2000), AllRows(data));
  const auto distance = [&](const FittedPtr& model) {
    const std::vector<double> p = predicted(*model);
    double most = 0;
    for (std::size_t i = 0; i < p.size(); ++i) most = std::max(most, std::abs(p[i] - converged[i]));
    return most;
  };
  EXPECT_LT(distance(FitFrom(*start, "mlp", values(0.11, 2000), AllRows(data))), 1e-9);
  EXPECT_LT(distance(FitFrom(*start, "mlp", values(0.11, 20), AllRows(data))), 1e-2);
  EXPECT_GT(distance(FitMlp(values(0.11, 20), AllRows(data))), 1e-2);
}

TEST(MlpTest, AStartOfAnotherShapeIsRefused) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const FittedPtr start = FitMlp({{"hidden", Units({7, 5})}, {"epochs", 1}}, AllRows(iris));
  const std::string way_out = "; give the same layers and activation";
  EXPECT_EQ(
      FailureOfFitFrom(*start, "mlp", {{"hidden", Units({7})}}, AllRows(iris)),
      "cannot fit 'mlp{hidden={7}}' on dataset 'iris' from the model of 'mlp{epochs=1,hidden={7, "
      "5}}': the network would be 4-7-3 relu, that of the model to start from is 4-7-5-3 relu" +
          way_out);
  EXPECT_EQ(FailureOfFitFrom(*start, "mlp", {{"hidden", Units({7, 5})}, {"activation", "tanh"}},
                             AllRows(iris)),
            "cannot fit 'mlp{activation=tanh,hidden={7, 5}}' on dataset 'iris' from the model of "
            "'mlp{epochs=1,hidden={7, 5}}': the network would be 4-7-5-3 tanh, that of the model "
            "to start from is 4-7-5-3 relu" +
                way_out);
}

TEST(MlpTest, AStartFromRowsOfOtherClassesIsRefused) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const FittedPtr two = FitMlp({{"epochs", 1}}, RowsOf(iris, RowRange(50, 150)));
  EXPECT_EQ(FailureOfFitFrom(*two, "mlp", {}, AllRows(iris)),
            "cannot fit 'mlp' on dataset 'iris' from the model of 'mlp{epochs=1}': the training "
            "rows have different classes from the model to start from; start from a model with the "
            "same classes");
}

// ---- corners -----------------------------------------------------------------------------------

TEST(MlpTest, OneRowAndOneClassAndConstantColumnsAreLearned) {
  const DataPtr data = ParseTable("x,c,y\n1,5,a\n2,5,b\n3,5,b\n4,5,c\n", "y");
  const Prediction one = Mlp({{"epochs", 5}}, RowsOf(data, {0}), AllRows(data));
  EXPECT_THAT(one.labels, Each(0));
  EXPECT_THAT(one.probabilities, ElementsAre(1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0));
  const Prediction two = Mlp({{"epochs", 5}}, RowsOf(data, {0, 3}), AllRows(data));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(two.probabilities[3 * i + 1], 0);
}

TEST(MlpTest, AConstantTargetIsPredictedNearly) {
  const DataPtr data = ParseTable("x,y\n1,7\n2,7\n3,7\n", "y");
  const Prediction p = Mlp({{"epochs", 2000}, {"l2", 0.0}}, AllRows(data), AllRows(data));
  for (const double value : p.values) EXPECT_NEAR(value, 7, 1e-3);
}

TEST(MlpTest, DivergenceFailsAndSaysWhatHelps) {
  const DataPtr data = ParseTable("x,y\n1e200,1\n-1e200,2\n3e200,5\n", "y");
  EXPECT_EQ(FailureOf("mlp", {}, AllRows(data), AllRows(data)),
            "cannot fit 'mlp' on dataset 'table': the training diverged: the loss is not finite in "
            "epoch 1; lower learning_rate or standardize the features");
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  EXPECT_THAT(FailureOf("mlp", {{"solver", "sgd"}, {"learning_rate", 1e6}}, AllRows(diabetes),
                        AllRows(diabetes)),
              testing::HasSubstr("the training diverged: the loss is not finite in epoch "));
}

TEST(MlpTest, InfiniteFeaturesAreRefusedByNameInFitAndPredict) {
  const DataPtr data =
      Dataset::Create("table",
                      {Column::Doubles("size", {1, std::numeric_limits<double>::infinity(), 3}),
                       Column::Doubles("y", {1, 2, 3})},
                      TargetRole("y"));
  EXPECT_EQ(FailureOf("mlp", {}, AllRows(data), AllRows(data)),
            "cannot fit 'mlp' on dataset 'table': feature 'size' has an infinite or missing entry");
  EXPECT_EQ(FailureOf("mlp", {}, RowsOf(data, {0, 2}), RowsOf(data, {1})),
            "cannot predict with 'mlp' on dataset 'table': feature 'size' has an infinite or "
            "missing entry");
}

TEST(MlpTest, PredictionsBeyondTheRangeOfNumbersFail) {
  const DataPtr data = ParseTable("x,y\n1,1\n2,2\n1e308,3\n", "y");
  EXPECT_EQ(
      FailureOf("mlp", {{"layers", 3}, {"epochs", 1}}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
      "cannot predict with 'mlp{epochs=1,layers=3}' on dataset 'table': an output of the network "
      "exceeds the range of numbers; standardize the features");
}

TEST(MlpTest, AValidationShareThatLeavesNoRowIsRefused) {
  const DataPtr data = ParseTable("x,y\n1,1\n2,2\n3,3\n", "y");
  EXPECT_EQ(FailureOf("mlp", {{"validation", 0.1}}, AllRows(data), AllRows(data)),
            "cannot fit 'mlp{validation=0.1}' on dataset 'table': the validation share leaves 3 of "
            "3 training rows for training and 0 for early stopping; both need at least one");
}

TEST(MlpTest, NetworksOfUnreasonableSizeAreRefused) {
  const DataPtr data = ParseTable("x,y\n1,1\n2,2\n3,3\n", "y");
  EXPECT_EQ(FailureOf("mlp", {{"layers", 3}, {"units", 100000}}, AllRows(data), AllRows(data)),
            "cannot fit 'mlp{layers=3,units=100000}' on dataset 'table': the network would have "
            "more than 100000000 weights; use fewer units");
}

TEST(MlpTest, RowsWithoutWeightAreAbsent) {
  const DataPtr data = ParseTable("x,w,y\n1,1,a\n2,2,b\n3,0,c\n", "y", "w");
  const Prediction p = Mlp({{"epochs", 5}}, AllRows(data), AllRows(data));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(p.probabilities[3 * i + 2], 0);
  EXPECT_EQ(FailureOf("mlp", {}, RowsOf(data, {2}), AllRows(data)),
            "cannot fit 'mlp' on dataset 'table': the training rows have a total weight of 0");
}

}  // namespace
}  // namespace crossfold
