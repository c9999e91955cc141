#include "crossfold/stats/power_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

const std::vector<double> kSizes = {50, 100, 200, 400, 800, 1600};
const std::vector<double> kErrors = {0.256, 0.199, 0.163, 0.134, 0.119, 0.106};

PowerLaw Observed(PowerLawWeights weights = PowerLawWeights::kEqual) {
  return FitPowerLaw(kSizes, kErrors, weights);
}

TEST(PowerLawTest, NoiselessPointsGiveTheirLawBack) {
  const auto vector = TestVector("power_law_exact");
  const double tolerance = vector["tol"];
  const PowerLaw law = FitPowerLaw(Numbers(vector["in"]["n"]), Numbers(vector["out"]["err"]));
  ASSERT_TRUE(law.defined);
  EXPECT_NEAR(law.a, vector["in"]["a"], tolerance);
  EXPECT_NEAR(law.b, vector["in"]["b"], tolerance);
  EXPECT_NEAR(law.c, vector["in"]["c"], tolerance);
  EXPECT_NEAR(PredictError(law, 6400, 0.95).estimate, vector["out"]["err_6400"], tolerance);
  const PowerLawRows rows = RowsForError(law, 0.10, 0.95);
  EXPECT_TRUE(rows.reachable);
  // The errors of the vector have 12 digits, which leave the rows 7.
  EXPECT_NEAR(rows.rows, vector["out"]["n_for_0.10"], 1e-4);
}

TEST(PowerLawTest, ObservedPointsGiveTheVectorOfTheReference) {
  const auto vector = TestVector("power_law_fit");
  const PowerLaw law = FitPowerLaw(Numbers(vector["in"]["n"]), Numbers(vector["in"]["err"]));
  const auto& out = vector["out"];
  const double tolerance = vector["tol"];
  EXPECT_NEAR(law.a, out["a"], tolerance);
  EXPECT_NEAR(law.b, out["b"], tolerance);
  EXPECT_NEAR(law.c, out["c"], tolerance);
  // The reference stopped some 1e-8 before the minimum. 200 Gauss-Newton steps in NumPy give:
  EXPECT_NEAR(law.a, 0.081095152245199, 1e-12);
  EXPECT_NEAR(law.b, 1.562783188038187, 1e-11);
  EXPECT_NEAR(law.c, 0.5599759810801425, 1e-12);
  EXPECT_NEAR(law.sse, out["sse"], 1e-14);
  const PowerLawEstimate at = PredictError(law, 3200, 0.95);
  EXPECT_NEAR(at.estimate, out["err_3200"], 1e-9);
  EXPECT_NEAR(at.low, out["ci95_3200"][0], 1e-9);
  EXPECT_NEAR(at.high, out["ci95_3200"][1], 1e-9);
}

// frameworks.md 4.12.
TEST(PowerLawTest, StandardErrorsAreThoseOfTheDeltaMethod) {
  const PowerLaw law = Observed();
  EXPECT_EQ(law.df, 3);
  EXPECT_NEAR(law.se_a, 0.003592265, 5e-8);
  EXPECT_NEAR(law.se_b, 0.134355568, 5e-8);
  EXPECT_NEAR(law.se_c, 0.025798338, 5e-8);
  EXPECT_NEAR(PredictError(law, 3200, 0.95).se, 0.0016261367, 5e-8);
  const PowerLawEstimate at = PredictError(law, 6400, 0.95);
  EXPECT_NEAR(at.estimate, 0.0926437527, 5e-8);
  EXPECT_NEAR(at.se, 0.0020485780, 5e-8);
  EXPECT_NEAR(at.low, 0.0861242633, 5e-8);
  EXPECT_NEAR(at.high, 0.0991632421, 5e-8);
}

// frameworks.md 4.12.
TEST(PowerLawTest, WeightsByRankAndBySizeCountTheLaterPointsMore) {
  const PowerLaw rank = Observed(PowerLawWeights::kRank);
  EXPECT_NEAR(rank.a, 0.0810753212, 5e-8);
  EXPECT_NEAR(rank.b, 1.5618261780, 5e-8);
  EXPECT_NEAR(rank.c, 0.5598037570, 5e-8);
  EXPECT_NEAR(rank.sse, 3.768536099e-06, 1e-14);
  EXPECT_NEAR(PredictError(rank, 3200, 0.95).estimate, 0.0981140257, 5e-8);
  const PowerLaw size = Observed(PowerLawWeights::kSize);
  EXPECT_NEAR(size.a, 0.0809389832, 5e-8);
  EXPECT_NEAR(size.b, 1.5547401654, 5e-8);
  EXPECT_NEAR(size.c, 0.5585488974, 5e-8);
  EXPECT_NEAR(size.b, 1.554740192256464, 1e-11);  // Gauss-Newton in NumPy, as above
  EXPECT_NEAR(PredictError(size, 3200, 0.95).estimate, 0.0980730385, 5e-8);
}

