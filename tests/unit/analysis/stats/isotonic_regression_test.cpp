// "sklearn": scikit-learn 1.2.1,
//   IsotonicRegression(out_of_bounds="clip").fit(kX, kY, weights).predict(kQueries)
#include "crossfold/stats/isotonic_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

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
      InvalidArgument("cannot fit an isotonic regression: there are 2 rows but 1 values; give "
                      "one per row"));
  EXPECT_EQ(RefusalOf([] {
              FitIsotonicRegression(Doubles{1, NAN}, Doubles{1, 2});
            }),
            InvalidArgument("cannot fit an isotonic regression: x 2 is nan; give finite numbers "
                            "only"));
}

}  // namespace
}  // namespace crossfold::stats
