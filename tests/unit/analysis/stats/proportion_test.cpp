// Numbers of frameworks.md 4.1 and 4.2 (statsmodels proportion_confint and proportions_ztest, R
// prop.test and binom.test), ten decimals, and of tests/data/vectors.json.
#include "crossfold/stats/proportion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

constexpr ProportionMethod kProportionMethods[] = {
    ProportionMethod::kNormal,          ProportionMethod::kWilson,
    ProportionMethod::kWilsonCorrected, ProportionMethod::kClopperPearson,
    ProportionMethod::kAgrestiCoull,    ProportionMethod::kJeffreys};

void ExpectLimits(std::int64_t count, std::int64_t n, ProportionMethod method, double low,
                  double high) {
  const ProportionInterval interval = IntervalOfProportion(count, n, method);
  EXPECT_TRUE(interval.defined);
  EXPECT_NEAR(interval.low, low, 5.1e-11);
  EXPECT_NEAR(interval.high, high, 5.1e-11);
}

TEST(IntervalOfProportionTest, AgreesWithStatsmodelsAndROnEightyFiveOfHundred) {
  ExpectLimits(85, 100, ProportionMethod::kNormal, 0.7800152874, 0.9199847126);
  ExpectLimits(85, 100, ProportionMethod::kWilson, 0.7671644041, 0.9069401472);
  ExpectLimits(85, 100, ProportionMethod::kWilsonCorrected, 0.7614692320, 0.9108509043);
  ExpectLimits(85, 100, ProportionMethod::kClopperPearson, 0.7646924999, 0.9135456144);
  ExpectLimits(85, 100, ProportionMethod::kAgrestiCoull, 0.7660187875, 0.9080857637);
  ExpectLimits(85, 100, ProportionMethod::kJeffreys, 0.7704693408, 0.9096304836);
}

TEST(IntervalOfProportionTest, AgreesWithStatsmodelsAndROnTwoHundredRows) {
  ExpectLimits(175, 200, ProportionMethod::kNormal, 0.8291655392, 0.9208344608);
  ExpectLimits(175, 200, ProportionMethod::kWilson, 0.8219857500, 0.9138802552);
  ExpectLimits(175, 200, ProportionMethod::kWilsonCorrected, 0.8191583764, 0.9159530416);
  ExpectLimits(175, 200, ProportionMethod::kClopperPearson, 0.8210262499, 0.9174476582);
  ExpectLimits(175, 200, ProportionMethod::kAgrestiCoull, 0.8214555748, 0.9144104304);
  ExpectLimits(175, 200, ProportionMethod::kJeffreys, 0.8238740255, 0.9153725660);
}

TEST(IntervalOfProportionTest, AllRowsRight) {
  ExpectLimits(20, 20, ProportionMethod::kNormal, 1, 1);
  ExpectLimits(20, 20, ProportionMethod::kWilson, 0.8388748419, 1);
  ExpectLimits(20, 20, ProportionMethod::kWilsonCorrected, 0.7995466550, 1);
  ExpectLimits(20, 20, ProportionMethod::kClopperPearson, 0.8315665290, 1);
  ExpectLimits(20, 20, ProportionMethod::kAgrestiCoull, 0.8101904395, 1);
  ExpectLimits(20, 20, ProportionMethod::kJeffreys, 0.8833610171, 0.9999757535);
}

TEST(IntervalOfProportionTest, NoRowRight) {
  ExpectLimits(0, 10, ProportionMethod::kNormal, 0, 0);
  ExpectLimits(0, 10, ProportionMethod::kWilson, 0, 0.2775327999);
  ExpectLimits(0, 10, ProportionMethod::kWilsonCorrected, 0, 0.3445372183);
  ExpectLimits(0, 10, ProportionMethod::kClopperPearson, 0, 0.3084971078);
  ExpectLimits(0, 10, ProportionMethod::kAgrestiCoull, 0, 0.3208873058);
  ExpectLimits(0, 10, ProportionMethod::kJeffreys, 0.0000478904, 0.2171962675);
}

TEST(IntervalOfProportionTest, AgreesWithTheVectors) {
  for (const char* id :
       {"ci_acc_85_100", "ci_acc_175_200", "ci_acc_20_20", "ci_acc_0_10", "ci_acc_9_10"}) {
    const auto vector = TestVector(id);
    const auto& in = vector["in"];
    for (const auto& [name, method] :
         {std::pair("wilson", ProportionMethod::kWilson),
          std::pair("clopper_pearson", ProportionMethod::kClopperPearson)}) {
      const ProportionInterval interval =
          IntervalOfProportion(in["x"], in["n"], method, in["conf"]);
      EXPECT_NEAR(interval.low, vector["out"][name][0], vector["tol"]) << id << " " << name;
      EXPECT_NEAR(interval.high, vector["out"][name][1], vector["tol"]) << id << " " << name;
    }
  }
}

