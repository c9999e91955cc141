#include "crossfold_plugin/capability/cross_predict.hpp"

#include <map>
#include <tuple>
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
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// Total minus fold instead of one fit a fold; a negative offset fails, to show that it fails alone.
struct CrossMean : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.cross_mean"},
                                     .tasks = CF_TASK_REGRESSION};
  static CrossMean Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<CrossMean>(p, t);
  }
  static void CrossPredict(std::span<const Params> settings, const TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           CrossSink& sink, const Context& c) {
    for (std::int32_t f = 0; f < n_folds; ++f) {
      std::vector<std::int64_t> test;
      double sum = 0, n = 0;
      for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
        if (fold_of_row[static_cast<std::size_t>(i)] == f) {
          test.push_back(i);
        } else {
          sum += rows.value(i);
          n += 1;
        }
      }
      for (std::size_t s = 0; s < settings.size(); ++s) {
        sink.Try(s, f, [&] {
          c.Progress(0.5);
          if (settings[s].offset < 0) throw Error(CF_E_NUMERIC, "negative offset");
          const std::vector<double> values(test.size(), sum / n + settings[s].offset);
          sink.Emit(s, test, {.values = values});
        });
      }
    }
  }
};

// Emits arrays of the wrong length, or labels and probabilities of one row.
struct CrossOdd {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.cross_odd"}};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  struct Prepared {
    std::uint64_t Bytes() const { return 0; }
  };
  static Prepared Prepare(const Params&, const FeatureView&, const Context&) { return {}; }
  static CrossOdd FitPrepared(const Params&, const Prepared&, const TrainingView&, const Context&) {
    return {};
  }
  static CrossOdd Fit(const Params&, const TrainingView&, const Context&) { return {}; }
  void Predict(const FeatureView&, std::span<std::int32_t>, const Context&) const {}
  static void CrossPredict(std::span<const Params>, const TrainingView&,
                           std::span<const std::int32_t>, std::int32_t, CrossSink& sink,
                           const Context&) {
    const std::vector<std::int64_t> positions = {0};
    const std::vector<std::int32_t> labels = {1, 1};
    sink.Emit(0, positions, {.labels = labels});
  }
  static void CrossPredictPrepared(std::span<const Params>, const Prepared&, const TrainingView&,
                                   std::span<const std::int32_t>, std::int32_t, CrossSink& sink,
                                   const Context&) {
    const std::vector<std::int64_t> positions = {1};
    const std::vector<std::int32_t> labels = {static_cast<std::int32_t>(sink.Seed(0, 1))};
    const std::vector<double> probabilities = {0.25, 0.75};
    if (sink.wants_labels() && sink.wants_probabilities() && !sink.wants_values()) {
      sink.Emit(0, positions, {.labels = labels, .probabilities = probabilities});
    }
    sink.Fail(0, -1, CF_E_UNSUPPORTED, "only one row");
  }
};

// What a host keeps of a cross prediction.
struct Collected {
  cf_cross_sink sink{};
  std::map<std::pair<std::size_t, std::int64_t>, double> values;  // (setting, position)
  std::vector<std::int32_t> labels;
  std::vector<double> probabilities;
  std::vector<std::tuple<std::size_t, std::int32_t, cf_status, std::string>> failures;
  cf_status refuse = CF_OK;

  explicit Collected(std::uint32_t wanted) {
    sink.struct_size = sizeof(cf_cross_sink);
    sink.wanted = wanted;
    sink.sink_data = this;
    sink.seed = [](const cf_cross_sink*, std::size_t setting, std::int32_t fold) {
      return static_cast<std::uint64_t>(100 * (setting + 1)) + static_cast<std::uint64_t>(fold);
    };
    sink.emit = [](const cf_cross_sink* s, std::size_t setting, const std::int64_t* positions,
                   std::int64_t n, const cf_prediction_view* p) -> cf_status {
      auto* self = static_cast<Collected*>(s->sink_data);
      if (self->refuse != CF_OK) return self->refuse;
      EXPECT_EQ(p->n_rows, n);
      for (std::int64_t i = 0; i < n; ++i) {
        if (p->values) self->values[{setting, positions[i]}] = p->values[i];
        if (p->labels) self->labels.push_back(p->labels[i]);
      }
      if (p->probabilities) {
        self->probabilities.assign(p->probabilities, p->probabilities + n * p->n_classes);
      }
      return CF_OK;
    };
    sink.fail = [](const cf_cross_sink* s, std::size_t setting, std::int32_t fold, cf_status code,
                   const char* message) {
      static_cast<Collected*>(s->sink_data)->failures.emplace_back(setting, fold, code, message);
    };
  }
  Collected(const Collected&) = delete;
};

struct CrossMeanTest : testing::Test {
  CrossMeanTest() : table({{0}, {0}, {0}, {0}, {0}}, 1) {
    table.WithValues({0.1, 0.2, 0.4, 0.8, 1.6});
  }
  cf_status Run(const std::vector<double>& offsets, Collected& into) {
    std::vector<std::vector<cf_arg>> args;
    for (const double offset : offsets) {
      args.push_back(DefaultArgs(learner));
      args.back()[0].value.u.r = offset;
    }
    std::vector<cf_setting> settings;
    for (const auto& a : args) settings.push_back({a.data(), a.size()});
    const cf_table all = table.table();
    return cap->cross_predict(call.get(), settings.data(), settings.size(), &all, folds.data(), 2,
                              nullptr, &into.sink);
  }
  const cf_learner* learner = internal::LearnerAdapter<CrossMean>::Table();
  const cf_cap_cross_predict* cap =
      CapabilityOf<cf_cap_cross_predict>(learner, CF_CAP_CROSS_PREDICT);
  SmallTable table;
  FakeCall call;
  std::vector<std::int32_t> folds = {0, 1, 0, 1, -1};  // the last row always trains
};

