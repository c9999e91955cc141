#include "crossfold/stats/power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "analysis/stats/distributions.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

ComparisonModel Model(double disagreement, double training_sd = 0, double alpha = 0.05) {
  return {disagreement, training_sd, alpha};
}

// Wins less losses of one row: 1, 0 or -1, with the given mean and share of not 0.
double DrawRow(plugin::Random& random, double difference, double disagreement) {
  const double u = random.Uniform();
  if (u < (disagreement + difference) / 2) return 1;
  return u < disagreement ? -1 : 0;
}

bool IsSignificant(const std::vector<double>& differences, double ratio, double alpha) {
  const Summary summary = Summarize(differences);
  const double j = static_cast<double>(summary.n);
  const double error = summary.sd * std::sqrt(1 / j + ratio);
  return std::fabs(summary.mean) > StudentQuantile(1 - alpha / 2, j - 1) * error;
}

// As the corrected test sees the world: every split has rows of its own, and the luck of the
// training sets, which all share most of their rows, moves all splits together.
double PowerOfTheModel(std::int64_t rows, std::int64_t folds, std::int64_t repeats,
                       double difference, double disagreement, int trials) {
  plugin::Random random(31);
  const double ratio = 1 / static_cast<double>(folds - 1);
  const std::int64_t n_test = rows / folds;
  const double of_split = (disagreement - difference * difference) / static_cast<double>(n_test);
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const double common = std::sqrt(of_split * ratio) * random.Normal();
    std::vector<double> splits;
    for (std::int64_t j = 0; j < folds * repeats; ++j) {
      double sum = 0;
      for (std::int64_t i = 0; i < n_test; ++i) sum += DrawRow(random, difference, disagreement);
      splits.push_back(common + sum / static_cast<double>(n_test));
    }
    found += IsSignificant(splits, ratio, 0.05) ? 1 : 0;
  }
  return static_cast<double>(found) / trials;
}

// Real repeated k-fold of two fixed prediction rules: all repeats use the same rows, and training
// sets do not matter.
double PowerOfSharedRows(std::int64_t rows, std::int64_t folds, std::int64_t repeats,
                         double difference, double disagreement, int trials) {
  plugin::Random random(32);
  const std::int64_t n_test = rows / folds;
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> of_row(static_cast<std::size_t>(rows));
    for (double& value : of_row) value = DrawRow(random, difference, disagreement);
    std::vector<double> splits;
    for (std::int64_t r = 0; r < repeats; ++r) {
      random.Shuffle(std::span(of_row));
      for (std::int64_t f = 0; f < folds; ++f) {
        double sum = 0;
        for (std::int64_t i = 0; i < n_test; ++i) {
          sum += of_row[static_cast<std::size_t>(f * n_test + i)];
        }
        splits.push_back(sum / static_cast<double>(n_test));
      }
    }
    found += IsSignificant(splits, 1 / static_cast<double>(folds - 1), 0.05) ? 1 : 0;
  }
  return static_cast<double>(found) / trials;
}

// scipy.stats.nct.sf(c, J - 1, d / se) + nct.cdf(-c, J - 1, d / se) with c = t.ppf(1 - alpha / 2,
// J - 1), SciPy 1.10.1.
TEST(PowerTest, AgreesWithSciPy) {
  const Plan folds = PowerOfSplits(300, 0.04, FoldScheme(10, 10), Model(0.1));
  EXPECT_TRUE(folds.defined);
  EXPECT_NEAR(folds.power, 0.5109984159726002, 1e-10);
  EXPECT_NEAR(folds.standard_error, 0.019930992058712092, 1e-15);
  const Plan holdouts =
      PowerOfSplits(500, 0.03, HoldoutScheme(1.0 / 3, 15), Model(0.12, 0.01, 0.01));
  EXPECT_NEAR(holdouts.power, 0.09057948069190476, 1e-10);
  EXPECT_NEAR(holdouts.standard_error, 0.02148503355051294, 1e-15);
}

TEST(PowerTest, IsWhatASimulationOfTheModelFinds) {
  for (const double difference : {0.0, 0.03, 0.05}) {
    const Plan plan = PowerOfSplits(300, difference, FoldScheme(10, 10), Model(0.1));
    EXPECT_NEAR(PowerOfTheModel(300, 10, 10, difference, 0.1, 1000), plan.power, 0.05);
  }
  const Plan plan = PowerOfSplits(300, 0.06, FoldScheme(10, 1), Model(0.1));
  EXPECT_NEAR(PowerOfTheModel(300, 10, 1, 0.06, 0.1, 4000), plan.power, 0.05);
}

