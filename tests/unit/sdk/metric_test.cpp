#include "crossfold_plugin/metric.hpp"

#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/learner_calls.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

// Weighted share of hits, times a scale; undefined without weight.
struct Hits {
  static constexpr MetricInfo kInfo{.component = {.id = "test.hits"},
                                    .needs = CF_NEEDS_LABELS,
                                    .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
                                    .direction = +1,
                                    .worst = 0,
                                    .best = 1};
  struct Params {
    double scale = 1;
  };
  static constexpr auto kSchema = Schema(Real("scale", &Params::scale, {}, "Scale."));

  static double Score(const Params& p, const MetricInput& in, const Context&) {
    double hits = 0, total = 0;
    for (std::int64_t i = 0; i < in.num_rows(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      total += in.weight(i);
      if (in.truth_labels()[k] == in.labels()[k]) hits += in.weight(i);
    }
    if (total == 0) throw Undefined("no test row has weight");
    return p.scale * hits / total;
  }
};

const cf_metric* HitsTable() { return internal::MetricAdapter<Hits>::Table(); }

struct MetricTest : testing::Test {
  MetricTest() {
    input.struct_size = sizeof(cf_metric_input);
    input.n_rows = 4;
    input.n_classes = 2;
    input.truth_labels = truth.data();
    input.labels = predicted.data();
  }
  cf_status Score(double scale = 1) {
    auto args = DefaultArgs(HitsTable());
    args[0].value.u.r = scale;
    return HitsTable()->score(call.get(), args.data(), args.size(), &input, &value);
  }
  const std::vector<std::int32_t> truth = {0, 1, 1, 0};
  const std::vector<std::int32_t> predicted = {0, 1, 0, 0};
  cf_metric_input input{};
  double value = 0;
  FakeCall call;
};

TEST_F(MetricTest, TheTableTellsWhatTheStructDeclares) {
  EXPECT_EQ(HitsTable()->struct_size, sizeof(cf_metric));
  EXPECT_STREQ(HitsTable()->info.id, "test.hits");
  EXPECT_EQ(HitsTable()->needs, CF_NEEDS_LABELS);
  EXPECT_EQ(HitsTable()->tasks, CF_TASK_BINARY | CF_TASK_MULTICLASS);
  EXPECT_EQ(HitsTable()->direction, 1);
  EXPECT_EQ(HitsTable()->worst, 0.0);
  EXPECT_EQ(HitsTable()->best, 1.0);
  EXPECT_EQ(HitsTable()->get_capability(&HitsTable()->info, CF_CAP_CHECK), nullptr);
}

TEST_F(MetricTest, TheScoreComesBack) {
  ASSERT_EQ(Score(), CF_OK);
  EXPECT_EQ(value, 0.75);
}

TEST_F(MetricTest, ParametersReachTheMetric) {
  ASSERT_EQ(Score(100), CF_OK);
  EXPECT_EQ(value, 75.0);
}

TEST_F(MetricTest, WeightsCount) {
  const std::vector<double> weights = {1, 1, 6, 0};
  input.weights = weights.data();
  ASSERT_EQ(Score(), CF_OK);
  EXPECT_EQ(value, 0.25);
}

TEST_F(MetricTest, UndefinedIsAStatusWithAReasonAndLeavesNan) {
  const std::vector<double> weights = {0, 0, 0, 0};
  input.weights = weights.data();
  value = 0.5;
  EXPECT_EQ(Score(), CF_E_UNDEFINED);
  EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(call.message, "no test row has weight");
}

TEST(MetricInputTest, SpansThatAreAbsentAreEmptyAndOthersHaveTheirLength) {
  const std::vector<double> reals = {0.25, 0.75, 0.5, 0.5};
  const std::vector<std::int64_t> groups = {3, 4};
  const std::vector<const char*> names = {"a", "b"};
  cf_metric_input in{};
  in.n_rows = 2;
  in.n_classes = 2;
  EXPECT_TRUE(MetricInput(in).truth_values().empty());
  EXPECT_TRUE(MetricInput(in).values().empty());
  EXPECT_TRUE(MetricInput(in).probabilities().empty());
  EXPECT_TRUE(MetricInput(in).groups().empty());
  EXPECT_EQ(MetricInput(in).weight(1), 1.0);
  in.truth_values = in.values = in.probabilities = reals.data();
  in.groups = groups.data();
  in.class_names = names.data();
  EXPECT_THAT(MetricInput(in).truth_values(), ElementsAre(0.25, 0.75));
  EXPECT_THAT(MetricInput(in).values(), ElementsAre(0.25, 0.75));
  EXPECT_THAT(MetricInput(in).probabilities(), ElementsAre(0.25, 0.75, 0.5, 0.5));
  EXPECT_THAT(MetricInput(in).groups(), ElementsAre(3, 4));
  EXPECT_EQ(MetricInput(in).class_name(1), "b");
  EXPECT_EQ(MetricInput(in).num_classes(), 2);
}

TEST(MetricInputTest, CostsAndTheTrainingTargetHaveTheirLength) {
  const std::vector<double> reals = {0, 1, 5, 0, 2, 3};
  cf_metric_input in{};
  in.n_rows = 3;
  in.n_classes = 2;
  in.training_mean = 0.5;
  EXPECT_TRUE(MetricInput(in).costs().empty());
  EXPECT_TRUE(MetricInput(in).row_costs().empty());
  EXPECT_TRUE(MetricInput(in).training_class_weights().empty());
  in.costs = in.row_costs = in.training_class_weights = reals.data();
  EXPECT_THAT(MetricInput(in).costs(), ElementsAre(0, 1, 5, 0));
  EXPECT_THAT(MetricInput(in).row_costs(), ElementsAre(0, 1, 5, 0, 2, 3));
  EXPECT_THAT(MetricInput(in).training_class_weights(), ElementsAre(0, 1));
  EXPECT_EQ(MetricInput(in).training_mean(), 0.5);
}

// Counts hits block by block.
struct BlockHits {
  static constexpr MetricInfo kInfo{.component = {.id = "test.block_hits"},
                                    .needs = CF_NEEDS_LABELS,
                                    .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static BlockHits Begin(const Params&, const MetricInput& about, const Context&) {
    if (about.num_rows() != 0 || !about.labels().empty()) throw Undefined("rows came too early");
    return {about.num_classes()};
  }
  void Add(const MetricInput& block, const Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      hits += block.truth_labels()[k] == block.labels()[k] ? 1 : 0;
    }
  }
  double Finish(const Context&) const {
    if (hits == 0) throw Undefined("nothing was hit");
    return hits + 100.0 * static_cast<double>(n_classes);
  }

