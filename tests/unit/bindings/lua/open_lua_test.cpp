#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crossfold/error.h"
#include "crossfold/experiment.h"
#include "crossfold/read_data.h"
#include "crossfold/spec_text.h"
#include "lua_state.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold {
namespace {

using testing::HasSubstr;

TEST(OpenLuaTest, TouchesNoGlobal) {
  const LuaState state(luaL_newstate());
  lua_State* L = state.get();
  luaL_openlibs(L);
  ASSERT_EQ(RunLua(L, "before = {} for k in pairs(_G) do before[k] = true end"), "");
  OpenLua(L, TestOptions());
  EXPECT_EQ(
      RunLua(L,
             "require 'crossfold' for k in pairs(_G) do assert(before[k] or k == 'before', k) "
             "end"),
      "");
}

TEST(OpenLuaTest, TwoStatesInOneProcessDoNotMix) {
  LuaOptions options = TestOptions();
  options.seed = 7;
  const LuaState one = NewLuaState(options);
  options.seed = 8;
  const LuaState two = NewLuaState(options);
  EXPECT_EQ(RunLua(one.get(), "assert(require 'crossfold.native'.defaults().seed == 7)"), "");
  EXPECT_EQ(RunLua(two.get(), "assert(require 'crossfold.native'.defaults().seed == 8)"), "");
}

TEST(OpenLuaTest, ACancelledTokenStopsTheNextRun) {
  LuaOptions options = TestOptions();
  options.cancel = std::make_shared<CancelToken>();
  const LuaState state = NewLuaState(options);
  options.cancel->Cancel();
  const std::string code =
      "local cf = require 'crossfold' "
      "local d = cf.dataset{ target = 'y', columns = { { name = 'x', values = {1, 2, 3, 4} }, "
      "{ name = 'y', values = {'a', 'b', 'a', 'b'} } } } "
      "cf.evaluate{ data = d, learners = 'featureless', splitter = 'leave_one_out', "
      "metrics = 'accuracy' }";
  EXPECT_EQ(RunLua(state.get(), code), "cancelled");
}

TEST(OpenLuaTest, ErrorsCarryTheLineOfTheScript) {
  const LuaState state = NewLuaState(TestOptions());
  EXPECT_EQ(
      RunLua(state.get(), "local cf = require 'crossfold'\n\ncf.learner('knn', { kk = 3 })",
             "@mine.lua"),
      "mine.lua:3: cannot make learner 'knn': unknown parameter 'kk'; did you mean 'k'? known: "
      "distance, k, p, weights");
}

TEST(OpenLuaTest, CountsTellHowManyCellsFailed) {
  const LuaState state = NewLuaState(TestOptions());
  const std::string code =
      "local cf = require 'crossfold' "
      "local d = cf.dataset{ target = 'y', columns = { { name = 'x', values = {1, 2, 3, 4} }, "
      "{ name = 'y', values = {'a', 'b', 'a', 'b'} } } } "
      "cf.evaluate{ data = d, learners = { cf.learner('debug', { action = 'throw_in_predict', "
      "when_row = 2 }) }, splitter = 'leave_one_out', metrics = 'accuracy' }";
  ASSERT_EQ(RunLua(state.get(), code), "");
  const LuaRunCounts counts = GetLuaRunCounts(state.get());
  EXPECT_EQ(counts.cells, 4u);
  EXPECT_EQ(counts.failed, 1u);
}

// Each of these raises at another place of a binding function while it owns C++ objects; with the C
// build of Lua under AddressSanitizer a leak would fail the program.
TEST(OpenLuaTest, ErrorsInTheMiddleOfArgumentsLeaveNothingBehind) {
  const LuaState state = NewLuaState(TestOptions());
  lua_State* L = state.get();
  ASSERT_EQ(RunLua(L, "cf = require 'crossfold' native = require 'crossfold.native'"), "");
  const std::pair<const char*, const char*> cases[] = {
      {"native.spec('learner', 'knn', { k = {} , [1] = 2 })", "unnamed value"},
      {"native.spec('learner', 'knn', { k = print })", "is not a parameter value"},
      {"native.spec('learner', 'knn', { k = {1, 'x'} })", "of the wrong type"},
      {"native.pipeline{ native.spec('transform', 'standardize'), 5 }", "step 2 is a number"},
      {"native.dataset('d', { { name = 'a', values = {1, 'x'} } }, {})", "another type"},
      {"native.dataset('d', { { name = 'a', values = {1} }, { name = 'a', values = {1} } }, {})",
       "cannot make dataset 'd'"},
      {"native.run({ { learner = 5 } })", "cannot run cell 1"},
      {"native.pool({ 5 })", "not a prediction"},
      {"native.table_text({ 'a', 'b' }, { { a = 1 }, 5 })", "table expected"},
      {"native.known_names('x', { 'a', {} })", "list of strings"},
      {"native.seed(1, {})", "string expected"},
  };
  for (const auto& [code, finding] : cases) EXPECT_THAT(RunLua(L, code), HasSubstr(finding));
}

std::shared_ptr<const Dataset> Iris() {
  ReadRequest request;
  request.roles.target = "class";
  return ReadData(BundledPlugins(), CROSSFOLD_TEST_DATA "/iris.csv", request);
}

TEST(PushDatasetTest, AScriptUsesADatasetOfTheHost) {
  auto data = Iris();
  const std::weak_ptr<const Dataset> watched = data;
  LuaState state = NewLuaState(TestOptions());
  PushDataset(state.get(), data);
  lua_setglobal(state.get(), "data");
  data = nullptr;
  EXPECT_EQ(RunLua(state.get(),
                   "require 'crossfold' assert(#data == 150 and data:classes()[1] == 'setosa')"),
            "");
  EXPECT_FALSE(watched.expired());
  state.reset();
  EXPECT_TRUE(watched.expired());
}

// The three interfaces promise equal numbers; C is compared in tests/package.
TEST(PushDatasetTest, TheNumbersOfAScriptAreThoseOfAnExperimentInCpp) {
  const LuaOptions options = TestOptions();
  const auto data = Iris();
  Experiment experiment;
  experiment.learners = {
      {"another name",
       Pipeline::Make(
           {ParseSpec(Kind::kLearner, "random_forest{min_leaf=1,trees=5}", *options.plugins)}),
       3}};
  experiment.metrics = {ParseSpec(Kind::kMetric, "log_loss", *options.plugins)};
  experiment.seed = 42;
  experiment.splits = MakeExperimentSplits(
      *ParseSpec(Kind::kSplitter, "kfold{folds=4,repeats=2}", *options.plugins),
      DataView{data, nullptr}, 42);
  const ExperimentResult result = RunExperiment(experiment, RunOptions());

  const LuaState state = NewLuaState(options);
  lua_State* L = state.get();
  PushDataset(L, data);
  lua_setglobal(L, "data");
  ASSERT_EQ(RunLua(L,
                   "local cf = require 'crossfold' "
                   "scores = cf.evaluate{ data = data, seed = 42, metrics = 'log_loss', "
                   "learners = { forest = cf.learner('random_forest', { trees = 5 }) }, "
                   "seeds = { forest = 3 }, "
                   "splitter = cf.splitter('kfold', { folds = 4, repeats = 2 }) }:scores()"),
            "");
  ASSERT_EQ(result.folds.size(), 8u);
  lua_getglobal(L, "scores");
  for (std::size_t i = 0; i < 8; ++i) {
    lua_geti(L, -1, static_cast<lua_Integer>(i + 1));
    lua_getfield(L, -1, "value");
    EXPECT_EQ(lua_tonumber(L, -1), result.folds[i].outcome.scores[0].value) << i;
    lua_pop(L, 2);
  }
}

TEST(OpenLuaTest, TheHostIsToldOfEveryCellAndMayStopTheScript) {
  LuaOptions options = TestOptions();
  std::size_t calls = 0, stop_at = 0;
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, 4u);
    if (++calls == stop_at) throw Error(ErrorKind::kFailed, "the host has had enough");
  };
  const LuaState state = NewLuaState(options);
  const std::string code =
      "local cf = require 'crossfold' "
      "local d = cf.dataset{ target = 'y', columns = { { name = 'x', values = {1, 2, 3, 4} }, "
      "{ name = 'y', values = {'a', 'b', 'a', 'b'} } } } "
      "cf.evaluate{ data = d, learners = 'featureless', splitter = 'leave_one_out', "
      "metrics = 'accuracy' }";
  EXPECT_EQ(RunLua(state.get(), code), "");
  EXPECT_EQ(calls, 4u);
  stop_at = 5;
  EXPECT_THAT(RunLua(state.get(), code), HasSubstr("the host has had enough"));
}

}  // namespace
}  // namespace crossfold
