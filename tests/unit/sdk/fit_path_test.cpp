#include "crossfold_plugin/capability/fit_path.hpp"

#include <algorithm>
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

struct PathMean : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.path_mean"},
                                     .tasks = CF_TASK_REGRESSION};
  std::vector<double> offsets;

  static PathMean Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<PathMean>(p, t);
  }
  static PathMean FitPath(const Params&, std::string_view param, std::span<const cf_value> values,
                          const TrainingView& t, const Context& c) {
    EXPECT_EQ(param, "offset");
    PathMean m = Fit(Params{}, t, c);
    for (const cf_value& v : values) m.offsets.push_back(v.u.r);
    return m;
  }
  void PredictAt(std::size_t index, const FeatureView&, std::span<double> out,
                 const Context&) const {
    std::fill(out.begin(), out.end(), sum / n + offsets.at(index));
  }
};

// The class whose share reaches `level`, else class 0; probabilities are the shares.
struct PathShare {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.path_share"}};
  struct Params {
    double level = 0.5;
  };
  static constexpr auto kSchema =
      Schema(Real("level", &Params::level, {}, "Level.", {.flags = CF_PF_SUBMODEL}));
  double share = 0;
  std::vector<double> levels;

  static PathShare Fit(const Params& p, const TrainingView& t, const Context&) {
    PathShare m;
    m.levels = {p.level};
    for (std::int64_t i = 0; i < t.num_rows(); ++i) m.share += t.label(i);
    m.share /= static_cast<double>(t.num_rows());
    return m;
  }
  static PathShare FitPath(const Params& p, std::string_view, std::span<const cf_value> values,
                           const TrainingView& t, const Context& c) {
    PathShare m = Fit(p, t, c);
    m.levels.clear();
    for (const cf_value& v : values) m.levels.push_back(v.u.r);
    return m;
  }
  void Predict(const FeatureView& v, std::span<std::int32_t> out, const Context& c) const {
    PredictAt(0, v, out, c);
  }
  void PredictProba(const FeatureView& v, std::span<double> out, const Context& c) const {
    PredictProbaAt(0, v, out, c);
  }
  void PredictAt(std::size_t i, const FeatureView&, std::span<std::int32_t> out,
                 const Context&) const {
    std::fill(out.begin(), out.end(), share >= levels.at(i) ? 1 : 0);
  }
  void PredictProbaAt(std::size_t, const FeatureView&, std::span<double> out,
                      const Context&) const {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = k % 2 == 0 ? 1 - share : share;
  }
};

cf_value RealValue(double r) {
  cf_value v{};
  v.type = CF_P_REAL;
  v.u.r = r;
  return v;
}

// A path of learner L over values of its parameter, for a table of targets.
template <class L>
struct Path {
  const cf_learner* learner = internal::LearnerAdapter<L>::Table();
  const cf_cap_fit_path* table = CapabilityOf<cf_cap_fit_path>(learner, CF_CAP_FIT_PATH);
  std::vector<cf_arg> args = DefaultArgs(learner);
  FakeCall call;

  cf_status Fit(const char* param, const std::vector<cf_value>& values, const cf_table& train,
                cf_model** out) const {
    return table->fit_path(call.get(), args.data(), args.size(), param, values.data(),
                           values.size(), &train, out);
  }
  ModelPtr Fitted(const char* param, const std::vector<cf_value>& values,
                  const cf_table& train) const {
    cf_model* out = nullptr;
    EXPECT_EQ(Fit(param, values, train, &out), CF_OK);
    return Own(learner, out);
  }
  cf_status PredictAt(const ModelPtr& model, std::size_t index, const cf_table& rows,
                      PredictionArrays& at) const {
    const cf_table asked = SmallTable::WithoutTarget(rows);
    return table->predict_at(call.get(), model.get(), index, &asked, &at.out);
  }
};

struct FitPathTest : testing::Test {
  FitPathTest() : one({{0}}, 1) { one.WithValues({1}); }
  SmallTable one;
  Path<PathMean> path;
};

TEST_F(FitPathTest, EachIndexPredictsWhatASeparateFitOfItsValuePredicts) {
  SmallTable t({{0}, {0}, {0}}, 1);
  t.WithValues({0.1, 0.2, 0.4});
  ASSERT_NE(path.table, nullptr);
  const std::vector<cf_value> values = {RealValue(0.3), RealValue(-7), RealValue(1e9)};
  const ModelPtr model = path.Fitted("offset", values, t.table());
  for (std::size_t i = 0; i < values.size(); ++i) {
    PredictionArrays at(3);
    at.WantValues();
    ASSERT_EQ(path.PredictAt(model, i, t.table(), at), CF_OK);
    std::vector<cf_arg> args = path.args;
    args[0].value = values[i];
    const ModelPtr separate = Fit(path.learner, path.call, t.table(), args);
    EXPECT_EQ(at.values, PredictValues(path.learner, path.call, separate.get(), t.table()));
  }
}

TEST_F(FitPathTest, AParameterThatIsNoSubmodelParameterIsRefused) {
  cf_model* out = nullptr;
  EXPECT_EQ(path.Fit("of", {RealValue(1)}, one.table(), &out), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(path.call.message, "one fit cannot serve all values of 'of'");
}

TEST_F(FitPathTest, LabelsAndProbabilitiesAreFilledAsAskedFor) {
  SmallTable t({{0}, {0}, {0}, {0}}, 1);
  t.WithLabels({1, 1, 1, 0}, {"a", "b"});
  const Path<PathShare> shares;
  const ModelPtr model = shares.Fitted("level", {RealValue(0.5), RealValue(0.8)}, t.table());
  const std::vector<std::int64_t> row = {0};
  PredictionArrays first(1, 2);
  first.WantLabels().WantProbabilities();
  ASSERT_EQ(shares.PredictAt(model, 0, t.View(row), first), CF_OK);
  EXPECT_THAT(first.labels, ElementsAre(1));
  EXPECT_THAT(first.probabilities, ElementsAre(0.25, 0.75));
  PredictionArrays second(1, 2);
  second.WantLabels();
  ASSERT_EQ(shares.PredictAt(model, 1, t.View(row), second), CF_OK);
  EXPECT_THAT(second.labels, ElementsAre(0));
}

TEST_F(FitPathTest, AnIndexBeyondTheValuesFailsWithoutCrashing) {
  const ModelPtr model = path.Fitted("offset", {RealValue(1)}, one.table());
  PredictionArrays at(1);
  at.WantValues();
  EXPECT_EQ(path.PredictAt(model, 1, one.table(), at), CF_E_INTERNAL);
}

TEST_F(FitPathTest, ProbabilitiesOfALearnerWithoutThemAreUnsupported) {
  const ModelPtr model = path.Fitted("offset", {RealValue(1)}, one.table());
  PredictionArrays at(1, 2);
  at.WantProbabilities();
  EXPECT_EQ(path.PredictAt(model, 0, one.table(), at), CF_E_UNSUPPORTED);
  EXPECT_EQ(path.call.message, "this learner does not predict probabilities");
}

}  // namespace
}  // namespace crossfold::plugin