TEST(PowerLawTest, TheFitIsTheMinimumOfTheSquares) {
  const PowerLaw law = Observed();
  const auto sse = [&](double a, double b, double c) {
    double sum = 0;
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      const double residual = kErrors[j] - a - b * std::pow(kSizes[j], -c);
      sum += residual * residual;
    }
    return sum;
  };
  EXPECT_NEAR(sse(law.a, law.b, law.c), law.sse, 1e-18);
  for (const double step : {-1e-4, 1e-4}) {
    EXPECT_GT(sse(law.a + step, law.b, law.c), law.sse);
    EXPECT_GT(sse(law.a, law.b + step, law.c), law.sse);
    EXPECT_GT(sse(law.a, law.b, law.c + step), law.sse);
  }
}

TEST(PowerLawTest, RowsForATargetAreWhereTheBandReachesIt) {
  const PowerLaw law = Observed();
  const PowerLawRows rows = RowsForError(law, 0.10, 0.95);
  ASSERT_TRUE(rows.reachable);
  EXPECT_NEAR(PredictError(law, rows.rows, 0.95).estimate, 0.10, 1e-12);
  EXPECT_NEAR(PredictError(law, rows.low, 0.95).low, 0.10, 1e-12);
  EXPECT_NEAR(PredictError(law, rows.high, 0.95).high, 0.10, 1e-12);
  EXPECT_LT(rows.low, rows.rows);
  EXPECT_LT(rows.rows, rows.high);
}

TEST(PowerLawTest, RowsHaveNoUpperEndIfTheBandStaysAboveTheTarget) {
  // 0.083 lies above the asymptote 0.0811, by less than its standard error.
  const PowerLawRows rows = RowsForError(Observed(), 0.083, 0.95);
  EXPECT_TRUE(rows.reachable);
  EXPECT_TRUE(std::isfinite(rows.low));
  EXPECT_TRUE(std::isnan(rows.high));
}

TEST(PowerLawTest, ATargetBelowTheAsymptoteIsUnreachable) {
  const PowerLawRows rows = RowsForError(Observed(), 0.05, 0.95);
  EXPECT_FALSE(rows.reachable);
  EXPECT_TRUE(std::isnan(rows.rows));
  EXPECT_TRUE(std::isnan(rows.high));
  EXPECT_TRUE(std::isnan(rows.low)) << "0.05 is 8 standard errors below";
  // 0.08 is below the estimate of the asymptote, but inside its interval.
  const PowerLawRows close = RowsForError(Observed(), 0.08, 0.95);
  EXPECT_FALSE(close.reachable);
  EXPECT_TRUE(std::isfinite(close.low));
}

TEST(PowerLawTest, FewerThanFourPointsAreRefused) {
  const PowerLaw law =
      FitPowerLaw(std::vector<double>{50, 100, 200}, std::vector<double>{0.3, 0.2, 0.15});
  EXPECT_FALSE(law.defined);
  EXPECT_EQ(law.undefined, "a power law needs 4 or more sizes, there are 3");
  EXPECT_TRUE(std::isnan(law.a));
}

TEST(PowerLawTest, AnIncreasingOrFlatCurveIsNoPowerLaw) {
  const std::vector<double> sizes = {50, 100, 200, 400};
  for (const auto& errors :
       {std::vector<double>{0.1, 0.12, 0.15, 0.2}, std::vector<double>{0.2, 0.2, 0.2, 0.2}}) {
    const PowerLaw law = FitPowerLaw(sizes, errors);
    EXPECT_FALSE(law.defined);
    EXPECT_EQ(law.undefined, "no power law: the error does not fall as the rows grow");
  }
}

