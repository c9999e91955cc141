// Numbers of frameworks.md 4.10, which are those of Elkan 2001's formula, and hand calculations.
#include "crossfold/stats/expected_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/engine/data/refusal.h"
#include "vectors.h"

namespace crossfold::stats {
namespace {

using Doubles = std::vector<double>;

const Doubles kCosts = {0, 1, 5, 0};  // a missed positive row costs 5

TEST(ExpectedCostTest, IsTheMeanOverTheTrueClasses) {
  // Calling the first class costs .25 * 2 + .25 * 10.
  const Doubles costs = {0, 1, 4, 2, 0, 1, 10, 3, -1};
  EXPECT_EQ(ExpectedCosts(Doubles{.5, .25, .25}, costs), (Doubles{3, 1.25, 2}));
  EXPECT_EQ(CheapestDecision(Doubles{.5, .25, .25}, costs), 1U);
}

TEST(ExpectedCostTest, EqualCostsGoToTheLowerIndex) {
  EXPECT_EQ(CheapestDecision(Doubles{.5, .5}, Doubles{0, 1, 1, 0}), 0U);
  EXPECT_EQ(CheapestDecision(Doubles{.25, .25, .5}, Doubles{1, 1, 1, 1, 1, 1, 1, 1, 1}), 0U);
}

TEST(ThresholdOfCostsTest, IsASixthForAFivefoldMiss) {
  const CostThreshold found = ThresholdOfCosts(kCosts);
  EXPECT_TRUE(found.defined);
  EXPECT_EQ(found.threshold, 1.0 / 6);
}

TEST(ThresholdOfCostsTest, IsWhereTheCheapestDecisionChanges) {
  const Doubles costs = {-1, 2, 4, 0.5};
  const double threshold = ThresholdOfCosts(costs).threshold;
  for (int i = 0; i <= 1000; ++i) {
    const double p = i / 1000.0;
    if (std::fabs(p - threshold) < 1e-9) continue;
    EXPECT_EQ(CheapestDecision(Doubles{1 - p, p}, costs), p > threshold ? 1U : 0U) << p;
  }
}

TEST(ThresholdOfCostsTest, TheSecondVectorCostsFourAndNotSeven) {
  const VectorValue in = TestVector("binary9").at("in");
  const auto y = in.at("y").get<std::vector<int>>();
  const Doubles s = Numbers(in.at("s"));
  ASSERT_EQ(s.size(), 9U);
  double cheapest = 0, at_half = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto truth = static_cast<std::size_t>(y[i]);
    const std::size_t decision = CheapestDecision(Doubles{1 - s[i], s[i]}, kCosts);
    EXPECT_EQ(decision, s[i] >= ThresholdOfCosts(kCosts).threshold ? 1U : 0U);
    cheapest += kCosts[2 * truth + decision];
    at_half += kCosts[2 * truth + (s[i] >= .5 ? 1U : 0U)];
  }
  EXPECT_EQ(at_half, 7);
  EXPECT_EQ(cheapest, 4);
}

TEST(ThresholdOfCostsTest, IsUndefinedIfAMistakeCostsNothing) {
  EXPECT_EQ(ThresholdOfCosts(Doubles{1, 1, 5, 0}).undefined,
            "a mistake costs no more than the right answer");
  EXPECT_TRUE(std::isnan(ThresholdOfCosts(Doubles{0, 1, 0, 0}).threshold));
}

TEST(ExpectedCostTest, OtherSizesAndNumbersAreRefused) {
  EXPECT_EQ(RefusalOf([] {
              CheapestDecision(Doubles{.5, .5}, Doubles{0, 1, 1});
            }),
            InvalidArgument("cannot compute expected costs: there are 3 costs for 2 classes; give "
                            "classes x classes of them"));
  EXPECT_EQ(RefusalOf([] {
              CheapestDecision(Doubles{.5, .5}, Doubles{0, 1, INFINITY, 0});
            }),
            InvalidArgument("cannot compute expected costs: cost 3 is inf; give finite numbers "
                            "only"));
}

}  // namespace
}  // namespace crossfold::stats