  std::int64_t n_classes = 0;
  double hits = 0;
};

struct BlockMetricTest : MetricTest {
  const cf_metric* metric = internal::MetricAdapter<BlockHits>::Table();
  const cf_cap_accumulate* blocks = static_cast<const cf_cap_accumulate*>(
      metric->get_capability(&metric->info, CF_CAP_ACCUMULATE));
};

TEST_F(BlockMetricTest, OffersTheCapabilityAndOthersDoNot) {
  ASSERT_NE(blocks, nullptr);
  EXPECT_EQ(blocks->struct_size, sizeof(cf_cap_accumulate));
  EXPECT_EQ(HitsTable()->get_capability(&HitsTable()->info, CF_CAP_ACCUMULATE), nullptr);
}

TEST_F(BlockMetricTest, TheScoreOfAllRowsIsBeginAddAndFinish) {
  ASSERT_EQ(metric->score(call.get(), nullptr, 0, &input, &value), CF_OK) << call.message;
  EXPECT_EQ(value, 203);
}

TEST_F(BlockMetricTest, BlocksGiveTheSameAsAllRows) {
  cf_metric_input about = input;
  about.n_rows = 0;
  about.labels = nullptr;
  cf_accumulator* counted = nullptr;
  ASSERT_EQ(blocks->begin(call.get(), nullptr, 0, &about, &counted), CF_OK) << call.message;
  for (const std::int64_t first : {0, 1}) {  // one row, then three
    cf_metric_input block = input;
    block.n_rows = first == 0 ? 1 : 3;
    block.truth_labels += first;
    block.labels += first;
    EXPECT_EQ(blocks->add(call.get(), counted, &block), CF_OK);
  }
  EXPECT_EQ(blocks->finish(call.get(), counted, &value), CF_OK);
  blocks->destroy(&metric->info, counted);
  EXPECT_EQ(value, 203);
}

TEST_F(BlockMetricTest, FinishMayBeUndefined) {
  const std::vector<std::int32_t> wrong = {1, 0, 0, 1};
  input.labels = wrong.data();
  EXPECT_EQ(metric->score(call.get(), nullptr, 0, &input, &value), CF_E_UNDEFINED);
  EXPECT_TRUE(std::isnan(value));
  EXPECT_EQ(call.message, "nothing was hit");
}

}  // namespace
}  // namespace crossfold::plugin
