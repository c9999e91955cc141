#include "crossfold_plugin/capability/incremental.hpp"

#include <vector>

#include "crossfold_plugin/learner.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/mean_learner.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

struct ExactMean : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.exact_mean"},
                                     .tasks = CF_TASK_REGRESSION};
  static constexpr bool kIncrementalExact = true;

  static ExactMean Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<ExactMean>(p, t);
  }
  void AddRows(const TrainingView& t, const Context&) { Add(t, +1); }
  void RemoveRows(const TrainingView& t, const Context&) {
    if (static_cast<double>(t.num_rows()) >= n) {
      throw Error(CF_E_UNSUPPORTED_DATA, "no row would be left");
    }
    Add(t, -1);
  }
};

struct AddOnlyMean : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.add_only"},
                                     .tasks = CF_TASK_REGRESSION};
  static constexpr double kIncrementalTolerance = 1e-9;

  static AddOnlyMean Fit(const Params&, const TrainingView& t, const Context&) {
    AddOnlyMean m;
    m.Add(t, +1);
    return m;
  }
  void AddRows(const TrainingView& t, const Context&) { Add(t, +1); }
};

const cf_learner* ExactMeanTable() { return internal::LearnerAdapter<ExactMean>::Table(); }
const cf_cap_incremental* Incremental() {
  return CapabilityOf<cf_cap_incremental>(ExactMeanTable(), CF_CAP_INCREMENTAL);
}

// Targets 1, 2, 6: whole numbers, so that sums are exact.
struct IncrementalTest : testing::Test {
  IncrementalTest() : table({{0}, {0}, {0}}, 1) { table.WithValues({1, 2, 6}); }
  std::vector<double> Predict(const ModelPtr& model) {
    const std::vector<std::int64_t> one = {0};
    return PredictValues(ExactMeanTable(), call, model.get(), table.View(one));
  }
  SmallTable table;
  FakeCall call;
};

TEST_F(IncrementalTest, ExactnessOrToleranceIsDeclared) {
  EXPECT_EQ(Incremental()->exact, 1u);
  EXPECT_EQ(Incremental()->tolerance, 0.0);
  const auto* other = CapabilityOf<cf_cap_incremental>(
      internal::LearnerAdapter<AddOnlyMean>::Table(), CF_CAP_INCREMENTAL);
  EXPECT_EQ(other->exact, 0u);
  EXPECT_EQ(other->tolerance, 1e-9);
}

TEST_F(IncrementalTest, RemovingAFoldEqualsAFitWithoutIt) {
  const ModelPtr model = Fit(ExactMeanTable(), call, table.table());
  const std::vector<std::int64_t> fold = {2};
  const cf_table rows = table.View(fold);
  ASSERT_EQ(Incremental()->remove_rows(call.get(), model.get(), &rows), CF_OK);
  EXPECT_THAT(Predict(model), ElementsAre(1.5));
}

TEST_F(IncrementalTest, AddingAndRemovingTheSameRowsChangesNothing) {
  const ModelPtr model = Fit(ExactMeanTable(), call, table.table());
  const std::vector<std::int64_t> some = {0, 2};
  const cf_table rows = table.View(some);
  ASSERT_EQ(Incremental()->add_rows(call.get(), model.get(), &rows), CF_OK);
  EXPECT_THAT(Predict(model), ElementsAre(3.2));  // 16 / 5
  ASSERT_EQ(Incremental()->remove_rows(call.get(), model.get(), &rows), CF_OK);
  EXPECT_THAT(Predict(model), ElementsAre(3.0));
}

TEST_F(IncrementalTest, ACloneIsIndependent) {
  const ModelPtr model = Fit(ExactMeanTable(), call, table.table());
  cf_model* out = nullptr;
  ASSERT_EQ(Incremental()->clone(call.get(), model.get(), &out), CF_OK);
  const ModelPtr clone = Own(ExactMeanTable(), out);
  const std::vector<std::int64_t> fold = {2};
  const cf_table rows = table.View(fold);
  ASSERT_EQ(Incremental()->remove_rows(call.get(), clone.get(), &rows), CF_OK);
  EXPECT_THAT(Predict(model), ElementsAre(3.0));
  EXPECT_THAT(Predict(clone), ElementsAre(1.5));
}

TEST_F(IncrementalTest, AFailedRemovalSaysWhy) {
  const ModelPtr model = Fit(ExactMeanTable(), call, table.table());
  const cf_table rows = table.table();
  EXPECT_EQ(Incremental()->remove_rows(call.get(), model.get(), &rows), CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(call.message, "no row would be left");
}

TEST_F(IncrementalTest, ALearnerThatCannotRemoveHasANullPointerThere) {
  const auto* table_of = CapabilityOf<cf_cap_incremental>(
      internal::LearnerAdapter<AddOnlyMean>::Table(), CF_CAP_INCREMENTAL);
  EXPECT_NE(table_of->add_rows, nullptr);
  EXPECT_EQ(table_of->remove_rows, nullptr);
}

}  // namespace
}  // namespace crossfold::plugin
