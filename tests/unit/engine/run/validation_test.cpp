// Learners with validation rows: nothing but their own fit sees these. fixture.probe predicts its
// number of the training rows plus 1000 times that of the validation rows.
#include <cmath>
#include <set>
#include <utility>

#include "crossfold/run.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Fit;
using fixture::MakeSpec;
using fixture::ModuloSplits;
using fixture::Numbers;
using fixture::SixRows;
using ::testing::Each;
using ::testing::ElementsAre;

using SpecPtr = std::shared_ptr<const Spec>;

constexpr double kShare = 1.0 / 3;  // one of the three training rows 2 4 6 of SixRows

std::shared_ptr<const Pipeline> Validated(std::vector<SpecPtr> transforms, const std::string& mode,
                                          double share = kShare) {
  transforms.push_back(
      MakeSpec(Kind::kLearner, "probe", {{"mode", mode}, {"early_stopping_share", share}}));
  return Pipeline::Make(std::move(transforms));
}

std::vector<Outcome> RunAll(const std::vector<std::shared_ptr<const Pipeline>>& learners,
                            const std::shared_ptr<const SplitPlan>& splits,
                            const RunOptions& options = RunOptions(), std::uint64_t seed = 7) {
  std::vector<Cell> cells;
  for (const auto& learner : learners) {
    for (std::int64_t s = 0; s < splits->size(); ++s) {
      cells.push_back({learner, splits, s, seed, nullptr, Keep::kProbabilities});
    }
  }
  return RunCells(cells, options);
}

// The number of the training rows of fold 0, and that of its validation rows. REQUIRES: numbers of
// the training rows from 0 to 999.
std::pair<double, double> Numbered(std::vector<SpecPtr> transforms, const std::string& mode,
                                   std::uint64_t seed = 7) {
  const Outcome outcome = RunAll({Validated(std::move(transforms), mode)}, SixRows(), {}, seed)[0];
  EXPECT_EQ(outcome.failure.message, "");
  const double number = outcome.prediction.values.at(0);
  return {std::fmod(number, 1000), std::floor(number / 1000)};
}

TEST(ValidationTest, TheLearnerGetsBothParts) {
  EXPECT_EQ(Numbered({}, "training_rows"), std::pair(2.0, 1.0));
  const auto [rest, held] = Numbered({}, "feature_sum");
  EXPECT_EQ(rest + held, 2 + 4 + 6);
  EXPECT_EQ(Numbered({}, "target_sum"), std::pair(10 * rest, 10 * held));  // y = 10 x
  EXPECT_EQ(Numbered({}, "row_id_sum"), std::pair(rest - 2, held - 1));    // row ids are x - 1
}

TEST(ValidationTest, AllOfThemCountAsTrainingRowsOfTheCell) {
  EXPECT_EQ(RunAll({Validated({}, "training_rows")}, SixRows())[0].n_train, 3);
}

TEST(ValidationTest, TransformsAreFittedWithoutThemAndAppliedToThem) {
  const double held = Numbered({}, "feature_sum").second;
  const double mean = (2 + 4 + 6 - held) / 2;  // of the two others
  const SpecPtr center = MakeSpec(Kind::kTransform, "center");
  const Outcome sums = RunAll({Validated({center}, "feature_sum")}, SixRows())[0];
  EXPECT_DOUBLE_EQ(sums.prediction.values.at(0), 0 + 1000 * (held - mean));
  // Test rows 1 3 5 are centred by the same mean.
  const Outcome applied = RunAll({Validated({center}, "feature")}, SixRows())[0];
  EXPECT_THAT(applied.prediction.values, ElementsAre(1 - mean, 3 - mean, 5 - mean));
}

// The proof by other rows: whatever the validation row holds, the transform stays the same.
TEST(ValidationTest, TheFeaturesOfAValidationRowDoNotReachTheTransforms) {
  const double held = Numbered({}, "feature_sum").second;
  std::vector<double> x = {1, 2, 3, 4, 5, 6};
  x[static_cast<std::size_t>(held) - 1] = 1e6;
  const auto other = ModuloSplits(All(Numbers(x, {10, 20, 30, 40, 50, 60})), 2);
  const auto learner = Validated({MakeSpec(Kind::kTransform, "center")}, "feature");
  EXPECT_EQ(RunAll({learner}, other)[0].prediction.values,
            RunAll({learner}, SixRows())[0].prediction.values);
}

