// "sklearn": scikit-learn 1.2.1,
//   IsotonicRegression(out_of_bounds="clip").fit(kX, kY, weights).predict(kQueries)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "crossfold/stats/isotonic_regression.h"
#include "crossfold/stats/platt_scaling.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

using Doubles = std::vector<double>;

const Doubles kX = {.1, .4, .4, .2, .7, .9, .6, .6, .3, .8, .5, .95};
const Doubles kY = {0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1};
const Doubles kIsotonicWeights = {1, 2, .5, 1, 1, 3, 1, 1, .25, 1, 2, 1};
const Doubles kQueries = {0, .05, .15, .2, .25, .33, .4, .45, .55, .6, .65, .72, .85, .9, .99};

void ExpectValues(const IsotonicRegression& regression, const Doubles& expected) {
  ASSERT_TRUE(regression.defined);
  for (std::size_t i = 0; i < kQueries.size(); ++i) {
    EXPECT_NEAR(ValueAt(regression, kQueries[i]), expected[i], 1e-12) << kQueries[i];
  }
}

TEST(IsotonicRegressionTest, AgreesWithSklearnBetweenAndBeyondThePoints) {
  ExpectValues(FitIsotonicRegression(kX, kY), {0, 0, 0.1875, 0.375, 0.375, 0.375, 0.375, 0.375,
                                               0.375, 0.375, 0.375, 0.5, 1, 1, 1});
}

TEST(IsotonicRegressionTest, AgreesWithSklearnWithWeights) {
  ExpectValues(FitIsotonicRegression(kX, kY, kIsotonicWeights),
               {0, 0, 0.228571428571429, 0.457142857142857, 0.457142857142857, 0.457142857142857,
                0.457142857142857, 0.457142857142857, 0.457142857142857, 0.457142857142857,
                0.457142857142857, 0.565714285714286, 1, 1, 1});
}

TEST(IsotonicRegressionTest, ViolatorsArePooled) {
  // By hand: 3 and 2 pool to 2.5, then 2.5 2.5 and 1 pool to 2.
  const IsotonicRegression regression =
      FitIsotonicRegression(Doubles{1, 2, 3, 4}, Doubles{3, 2, 1, 5});
  EXPECT_EQ(regression.x, (Doubles{1, 3, 4}));
  EXPECT_EQ(regression.y, (Doubles{2, 2, 5}));
}

TEST(IsotonicRegressionTest, EqualPlacesAreAveragedFirst) {
  const IsotonicRegression regression =
      FitIsotonicRegression(Doubles{1, 1, 2}, Doubles{0, 1, 0.75}, Doubles{1, 3, 1});
  EXPECT_EQ(regression.x, (Doubles{1, 2}));
  EXPECT_EQ(regression.y, (Doubles{0.75, 0.75}));
}

TEST(IsotonicRegressionTest, AWeightOfZeroIsAsGoodAsNoPoint) {
  const IsotonicRegression regression =
      FitIsotonicRegression(Doubles{1, 2, 3}, Doubles{0, 9, 1}, Doubles{1, 0, 1});
  EXPECT_EQ(regression.x, (Doubles{1, 3}));
  EXPECT_EQ(ValueAt(regression, 2), 0.5);
}

// The closed form: at each distinct place the greatest, over starts before it, of the least mean
// over ends after it (Barlow et al. 1972, Statistical Inference under Order Restrictions, 1.4).
Doubles MaxMin(const std::vector<std::pair<double, double>>& points) {  // weight, weight * y
  Doubles values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double greatest = -std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a <= i; ++a) {
      double weight = 0, sum = 0, least = std::numeric_limits<double>::infinity();
      for (std::size_t b = a; b < points.size(); ++b) {
        weight += points[b].first;
        sum += points[b].second;
        if (b >= i) least = std::min(least, sum / weight);
      }
      greatest = std::max(greatest, least);
    }
    values.push_back(greatest);
  }
  return values;
}

TEST(IsotonicRegressionTest, IsTheMaxMinFormulaOnRandomPoints) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    plugin::Random random(seed);
    Doubles x, y, weights;
    std::map<double, std::pair<double, double>> by_place;
    const std::uint64_t n = 1 + random.Below(40);
    for (std::uint64_t i = 0; i < n; ++i) {
      x.push_back(static_cast<double>(random.Below(25)));
      y.push_back(static_cast<double>(random.Below(100)) / 7);
      weights.push_back(static_cast<double>(1 + random.Below(8)) / 3);
      by_place[x.back()].first += weights.back();
      by_place[x.back()].second += weights.back() * y.back();
    }
    std::vector<std::pair<double, double>> points;
    for (const auto& [place, point] : by_place) points.push_back(point);
    const Doubles expected = MaxMin(points);
    const IsotonicRegression regression = FitIsotonicRegression(x, y, weights);
    std::size_t i = 0;
    for (const auto& [place, point] : by_place) {
      EXPECT_NEAR(ValueAt(regression, place), expected[i++], 1e-12) << "seed " << seed;
    }
  }
}