TEST(PowerLawTest, ACurveThatFallsAtItsStartOnlyHasNoExponent) {
  const PowerLaw law =
      FitPowerLaw(std::vector<double>{50, 100, 200, 400}, std::vector<double>{0.5, 0.2, 0.2, 0.2});
  EXPECT_FALSE(law.defined);
  EXPECT_EQ(law.undefined, "no power law: the error falls at the smallest sizes only");
}

// A straight line in ln n wants a < 0. With a = 0 the law is a line in log-log coordinates.
TEST(PowerLawTest, AtTheBoundTheLawHasTwoParametersAndAWiderInterval) {
  std::vector<double> errors;
  for (const double n : kSizes) errors.push_back(0.5 - 0.06 * std::log(n / 50));
  const PowerLaw law = FitPowerLaw(kSizes, errors);
  ASSERT_TRUE(law.defined);
  EXPECT_TRUE(law.at_bound);
  EXPECT_EQ(law.a, 0);
  EXPECT_EQ(law.df, 4);
  EXPECT_TRUE(std::isnan(law.se_a));
  EXPECT_GT(law.se_b, 0);
  const PowerLawEstimate at = PredictError(law, 6400, 0.95);
  EXPECT_LE(at.low, law.unbounded.At(6400));
  EXPECT_NEAR(law.unbounded.At(6400), 0.5 - 0.06 * std::log(128.0), 0.01);
  EXPECT_LT(law.unbounded.a, 0);
}

TEST(PowerLawTest, ALawWithoutAsymptoteIsFoundExactly) {
  std::vector<double> errors;
  for (const double n : kSizes) errors.push_back(2 * std::pow(n, -0.4));
  const PowerLaw law = FitPowerLaw(kSizes, errors);
  EXPECT_NEAR(law.a, 0, 1e-9);
  EXPECT_NEAR(law.b, 2, 1e-7);
  EXPECT_NEAR(law.c, 0.4, 1e-8);
}

TEST(PowerLawTest, MistakesAreErrors) {
  EXPECT_EQ(test::MessageOf([] {
              FitPowerLaw(std::vector<double>{1, 2}, std::vector<double>{1});
            }),
            "cannot fit a power law: there are 2 sizes and 1 errors; give one error per size");
  EXPECT_EQ(test::MessageOf([] {
              FitPowerLaw(std::vector<double>{2, 2}, std::vector<double>{1, 1});
            }),
            "cannot fit a power law: size 2 does not continue an ascending list of numbers above "
            "0; sort the sizes and give each once");
  EXPECT_EQ(
      test::MessageOf([] {
        FitPowerLaw(std::vector<double>{1, 2}, std::vector<double>{1, -1});
      }),
      "cannot fit a power law: error 2 is negative or not finite; the law is for errors from 0 up");
  EXPECT_EQ(test::MessageOf([] { Observed(PowerLawWeights::kInverseVariance); }),
            "cannot fit a power law: the weights 1 / variance need trials; give the errors of two "
            "or more");
  EXPECT_EQ(test::MessageOf([] { PredictError(Observed(), 100, 1); }),
            "cannot ask a power law: the confidence is not between 0 and 1; use 0.95");
  EXPECT_EQ(
      test::MessageOf([] { PredictError(Observed(), 0, 0.95); }),
      "cannot ask a power law: the number of rows is not a finite number above 0; give a size");
  EXPECT_EQ(test::MessageOf([] { CrossPowerLaws(Observed(), Observed(), 10, 10, 0.95); }),
            "cannot ask a power law: the range of rows is not two ascending numbers above 0; give "
            "from and to");
}

// 0.05 + 2 n^-0.5 and 0.10 + 1 n^-0.5 meet where n^-0.5 = 0.05: at 400 rows.
TEST(PowerLawTest, TwoLawsCrossWhereTheirErrorsAreEqual) {
  std::vector<double> steep, flat;
  for (const double n : kSizes) {
    steep.push_back(0.05 + 2 * std::pow(n, -0.5));
    flat.push_back(0.10 + std::pow(n, -0.5));
  }
  const PowerLaw first = FitPowerLaw(kSizes, steep), second = FitPowerLaw(kSizes, flat);
  const PowerLawCrossing crossing = CrossPowerLaws(first, second, 50, 10000, 0.95);
  ASSERT_EQ(crossing.crosses, Crosses::kYes);
  EXPECT_NEAR(crossing.rows, 400, 1e-6);
  EXPECT_NEAR(crossing.low, 400, 1e-3);
  EXPECT_NEAR(crossing.high, 400, 1e-3);
  EXPECT_FALSE(crossing.first_lower_before);
  const PowerLawCrossing none = CrossPowerLaws(first, second, 500, 10000, 0.95);
  EXPECT_EQ(none.crosses, Crosses::kNo);
  EXPECT_TRUE(none.first_lower_before);
}

