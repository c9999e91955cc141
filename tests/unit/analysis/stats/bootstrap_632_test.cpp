#include "crossfold/stats/bootstrap_632.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "stats_refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

TEST(Bootstrap632Test, MeetsEveryVector) {
  for (int i = 0; i <= 5; ++i) {
    const VectorValue vector = TestVector("b632_" + std::to_string(i));
    const VectorValue &in = vector.at("in"), &out = vector.at("out");
    const Bootstrap632 result = CombineErrors(in.at("err"), in.at("err1"), in.at("gamma"));
    const double tolerance = vector.at("tol");
    EXPECT_NEAR(result.estimate_632, out.at("e632"), tolerance) << i;
    EXPECT_NEAR(result.relative_overfitting, out.at("R"), tolerance) << i;
    EXPECT_NEAR(result.weight, out.at("w"), tolerance) << i;
    EXPECT_TRUE(result.estimate_632_plus.defined);
    EXPECT_NEAR(result.estimate_632_plus.value, out.at("e632plus"), tolerance) << i;
  }
}

TEST(Bootstrap632Test, WithoutTheNoInformationErrorThereIsNoPlus) {
  const Bootstrap632 result = CombineErrors(0.1, 0.3, kUnknown);
  EXPECT_DOUBLE_EQ(result.estimate_632, 0.2264);
  EXPECT_FALSE(result.estimate_632_plus.defined);
  EXPECT_EQ(result.estimate_632_plus.undefined, "the no-information error is not known");
  EXPECT_TRUE(std::isnan(result.estimate_632_plus.value) && std::isnan(result.weight));
}

// .632+ lies between the training error and Err(1), and between .632 and Err(1) if Err(1) is
// below gamma.
TEST(Bootstrap632Test, PlusLiesBetweenItsParts) {
  plugin::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double err = random.Uniform(), err1 = random.Uniform(), gamma = random.Uniform();
    const Bootstrap632 result = CombineErrors(err, err1, gamma);
    EXPECT_GE(result.relative_overfitting, 0);
    EXPECT_LE(result.relative_overfitting, 1);
    const double capped = std::fmin(err1, gamma);
    EXPECT_GE(result.estimate_632_plus.value, std::fmin(err, capped) - 1e-15);
    EXPECT_LE(result.estimate_632_plus.value, std::fmax(err, capped) + 1e-15);
    if (err < err1 && err1 < gamma) {
      EXPECT_GE(result.estimate_632_plus.value, result.estimate_632 - 1e-15);
    }
  }
}

TEST(Bootstrap632Test, RefusesWhatIsNoError) {
  EXPECT_EQ(Refusal([] { CombineErrors(-0.1, 0.3, 0.5); }),
            "cannot combine bootstrap errors: the training error is -0.1; an error is a finite "
            "number from 0 on");
  EXPECT_EQ(Refusal([] { CombineErrors(0.1, kUnknown, 0.5); }),
            "cannot combine bootstrap errors: the out-of-bag error is nan; an error is a finite "
            "number from 0 on");
  EXPECT_EQ(Refusal([] { CombineErrors(0.1, 0.3, -1); }),
            "cannot combine bootstrap errors: the no-information error is -1; an error is a finite "
            "number from 0 on");
}

// frameworks.md 4.8.
TEST(NoInformationErrorTest, MeetsTheReference) {
  const std::vector<std::int64_t> y = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<std::int64_t> half = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(NoInformationError(y, half), 0.5);
  const std::vector<std::int64_t> three = {0, 0, 0, 1, 1, 2, 2, 2, 2, 2};
  const std::vector<std::int64_t> guessed = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  EXPECT_DOUBLE_EQ(NoInformationError(three, guessed), 0.68);
}

// Both against their definition, the mean loss over all pairs.
TEST(NoInformationErrorTest, IsTheMeanLossOverAllPairs) {
  plugin::Random random(5);
  std::vector<std::int64_t> labels, predictions;
  std::vector<double> truth, predicted;
  for (int i = 0; i < 30; ++i) {
    labels.push_back(static_cast<std::int64_t>(random.Below(4)));
    predictions.push_back(static_cast<std::int64_t>(random.Below(5)));
    truth.push_back(random.Normal() + 3);
    predicted.push_back(2 * random.Normal());
  }
  double wrong = 0, squares = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      wrong += labels[i] != predictions[j] ? 1 : 0;
      squares += (truth[i] - predicted[j]) * (truth[i] - predicted[j]);
    }
  }
  EXPECT_DOUBLE_EQ(NoInformationError(labels, predictions), wrong / 900);
  EXPECT_NEAR(NoInformationSquaredError(truth, predicted), squares / 900, 1e-12);
}