// worked_examples.md, "Evaluation".
TEST(IntervalOfProportionTest, EightyOfHundredOfTheLectures) {
  const ProportionInterval interval = IntervalOfProportion(80, 100);
  EXPECT_NEAR(interval.low, 0.7111708, 5.1e-8);
  EXPECT_NEAR(interval.high, 0.8666331, 5.1e-8);
}

TEST(IntervalOfProportionTest, TheEdgesAreReachedExactly) {
  for (const ProportionMethod method :
       {ProportionMethod::kWilson, ProportionMethod::kWilsonCorrected,
        ProportionMethod::kClopperPearson}) {
    for (const std::int64_t n : {1, 3, 7, 20, 1000003}) {
      EXPECT_EQ(IntervalOfProportion(0, n, method).low, 0);
      EXPECT_EQ(IntervalOfProportion(n, n, method).high, 1);
    }
  }
}

TEST(IntervalOfProportionTest, NoRowsHaveNoInterval) {
  for (const ProportionMethod method : kProportionMethods) {
    const ProportionInterval interval = IntervalOfProportion(0, 0, method);
    EXPECT_FALSE(interval.defined);
    EXPECT_EQ(interval.undefined, "there are no rows");
    EXPECT_TRUE(std::isnan(interval.estimate));
    EXPECT_TRUE(std::isnan(interval.low));
    EXPECT_TRUE(std::isnan(interval.high));
  }
}

// Jeffreys does not at the edges: see the header.
TEST(IntervalOfProportionTest, ContainsTheEstimateAndMirrorsRightAndWrong) {
  for (const ProportionMethod method : kProportionMethods) {
    for (const double confidence : {0.5, 0.9, 0.99}) {
      for (std::int64_t n = 1; n <= 40; n += 3) {
        for (std::int64_t x = 0; x <= n; ++x) {
          const auto right = IntervalOfProportion(x, n, method, confidence);
          const auto wrong = IntervalOfProportion(n - x, n, method, confidence);
          EXPECT_NEAR(right.low, 1 - wrong.high, 1e-12);
          EXPECT_GE(right.low, 0);
          EXPECT_LE(right.high, 1);
          if (method == ProportionMethod::kJeffreys && (x == 0 || x == n)) continue;
          EXPECT_LE(right.low, right.estimate + 1e-15) << x << "/" << n;
          EXPECT_GE(right.high, right.estimate - 1e-15) << x << "/" << n;
        }
      }
    }
  }
}

// The definition of Clopper-Pearson: at each limit the observed tail has (1 - confidence) / 2.
TEST(IntervalOfProportionTest, ClopperPearsonCoversAtLeastItsConfidence) {
  const std::int64_t n = 30;
  for (double p = 0.02; p < 1; p += 0.02) {
    double coverage = 0;
    for (std::int64_t x = 0; x <= n; ++x) {
      const auto interval = IntervalOfProportion(x, n, ProportionMethod::kClopperPearson, 0.9);
      if (interval.low <= p && p <= interval.high) {
        coverage +=
            std::exp(std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0)) *
            std::pow(p, static_cast<double>(x)) * std::pow(1 - p, static_cast<double>(n - x));
      }
    }
    EXPECT_GE(coverage, 0.9 - 1e-12) << p;
  }
}

TEST(IntervalOfProportionTest, WhatIsNoProportionIsRefused) {
  EXPECT_EQ(RefusalOf([] { IntervalOfProportion(12, 10); }),
            InvalidArgument("cannot make the interval of a proportion: 12 of 10 rows is not a "
                            "proportion; the count must be between 0 and the number of rows"));
  EXPECT_EQ(RefusalOf([] { IntervalOfProportion(-1, 10); }),
            InvalidArgument("cannot make the interval of a proportion: -1 of 10 rows is not a "
                            "proportion; the count must be between 0 and the number of rows"));
  EXPECT_EQ(RefusalOf([] { IntervalOfProportion(0, -3); }),
            InvalidArgument("cannot make the interval of a proportion: -3 is not a number of rows; "
                            "count the rows that were tested"));
}

TEST(IntervalOfProportionTest, ConfidenceLiesBetweenZeroAndOne) {
  for (const double confidence : {0.0, 1.0, 95.0, std::nan("")}) {
    EXPECT_ANY_THROW(IntervalOfProportion(1, 2, ProportionMethod::kWilson, confidence));
  }
  EXPECT_EQ(RefusalOf([] { IntervalOfProportion(1, 2, ProportionMethod::kWilson, 95); }),
            InvalidArgument("cannot make the interval of a proportion: the confidence is 95; it "
                            "must be between 0 and 1"));
}