TEST(ValidationTest, TargetsFollowThemThroughSeveralTransforms) {
  const SpecPtr center = MakeSpec(Kind::kTransform, "center");
  EXPECT_EQ(Numbered({center, center}, "target_sum"), Numbered({}, "target_sum"));
  EXPECT_EQ(Numbered({center, center}, "row_id_sum"), Numbered({}, "row_id_sum"));
}

TEST(ValidationTest, ResamplingActsOnTheOtherRowsOnly) {
  for (const char* name : {"resampler", "synthesizer"}) {
    const SpecPtr step =
        MakeSpec(Kind::kTransform, name,
                 {{"mode", std::string(name) == "resampler" ? "last_twice" : "negate"}});
    EXPECT_EQ(Numbered({step}, "training_rows").second, 1) << name;
    const double held =
        RunAll({Validated({step}, "target_sum")}, SixRows())[0].prediction.values.at(0);
    EXPECT_EQ(std::floor(held / 1000), Numbered({}, "target_sum").second) << name;
  }
}

TEST(ValidationTest, TheirWeightsAreThoseOfTheDataset) {
  Roles roles = fixture::WithTarget("y");
  roles.weights = "w";
  const auto data =
      Dataset::Create("weighted",
                      {Column::Doubles("x", {1, 2, 3, 4}), Column::Doubles("w", {1, 10, 2, 20}),
                       Column::Doubles("y", {0, 0, 0, 0})},
                      roles);
  const double sum = RunAll({Validated({}, "weight_sum", 0.5)}, ModuloSplits(All(data), 2))[0]
                         .prediction.values.at(0);
  EXPECT_TRUE(sum == 10 + 1000 * 20 || sum == 20 + 1000 * 10) << sum;
}

TEST(ValidationTest, TheSeedDecidesWhichRowsTheyAre) {
  std::set<double> held;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    held.insert(Numbered({}, "feature_sum", seed).second);
  }
  EXPECT_THAT(held, ElementsAre(2, 4, 6));
}

TEST(ValidationTest, WorkersSharingAndOtherCellsChangeNothing) {
  const auto data = Numbers({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto splits = ModuloSplits(All(data), 3, 4);
  const SpecPtr center = MakeSpec(Kind::kTransform, "center");
  const auto validated = Validated({center}, "feature_sum");
  const auto plain =
      Pipeline::Make({center, MakeSpec(Kind::kLearner, "probe", {{"mode", "feature_sum"}})});
  const auto values = [&](const std::vector<std::shared_ptr<const Pipeline>>& learners,
                          const RunOptions& options) {
    std::vector<std::vector<double>> found;
    for (const Outcome& outcome : RunAll(learners, splits, options)) {
      found.push_back(outcome.prediction.values);
    }
    found.resize(static_cast<std::size_t>(splits->size()));  // those of the first learner
    return found;
  };
  const auto expected = values({validated}, fixture::Workers(1, false));
  // More than one for each of the three folds: the repeats hold other rows out.
  EXPECT_GT(std::set(expected.begin(), expected.end()).size(), 6u);
  for (const int workers : {1, 3}) {
    for (const bool share : {false, true}) {
      EXPECT_EQ(values({validated, plain, validated}, fixture::Workers(workers, share)), expected);
    }
  }
}

TEST(ValidationTest, AFittedModelHoldsThemOutToo) {
  const auto data = Numbers({1, 2, 3, 4}, {1, 2, 3, 4});
  const auto model = Fit(Validated({}, "training_rows", 0.25), All(data));
  EXPECT_THAT(model->Predict(All(data), {}).values, Each(3 + 1000 * 1));
}

TEST(ValidationTest, RowsThatCannotBeDividedFailTheCell) {
  const auto splits = ModuloSplits(All(Numbers({1, 2}, {1, 2})), 2);
  const Outcome outcome = RunAll({Validated({}, "training_rows")}, splits)[0];
  EXPECT_EQ(outcome.status, OutcomeStatus::kFailed);
  EXPECT_EQ(outcome.failure.stage, "fit fixture.probe");
  EXPECT_EQ(outcome.failure.message,
            "cannot hold out validation rows: there is only one training row; leave out "
            "early_stopping_share");
}

TEST(ValidationTest, AShareOutOfRangeIsRefused) {
  for (const double share : {0.0, 1.0, -0.5}) {
    EXPECT_THROW(Validated({}, "training_rows", share), Error) << share;
  }
}

}  // namespace
}  // namespace crossfold
