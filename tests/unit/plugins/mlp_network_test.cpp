// The network inside the plugin mlp: its gradient against finite differences, steps by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "plugins/mlp/training.h"

namespace crossfold::bundled::mlp {
namespace {

// Five rows with three features, three classes or a value, unequal weights.
Examples SomeExamples(plugin::Random& random) {
  Examples examples;
  examples.inputs.resize(3, 5);
  examples.values.resize(5);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 3; ++j) examples.inputs(j, i) = random.Normal();
    examples.values[i] = random.Normal();
    examples.classes.push_back(i % 3);
  }
  examples.weights = Vector{{1, 0.5, 2, 1, 0.25}};
  return examples;
}

double LossAt(const Network& network, const Vector& parameters, const Examples& examples,
              double l2) {
  Network moved = network;
  moved.mutable_parameters() = parameters;
  std::vector<Matrix> layers;
  Vector gradient;
  return moved.LossAndGradient(examples, 5, l2, layers, gradient);
}

// Largest difference of the gradient from central differences.
double GradientError(const std::vector<Index>& sizes, Activation activation, Output output) {
  plugin::Random random(3);
  const Examples examples = SomeExamples(random);
  Network network(sizes, activation, output);
  network.Initialise(random);
  for (double& p : network.mutable_parameters()) p += 0.1 * random.Normal();  // biases too
  std::vector<Matrix> layers;
  Vector gradient;
  const double l2 = 0.3, step = 1e-5;
  network.LossAndGradient(examples, 5, l2, layers, gradient);
  double worst = 0;
  for (Index k = 0; k < gradient.size(); ++k) {
    Vector up = network.parameters(), down = up;
    up[k] += step;
    down[k] -= step;
    const double slope =
        (LossAt(network, up, examples, l2) - LossAt(network, down, examples, l2)) / (2 * step);
    worst = std::max(worst, std::abs(slope - gradient[k]));
  }
  return worst;
}

TEST(MlpNetworkTest, BackpropagationGivesTheGradientOfTheLoss) {
  for (const Activation activation :
       {Activation::kRelu, Activation::kTanh, Activation::kLogistic}) {
    for (const std::vector<Index>& hidden :
         {std::vector<Index>{}, std::vector<Index>{4}, std::vector<Index>{4, 6, 2}}) {
      for (const Output output : {Output::kSoftmax, Output::kIdentity}) {
        std::vector<Index> sizes = {3};
        sizes.insert(sizes.end(), hidden.begin(), hidden.end());
        sizes.push_back(output == Output::kSoftmax ? 3 : 1);
        EXPECT_LT(GradientError(sizes, activation, output), 1e-9)
            << static_cast<int>(activation) << " " << hidden.size() << " "
            << static_cast<int>(output);
      }
    }
  }
}

// One input x = 1, one tanh unit with weight 1/2, output 2 a + 1, target 1. By hand: a = tanh(1/2),
// the error is 2a, the loss 2 a^2; slopes: of the output weight 2 a^2, of its bias 2a, of the
// hidden weight and bias 2a * 2 * (1 - a^2).
TEST(MlpNetworkTest, ATinyNetworkAgreesWithACalculationByHand) {
  Network network({1, 1, 1}, Activation::kTanh, Output::kIdentity);
  network.mutable_parameters() = Vector{{0.5, 0, 2, 1}};
  Examples one;
  one.inputs = Matrix{{1}};
  one.values = Vector{{1}};
  one.weights = Vector{{1}};
  std::vector<Matrix> layers;
  Vector gradient;
  const double a = std::tanh(0.5);
  EXPECT_DOUBLE_EQ(network.LossAndGradient(one, 1, 0, layers, gradient), 2 * a * a);
  EXPECT_DOUBLE_EQ(gradient[0], 4 * a * (1 - a * a));
  EXPECT_DOUBLE_EQ(gradient[1], 4 * a * (1 - a * a));
  EXPECT_DOUBLE_EQ(gradient[2], 2 * a * a);
  EXPECT_DOUBLE_EQ(gradient[3], 2 * a);
  // The penalty adds 0.1 / 2 * (0.5^2 + 2^2), and 0.1 w to the slopes of the two weights alone.
  EXPECT_DOUBLE_EQ(network.LossAndGradient(one, 1, 0.1, layers, gradient), 2 * a * a + 0.2125);
  EXPECT_DOUBLE_EQ(gradient[2], 2 * a * a + 0.2);
  EXPECT_DOUBLE_EQ(gradient[3], 2 * a);
}

TEST(MlpNetworkTest, AWeightScalesTheLossOfItsRow) {
  Network network({1, 2}, Activation::kRelu, Output::kSoftmax);
  Examples rows;
  rows.inputs = Matrix{{1, 1}};
  rows.classes = {0, 1};
  rows.weights = Vector{{3, 1}};
  std::vector<Matrix> layers;
  Vector gradient;
  // All parameters 0: both classes have 1/2. Slopes of the biases: (3 * (1/2 - 1) + 1/2) / 2.
  EXPECT_DOUBLE_EQ(network.LossAndGradient(rows, 2, 0, layers, gradient), 2 * std::log(2.0));
  EXPECT_DOUBLE_EQ(network.BiasesIn(gradient, 0)[0], -0.5);
  EXPECT_DOUBLE_EQ(network.BiasesIn(gradient, 0)[1], 0.5);
}