// The limit that the header tells: if rows are the only source of chance, the corrected test is
// cautious. Without a difference it finds one less often than alpha; a large one it finds more
// often than was planned.
TEST(PowerTest, IsCautiousWhereTrainingSetsDoNotMatter) {
  const SplitScheme scheme = FoldScheme(10, 10);
  EXPECT_LT(PowerOfSharedRows(300, 10, 10, 0, 0.1, 1000), 0.05);
  const double planned = PowerOfSplits(300, 0.055, scheme, Model(0.1)).power;
  const double found = PowerOfSharedRows(300, 10, 10, 0.055, 0.1, 1000);
  EXPECT_GT(found, planned);
  EXPECT_LT(found, planned + 0.12);
}

TEST(PowerTest, WithoutADifferenceIsAlpha) {
  const ComparisonModel model = Model(0.1, 0, 0.01);
  EXPECT_NEAR(PowerOfSplits(300, 0, FoldScheme(10, 10), model).power, 0.01, 1e-12);
  EXPECT_NEAR(PowerOfMcNemar(300, 0, model).power, 0.01, 1e-12);
}

TEST(PowerTest, GrowsWithRowsAndDifferenceAndFallsWithNoise) {
  const SplitScheme scheme = FoldScheme(5, 4);
  double last = 0;
  for (const std::int64_t rows : {5, 20, 100, 1000, 100'000}) {
    const double power = PowerOfSplits(rows, 0.03, scheme, Model(0.1)).power;
    EXPECT_GT(power, last);
    EXPECT_LE(PowerOfSplits(rows, 0.03, scheme, Model(0.2)).power, power);
    EXPECT_LE(PowerOfSplits(rows, 0.03, scheme, Model(0.1, 0.02)).power, power);
    last = power;
  }
  last = 0;
  for (const double difference : {0.0, 0.01, 0.02, 0.05, 0.09, 0.1}) {
    const double power = PowerOfSplits(400, difference, scheme, Model(0.1)).power;
    EXPECT_GT(power, last);
    EXPECT_EQ(PowerOfSplits(400, -difference, scheme, Model(0.1)).power, power);
    last = power;
  }
}

TEST(PowerTest, FoldsAreRandomSplitsOfTheirShare) {
  EXPECT_EQ(FoldScheme(4, 5).test_share, 0.25);
  EXPECT_EQ(FoldScheme(4, 5).splits, 20);
  EXPECT_EQ(PowerOfSplits(200, 0.05, FoldScheme(4, 5), Model(0.1)).power,
            PowerOfSplits(200, 0.05, HoldoutScheme(0.25, 20), Model(0.1)).power);
}

TEST(PowerTest, NothingVariesIfOneLearnerWinsEveryRow) {
  const Plan plan = PowerOfSplits(100, 1, FoldScheme(10, 10), Model(1));
  EXPECT_FALSE(plan.defined);
  EXPECT_EQ(plan.undefined,
            "one learner is right and the other wrong on every row: nothing varies");
  EXPECT_TRUE(std::isnan(plan.power));
}

// The searches are inverse to the power.
TEST(DetectableDifferenceTest, HasThePowerThatWasAskedFor) {
  const SplitScheme scheme = FoldScheme(10, 10);
  const Plan plan = DetectableBySplits(300, 0.8, scheme, Model(0.05));
  EXPECT_NEAR(plan.difference, 0.0396, 5e-5);  // "with 300 rows and 10 x 10 you see 4.0 points"
  EXPECT_NEAR(PowerOfSplits(300, plan.difference, scheme, Model(0.05)).power, 0.8, 1e-9);
  const Plan mcnemar = DetectableByMcNemar(300, 0.8, Model(0.05));
  EXPECT_NEAR(PowerOfMcNemar(300, mcnemar.difference, Model(0.05)).power, 0.8, 1e-9);
}

// The two powers below were checked with SciPy, as above.
TEST(DetectableDifferenceTest, NoneIsToldIfEvenTheLargestIsNotFound) {
  const Plan plan = DetectableBySplits(20, 0.8, FoldScheme(10, 1), Model(0.1));
  EXPECT_FALSE(plan.defined);
  EXPECT_EQ(
      plan.undefined,
      "even the largest possible difference, the disagreement of 0.1, has a power of only 0.1511");
}

TEST(RowsNeededTest, AreTheFewestThatSuffice) {
  for (const std::int64_t folds : {2, 5, 7, 10}) {
    const SplitScheme scheme = FoldScheme(folds, 3);
    const Plan plan = RowsForSplits(-0.04, 0.8, scheme, Model(0.1));
    EXPECT_TRUE(plan.defined);
    EXPECT_EQ(plan.difference, -0.04);
    const auto rows = static_cast<std::int64_t>(plan.rows);
    EXPECT_GE(PowerOfSplits(rows, 0.04, scheme, Model(0.1)).power, 0.8);
    EXPECT_LT(PowerOfSplits(rows - 1, 0.04, scheme, Model(0.1)).power, 0.8);
  }
}

TEST(RowsNeededTest, TheLuckOfTrainingSetsCannotBeBoughtOffWithRows) {
  const Plan plan = RowsForSplits(0.01, 0.8, FoldScheme(10, 10), Model(0.1, 0.05));
  EXPECT_FALSE(plan.defined);
  EXPECT_EQ(plan.undefined, "even 1e+12 rows have a power of only 0.0879");
}

// Connor 1987: ((1.959964 sqrt(.1) + .841621 sqrt(.1 - .0004)) / .02)^2 = 1959.9.
TEST(McNemarPowerTest, RowsMeetConnorsFormula) {
  EXPECT_EQ(RowsForMcNemar(0.02, 0.8, Model(0.1)).rows, 1960);
}

// By SciPy: norm.sf of (1.959964 sqrt(.2) -+ .05 sqrt(400)) / sqrt(.2 - .0025), added.
TEST(McNemarPowerTest, MeetsTheNormalApproximation) {
  EXPECT_NEAR(PowerOfMcNemar(400, 0.05, Model(0.2)).power, 0.6094467877339137, 1e-12);
}

TEST(PlanTest, RefusesWhatCannotBe) {
  const SplitScheme scheme = FoldScheme(10, 10);
  const std::string start = "cannot plan the comparison: ";
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(300, 0.2, scheme, Model(0.1)); }),
            start +
                "a difference of 0.2 is impossible if the learners disagree on 0.1 of the rows; "
                "give a disagreement that is at least as large");
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(300, std::nan(""), scheme, Model(0.1)); }),
            start +
                "a difference of nan is impossible if the learners disagree on 0.1 of the rows; "
                "give a disagreement that is at least as large");
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(9, 0.05, scheme, Model(0.1)); }),
            start + "there are 9 rows; use at least 10");
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(300, 0.05, scheme, Model(0)); }),
            start + "the disagreement is 0; it is a share of the rows, above 0 and up to 1");
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(300, 0.05, scheme, Model(0.1, -1)); }),
            start + "training_sd is -1; it is a standard deviation, 0 or more");
  EXPECT_EQ(RefusedArgument([&] { DetectableBySplits(300, 0.05, scheme, Model(0.1)); }),
            start + "the power is 0.05; it must be between alpha, here 0.05, and 1");
  EXPECT_EQ(RefusedArgument([&] { RowsForSplits(0, 0.8, scheme, Model(0.1)); }),
            start + "the difference is 0; name the difference that is to be found");
  EXPECT_EQ(
      RefusedArgument([&] {
        PowerOfSplits(300, 0.05, {0.1, 0}, Model(0.1));
      }),
      start + "the number of splits is 0; use at least 2, or McNemar's test for one test set");
  EXPECT_EQ(RefusedArgument([] { FoldScheme(1, 10); }),
            start + "the number of folds is 1; use at least 2");
  EXPECT_EQ(
      RefusedArgument([] { HoldoutScheme(0.3, 1); }),
      start + "the number of splits is 1; use at least 2, or McNemar's test for one test set");
  EXPECT_EQ(RefusedArgument([] { HoldoutScheme(1.5, 10); }),
            start + "the test share is 1.5; it must be between 0 and 1");
}

TEST(PlanTest, RowsAndLevelsBeyondTheDistributionAreRefused) {
  const SplitScheme scheme = FoldScheme(10, 10);
  ComparisonModel model = Model(0.1);
  EXPECT_EQ(
      RefusedArgument([&] { PowerOfSplits(9'000'000'000'000'000'000, 0.0001, scheme, model); }),
      "cannot plan the comparison: there are 9e+18 rows; use at most 1e+12");
  EXPECT_GT(PowerOfSplits(1'000'000'000'000, 0.0001, scheme, model).power, 0.999);
  model.alpha = 1e-300;
  EXPECT_EQ(RefusedArgument([&] { PowerOfSplits(500, 0.01, scheme, model); }),
            "cannot plan the comparison: alpha is 1e-300; use at least 1e-12");
}

}  // namespace
}  // namespace crossfold::stats
