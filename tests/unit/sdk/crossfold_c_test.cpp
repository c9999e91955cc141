// crossfold_c.h through the tables that it writes, as a host sees them.
#include "crossfold_c.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/fake_call.h"
#include "unit/sdk/small_table.h"

// A regressor in the C of the header: the mean target plus `shift`.
struct cf_model {
  double* mean;
};

namespace {

constexpr cf_param kShift = CF_REAL("shift", 0.5, -1.0, 1.0, "What is added.");
constexpr const char* kModes[] = {"plain", "broken", "released"};
constexpr cf_param kMode = CF_CHOICE("mode", 0, kModes, "What fit does.");
constexpr cf_param kTimes = CF_INT("times", 3, 1, 9, "Not used.");
constexpr cf_param kFlag = CF_BOOL("flag", 1, "Not used.");
constexpr cf_param kName = CF_TEXT("name", "abc", "Not used.");
constexpr cf_param kForeign = CF_REAL("foreign", 7.0, 0.0, 9.0, "Not declared.");

std::vector<int> released;

cf_status FitShifted(const cf_call* call, cf_args args, const cf_table* train, cf_model* model) {
  double* sums = cf_doubles(call, 2);
  model->mean = cf_keep_doubles(call, model, 1);
  if (sums == nullptr || model->mean == nullptr) return CF_E_OUT_OF_MEMORY;
  static std::array<int, 2> things = {1, 2};
  for (int& thing : things) {
    const auto release = [](void* p) { released.push_back(*static_cast<int*>(p)); };
    if (cf_own(call, model, &thing, release) != CF_OK) return CF_E_OUT_OF_MEMORY;
  }
  if (cf_choice(args, &kMode) == 1) {
    return cf_fail(call, CF_E_NUMERIC, "%s is %d", train->features[0].name, 42);
  }
  for (std::int64_t i = 0; i < train->n_rows; ++i) {
    sums[0] += cf_weight(train, i) * cf_target(train, i);
    sums[1] += cf_weight(train, i);
  }
  *model->mean = sums[0] / sums[1] + cf_real(args, &kShift);
  return CF_OK;
}

cf_status PredictShifted(const cf_call* call, const cf_model* model, const cf_table* rows,
                         cf_prediction* out) {
  for (std::int64_t i = 0; i < rows->n_rows; ++i) {
    if (cf_progress(call, double(i) / double(rows->n_rows)) != CF_OK) return CF_E_CANCELLED;
    out->values[i] = *model->mean;
  }
  return CF_OK;
}

}  // namespace

CF_LEARNER_PLUGIN("org.example.shifted", "1.2.3", "Example Org", "MIT", "shifted mean", "A mean.",
                  CF_DET_SEEDED,
                  CF_REGRESSOR(CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS, FitShifted, PredictShifted),
                  &kShift, &kMode, &kTimes, &kFlag, &kName)

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

class CrossfoldCTest : public testing::Test {
 protected:
  CrossfoldCTest() {
    released.clear();
    train_.WithValues({1, 2, 6});
    call_.call().self = &learner_->info;
    call_.host().host_data = this;
    call_.host().scratch = [](const cf_call* call, std::size_t bytes, std::size_t) -> void* {
      auto* self = static_cast<CrossfoldCTest*>(call->host->host_data);
      return bytes > 4096 ? nullptr : self->scratch_.emplace_back(bytes).data();
    };
    call_.host().random_u64 = [](const cf_call* call, std::uint64_t* out, std::size_t n) {
      auto* self = static_cast<CrossfoldCTest*>(call->host->host_data);
      for (std::size_t i = 0; i < n; ++i) out[i] = self->drawn_[self->n_drawn_++];
    };
    for (std::size_t i = 0; i < learner_->info.n_params; ++i) {
      const cf_param* param = learner_->info.params[i];
      args_.push_back({param->name, param->def});
    }
  }

  cf_status Fit(cf_model** model) {
    const cf_table train = train_.table();
    return learner_->fit(call_.get(), args_.data(), args_.size(), &train, model);
  }

  const cf_learner* learner_ = crossfold_plugin_v1(0, nullptr)->learners[0];
  SmallTable train_{{{1}, {2}, {3}}, 1};
  FakeCall call_;
  std::vector<cf_arg> args_;
  std::vector<std::vector<char>> scratch_;
  std::vector<std::uint64_t> drawn_;
  std::size_t n_drawn_ = 0;
};

