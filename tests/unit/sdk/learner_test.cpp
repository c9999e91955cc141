#include "crossfold_plugin/learner.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/mean_learner.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::Each;
using testing::ElementsAre;

// Class shares of the training rows; without a Predict of its own.
struct Shares {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.shares",
                                                   .version = "2.1.0",
                                                   .title = "Shares",
                                                   .doc = "Class shares.",
                                                   .source = "a book",
                                                   .determinism = CF_DET_SEEDED,
                                                   .process_flags = CF_USES_THREADS,
                                                   .threading = CF_MT_OBJECTS},
                                     .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
                                     .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_MISSING};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;

  std::vector<double> shares;

  static Shares Fit(const Params&, const TrainingView& t, const Context&) {
    Shares s;
    s.shares.assign(static_cast<std::size_t>(t.num_classes()), 0);
    const double n = static_cast<double>(t.num_rows());
    for (std::int64_t i = 0; i < t.num_rows(); ++i) {
      s.shares[static_cast<std::size_t>(t.label(i))] += 1 / n;
    }
    return s;
  }
  void PredictProba(const FeatureView&, std::span<double> out, const Context&) const {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = shares[i % shares.size()];
  }
};

struct Throws {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.throws"}};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static Throws Fit(const Params&, const TrainingView&, const Context& c) {
    c.Progress(0);
    throw Error(CF_E_NOT_CONVERGED, "no progress after 10 steps");
  }
  void Predict(const FeatureView&, std::span<std::int32_t>, const Context&) const {}
};

template <class L>
const cf_learner* TableOf() {
  return internal::LearnerAdapter<L>::Table();
}

TEST(LearnerAdapterTest, TheTableTellsWhatTheStructDeclares) {
  const cf_learner* t = TableOf<Shares>();
  EXPECT_EQ(t->struct_size, sizeof(cf_learner));
  EXPECT_STREQ(t->info.id, "test.shares");
  EXPECT_STREQ(t->info.version, "2.1.0");
  EXPECT_STREQ(t->info.title, "Shares");
  EXPECT_STREQ(t->info.doc, "Class shares.");
  EXPECT_STREQ(t->info.source, "a book");
  EXPECT_EQ(t->info.n_params, 0u);
  EXPECT_EQ(t->info.determinism, CF_DET_SEEDED);
  EXPECT_EQ(t->info.process_flags, CF_USES_THREADS);
  EXPECT_EQ(t->info.threading, CF_MT_OBJECTS);
  EXPECT_EQ(t->tasks, CF_TASK_BINARY | CF_TASK_MULTICLASS);
  EXPECT_EQ(t->accepts, CF_ACCEPTS_NUMERIC | CF_ACCEPTS_MISSING);
}

TEST(LearnerAdapterTest, TheTableIsTheSameEveryTime) {
  EXPECT_EQ(TableOf<Shares>(), TableOf<Shares>());
}

TEST(LearnerAdapterTest, FitAndPredictOfARegressorGoThroughTheTable) {
  SmallTable t({{0}, {0}, {0}}, 1);
  t.WithValues({1, 2, 6});
  FakeCall call;
  const ModelPtr model = Fit(TableOf<MeanLearner>(), call, t.table());
  EXPECT_THAT(PredictValues(TableOf<MeanLearner>(), call, model.get(), t.table()), Each(3.0));
}

TEST(LearnerAdapterTest, ArgumentsReachTheParams) {
  SmallTable t({{0}}, 1);
  t.WithValues({1});
  FakeCall call;
  auto args = DefaultArgs(TableOf<MeanLearner>());
  args[0].value.u.r = 10;
  const ModelPtr model = Fit(TableOf<MeanLearner>(), call, t.table(), args);
  EXPECT_THAT(PredictValues(TableOf<MeanLearner>(), call, model.get(), t.table()),
              ElementsAre(11.0));
}

TEST(LearnerAdapterTest, LabelsComeFromProbabilitiesWithTiesToTheLowerClass) {
  SmallTable t({{0}, {0}, {0}, {0}, {0}}, 1);
  t.WithLabels({2, 1, 2, 1, 0}, {"a", "b", "c"});
  FakeCall call;
  const cf_learner* learner = TableOf<Shares>();
  const ModelPtr model = Fit(learner, call, t.table());
  const cf_table rows = SmallTable::WithoutTarget(t.table());
  PredictionArrays arrays(5, 3);
  arrays.WantLabels();
  ASSERT_EQ(learner->predict(call.get(), model.get(), &rows, &arrays.out), CF_OK);
  EXPECT_THAT(arrays.labels, Each(1));
}

