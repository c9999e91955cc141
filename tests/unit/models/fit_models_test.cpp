#include "crossfold/fit_models.h"

#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Learner;
using fixture::Numbers;
using fixture::Some;
using fixture::Workers;
using ::testing::IsEmpty;

// The value that a probe predicts for row 0.
double PredictedFirst(const FitResult& result, const DataView& rows) {
  return result.model->Predict(rows, RunOptions()).values[0];
}

TEST(FitModelsTest, EveryModelIsThatOfASeparateFit) {
  const auto data = Numbers({1, 2, 3, 4}, {10, 20, 30, 40});
  const auto probe = Learner("probe", {{"mode", "fit_seed"}});
  std::vector<FitJob> jobs;
  for (std::uint64_t seed = 0; seed < 20; ++seed) jobs.push_back({probe, All(data), seed});
  for (const int workers : {1, 2, 7}) {
    const auto results = FitModels(jobs, Workers(workers));
    ASSERT_EQ(results.size(), jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto alone = FittedModel::Fit(probe, All(data), jobs[i].seed, RunOptions());
      EXPECT_EQ(PredictedFirst(results[i], All(data)), alone->Predict(All(data), {}).values[0]);
    }
  }
}

TEST(FitModelsTest, AJobThatFailsFailsAlone) {
  const auto data = Numbers({1, 2}, {10, 20});
  const auto probe = Learner("probe", {{"mode", "target_sum"}});
  const std::vector<FitJob> jobs = {{probe, Some(data, {}), 1}, {probe, All(data), 1}};
  const auto results = FitModels(jobs, Workers(2));
  EXPECT_EQ(results[0].model, nullptr);
  ASSERT_TRUE(results[0].error);
  EXPECT_STREQ(
      results[0].error->what(),
      "cannot fit 'fixture.probe{mode=target_sum}' on dataset 'numbers': there are no rows");
  EXPECT_FALSE(results[1].error);
  EXPECT_EQ(PredictedFirst(results[1], All(data)), 30);
}

TEST(FitModelsTest, ALearnerForAnotherTaskIsAnErrorOfItsJob) {
  const auto data = Classes(6, 3);
  const auto results = FitModels(std::vector<FitJob>{{Learner("probe"), All(data), 1}}, Workers(1));
  ASSERT_TRUE(results[0].error);
  EXPECT_EQ(results[0].error->kind(), ErrorKind::kInvalidArgument);
}

TEST(FitModelsTest, AfterACancellationTheRestIsCancelled) {
  CancelToken token;
  token.Cancel();
  RunOptions options = Workers(2);
  options.cancel = &token;
  const auto data = Numbers({1, 2}, {10, 20});
  const auto probe = Learner("probe", {{"mode", "target_sum"}});
  for (const FitResult& result :
       FitModels(std::vector<FitJob>{{probe, All(data), 1}, {probe, All(data), 2}}, options)) {
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->kind(), ErrorKind::kCancelled);
  }
}

TEST(FitModelsTest, NoJobsGiveNoResults) { EXPECT_THAT(FitModels({}, Workers(0)), IsEmpty()); }

}  // namespace
}  // namespace crossfold
