// CF_DET_UNSEEDED, of every bundled component that declares it: with random settings on small
// random data, two seeds give the same bytes, or are refused for the same reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/bundled_ids.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/random_settings.h"

namespace crossfold {
namespace {

std::vector<std::string> UnseededIds() {
  std::vector<std::string> ids;
  for (const std::string& id : BundledIds()) {
    if ((BundledPlugins().FindAny(id)->determinism & CF_DET_UNSEEDED) != 0) ids.push_back(id);
  }
  return ids;
}

// What a component makes of some rows with a seed.
struct SeededResult {
  laws::Bytes saved;
  laws::Predicted predicted;
  std::vector<double> applied;
};

SeededResult RunWith(const Spec& spec, const DataPtr& data, std::uint64_t seed) {
  const laws::ModelPtr model = laws::Fit(spec, AllRows(data), seed);
  SeededResult outcome;
  if (model == nullptr) return outcome;
  outcome.saved = laws::Save(spec, model.get());
  if (spec.component().learner != nullptr) {
    outcome.predicted = laws::TryPredict(spec, model.get(), AllRows(data), seed);
    return outcome;
  }
  for (const auto& column : laws::Apply(spec, model.get(), AllRows(data), seed).columns) {
    outcome.applied.insert(outcome.applied.end(), column.entries.begin(), column.entries.end());
  }
  return outcome;
}

// Random settings that the host and the component take with such data; null = the draw is refused.
std::shared_ptr<const Spec> DrawAccepted(const std::shared_ptr<const Component>& component,
                                         const DataPtr& data, plugin::Random& random) {
  const ParamValues values = check::DrawSpec(component, random)->given();
  try {
    auto spec = Spec::Make(component, values);
    std::vector<std::shared_ptr<const Spec>> steps = {spec};
    if (component->learner == nullptr) {
      steps.push_back(BundledSpec(Kind::kLearner, "featureless", {}));
    }
    FittedModel::Fit(Pipeline::Make(steps), AllRows(data), 1, {})->Predict(AllRows(data), {});
    return spec;
  } catch (const Error&) {
    return nullptr;
  }
}

class Unseeded : public ::testing::TestWithParam<std::string> {};

TEST_P(Unseeded, TwoSeedsGiveTheSameBytes) {
  const auto component = BundledPlugins().FindAny(GetParam());
  const std::uint32_t tasks =
      component->learner ? component->learner->tasks : component->transform->tasks;
  plugin::Random random(20261122);
  int compared = 0;
  for (int draw = 0; draw < 40; ++draw) {
    const bool classes = (tasks & CF_TASK_REGRESSION) == 0 || random.Below(2) == 0;
    const DataPtr data = DrawData(classes, random);
    const auto spec = DrawAccepted(component, data, random);
    if (spec == nullptr) continue;
    SCOPED_TRACE("draw " + std::to_string(draw) + ": " + spec->ToString());
    ++compared;
    const SeededResult one = RunWith(*spec, data, random.Next());
    const SeededResult other = RunWith(*spec, data, random.Next());
    EXPECT_EQ(one.saved, other.saved);
    EXPECT_TRUE(laws::SamePrediction(one.predicted, other.predicted));
    EXPECT_TRUE(laws::SameNumbers("entries", one.applied, other.applied, 0));
  }
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, Unseeded, ::testing::ValuesIn(UnseededIds()), IdOfTest);

// Those whose seed matters by their nature say so.
TEST(UnseededTest, DrawingComponentsDoNotDeclareIt) {
  for (const char* id : {"mlp", "featureless", "oversample", "undersample", "smote"}) {
    const auto ids = UnseededIds();
    EXPECT_THAT(ids, ::testing::Not(::testing::Contains(std::string("crossfold.") + id)));
  }
  EXPECT_THAT(UnseededIds(), ::testing::Contains("crossfold.ridge"));
}

}  // namespace
}  // namespace crossfold