TEST_F(CrossfoldCTest, OneMacroWritesTheTables) {
  const cf_plugin* plugin = crossfold_plugin_v1(0, nullptr);
  EXPECT_EQ(plugin->magic, CF_ABI_MAGIC);
  EXPECT_STREQ(plugin->id, "org.example.shifted");
  EXPECT_STREQ(plugin->vendor, "Example Org");
  EXPECT_EQ(plugin->n_learners, 1u);
  EXPECT_EQ(plugin->n_metrics + plugin->n_splitters + plugin->n_transforms + plugin->n_sources, 0u);
  EXPECT_STREQ(learner_->info.id, "org.example.shifted");
  EXPECT_STREQ(learner_->info.version, "1.2.3");
  EXPECT_EQ(learner_->tasks, std::uint32_t{CF_TASK_REGRESSION});
  EXPECT_EQ(learner_->accepts, std::uint32_t{CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS});
  EXPECT_EQ(learner_->get_capability, nullptr);
}

TEST_F(CrossfoldCTest, TheManifestNamesTheComponent) {
  EXPECT_STREQ(cf_manifest_text,
               "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"org.example.shifted\","
               "\"version\":\"1.2.3\",\"learners\":[\"org.example.shifted\"]}");
}

TEST_F(CrossfoldCTest, ParametersAreDeclaredInTheOrderOfTheMacro) {
  ASSERT_EQ(learner_->info.n_params, 5u);
  EXPECT_EQ(learner_->info.params[0], &kShift);
  EXPECT_EQ(learner_->info.params[4], &kName);
  EXPECT_EQ(kMode.n_choices, 3u);
  EXPECT_EQ(kTimes.ihi, 9);
  EXPECT_EQ(kName.def.u.s.n, 3u);
}

TEST_F(CrossfoldCTest, ArgumentsAreReadByTheirDeclaration) {
  args_[1].value.u.i = 2;
  const cf_args args = {args_.data(), args_.size()};
  EXPECT_EQ(cf_real(args, &kShift), 0.5);
  EXPECT_EQ(cf_choice(args, &kMode), 2);
  EXPECT_EQ(cf_int(args, &kTimes), 3);
  EXPECT_EQ(cf_bool(args, &kFlag), 1);
  EXPECT_STREQ(cf_text(args, &kName), "abc");
}

TEST_F(CrossfoldCTest, AParameterThatIsNotDeclaredHasItsDefault) {
  EXPECT_EQ(cf_real({args_.data(), args_.size()}, &kForeign), 7.0);
}

TEST_F(CrossfoldCTest, AModelPredictsAndIsFreedWithWhatItOwns) {
  cf_model* model = nullptr;
  ASSERT_EQ(Fit(&model), CF_OK);
  std::array<double, 3> values = {};
  cf_prediction out{};
  out.n_rows = 3;
  out.values = values.data();
  const cf_table rows = SmallTable::WithoutTarget(train_.table());
  EXPECT_EQ(learner_->predict(call_.get(), model, &rows, &out), CF_OK);
  EXPECT_THAT(values, ElementsAre(3.5, 3.5, 3.5));
  EXPECT_THAT(released, ElementsAre());
  learner_->destroy(&learner_->info, model);
  EXPECT_THAT(released, ElementsAre(2, 1));
  learner_->destroy(&learner_->info, nullptr);
}

TEST_F(CrossfoldCTest, AFailedFitLeavesNoModelAndItsText) {
  args_[1].value.u.i = 1;
  auto* model = reinterpret_cast<cf_model*>(this);
  EXPECT_EQ(Fit(&model), CF_E_NUMERIC);
  EXPECT_EQ(model, nullptr);
  EXPECT_EQ(call_.message, "x0 is 42");
  EXPECT_THAT(released, ElementsAre(2, 1));
}

TEST_F(CrossfoldCTest, RowsAndArraysOfAnotherShapeAreRefused) {
  cf_model* model = nullptr;
  ASSERT_EQ(Fit(&model), CF_OK);
  std::array<double, 3> values = {};
  cf_prediction out{};
  out.n_rows = 2;
  const cf_table rows = SmallTable::WithoutTarget(train_.table());
  EXPECT_EQ(learner_->predict(call_.get(), model, &rows, &out), CF_E_UNSUPPORTED);
  EXPECT_EQ(call_.message, "this learner predicts values only");
  out.values = values.data();
  EXPECT_EQ(learner_->predict(call_.get(), model, &rows, &out), CF_E_INVALID_ARGUMENT);
  const SmallTable wide({{1, 2}, {3, 4}}, 2);
  const cf_table other = wide.table();
  call_.message.clear();
  EXPECT_EQ(learner_->predict(call_.get(), model, &other, &out), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call_.message, "the model is for 1 features, the rows have 2");
  learner_->destroy(&learner_->info, model);
}

