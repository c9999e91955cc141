// Every bundled learner and transform with random settings on small random data: it is refused with
// a reason, or predicts something valid, and its saved model predicts the same bytes. (The host
// checks predictions; its complaint begins with "predicted".)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/random_settings.h"

namespace crossfold {
namespace {

using plugin::Random;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class RandomSettings : public ::testing::TestWithParam<std::string> {
 protected:
  static std::shared_ptr<const Pipeline> MakePipeline(
      const std::shared_ptr<const Component>& component, const ParamValues& values) {
    const auto spec = Spec::Make(component, values);
    if (component->kind == Kind::kLearner) return Pipeline::Make({spec});
    return Pipeline::Make({spec, BundledSpec(Kind::kLearner, "featureless", {})});
  }

  // Throws Error where the component refuses.
  static void FitAndReload(const std::shared_ptr<const Pipeline>& pipeline, const DataPtr& data,
                           std::uint64_t seed) {
    const auto model = FittedModel::Fit(pipeline, AllRows(data), seed, {});
    const Prediction predicted = model->Predict(AllRows(data), {});
    const auto loaded = FittedModel::FromBytes(model->ToBytes(), "bytes", BundledPlugins());
    const Prediction again = loaded->Predict(AllRows(data), {});
    EXPECT_EQ(again.labels, predicted.labels);
    EXPECT_EQ(again.values, predicted.values);
    EXPECT_EQ(again.probabilities, predicted.probabilities);
  }
};

TEST_P(RandomSettings, AreRefusedOrPredictSomethingValidAlsoWhenLoaded) {
  const auto component = BundledPlugins().FindAny(GetParam());
  const std::uint32_t tasks =
      component->learner ? component->learner->tasks : component->transform->tasks;
  Random random(20261121);
  int fitted = 0;
  for (int draw = 0; draw < 60; ++draw) {
    const bool classes = (tasks & CF_TASK_REGRESSION) == 0 || random.Below(2) == 0;
    const DataPtr data = DrawData(classes, random);
    std::string failure;
    std::shared_ptr<const Pipeline> pipeline;
    try {
      pipeline = MakePipeline(component, check::DrawSpec(component, random)->given());
      FitAndReload(pipeline, data, random.Next());
      ++fitted;
    } catch (const Error& e) {
      failure = e.what();
      EXPECT_THAT(failure, StartsWith("cannot "));
    }
    EXPECT_THAT(failure, Not(HasSubstr(": predicted ")));
    EXPECT_THAT(failure, Not(HasSubstr("cannot load")));
    if (HasFailure()) {
      FAIL() << "draw " << draw << ": " << (pipeline ? pipeline->ToString() : "no learner");
    }
  }
  EXPECT_GT(fitted, 0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, RandomSettings, ::testing::ValuesIn(BundledIds()), IdOfTest);

}  // namespace
}  // namespace crossfold
