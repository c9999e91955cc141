// Plans of whole experiments beside what the experiments do: the components of
// tests/unit/engine/plan/counting_plugin.cpp log each fit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "unit/bindings/lua/lua_state.h"

namespace crossfold {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Calls by what they do.
struct Calls {
  std::mutex mutex;
  std::map<std::string, int> counts;
};

LuaOptions CountingOptions(Calls& calls) {
  PluginHostOptions plugins;
  plugins.paths = {CROSSFOLD_TEST_PLUGINS, CROSSFOLD_COUNTING_PLUGIN};
  plugins.use_environment = plugins.use_user_folder = plugins.use_installation = false;
  plugins.log = [&calls](std::int32_t, const std::string& line) {
    const std::lock_guard lock(calls.mutex);
    ++calls.counts[line.substr(line.rfind(' ') + 1)];
  };
  LuaOptions options;
  options.plugins = std::make_shared<PluginHost>(std::move(plugins));
  options.workers = 1;
  return options;
}

constexpr char kPreamble[] = R"(
local cf = require "crossfold"
local x, y = {}, {}
for i = 1, 36 do x[i], y[i] = i, i % 3 == 0 and "b" or "a" end
local data = cf.dataset { name = "small", target = "y",
  columns = { { name = "x", values = x }, { name = "y", values = y } } }
local function folds(n) return cf.splitter("kfold", { folds = n }) end
local function search(learner, grid)
  return cf.grid_search { learner = learner, grid = grid, splitter = folds(3), metric = "accuracy" }
end
local path = cf.learner "counting.path"
local scaled = cf.pipeline { cf.transform "counting.same", path }
local function evaluate(learners)
  return cf.evaluate { data = data, learners = learners, splitter = folds(4), metrics = "accuracy" }
end
)";

// Expects that `work` does what its plan says.
void ExpectTruePlan(const std::string& work) {
  Calls planned;
  const LuaState planner = NewLuaState(CountingOptions(planned));
  const std::string plan = std::string(kPreamble) + "local plan = cf.plan(function()\n" + work +
                           "\nend)\nerror(('%d %d %d %d'):format(plan.fits_done, "
                           "plan.transform_fits, plan.passes, #plan.structures), 0)";
  const std::string told = RunLua(planner.get(), plan);
  Calls made;
  const LuaState runner = NewLuaState(CountingOptions(made));
  EXPECT_EQ(RunLua(runner.get(), kPreamble + work), "");
  std::string counted;
  for (const char* what : {"fit", "transform", "pass", "prepare"}) {
    counted += (counted.empty() ? "" : " ") + std::to_string(made.counts[what]);
  }
  EXPECT_EQ(told, counted);
  EXPECT_GT(made.counts["fit"] + made.counts["pass"], 0);
}

TEST(PlanningTest, AGridSearchWithAPipelineDoesWhatItsPlanSays) {
  ExpectTruePlan("search(scaled, { ['counting.path.rate'] = { 1, 2, 3 } }):fit(data)");
}

TEST(PlanningTest, AFitPathBehindATransformDoesWhatItsPlanSays) {
  ExpectTruePlan("search(scaled, { ['counting.path.size'] = { 1, 2, 3, 4 } }):fit(data)");
}

TEST(PlanningTest, ANestedSearchDoesWhatItsPlanSays) {
  ExpectTruePlan(
      "evaluate { s = search(path, { size = { 1, 2, 3 }, rate = { 1, 2 }, metric = { 1, 2 } }) }");
}

TEST(PlanningTest, ANestedSearchAcrossFoldsDoesWhatItsPlanSays) {
  ExpectTruePlan("evaluate { s = search('counting.cross', { k = { 1, 2, 3 } }) }");
}

TEST(PlanningTest, DuplicatesDoWhatTheirPlanSays) {
  ExpectTruePlan(
      "local splits = cf.split(folds(4), data)\n"
      "local cells = {}\n"
      "for s = 1, 4 do\n"
      "  for _ = 1, 3 do cells[#cells + 1] = { learner = scaled, splits = splits, split = s } end\n"
      "end\n"
      "cf.run(cells)");
}

TEST(PlanningTest, AComparisonOfEverythingDoesWhatItsPlanSays) {
  ExpectTruePlan(
      "evaluate { a = path, b = scaled, c = 'counting.cross',\n"
      "  d = search(scaled, { ['counting.path.rate'] = { 1, 2 } }),\n"
      "  e = cf.bagging { learner = scaled, n = 3 },\n"
      "  f = cf.voting { learners = { path, 'counting.cross' } } }");
}

TEST(PlanningTest, APlanningStateTellsThePlanOnceItsScriptHasEnded) {
  Calls calls;
  LuaOptions options = CountingOptions(calls);
  options.plan = true;
  const LuaState state = NewLuaState(options);
  EXPECT_THAT(GetLuaPlan(state.get(), false), IsEmpty());
  EXPECT_EQ(RunLua(state.get(), std::string(kPreamble) + "evaluate { a = path }\nerror 'got on'"),
            "the work was planned, not done");
  EXPECT_THAT(GetLuaPlan(state.get(), false), HasSubstr("plan of cf.evaluate at test:"));
  EXPECT_THAT(GetLuaPlan(state.get(), true), HasSubstr("\"fits_asked\": 4"));
  EXPECT_EQ(GetLuaRunCounts(state.get()).cells, 0u);
}

}  // namespace
}  // namespace crossfold