TEST_F(CrossfoldCTest, ACallThatShouldStopIsCancelled) {
  cf_model* model = nullptr;
  ASSERT_EQ(Fit(&model), CF_OK);
  std::array<double, 3> values = {};
  cf_prediction out{};
  out.n_rows = 3;
  out.values = values.data();
  call_.cancel = true;
  const cf_table rows = SmallTable::WithoutTarget(train_.table());
  EXPECT_EQ(learner_->predict(call_.get(), model, &rows, &out), CF_E_CANCELLED);
  EXPECT_EQ(call_.message, "cancelled");
  learner_->destroy(&learner_->info, model);
}

TEST_F(CrossfoldCTest, MemoryThatCannotBeHadIsReported) {
  EXPECT_EQ(cf_doubles(call_.get(), 100000), nullptr);
  EXPECT_EQ(call_.code, CF_E_OUT_OF_MEMORY);
  EXPECT_EQ(cf_scratch(call_.get(), INT64_MAX, 16), nullptr);
  EXPECT_EQ(cf_scratch(call_.get(), -1, 16), nullptr);
  EXPECT_NE(cf_doubles(call_.get(), 0), nullptr);
}

TEST_F(CrossfoldCTest, EntriesOfEveryTypeAreDoubles) {
  const std::array<double, 2> doubles = {1.5, 0};
  const std::array<float, 2> floats = {0.5f, 0};
  const std::array<std::int32_t, 2> narrow = {-7, -1};
  const std::array<std::int64_t, 2> wide = {std::int64_t{1} << 40, 0};
  const std::array<std::uint8_t, 2> flags = {255, 0};
  const std::uint8_t validity = 0b010;  // from bit 1: entry 0 is there, entry 1 is missing
  std::vector<cf_column> columns;
  for (const auto& [data, dtype] : {std::pair<const void*, int>{doubles.data(), CF_F64},
                                    {floats.data(), CF_F32},
                                    {narrow.data(), CF_I32},
                                    {wide.data(), CF_I64},
                                    {flags.data(), CF_BOOL8},
                                    {narrow.data(), CF_CAT32}}) {
    columns.push_back({});
    columns.back().data = data;
    columns.back().dtype = dtype;
  }
  columns[0].validity = &validity;
  columns[0].validity_offset = 1;
  cf_table table{};
  table.features = columns.data();
  EXPECT_EQ(cf_x(&table, 0, 0), 1.5);
  EXPECT_TRUE(std::isnan(cf_x(&table, 1, 0)));
  EXPECT_EQ(cf_x(&table, 0, 1), 0.5);
  EXPECT_EQ(cf_x(&table, 0, 2), -7.0);
  EXPECT_EQ(cf_x(&table, 0, 3), 1099511627776.0);
  EXPECT_EQ(cf_x(&table, 0, 4), 1.0);
  EXPECT_TRUE(std::isnan(cf_x(&table, 1, 5)));
}

TEST_F(CrossfoldCTest, ARowIndexLeadsToTheEntries) {
  const std::vector<std::int64_t> rows = {2, 0};
  const cf_table view = train_.View(rows);
  EXPECT_EQ(cf_x(&view, 0, 0), 3.0);
  EXPECT_EQ(cf_target(&view, 0), 6.0);
  EXPECT_EQ(cf_weight(&view, 1), 1.0);
  EXPECT_EQ(cf_n_classes(&view), 0);
}

TEST_F(CrossfoldCTest, NumbersBelowNHaveNoBias) {
  drawn_ = {UINT64_MAX, 7, UINT64_MAX};
  EXPECT_EQ(cf_below(call_.get(), 3), 1);  // 2^64 - 1 is a multiple of 3, so the last is left out
  EXPECT_EQ(cf_uniform(call_.get()), 1.0 - 0x1p-53);
}

}  // namespace
}  // namespace crossfold::plugin