// The same laws with trials that shift the second by s = 0.03, so that its interval is +- t(0.975,
// 2) s / sqrt(3) = 0.0745 wide: more than 0.05, by which the first is ever lower.
TEST(PowerLawTest, LawsThatMeetWithinTheirNoiseAreNotToldToCross) {
  std::vector<std::vector<double>> steep, flat;
  for (const double shift : {-0.03, 0.0, 0.03}) {
    steep.emplace_back();
    flat.emplace_back();
    for (const double n : kSizes) {
      steep.back().push_back(0.05 + 2 * std::pow(n, -0.5));
      flat.back().push_back(0.10 + std::pow(n, -0.5) + shift);
    }
  }
  const PowerLaw first = FitPowerLawToTrials(kSizes, steep, 0);
  const PowerLaw second = FitPowerLawToTrials(kSizes, flat, 0);
  const PowerLawCrossing open = CrossPowerLaws(first, second, 20, 10000, 0.95);
  EXPECT_EQ(open.crosses, Crosses::kNotDecided);
  EXPECT_NEAR(open.rows, 400, 1e-2);
  EXPECT_NEAR(open.low, std::pow(0.05 + 4.302652729 * 0.03 / std::sqrt(3), -2), 1e-2);
  EXPECT_TRUE(std::isnan(open.high));
  EXPECT_FALSE(open.first_lower_before);
  const PowerLawCrossing before = CrossPowerLaws(first, second, 20, 300, 0.95);
  EXPECT_EQ(before.crosses, Crosses::kNotDecided);
  EXPECT_TRUE(std::isnan(before.rows));
  EXPECT_NEAR(before.low, open.low, 1e-6);
  EXPECT_EQ(CrossPowerLaws(first, second, 20, 60, 0.95).crosses, Crosses::kNo);
}

TEST(PowerLawTest, ALawIsNotToldFromItself) {
  const PowerLawCrossing crossing = CrossPowerLaws(Observed(), Observed(), 10, 1000, 0.95);
  EXPECT_EQ(crossing.crosses, Crosses::kNotDecided);
  EXPECT_TRUE(std::isnan(crossing.rows) && std::isnan(crossing.low) && std::isnan(crossing.high));
}

// Trials whose noise is the same at every size (a hard test set) move the law up and down: the
// spread of the forecast is that of the noise, although the points lie on the law without scatter.
TEST(PowerLawTest, NoiseThatTheSizesOfATrialShareIsInTheInterval) {
  std::vector<std::vector<double>> trials;
  for (const double shift : {-0.02, -0.01, 0.0, 0.01, 0.02}) {
    trials.emplace_back();
    for (const double n : kSizes) {
      trials.back().push_back(0.08 + 1.5 * std::pow(n, -0.55) + shift);
    }
  }
  const PowerLaw law = FitPowerLawToTrials(kSizes, trials, 0);
  EXPECT_NEAR(law.a, 0.08, 1e-8);
  EXPECT_EQ(law.df, 4);
  EXPECT_NEAR(law.sse, 0, 1e-18);
  EXPECT_NEAR(law.misfit, 0, 1e-6);
  // sd = sqrt(0.00025), divided by the root of 5.
  EXPECT_NEAR(PredictError(law, 6400, 0.95).se, std::sqrt(0.00025 / 5), 1e-9);
  // 1/5 + 1/2 instead of 1/5.
  const PowerLaw corrected = FitPowerLawToTrials(kSizes, trials, 0.5);
  EXPECT_NEAR(PredictError(corrected, 6400, 0.95).se, std::sqrt(0.00025 * 0.7), 1e-9);
}

