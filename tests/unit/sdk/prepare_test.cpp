#include "crossfold_plugin/capability/prepare.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "crossfold_plugin/learner.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

// Mean of value times first feature, plus an offset; the prepared structure holds the features.
struct Weighted {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.weighted"},
                                     .tasks = CF_TASK_REGRESSION};
  struct Params {
    double scale = 1;
    double offset = 0;
  };
  static constexpr auto kSchema =
      Schema(Real("scale", &Params::scale, {}, "Of the feature.", {.flags = CF_PF_PREPARE}),
             Real("offset", &Params::offset, {}, "Added.", {.flags = CF_PF_SUBMODEL}));
  struct Prepared {
    explicit Prepared(int* count) : live(count) { ++*live; }
    Prepared(Prepared&& other) noexcept : x(std::move(other.x)), live(other.live) { ++*live; }
    ~Prepared() { --*live; }
    std::vector<double> x;
    int* live;
    std::uint64_t Bytes() const { return x.size() * sizeof(double); }
  };
  inline static int live_prepared = 0;

  double mean = 0;
  std::vector<double> offsets;

  static Prepared Prepare(const Params& p, const FeatureView& v, const Context&) {
    Prepared out(&live_prepared);
    for (std::int64_t i = 0; i < v.num_rows(); ++i) out.x.push_back(p.scale * v.x(i, 0));
    return out;
  }
  static Weighted FitPrepared(const Params& p, const Prepared& prepared, const TrainingView& t,
                              const Context&) {
    Weighted m;
    for (std::int64_t i = 0; i < t.num_rows(); ++i) {
      m.mean += t.value(i) * prepared.x.at(static_cast<std::size_t>(t.row_id(i)));
    }
    m.mean /= static_cast<double>(t.num_rows());
    m.offsets = {p.offset};
    return m;
  }
  static Weighted Fit(const Params& p, const TrainingView& t, const Context&) {
    Weighted m;
    for (std::int64_t i = 0; i < t.num_rows(); ++i) m.mean += t.value(i) * (p.scale * t.x(i, 0));
    m.mean /= static_cast<double>(t.num_rows());
    m.offsets = {p.offset};
    return m;
  }
  static std::vector<double> Reals(std::span<const cf_value> values) {
    std::vector<double> reals;
    for (const cf_value& v : values) reals.push_back(v.u.r);
    return reals;
  }
  static Weighted FitPath(const Params& p, std::string_view, std::span<const cf_value> values,
                          const TrainingView& t, const Context& c) {
    Weighted m = Fit(p, t, c);
    m.offsets = Reals(values);
    return m;
  }
  static Weighted FitPathPrepared(const Params& p, std::string_view,
                                  std::span<const cf_value> values, const Prepared& prepared,
                                  const TrainingView& t, const Context& c) {
    Weighted m = FitPrepared(p, prepared, t, c);
    m.offsets = Reals(values);
    return m;
  }
  void Predict(const FeatureView& v, std::span<double> out, const Context& c) const {
    PredictAt(0, v, out, c);
  }
  void PredictAt(std::size_t i, const FeatureView&, std::span<double> out, const Context&) const {
    std::fill(out.begin(), out.end(), mean + offsets.at(i));
  }
};

struct PrepareTest : testing::Test {
  PrepareTest() : table({{1}, {2}, {3}}, 1), args(DefaultArgs(learner)) {
    table.WithValues({0.1, 0.2, 0.3});
    args[0].value.u.r = 0.3;
    args[1].value.u.r = 5;
  }
  using PreparedPtr = std::unique_ptr<cf_prepared, std::function<void(cf_prepared*)>>;
  PreparedPtr Prepare() {
    const cf_table all = SmallTable::WithoutTarget(table.table());
    cf_prepared* out = nullptr;
    EXPECT_EQ(cap->prepare(call.get(), args.data(), args.size(), &all, &out), CF_OK);
    return {out, [this](cf_prepared* one) { cap->destroy(&learner->info, one); }};
  }
  const cf_learner* learner = internal::LearnerAdapter<Weighted>::Table();
  const cf_cap_prepare* cap = CapabilityOf<cf_cap_prepare>(learner, CF_CAP_PREPARE);
  SmallTable table;
  FakeCall call;
  std::vector<cf_arg> args;
};

TEST_F(PrepareTest, AFitOnPreparedDataEqualsAPlainFit) {
  const PreparedPtr prepared = Prepare();
  const std::vector<std::int64_t> fold = {2, 0};
  const cf_table train = table.View(fold);
  cf_model* out = nullptr;
  ASSERT_EQ(cap->fit_prepared(call.get(), args.data(), args.size(), prepared.get(), &train, &out),
            CF_OK);
  const ModelPtr model = Own(learner, out);
  const ModelPtr plain = Fit(learner, call, train, args);
  EXPECT_EQ(PredictValues(learner, call, model.get(), train),
            PredictValues(learner, call, plain.get(), train));
}

TEST_F(PrepareTest, APathOnPreparedDataEqualsAPlainPath) {
  const PreparedPtr prepared = Prepare();
  const cf_table train = table.table();
  std::vector<cf_value> values(2, args[1].value);
  values[1].u.r = 0.25;
  cf_model* out = nullptr;
  ASSERT_EQ(cap->fit_path_prepared(call.get(), args.data(), args.size(), "offset", values.data(),
                                   values.size(), prepared.get(), &train, &out),
            CF_OK);
  const ModelPtr model = Own(learner, out);
  const auto* path = CapabilityOf<cf_cap_fit_path>(learner, CF_CAP_FIT_PATH);
  ASSERT_EQ(path->fit_path(call.get(), args.data(), args.size(), "offset", values.data(),
                           values.size(), &train, &out),
            CF_OK);
  const ModelPtr plain = Own(learner, out);
  const cf_table rows = SmallTable::WithoutTarget(train);
  PredictionArrays one(3), other(3);
  one.WantValues();
  other.WantValues();
  ASSERT_EQ(path->predict_at(call.get(), model.get(), 1, &rows, &one.out), CF_OK);
  ASSERT_EQ(path->predict_at(call.get(), plain.get(), 1, &rows, &other.out), CF_OK);
  EXPECT_EQ(one.values, other.values);
}

TEST_F(PrepareTest, APathOverAParameterThatIsNoSubmodelParameterIsRefused) {
  const PreparedPtr prepared = Prepare();
  const cf_table train = table.table();
  cf_model* out = nullptr;
  EXPECT_EQ(cap->fit_path_prepared(call.get(), args.data(), args.size(), "scale", &args[0].value, 1,
                                   prepared.get(), &train, &out),
            CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(call.message, "one fit cannot serve all values of 'scale'");
}

TEST_F(PrepareTest, BytesAreToldAndDestroyReleases) {
  const int before = Weighted::live_prepared;
  {
    const PreparedPtr prepared = Prepare();
    EXPECT_EQ(cap->bytes(&learner->info, prepared.get()), 24u);
    EXPECT_EQ(Weighted::live_prepared, before + 1);
  }
  EXPECT_EQ(Weighted::live_prepared, before);
  cap->destroy(&learner->info, nullptr);
}

}  // namespace
}  // namespace crossfold::plugin
