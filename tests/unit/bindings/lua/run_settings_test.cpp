#include "bindings/lua/run_settings.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "crossfold/component.h"
#include "crossfold/pipeline.h"

namespace crossfold::lua {
namespace {

// A learner that may ask for a process of its own; never called.
std::shared_ptr<const Pipeline> LearnerWith(std::uint32_t process_flags) {
  static const cf_learner nothing{};
  auto component = std::make_shared<Component>();
  component->kind = Kind::kLearner;
  component->id = "org.example.learner";
  component->process_flags = process_flags;
  component->learner = &nothing;
  return Pipeline::Make({Spec::Make(component, {})});
}

TEST(RunSettingsTest, CellsRunHereUnlessSomethingAsksForAProcess) {
  EXPECT_EQ(ChooseIsolation(RunSettings(), *LearnerWith(0), std::nullopt), Isolation::kNone);
}

TEST(RunSettingsTest, APluginThatWantsAProcessGetsAWorker) {
  const auto learner = LearnerWith(CF_WANTS_CHILD_PROCESS);
  EXPECT_EQ(ChooseIsolation(RunSettings(), *learner, std::nullopt), Isolation::kWorker);
}

TEST(RunSettingsTest, AnExplicitNoneOverrulesThePlugin) {
  const auto learner = LearnerWith(CF_WANTS_CHILD_PROCESS);
  RunSettings settings;
  settings.isolation = Isolation::kNone;
  EXPECT_EQ(ChooseIsolation(settings, *learner, std::nullopt), Isolation::kNone);
  EXPECT_EQ(ChooseIsolation(RunSettings(), *learner, Isolation::kNone), Isolation::kNone);
}

TEST(RunSettingsTest, LimitsNeedAProcess) {
  RunSettings settings;
  settings.limits.cpu_seconds = 1;
  EXPECT_EQ(ChooseIsolation(settings, *LearnerWith(0), std::nullopt), Isolation::kWorker);
  settings.isolation = Isolation::kFresh;
  EXPECT_EQ(ChooseIsolation(settings, *LearnerWith(0), std::nullopt), Isolation::kFresh);
}

TEST(RunSettingsTest, ACellThatTellsOverrulesAll) {
  RunSettings settings;
  settings.isolation = Isolation::kWorker;
  EXPECT_EQ(ChooseIsolation(settings, *LearnerWith(0), Isolation::kFresh), Isolation::kFresh);
}

TEST(RunSettingsTest, OtherWordsAreNoIsolation) {
  EXPECT_EQ(IsolationNamed("fresh"), Isolation::kFresh);
  EXPECT_EQ(IsolationNamed("auto"), Isolation::kAuto);
  EXPECT_EQ(IsolationNamed("thread"), std::nullopt);
  EXPECT_EQ(IsolationNamed(""), std::nullopt);
}

}  // namespace
}  // namespace crossfold::lua