TEST(LearnerAdapterTest, ProbabilitiesAndLabelsAgreeInTheProbaCapability) {
  SmallTable t({{0}, {0}, {0}, {0}}, 1);
  t.WithLabels({1, 1, 1, 0}, {"a", "b"});
  FakeCall call;
  const cf_learner* learner = TableOf<Shares>();
  const ModelPtr model = Fit(learner, call, t.table());
  const std::vector<std::int64_t> two = {0, 1};
  const cf_table rows = SmallTable::WithoutTarget(t.View(two));
  PredictionArrays arrays(2, 2);
  arrays.WantLabels().WantProbabilities();
  const auto* proba = CapabilityOf<cf_cap_proba>(learner, CF_CAP_PROBA);
  ASSERT_NE(proba, nullptr);
  ASSERT_EQ(proba->predict_proba(call.get(), model.get(), &rows, &arrays.out), CF_OK);
  EXPECT_THAT(arrays.probabilities, ElementsAre(0.25, 0.75, 0.25, 0.75));
  EXPECT_THAT(arrays.labels, ElementsAre(1, 1));
}

TEST(LearnerAdapterTest, PredictingNoRowsIsFine) {
  SmallTable t({{0}}, 1);
  t.WithLabels({0}, {"a", "b"});
  FakeCall call;
  const cf_learner* learner = TableOf<Shares>();
  const ModelPtr model = Fit(learner, call, t.table());
  cf_table rows = SmallTable::WithoutTarget(t.table());
  rows.n_rows = 0;
  std::int32_t nowhere = -9;
  PredictionArrays arrays(0, 2);
  arrays.out.labels = &nowhere;
  EXPECT_EQ(learner->predict(call.get(), model.get(), &rows, &arrays.out), CF_OK);
  EXPECT_EQ(nowhere, -9);
}

TEST(LearnerAdapterTest, ARegressorAskedForLabelsSaysSo) {
  SmallTable t({{0}}, 1);
  t.WithValues({1});
  FakeCall call;
  const cf_learner* learner = TableOf<MeanLearner>();
  const ModelPtr model = Fit(learner, call, t.table());
  const cf_table rows = SmallTable::WithoutTarget(t.table());
  PredictionArrays arrays(1, 2);
  arrays.WantLabels();
  EXPECT_EQ(learner->predict(call.get(), model.get(), &rows, &arrays.out), CF_E_UNSUPPORTED);
  EXPECT_EQ(call.message, "this learner does not predict labels");
}

TEST(LearnerAdapterTest, AFailedFitLeavesNullAndAReason) {
  SmallTable t({{0}}, 1);
  t.WithLabels({0}, {"a", "b"});
  const cf_table train = t.table();
  FakeCall call;
  int something = 0;
  auto* model = reinterpret_cast<cf_model*>(&something);
  EXPECT_EQ(TableOf<Throws>()->fit(call.get(), nullptr, 0, &train, &model), CF_E_NOT_CONVERGED);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(call.message, "no progress after 10 steps");
}

TEST(LearnerAdapterTest, ACancelledFitLeavesNullAndTheCancelledStatus) {
  SmallTable t({{0}}, 1);
  t.WithLabels({0}, {"a", "b"});
  const cf_table train = t.table();
  FakeCall call;
  call.cancel = true;
  cf_model* model = nullptr;
  EXPECT_EQ(TableOf<Throws>()->fit(call.get(), nullptr, 0, &train, &model), CF_E_CANCELLED);
  EXPECT_EQ(model, nullptr);
}

TEST(LearnerAdapterTest, AFitWithoutATargetIsRefused) {
  const SmallTable t({{0}}, 1);
  FakeCall call;
  EXPECT_EQ(Fit(TableOf<MeanLearner>(), call, t.table()), nullptr);
  EXPECT_EQ(call.code, CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "training rows have no target");
}

TEST(LearnerAdapterTest, DestroyOfNullIsAllowed) {
  TableOf<Shares>()->destroy(&TableOf<Shares>()->info, nullptr);
}

TEST(LearnerAdapterTest, AbilitiesThatTheStructLacksAreAbsent) {
  for (const char* id :
       {CF_CAP_PROBA, CF_CAP_CHECK, CF_CAP_FIT_PATH, CF_CAP_PREPARE, CF_CAP_CROSS_PREDICT,
        CF_CAP_INCREMENTAL, CF_CAP_SERIALIZE, CF_CAP_IMPORTANCE, CF_CAP_WARM_START, CF_CAP_MEMORY,
        CF_CAP_FIT_MEMORY, CF_CAP_VALIDATION, CF_CAP_RESAMPLE, CF_CAP_SCORES, "crossfold.unknown/1",
        ""}) {
    EXPECT_EQ(TableOf<MeanLearner>()->get_capability(&TableOf<MeanLearner>()->info, id), nullptr)
        << id;
  }
}

}  // namespace
}  // namespace crossfold::plugin