TEST(IsotonicRegressionTest, WithoutPointsItIsUndefined) {
  EXPECT_FALSE(FitIsotonicRegression({}, {}).defined);
  EXPECT_EQ(FitIsotonicRegression(Doubles{1}, Doubles{1}, Doubles{0}).undefined,
            "there are no points");
}

TEST(IsotonicRegressionTest, BadListsAreRefused) {
  EXPECT_EQ(
      RefusalOf([] {
        FitIsotonicRegression(Doubles{1, 2}, Doubles{1});
      }),
      InvalidArgument(
          "cannot fit an isotonic regression: there are 2 rows but 1 values; give one per row"));
  EXPECT_EQ(
      RefusalOf([] {
        FitIsotonicRegression(Doubles{1, NAN}, Doubles{1, 2});
      }),
      InvalidArgument("cannot fit an isotonic regression: x 2 is nan; give finite numbers only"));
}

// "sklearn": scikit-learn 1.2.1,
//   from sklearn.calibration import _sigmoid_calibration
//   a, b = _sigmoid_calibration(numpy.array(kScores), numpy.array(kPositive), weights)
// with slope = -a, intercept = -b; its BFGS stops near the minimum. "Newton": the same minimum in
// numpy, 100 plain Newton steps from (0, 0) by numpy.linalg.solve on gradient and Hessian.
using Flags = std::vector<std::uint8_t>;

const std::vector<double> kScores = {-2.5, -1.75, -1.5, -0.5, -0.25, 0.0,
                                     0.5,  0.75,  1.25, 2.0,  2.25,  3.0};
const Flags kPositive = {0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1};
const std::vector<double> kPlattWeights = {1, 2, .5, 1, 1, 3, 1, 1, .25, 1, 2, 1};

void ExpectScaling(const PlattScaling& scaling, double slope, double intercept, double within) {
  EXPECT_TRUE(scaling.defined);
  EXPECT_NEAR(scaling.slope, slope, within);
  EXPECT_NEAR(scaling.intercept, intercept, within);
}

TEST(PlattScalingTest, AgreesWithSklearn) {
  ExpectScaling(FitPlattScaling(kScores, kPositive), 0.42396992686400836, -0.11549173262744972,
                1e-6);
  ExpectScaling(FitPlattScaling(kScores, kPositive, kPlattWeights), 0.5703642767842643,
                -0.018413940384072867, 1e-6);
}

TEST(PlattScalingTest, AgreesWithNewtonInNumpy) {
  ExpectScaling(FitPlattScaling(kScores, kPositive), 0.4239698883012231, -0.11549154835365945,
                1e-13);
  ExpectScaling(FitPlattScaling(kScores, kPositive, kPlattWeights), 0.5703643382922051,
                -0.018413919696701312, 1e-13);
}

TEST(PlattScalingTest, SeparatedClassesHaveAFiniteSlopeBecauseOfTheTargets) {
  ExpectScaling(FitPlattScaling(std::vector<double>{-3, -2, -1, 1, 2, 3}, Flags{0, 0, 0, 1, 1, 1}),
                0.6214019550085678, 0, 1e-13);
}

TEST(PlattScalingTest, ScoresFarFromZeroAndFarApartAreNoHarder) {
  std::vector<double> far;
  for (const double score : kScores) far.push_back(1e6 + 1e4 * score);
  const PlattScaling near_zero = FitPlattScaling(kScores, kPositive);
  const PlattScaling scaling = FitPlattScaling(far, kPositive);
  for (std::size_t i = 0; i < far.size(); ++i) {
    EXPECT_NEAR(Probability(scaling, far[i]), Probability(near_zero, kScores[i]), 1e-12);
  }
}

TEST(PlattScalingTest, EqualScoresGiveTheMeanOfTheTargets) {
  // Targets 3/4 (two positive rows) and 1/5 (three negative ones): mean (2 * 3/4 + 3 / 5) / 5.
  const PlattScaling scaling = FitPlattScaling(std::vector<double>(5, 7.25), Flags{1, 0, 0, 1, 0});
  EXPECT_EQ(scaling.slope, 0);
  EXPECT_NEAR(Probability(scaling, 7.25), 0.42, 1e-15);
}

TEST(PlattScalingTest, AReversedRankingHasANegativeSlope) {
  EXPECT_LT(FitPlattScaling(std::vector<double>{1, 2, 3, 4}, Flags{1, 1, 0, 0}).slope, 0);
}

