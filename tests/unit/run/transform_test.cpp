#include "crossfold/run.h"
#include "unit/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Centred;
using fixture::MakeSpec;
using fixture::ModuloSplits;
using fixture::SixRows;
using ::testing::ElementsAre;

std::vector<Outcome> RunFolds(const std::shared_ptr<const Pipeline>& learner,
                              const std::shared_ptr<const SplitPlan>& splits) {
  std::vector<Cell> cells;
  for (std::int64_t s = 0; s < splits->size(); ++s) {
    cells.push_back({learner, splits, s, 7, nullptr, Keep::kLabels});
  }
  return RunCells(cells, RunOptions());
}

TEST(TransformTest, CentresTestRowsByTheMeanOfTheTrainingRows) {
  const auto outcomes = RunFolds(Centred("center", "probe", {{"mode", "feature"}}), SixRows());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));  // minus (2 + 4 + 6) / 3
  EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(-1, 1, 3));   // minus (1 + 3 + 5) / 3
  EXPECT_THAT(outcomes[1].prediction.rows, ElementsAre(1, 3, 5));
}

TEST(TransformTest, TheTargetFollowsTheTrainingRows) {
  const auto outcomes = RunFolds(Centred("center", "probe", {{"mode", "target_sum"}}), SixRows());
  EXPECT_EQ(outcomes[0].prediction.values[0], 120);  // 20 + 40 + 60
  EXPECT_EQ(outcomes[1].prediction.values[0], 90);   // 10 + 30 + 50
}

TEST(TransformTest, WeightsFollowTheTrainingRows) {
  Roles roles;
  roles.target = "y";
  roles.weights = "w";
  const auto data =
      Dataset::Create("weighted",
                      {Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 2, 4, 8}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      roles);
  const auto outcomes =
      RunFolds(Centred("center", "probe", {{"mode", "weight_sum"}}), ModuloSplits(All(data), 2));
  EXPECT_EQ(outcomes[0].prediction.values[0], 10);
  EXPECT_EQ(outcomes[1].prediction.values[0], 5);
}

TEST(TransformTest, SeveralFollowEachOther) {
  // Centring a second time subtracts the mean of centred training rows, which is 0.
  const auto center = MakeSpec(Kind::kTransform, "center");
  const auto twice =
      Pipeline::Make({center, center, MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
  const auto outcomes = RunFolds(twice, SixRows());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));
  const auto sums = RunFolds(
      Pipeline::Make({center, center, MakeSpec(Kind::kLearner, "probe", {{"mode", "target_sum"}})}),
      SixRows());
  EXPECT_EQ(sums[0].prediction.values[0], 120);
}

TEST(TransformTest, LearnersKeepTheirSeedBehindTransforms) {
  const auto plain = RunFolds(fixture::Learner("probe", {{"mode", "fit_seed"}}), SixRows());
  const auto centred = RunFolds(Centred("center", "probe", {{"mode", "fit_seed"}}), SixRows());
  EXPECT_EQ(plain[1].prediction.values, centred[1].prediction.values);
}

}  // namespace
}  // namespace crossfold