TEST_F(CrossMeanTest, TheSinkGetsWhatSeparateFitsPredict) {
  Collected got(CF_NEEDS_VALUES);
  ASSERT_EQ(Run({0, 10}, got), CF_OK) << call.message;
  ASSERT_EQ(got.values.size(), 8u);  // 2 settings x 4 tested rows
  for (std::size_t setting : {0u, 1u}) {
    for (std::int32_t fold : {0, 1}) {
      std::vector<std::int64_t> train, test;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        (folds[i] == fold ? test : train).push_back(static_cast<std::int64_t>(i));
      }
      auto args = DefaultArgs(learner);
      args[0].value.u.r = setting == 0 ? 0 : 10;
      const ModelPtr model = Fit(learner, call, table.View(train), args);
      const auto expected = PredictValues(learner, call, model.get(), table.View(test));
      for (std::size_t i = 0; i < test.size(); ++i) {
        EXPECT_EQ((got.values.at({setting, test[i]})), expected[i]);
      }
    }
  }
}

TEST_F(CrossMeanTest, ASettingFailsAlone) {
  Collected got(CF_NEEDS_VALUES);
  ASSERT_EQ(Run({-1, 0}, got), CF_OK);
  EXPECT_EQ(got.values.size(), 4u);
  EXPECT_THAT(got.failures,
              UnorderedElementsAre(std::tuple(0, 0, CF_E_NUMERIC, "negative offset"),
                                   std::tuple(0, 1, CF_E_NUMERIC, "negative offset")));
}

TEST_F(CrossMeanTest, ACancellationStopsTheWholeCallAndFailsNoSetting) {
  Collected got(CF_NEEDS_VALUES);
  call.cancel = true;
  EXPECT_EQ(Run({0, 1}, got), CF_E_CANCELLED);
  EXPECT_EQ(call.message, "cancelled by the host");
  EXPECT_THAT(got.failures, IsEmpty());
}

TEST_F(CrossMeanTest, PredictionsThatTheHostRefusesFailTheirSetting) {
  Collected got(CF_NEEDS_VALUES);
  got.refuse = CF_E_OUT_OF_MEMORY;
  ASSERT_EQ(Run({0}, got), CF_OK);
  EXPECT_THAT(got.failures,
              UnorderedElementsAre(
                  std::tuple(0, 0, CF_E_OUT_OF_MEMORY, "the host refused the predictions"),
                  std::tuple(0, 1, CF_E_OUT_OF_MEMORY, "the host refused the predictions")));
}

TEST_F(CrossMeanTest, ASettingWithTheWrongNumberOfArgumentsIsABugOfTheCaller) {
  Collected got(CF_NEEDS_VALUES);
  const cf_setting setting{nullptr, 0};
  const cf_table all = table.table();
  EXPECT_EQ(cap->cross_predict(call.get(), &setting, 1, &all, folds.data(), 2, nullptr, &got.sink),
            CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "expected 1 parameters, got 0");
}

struct CrossOddTest : testing::Test {
  CrossOddTest() : table({{0}, {0}}, 1) { table.WithLabels({0, 1}, {"a", "b"}); }
  const cf_learner* learner = internal::LearnerAdapter<CrossOdd>::Table();
  const cf_cap_cross_predict* cap =
      CapabilityOf<cf_cap_cross_predict>(learner, CF_CAP_CROSS_PREDICT);
  SmallTable table;
  FakeCall call;
  cf_setting setting{nullptr, 0};
  std::vector<std::int32_t> folds = {0, 1};
};

TEST_F(CrossOddTest, ArraysOfTheWrongLengthAreABugOfThePlugin) {
  Collected got(CF_NEEDS_LABELS);
  const cf_table all = table.table();
  EXPECT_EQ(cap->cross_predict(call.get(), &setting, 1, &all, folds.data(), 2, nullptr, &got.sink),
            CF_E_INTERNAL);
  EXPECT_EQ(call.message, "expected 1 labels, got 2");
}

TEST_F(CrossOddTest, PreparedDataReachesThePreparedFormAndFailReachesTheHost) {
  const auto* prepare = CapabilityOf<cf_cap_prepare>(learner, CF_CAP_PREPARE);
  const cf_table features = SmallTable::WithoutTarget(table.table());
  cf_prepared* prepared = nullptr;
  ASSERT_EQ(prepare->prepare(call.get(), nullptr, 0, &features, &prepared), CF_OK);
  Collected got(CF_NEEDS_LABELS | CF_NEEDS_PROBABILITIES);
  const cf_table all = table.table();
  EXPECT_EQ(cap->cross_predict(call.get(), &setting, 1, &all, folds.data(), 2, prepared, &got.sink),
            CF_OK);
  prepare->destroy(&learner->info, prepared);
  EXPECT_THAT(got.labels, ElementsAre(101));  // the seed of setting 0, fold 1
  EXPECT_THAT(got.probabilities, ElementsAre(0.25, 0.75));
  EXPECT_THAT(got.failures, ElementsAre(std::tuple(0, -1, CF_E_UNSUPPORTED, "only one row")));
}

TEST_F(CrossOddTest, APathOnPreparedDataIsNullWithoutFitPathPrepared) {
  const auto* prepare = CapabilityOf<cf_cap_prepare>(learner, CF_CAP_PREPARE);
  EXPECT_EQ(prepare->fit_path_prepared, nullptr);
}

}  // namespace
}  // namespace crossfold::plugin