TEST(NoInformationErrorTest, OneRowHasOnePair) {
  EXPECT_EQ(NoInformationSquaredError(std::vector<double>{3}, std::vector<double>{5}), 4);
}

TEST(NoInformationErrorTest, RefusesListsThatDoNotFit) {
  EXPECT_EQ(Refusal([] { NoInformationError({}, {}); }),
            "cannot compute the no-information error: there are no rows; give at least one");
  EXPECT_EQ(Refusal([] {
              NoInformationSquaredError(std::vector<double>{1, 2}, std::vector<double>{1});
            }),
            "cannot compute the no-information error: there are 2 true values and 1 predictions; "
            "give one prediction per row");
  EXPECT_EQ(Refusal([] {
              NoInformationSquaredError(std::vector<double>{1}, std::vector<double>{kUnknown});
            }),
            "cannot compute the no-information error: prediction 1 is nan; give finite numbers "
            "only");
}

// frameworks.md 4.8: y = 0 1 1 0 1, out-of-bag predictions {2:0} {0:0} {2:1} {1:0 3:1}. The mean a
// row is .625; a replicate it would be .5, pooled .6.
TEST(LeaveOneOutBootstrapErrorTest, AveragesByRowAndCountsRowsNeverOutOfBag) {
  const std::vector<OutOfBagLoss> losses = {{2, 1}, {0, 0}, {2, 0}, {1, 1}, {3, 1}};
  const OutOfBagError result = LeaveOneOutBootstrapError(5, losses);
  EXPECT_TRUE(result.error.defined);
  EXPECT_DOUBLE_EQ(result.error.value, 0.625);
  EXPECT_EQ(result.rows_used, 4);
  EXPECT_EQ(result.rows_left_out, 1);
}

TEST(LeaveOneOutBootstrapErrorTest, WithoutAnyLossIsUndefined) {
  const OutOfBagError result = LeaveOneOutBootstrapError(3, {});
  EXPECT_FALSE(result.error.defined);
  EXPECT_EQ(result.error.undefined, "no row was ever out of bag");
  EXPECT_TRUE(std::isnan(result.error.value));
  EXPECT_EQ(result.rows_left_out, 3);
}

TEST(LeaveOneOutBootstrapErrorTest, RefusesUnknownRowsAndLosses) {
  const auto refusal = [](std::int64_t rows, OutOfBagLoss loss) {
    return Refusal([&] { LeaveOneOutBootstrapError(rows, {&loss, 1}); });
  };
  EXPECT_EQ(refusal(3, {3, 0}),
            "cannot compute the out-of-bag error: row 3 is not one of 3 rows; rows count from 0");
  EXPECT_EQ(refusal(3, {0, kUnknown}),
            "cannot compute the out-of-bag error: loss 1 is nan; give finite numbers only");
  EXPECT_EQ(refusal(0, {0, 0}),
            "cannot compute the out-of-bag error: there are no rows; give at least one");
}

TEST(NoInformationErrorTest, SquaresTooLargeForANumberAreRefused) {
  const std::vector<double> truth = {1e200, 1}, predicted = {-1e200, 2};
  EXPECT_EQ(Refusal([&] { NoInformationSquaredError(truth, predicted); }),
            "cannot compute the no-information error: the squares are too large for a number; "
            "divide all values by one number");
}

TEST(LeaveOneOutBootstrapErrorTest, TakesMemoryForTestedRowsOnly) {
  const std::int64_t rows = 1'000'000'000'000'000'000;
  const std::vector<OutOfBagLoss> losses = {{rows - 1, 0.25}};
  const OutOfBagError result = LeaveOneOutBootstrapError(rows, losses);
  EXPECT_EQ(result.error.value, 0.25);
  EXPECT_EQ(result.rows_left_out, rows - 1);
}

}  // namespace
}  // namespace crossfold::stats