// Trials with the same mean over the sizes share no level that a common pool of rows could move.
TEST(PowerLawTest, NoiseThatTheSizesDoNotShareIsNotCorrected) {
  std::vector<std::vector<double>> trials;
  for (const double tilt : {-0.01, 0.0, 0.01}) {
    trials.emplace_back();
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      const double shift = tilt * (static_cast<double>(j) - 2.5);
      trials.back().push_back(0.08 + 1.5 * std::pow(kSizes[j], -0.55) + shift);
    }
  }
  const PowerLaw alone = FitPowerLawToTrials(kSizes, trials, 0);
  const PowerLaw shared = FitPowerLawToTrials(kSizes, trials, 0.5);
  EXPECT_GT(alone.se_a, 0);
  EXPECT_NEAR(shared.se_a, alone.se_a, 1e-12);
  EXPECT_NEAR(PredictError(shared, 6400, 0.95).high, PredictError(alone, 6400, 0.95).high, 1e-12);
}

TEST(PowerLawTest, WeightsByVarianceNeedSpreadAtEverySize) {
  std::vector<std::vector<double>> trials = {{0.5, 0.4, 0.3, 0.25}, {0.52, 0.41, 0.31, 0.25}};
  const std::vector<double> sizes = {50, 100, 200, 400};
  const auto fit = [&] {
    return FitPowerLawToTrials(sizes, trials, 0, PowerLawWeights::kInverseVariance);
  };
  EXPECT_EQ(test::MessageOf(fit),
            "cannot fit a power law: all trials agree at size 4, so that its weight 1 / variance "
            "is infinite; use other weights");
  trials[1][3] = 0.26;
  EXPECT_TRUE(fit().defined);
}

TEST(PowerLawTest, OneTrialIsRefused) {
  const std::vector<std::vector<double>> one = {kErrors};
  EXPECT_EQ(test::MessageOf([&] { FitPowerLawToTrials(kSizes, one, 0); }),
            "cannot fit a power law: there are fewer than 2 trials; fit their errors as points");
}

// A curve that bends down in log-log coordinates is not a power law: the forecasts inside it miss.
TEST(PowerLawTest, ForecastsThatMissInsideTheCurveWidenTheInterval) {
  std::vector<std::vector<double>> trials(5);
  plugin::Random random(3);
  for (auto& trial : trials) {
    for (const double n : kSizes) {
      trial.push_back(0.6 / (1 + std::pow(n / 600, 1.5)) + 0.0005 * random.Normal());
    }
  }
  const PowerLaw law = FitPowerLawToTrials(kSizes, trials, 0);
  ASSERT_TRUE(law.defined);
  EXPECT_GT(law.misfit, 0.1);
  const double truth = 0.6 / (1 + std::pow(3200.0 / 600, 1.5));
  const PowerLawEstimate at = PredictError(law, 3200, 0.95);
  EXPECT_GT(at.estimate, truth);
  EXPECT_LE(at.low, truth);
}

// The errors of trials drawn around a law: a part of the noise is common to a trial (its test
// rows), a part follows the nested training sets.
std::vector<std::vector<double>> DrawTrials(const PowerLawCurve& truth, std::size_t trials,
                                            plugin::Random& random) {
  std::vector<std::vector<double>> errors(trials);
  for (auto& trial : errors) {
    const double shared = 0.012 * random.Normal();
    double nested = random.Normal(), before = kSizes.front();
    for (const double n : kSizes) {
      const double kept = std::sqrt(before / n);
      nested = kept * nested + std::sqrt(1 - kept * kept) * random.Normal();
      before = n;
      trial.push_back(std::max(
          0.0, truth.At(n) + shared + 0.008 * random.Normal() + 0.05 * nested / std::sqrt(n)));
    }
  }
  return errors;
}

// Nominal 95 %, 300 draws a curve: within 10 points. tests/bench/learning_curve_coverage.lua
// measures more curves, and letter.
TEST(PowerLawTest, IntervalsCoverTheTruthAtLargerSizes) {
  for (const double c : {0.4, 0.55, 0.8}) {
    PowerLawCurve truth;
    truth.a = 0.08;
    truth.scaled_b = 0.2;
    truth.smallest = 50;
    truth.c = c;
    plugin::Random random(17);
    int covered = 0, fits = 0;
    for (int i = 0; i < 300; ++i) {
      const PowerLaw law = FitPowerLawToTrials(kSizes, DrawTrials(truth, 10, random), 0);
      if (!law.defined) continue;
      ++fits;
      const PowerLawEstimate at = PredictError(law, 6400, 0.95);
      covered += at.low <= truth.At(6400) && truth.At(6400) <= at.high;
    }
    EXPECT_GE(fits, 295) << c;
    EXPECT_GE(covered, 0.85 * fits) << c;
  }
}

}  // namespace
}  // namespace crossfold::stats