TEST(PlattScalingTest, AWeightOfZeroIsAsGoodAsNoRow) {
  std::vector<double> scores = kScores, weights = kPlattWeights;
  Flags positive = kPositive;
  scores.push_back(-40);
  positive.push_back(1);
  weights.push_back(0);
  const PlattScaling with = FitPlattScaling(scores, positive, weights);
  const PlattScaling without = FitPlattScaling(kScores, kPositive, kPlattWeights);
  EXPECT_EQ(with.slope, without.slope);
  EXPECT_EQ(with.intercept, without.intercept);
}

// The gradient of the cross entropy at the fitted point, in the textbook form.
void ExpectFlat(const std::vector<double>& scores, const Flags& positive,
                const PlattScaling& scaling) {
  double n[2] = {0, 0}, size = 1;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    n[positive[i]] += 1;
    size = std::max(size, std::fabs(scores[i]));
  }
  double da = 0, db = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double target = positive[i] != 0 ? (n[1] + 1) / (n[1] + 2) : 1 / (n[0] + 2);
    const double residual = Probability(scaling, scores[i]) - target;
    da += residual * scores[i];
    db += residual;
  }
  const double rows = static_cast<double>(scores.size());
  EXPECT_NEAR(da / rows / size, 0, 1e-11);
  EXPECT_NEAR(db / rows, 0, 1e-11);
}

TEST(PlattScalingTest, TheGradientVanishesOnRandomScores) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    plugin::Random random(seed);
    const std::uint64_t rows = 2 + random.Below(60);
    const double spread = std::exp2(static_cast<double>(random.Below(12)) - 6);
    std::vector<double> scores;
    Flags positive = {0, 1};
    for (std::uint64_t i = 0; i < rows; ++i) {
      scores.push_back(spread * (static_cast<double>(random.Below(1000)) / 50 - 10));
      if (i >= 2) positive.push_back(static_cast<std::uint8_t>(random.Below(2)));
    }
    SCOPED_TRACE(seed);
    const PlattScaling scaling = FitPlattScaling(scores, positive);
    ASSERT_TRUE(scaling.defined);
    ExpectFlat(scores, positive, scaling);
  }
}

TEST(PlattScalingTest, OneClassAloneIsUndefinedWithTheReason) {
  const std::vector<double> two = {1, 2};
  EXPECT_EQ(FitPlattScaling(two, Flags{1, 1}).undefined, "there are no negative rows");
  EXPECT_EQ(FitPlattScaling(two, Flags{0, 0}).undefined, "there are no positive rows");
  EXPECT_EQ(FitPlattScaling({}, {}).undefined, "there are no rows");
  EXPECT_EQ(FitPlattScaling(two, Flags{0, 1}, std::vector<double>{1, 0}).undefined,
            "there are no positive rows");
  EXPECT_TRUE(std::isnan(FitPlattScaling({}, {}).slope));
}

TEST(PlattScalingTest, BadListsAreRefused) {
  const std::vector<double> two = {1, 2}, bad = {1, NAN}, negative = {1, -1};
  EXPECT_EQ(RefusalOf([&] { FitPlattScaling(two, Flags{1}); }),
            InvalidArgument(
                "cannot scale scores: there are 2 rows but 1 true classes; give one per row"));
  EXPECT_EQ(RefusalOf([&] {
              FitPlattScaling(bad, Flags{1, 0});
            }),
            InvalidArgument("cannot scale scores: score 2 is nan; give finite numbers only"));
  EXPECT_EQ(RefusalOf([&] {
              FitPlattScaling(two, Flags{1, 2});
            }),
            InvalidArgument(
                "cannot scale scores: true class 2 is neither 0 nor 1; give 1 for positive rows"));
  EXPECT_EQ(RefusalOf([&] {
              FitPlattScaling(two, Flags{1, 0}, negative);
            }),
            InvalidArgument(
                "cannot scale scores: weight 2 is negative; use 0 for rows that do not count"));
  EXPECT_EQ(
      RefusalOf([&] {
        FitPlattScaling(two, Flags{1, 0}, std::vector<double>{1});
      }),
      InvalidArgument("cannot scale scores: there are 2 rows but 1 weights; give one per row"));
}

TEST(LogOddsTest, ZeroAndOneAreKeptFiniteAndOpposite) {
  EXPECT_EQ(LogOdds(0.5), 0);
  EXPECT_NEAR(LogOdds(0.2), std::log(0.25), 1e-15);
  EXPECT_NEAR(LogOdds(1), 50 * std::log(2.0), 1e-12);
  EXPECT_EQ(LogOdds(0), -LogOdds(1));
  EXPECT_EQ(RefusalOf([] { LogOdds(1.5); }),
            InvalidArgument(
                "cannot take the log-odds: the probability is 1.5; give a number from 0 to 1"));
}

}  // namespace
}  // namespace crossfold::stats
