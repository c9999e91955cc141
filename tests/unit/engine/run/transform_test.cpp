#include "crossfold/run.h"
#include "unit/engine/run/fixture.h"

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

// Features a = 1 ... 6 and b = 10 ... 60 before a categorical c, which center refuses.
std::shared_ptr<const Dataset> ThreeFeatures() {
  Roles roles;
  roles.target = "y";
  return Dataset::Create(
      "three",
      {Column::Doubles("a", {1, 2, 3, 4, 5, 6}), Column::Doubles("b", {10, 20, 30, 40, 50, 60}),
       Column::Categories("c", {0, 1, 0, 1, 0, 1}, {"u", "v"}),
       Column::Doubles("y", {1, 2, 3, 4, 5, 6})},
      roles);
}

std::shared_ptr<const Pipeline> CentredOn(const std::string& columns) {
  return Pipeline::Make({MakeSpec(Kind::kTransform, "center", {{"columns", columns}}),
                         MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
}

// What the learner gets as its first feature in the test rows 1, 3 and 5 (counted from 1).
std::vector<double> FirstFeature(const std::string& columns) {
  const auto outcomes = RunFolds(CentredOn(columns), ModuloSplits(All(ThreeFeatures()), 2));
  EXPECT_EQ(outcomes[0].failure.message, "");
  return outcomes[0].prediction.values;
}

TEST(TransformTest, GetsTheChosenColumnsAndTheOthersPassBy) {
  EXPECT_THAT(FirstFeature("a"), ElementsAre(-3, -1, 1));  // minus (2 + 4 + 6) / 3
  EXPECT_THAT(FirstFeature("b"), ElementsAre(1, 3, 5));
}

TEST(TransformTest, DoesNothingIfAPatternChoosesNoColumn) {
  EXPECT_THAT(FirstFeature("lab_*"), ElementsAre(1, 3, 5));
}

TEST(TransformTest, AnUnknownColumnIsToldBeforeAnythingRuns) {
  EXPECT_THAT(
      [] { CheckCompatible(*CentredOn("aa"), *ThreeFeatures()); },
      ::testing::ThrowsMessage<Error>("cannot use transform 'fixture.center{columns=[aa]}' on "
                                      "dataset 'three': 'columns' names 'aa', which is not a "
                                      "feature here; did you mean 'a'? known: a, b, c"));
}

TEST(TransformTest, AColumnThatAnEarlierStepTookAwayIsToldByTheFit) {
  const auto gone =
      Pipeline::Make({MakeSpec(Kind::kTransform, "center", {{"columns", "a"}, {"mode", "nothing"}}),
                      MakeSpec(Kind::kTransform, "center", {{"columns", "a"}}),
                      MakeSpec(Kind::kLearner, "probe", {{"mode", "feature"}})});
  const auto outcomes = RunFolds(gone, ModuloSplits(All(ThreeFeatures()), 2));
  EXPECT_EQ(outcomes[0].failure.stage, "fit fixture.center");
  EXPECT_EQ(outcomes[0].failure.message,
            "'columns' names 'a', which is not a feature here; known: b, c");
}

TEST(TransformTest, ChosenColumnsAreNotSharedWithAnotherChoice) {
  const auto splits = ModuloSplits(All(ThreeFeatures()), 2);
  std::vector<Cell> cells;
  for (const char* columns : {"a", "b"}) {
    cells.push_back({CentredOn(columns), splits, 0, 7, nullptr, Keep::kLabels});
  }
  const auto outcomes = RunCells(cells, RunOptions());
  EXPECT_THAT(outcomes[0].prediction.values, ElementsAre(-3, -1, 1));
  EXPECT_THAT(outcomes[1].prediction.values, ElementsAre(1, 3, 5));
}

TEST(TransformTest, OneThatChangesTheRowsGetsAllColumns) {
  EXPECT_THAT(
      [] {
        MakeSpec(Kind::kTransform, "resampler", {{"columns", "a"}});
      },
      ::testing::ThrowsMessage<Error>(::testing::HasSubstr(
          "'columns' cannot choose features for a transform that changes which rows "
          "train; leave it out")));
}

}  // namespace
}  // namespace crossfold
