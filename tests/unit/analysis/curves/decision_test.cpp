#include "crossfold/decision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "unit/engine/data/refusal.h"

namespace crossfold {
namespace {

using Codes = std::vector<std::int32_t>;

Prediction TwoClasses(const std::vector<double>& of_second) {
  Prediction p;
  p.n_classes = 2;
  for (std::size_t i = 0; i < of_second.size(); ++i) {
    p.rows.push_back(static_cast<std::int64_t>(i));
    p.labels.push_back(0);
    p.probabilities.insert(p.probabilities.end(), {1 - of_second[i], of_second[i]});
  }
  return p;
}

TEST(DecideByThresholdTest, TheThresholdItselfIsPositive) {
  const Prediction p = TwoClasses({.25, .5, .75});
  const Prediction decided = DecideByThreshold(p, 1, .5);
  EXPECT_EQ(decided.labels, (Codes{0, 1, 1}));
  EXPECT_EQ(decided.probabilities, p.probabilities);
  EXPECT_EQ(DecideByThreshold(p, 0, .5).labels, (Codes{0, 0, 1}));
}

TEST(DecideByThresholdTest, InfinityCallsOneClassAlways) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Prediction p = TwoClasses({0, 1});
  EXPECT_EQ(DecideByThreshold(p, 1, kInfinity).labels, (Codes{0, 0}));
  EXPECT_EQ(DecideByThreshold(p, 1, -kInfinity).labels, (Codes{1, 1}));
}

TEST(DecideByThresholdTest, OtherClassesAndNaNAreRefused) {
  const Refusal refusal = InvalidArgument(
      "cannot decide by a threshold: it takes two classes, one of them positive, and a number; "
      "decide by costs instead");
  Prediction three = TwoClasses({.5, .5, .5});
  three.n_classes = 3;
  three.rows = {0, 1};
  EXPECT_EQ(RefusalOf([&] { DecideByThreshold(three, 1, .5); }), refusal);
  EXPECT_EQ(RefusalOf([] { DecideByThreshold(TwoClasses({.5}), 2, .5); }), refusal);
  EXPECT_EQ(RefusalOf([] { DecideByThreshold(TwoClasses({.5}), 1, NAN); }), refusal);
}

TEST(DecideByCostTest, AFivefoldMissMovesTheBorderToASixth) {
  const Prediction decided =
      DecideByCost(TwoClasses({.1, .16, .17, .9}), std::vector<double>{0, 1, 5, 0});
  EXPECT_EQ(decided.labels, (Codes{0, 0, 1, 1}));
}

TEST(DecideByCostTest, ThereMustBeProbabilities) {
  Prediction p = TwoClasses({.5});
  p.probabilities.clear();
  EXPECT_EQ(RefusalOf([&] {
              DecideByCost(p, std::vector<double>{0, 1, 1, 0});
            }),
            InvalidArgument("cannot decide by costs: the prediction has no probabilities; use a "
                            "learner that gives them"));
}

}  // namespace
}  // namespace crossfold