TEST(MlpNetworkTest, TheLossOfAnImpossibleClassIsLargeNotInfinite) {
  Network network({1, 2}, Activation::kRelu, Output::kSoftmax);
  network.BiasesIn(network.mutable_parameters(), 0)[0] = 2000;
  Examples row;
  row.inputs = Matrix{{0}};
  row.classes = {1};
  row.weights = Vector{{1}};
  std::vector<Matrix> layers;
  Vector gradient;
  EXPECT_DOUBLE_EQ(network.LossAndGradient(row, 1, 0, layers, gradient), 2000);
}

// Gradient 1 at every step, learning rate 0.1, momentum 0.9. Velocities: -0.1, -0.19.
TEST(MlpNetworkTest, TwoStepsOfMomentumByHand) {
  TrainingParams params{.solver = Solver::kSgd, .learning_rate = 0.1, .nesterov = false};
  Vector p = Vector::Zero(1);
  const Vector one = Vector::Ones(1);
  Optimiser plain(params, 1);
  plain.Step(one, p);
  plain.Step(one, p);
  EXPECT_DOUBLE_EQ(p[0], -0.1 - 0.19);
  // Nesterov: each step goes 0.9 times the new velocity and the gradient's own part.
  params.nesterov = true;
  p.setZero();
  Optimiser nesterov(params, 1);
  nesterov.Step(one, p);
  nesterov.Step(one, p);
  EXPECT_DOUBLE_EQ(p[0], (-0.09 - 0.1) + (-0.171 - 0.1));
}

// Gradients 1 and 3: m = 0.1, 0.39; v = 0.001, 0.009999; divided by 1 - beta^t they are 1 and
// 0.39 / 0.19, 1 and 0.009999 / 0.001999.
TEST(MlpNetworkTest, TwoStepsOfAdamByHand) {
  const TrainingParams params{.learning_rate = 0.1};
  Vector p = Vector::Zero(1);
  Optimiser adam(params, 1);
  adam.Step(Vector::Constant(1, 1), p);
  EXPECT_NEAR(p[0], -0.1, 1e-8);
  adam.Step(Vector::Constant(1, 3), p);
  EXPECT_NEAR(p[0], -0.1 - 0.1 * (0.39 / 0.19) / std::sqrt(0.009999 / 0.001999), 1e-8);
}

TEST(MlpNetworkTest, WeightsStartWithinTheLimitsOfTheirLayers) {
  plugin::Random random(1);
  Network relu({50, 30, 20}, Activation::kRelu, Output::kSoftmax);
  relu.Initialise(random);
  const double he = std::sqrt(6.0 / 50), glorot = std::sqrt(6.0 / 50);  // 6 / 50, 6 / (30 + 20)
  EXPECT_LE(relu.WeightsIn(relu.parameters(), 0).cwiseAbs().maxCoeff(), he);
  EXPECT_GT(relu.WeightsIn(relu.parameters(), 0).cwiseAbs().maxCoeff(), 0.98 * he);
  EXPECT_LE(relu.WeightsIn(relu.parameters(), 1).cwiseAbs().maxCoeff(), glorot);
  EXPECT_EQ(relu.BiasesIn(relu.parameters(), 0).cwiseAbs().maxCoeff(), 0);
  Network tanh({50, 30, 20}, Activation::kTanh, Output::kSoftmax);
  tanh.Initialise(random);
  EXPECT_LE(tanh.WeightsIn(tanh.parameters(), 0).cwiseAbs().maxCoeff(), std::sqrt(6.0 / 80));
  EXPECT_GT(tanh.WeightsIn(tanh.parameters(), 0).cwiseAbs().maxCoeff(), 0.98 * std::sqrt(6.0 / 80));
}

TEST(MlpNetworkTest, EarlyStoppingKeepsTheBestAndCountsFromTheLastRealImprovement) {
  const TrainingParams params{.patience = 2, .min_delta = 0.1};
  EarlyStopping stopping(params);
  const auto at = [](double p) { return Vector::Constant(1, p); };
  EXPECT_FALSE(stopping.Add(1.0, at(1)));
  EXPECT_FALSE(stopping.Add(0.95, at(2)));  // better, but by less than min_delta
  EXPECT_FALSE(stopping.Add(0.8, at(3)));
  EXPECT_FALSE(stopping.Add(0.75, at(4)));
  EXPECT_TRUE(stopping.Add(0.9, at(5)));
  EXPECT_EQ(stopping.best()[0], 4);
}

}  // namespace
}  // namespace crossfold::bundled::mlp
