#include "engine/run/step_seeds.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

// Expected numbers: Python's hashlib, as in unit/engine/plan/seed_test.cpp.
TEST(StepSeedsTest, OfACellStartWithItsRepeatAndFold) {
  const StepSeeds seeds(42, 2, 5);
  EXPECT_EQ(seeds.Fit(), 11662257710298222815u);
  EXPECT_EQ(seeds.Validation(), 15029737511530192796u);
  EXPECT_EQ(seeds.Predict(), 3830049241714610632u);
  EXPECT_EQ(seeds.FitTransform(1), 6048374514820367269u);
  EXPECT_EQ(seeds.Apply(1), 5729423846678209518u);
  EXPECT_EQ(seeds.Resample(1), 7395517100454702838u);
}

TEST(StepSeedsTest, OfAModelByItselfHaveThePurposeOnly) {
  const StepSeeds seeds(42);
  EXPECT_EQ(seeds.Fit(), 13278610656850328372u);
  EXPECT_EQ(seeds.Validation(), 11255204596792065314u);
  EXPECT_EQ(seeds.Predict(), 5753445770564378220u);
  EXPECT_EQ(seeds.FitTransform(1), 15402821091643042339u);
  EXPECT_EQ(seeds.Apply(1), 2299063319842082034u);
  EXPECT_EQ(seeds.Resample(1), 7682595846661377897u);
}

}  // namespace
}  // namespace crossfold