TEST(CompareProportionsTest, AgreesWithStatsmodelsOnTwoHundredRowsEach) {
  const TwoProportions result = CompareProportions({170, 200}, {158, 200});
  EXPECT_TRUE(result.defined);
  EXPECT_NEAR(result.difference, 0.06, 1e-15);
  EXPECT_NEAR(result.pooled_error, 0.0384187454, 5.1e-11);
  EXPECT_NEAR(result.statistic, 1.5617376189, 5.1e-11);
  EXPECT_NEAR(result.p, 0.1183498127, 5.1e-11);
  EXPECT_NEAR(result.standard_error, 0.0383014360, 5.1e-11);
  EXPECT_NEAR(result.unpooled_statistic, 1.5665209000, 5.1e-11);
  EXPECT_NEAR(result.unpooled_p, 0.1172267196, 5.1e-11);
  EXPECT_NEAR(result.low, -0.0150694351, 5.1e-11);
  EXPECT_NEAR(result.high, 0.1350694351, 5.1e-11);
}

// Tan, Steinbach, Kumar: error 0.15 on 30 rows against 0.25 on 5000; 0.15 * 30 is 4.5 rows.
TEST(CompareProportionsTest, TakesRatesOfWhichTheRowsAreNoWholeNumber) {
  const TwoProportions result = CompareProportions({0.15 * 30, 30}, {0.25 * 5000, 5000});
  EXPECT_NEAR(result.difference, -0.10, 1e-15);
  EXPECT_NEAR(result.pooled_error, 0.0792306006, 5.1e-11);
  EXPECT_NEAR(result.statistic, -1.2621386086, 5.1e-11);
  EXPECT_NEAR(result.p, 0.2068989147, 5.1e-11);
  EXPECT_NEAR(result.standard_error, 0.0654790043, 5.1e-11);
  EXPECT_NEAR(result.standard_error * result.standard_error, 0.0042875, 1e-15);
  EXPECT_NEAR(result.unpooled_statistic, -1.5272070966, 5.1e-11);
  EXPECT_NEAR(result.unpooled_p, 0.1267095222, 5.1e-11);
  EXPECT_NEAR(result.low, -0.2283364901, 5.1e-11);
  EXPECT_NEAR(result.high, 0.0283364901, 5.1e-11);
}

TEST(CompareProportionsTest, SwappingTheModelsTurnsTheSign) {
  const TwoProportions one = CompareProportions({11, 40}, {33, 70}, 0.9);
  const TwoProportions other = CompareProportions({33, 70}, {11, 40}, 0.9);
  EXPECT_EQ(one.statistic, -other.statistic);
  EXPECT_EQ(one.p, other.p);
  EXPECT_EQ(one.low, -other.high);
  EXPECT_EQ(one.high, -other.low);
}

TEST(CompareProportionsTest, RatesThatDoNotVaryHaveNoStatistic) {
  const TwoProportions result = CompareProportions({20, 20}, {30, 30});
  EXPECT_FALSE(result.defined);
  EXPECT_EQ(result.undefined,
            "both rates are 1: they do not vary, so there is no statistic; p = 1 by convention");
  EXPECT_EQ(result.p, 1);
  EXPECT_EQ(result.difference, 0);
  EXPECT_TRUE(std::isnan(result.statistic));
  EXPECT_TRUE(std::isnan(result.low));
}

// Pooled rate 1/2, error sqrt(1/4 * 2/10): z = 1 / 0.2236.
TEST(CompareProportionsTest, AllAgainstNothingHasATestAndNoInterval) {
  const TwoProportions result = CompareProportions({10, 10}, {0, 10});
  EXPECT_TRUE(result.defined);
  EXPECT_NEAR(result.statistic, std::sqrt(20.0), 1e-14);
  EXPECT_EQ(
      result.interval_undefined,
      "each rate is 0 or 1: the standard error is 0, which says nothing about the rows not seen");
  EXPECT_TRUE(std::isnan(result.low));
  EXPECT_TRUE(std::isnan(result.unpooled_p));
}

TEST(CompareProportionsTest, NoRowsHaveNothing) {
  const TwoProportions result = CompareProportions({3, 4}, {0, 0});
  EXPECT_FALSE(result.defined);
  EXPECT_EQ(result.undefined, "there are no rows of the second");
  EXPECT_EQ(result.interval_undefined, "there are no rows of the second");
  EXPECT_TRUE(std::isnan(result.p));
  EXPECT_TRUE(std::isnan(result.difference));
}

TEST(CompareProportionsTest, CountsBeyondTheRowsAreRefused) {
  EXPECT_EQ(RefusalOf([] {
              CompareProportions({1, 2}, {2.5, 2});
            }),
            InvalidArgument("cannot compare two proportions: 2.5 of 2 rows is not a proportion; "
                            "the count must be between 0 and the number of rows"));
  EXPECT_EQ(RefusalOf([] {
              CompareProportions({std::nan(""), 2}, {1, 2});
            }),
            InvalidArgument("cannot compare two proportions: nan of 2 rows is not a proportion; "
                            "the count must be between 0 and the number of rows"));
}

}  // namespace
}  // namespace crossfold::stats
