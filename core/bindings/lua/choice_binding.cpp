// The predictions that a search keeps of its candidates, and samples of their rows: the choice
// itself is made in Lua.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/session.h"
#include "bindings/lua/stats_fields.h"
#include "crossfold/inner_predictions.h"
#include "crossfold/stats/candidate_scores.h"

namespace crossfold::lua {
namespace {

constexpr char kInnerPredictionsName[] = "crossfold.InnerPredictions";
constexpr char kChoiceSampleName[] = "crossfold.ChoiceSample";

struct InnerPredictionsHandle {
  std::shared_ptr<InnerPredictions> predictions;
  std::shared_ptr<const Dataset> data;
};

struct ChoiceSampleHandle {
  std::shared_ptr<const ChoiceSample> sample;
  std::shared_ptr<const Dataset> data;
  stats::CandidateScores scores;  // of each row; empty = they are not known
};

ChoiceSampleHandle& CheckSample(lua_State* L) {
  return CheckOwned<ChoiceSampleHandle>(L, 1, kChoiceSampleName);
}

// The number of a candidate of the sample, from 0, of argument `arg`.
std::size_t CheckNumber(lua_State* L, const ChoiceSampleHandle& handle, int arg) {
  const lua_Integer i = luaL_checkinteger(L, arg);
  luaL_argcheck(L, i >= 1 && static_cast<std::size_t>(i) <= handle.sample->n_candidates(), arg,
                "there is no such candidate");
  return static_cast<std::size_t>(i - 1);
}

// native.inner_bytes(splits, probabilities): bytes of the predictions of a candidate, and how many
// the sandbox has left (nil = there is none).
int InnerBytes(lua_State* L) {
  const SplitsHandle& splits = CheckSplits(L, 1);
  const bool probabilities = lua_toboolean(L, 2) != 0;
  std::uint64_t bytes = 0;
  Try(L, [&] { bytes = InnerPredictions::BytesOf(*splits.plan, probabilities); });
  lua_pushinteger(L, static_cast<lua_Integer>(bytes));
  const std::shared_ptr<MemoryBudget>& budget = GetSession(L).budget;
  if (budget == nullptr) return 1;
  lua_pushinteger(L, static_cast<lua_Integer>(budget->rest()));
  return 2;
}

// native.inner_predictions(splits, probabilities)
int NewInnerPredictions(lua_State* L) {
  const SplitsHandle& splits = CheckSplits(L, 1);
  const bool probabilities = lua_toboolean(L, 2) != 0;
  auto* handle = NewOwned<InnerPredictionsHandle>(L);
  Try(L, [&] {
    handle->predictions = std::make_shared<InnerPredictions>(splits.plan, probabilities);
    handle->data = splits.plan->view().data;
  });
  return 1;
}

// predictions:add(candidate, split, prediction)
int AddPrediction(lua_State* L) {
  auto& handle = CheckOwned<InnerPredictionsHandle>(L, 1, kInnerPredictionsName);
  const lua_Integer candidate = luaL_checkinteger(L, 2), split = luaL_checkinteger(L, 3);
  luaL_argcheck(L, candidate >= 1, 2, "candidates count from 1");
  luaL_argcheck(L, split >= 1 && split <= handle.predictions->splits().size(), 3,
                "there is no such split");
  const PredictionHandle& p = CheckPrediction(L, 4);
  Try(L, [&] {
    handle.predictions->Add(static_cast<std::size_t>(candidate - 1), split - 1, *p.prediction);
  });
  return 0;
}

// native.choice_sample(predictions, {candidates})
int NewChoiceSample(lua_State* L) {
  auto& from = CheckOwned<InnerPredictionsHandle>(L, 1, kInnerPredictionsName);
  auto* places = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the candidates", *places);
  luaL_argcheck(L, !places->empty(), 2, "at least one candidate");
  auto* handle = NewOwned<ChoiceSampleHandle>(L);
  Try(L, [&] {
    std::vector<std::size_t> candidates;
    for (const std::int64_t place : *places) {
      candidates.push_back(static_cast<std::size_t>(place - 1));
    }
    handle->sample = std::make_shared<const ChoiceSample>(from.predictions, std::move(candidates));
    handle->data = from.data;
  });
  return 1;
}

// sample:units(): the number of what is drawn, and whether these are groups.
int Units(lua_State* L) {
  const ChoiceSampleHandle& handle = CheckSample(L);
  lua_pushinteger(L, handle.sample->n_units());
  lua_pushboolean(L, handle.sample->draws_groups() ? 1 : 0);
  return 2;
}

// sample:folds(): the splits that all candidates have, from 1.
int FoldsOfSample(lua_State* L) {
  PushRowIds(L, CheckSample(L).sample->splits());
  return 1;
}

// The counts of the sample with the seed at `arg`; each unit once without one.
void ReadCounts(lua_State* L, int arg, const ChoiceSampleHandle& from,
                std::vector<std::int32_t>& counts) {
  const bool all = lua_isnoneornil(L, arg);
  const auto seed = static_cast<std::uint64_t>(luaL_optinteger(L, arg, 0));
  const std::int64_t n = from.sample->n_units();
  Try(L, [&] {
    if (all) {
      counts.assign(static_cast<std::size_t>(n), 1);
    } else {
      counts = stats::DrawCounts(n, seed);
    }
  });
}

int PushSelected(lua_State* L, const ChoiceSampleHandle& from, std::size_t i,
                 const std::vector<std::int32_t>& counts, ChoiceSample::Part part,
                 std::int64_t fold) {
  auto* handle = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    handle->prediction =
        std::make_shared<const Prediction>(from.sample->Select(i, counts, part, fold));
    handle->data = handle->truth = from.data;
  });
  if (!handle->prediction->rows.empty()) return 1;
  lua_pushnil(L);
  return 1;
}

// sample:prediction(i): that of candidate i for all tested rows.
int WholePrediction(lua_State* L) {
  lua_settop(L, 2);
  lua_pushnil(L);  // no seed
  const ChoiceSampleHandle& handle = CheckSample(L);
  const std::size_t i = CheckNumber(L, handle, 2);
  auto* counts = NewOwned<std::vector<std::int32_t>>(L);
  ReadCounts(L, 3, handle, *counts);
  return PushSelected(L, handle, i, *counts, ChoiceSample::Part::kDrawn, -1);
}

// sample:drawn(seed, i, left_out, fold): the prediction of candidate i for the rows of a sample (or
// all rows, without a seed) in a fold, or for those that it leaves out; nil if there are none.
int DrawnPrediction(lua_State* L) {
  lua_settop(L, 5);
  const ChoiceSampleHandle& handle = CheckSample(L);
  const std::size_t i = CheckNumber(L, handle, 3);
  const auto part =
      lua_toboolean(L, 4) != 0 ? ChoiceSample::Part::kLeftOut : ChoiceSample::Part::kDrawn;
  const lua_Integer fold = luaL_checkinteger(L, 5);
  auto* counts = NewOwned<std::vector<std::int32_t>>(L);
  ReadCounts(L, 2, handle, *counts);
  return PushSelected(L, handle, i, *counts, part, fold - 1);
}

// sample:take_scores(i, values, weights): the scores of the rows of prediction(i), for i = 1, 2,
// ... in this order.
int TakeScores(lua_State* L) {
  lua_settop(L, 4);
  ChoiceSampleHandle& handle = CheckSample(L);
  const std::size_t i = CheckNumber(L, handle, 2);
  auto* values = NewOwned<std::vector<double>>(L);
  ReadNumbers(L, 3, "the scores", *values);
  auto* weights = NewOwned<std::vector<double>>(L);
  if (!lua_isnoneornil(L, 4)) ReadNumbers(L, 4, "the weights", *weights);
  const std::vector<std::int64_t>& units = handle.sample->units();
  luaL_argcheck(L, values->size() == units.size(), 3, "one score per tested row");
  luaL_argcheck(L, weights->empty() || weights->size() == units.size(), 4,
                "one weight per tested row");
  Try(L, [&] {
    stats::CandidateScores& scores = handle.scores;
    const std::size_t n = handle.sample->n_candidates();
    if (scores.scores.empty()) {
      scores.n_candidates = static_cast<std::int64_t>(n);
      scores.n_units = handle.sample->n_units();
      scores.n_folds = static_cast<std::int64_t>(handle.sample->splits().size());
      scores.units = units;
      scores.folds = handle.sample->folds();
      scores.weights = *weights;
      scores.scores.assign(units.size() * n, 0);
    }
    for (std::size_t test = 0; test < units.size(); ++test) {
      scores.scores[test * n + i] = (*values)[test];
    }
  });
  return 0;
}

// Pushes `score`, or false for one that is undefined.
void PushScore(lua_State* L, double score) {
  if (std::isnan(score)) {
    lua_pushboolean(L, 0);
  } else {
    lua_pushnumber(L, score);
  }
}

// Pushes a list with a list per candidate: its scores in the folds.
void PushParts(lua_State* L, const std::vector<double>& parts, std::size_t n_candidates) {
  const std::size_t n_parts = parts.size() / n_candidates;
  lua_createtable(L, static_cast<int>(n_candidates), 0);
  for (std::size_t c = 0; c < n_candidates; ++c) {
    lua_createtable(L, static_cast<int>(n_parts), 0);
    for (std::size_t part = 0; part < n_parts; ++part) {
      PushScore(L, parts[part * n_candidates + c]);
      lua_rawseti(L, -2, static_cast<lua_Integer>(part + 1));
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
}

// The metric at `arg`; null = the scores of the rows were taken.
const Spec* OptMetric(lua_State* L, const ChoiceSampleHandle& handle, int arg) {
  if (lua_isnoneornil(L, arg)) {
    luaL_argcheck(L, !handle.scores.scores.empty(), arg, "a metric is expected");
    return nullptr;
  }
  const SpecHandle& metric = CheckSpec(L, arg);
  luaL_argcheck(L, metric.spec->component().metric != nullptr, arg, "a metric is expected");
  return metric.spec.get();
}

std::vector<double> ScoreBag(const ChoiceSample& sample, const Spec& metric,
                             const std::vector<std::int32_t>& counts, bool by_fold,
                             const Session& session, const LogSink& log) {
  std::vector<double> parts;
  const auto n_folds = static_cast<std::int64_t>(sample.splits().size());
  for (std::int64_t part = 0; part < (by_fold ? n_folds : 1); ++part) {
    for (std::size_t c = 0; c < sample.n_candidates(); ++c) {
      StopIfCancelled(session.cancel());
      parts.push_back(
          sample.Score(metric, c, counts, ChoiceSample::Part::kDrawn, by_fold ? part : -1, log));
    }
  }
  return parts;
}

// sample:bag(seed, by_fold, metric): the scores of all candidates on the rows of a sample (or all
// rows, without a seed): a list of them, or by fold a list per candidate; false where one is
// undefined. Without a metric they come from take_scores.
int Bag(lua_State* L) {
  lua_settop(L, 4);
  const ChoiceSampleHandle& handle = CheckSample(L);
  const bool by_fold = lua_toboolean(L, 3) != 0;
  const Spec* metric = OptMetric(L, handle, 4);
  auto* counts = NewOwned<std::vector<std::int32_t>>(L);
  ReadCounts(L, 2, handle, *counts);
  auto* parts = NewOwned<std::vector<double>>(L);
  Session& session = GetSession(L);
  Try(L, [&] {
    StopIfCancelled(session.cancel());
    *parts = metric == nullptr ? stats::BagMeans(handle.scores, *counts, by_fold)
                               : ScoreBag(*handle.sample, *metric, *counts, by_fold, session,
                                          session.plugins().log());
  });
  if (by_fold) {
    PushParts(L, *parts, handle.sample->n_candidates());
    return 1;
  }
  lua_createtable(L, static_cast<int>(parts->size()), 0);
  for (std::size_t c = 0; c < parts->size(); ++c) {
    PushScore(L, (*parts)[c]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  return 1;
}

// sample:left_out(seed, i, metric): the score of candidate i on the rows that a sample leaves out;
// nil if it is undefined.
int LeftOut(lua_State* L) {
  lua_settop(L, 4);
  const ChoiceSampleHandle& handle = CheckSample(L);
  luaL_checkinteger(L, 2);
  const std::size_t i = CheckNumber(L, handle, 3);
  const Spec* metric = OptMetric(L, handle, 4);
  auto* drawn = NewOwned<std::vector<std::int32_t>>(L);
  ReadCounts(L, 2, handle, *drawn);
  double score = 0;
  Session& session = GetSession(L);
  Try(L, [&] {
    const std::vector<std::int32_t>& counts = *drawn;
    score = metric == nullptr
                ? stats::OutOfBagMean(handle.scores, counts, static_cast<std::int64_t>(i))
                : handle.sample->Score(*metric, i, counts, ChoiceSample::Part::kLeftOut, -1,
                                       session.plugins().log());
  });
  if (std::isnan(score)) return 0;
  lua_pushnumber(L, score);
  return 1;
}

// sample:test({direction =, level =, samples =, seed =}, seed of a sample or nil): see
// TestCandidates; of all rows without the second.
int TestSample(lua_State* L) {
  lua_settop(L, 3);
  const ChoiceSampleHandle& handle = CheckSample(L);
  luaL_argcheck(L, !handle.scores.scores.empty(), 1, "it has no scores of rows");
  luaL_checktype(L, 2, LUA_TTABLE);
  stats::ConfidenceSetOptions options;
  options.direction = NumberField(L, 2, "direction");
  options.level = NumberField(L, 2, "level");
  options.samples = IntegerField(L, 2, "samples");
  options.seed = static_cast<std::uint64_t>(IntegerField(L, 2, "seed"));
  options.cancel = GetSession(L).cancel();
  const bool of_sample = !lua_isnoneornil(L, 3);
  const auto seed = static_cast<std::uint64_t>(luaL_optinteger(L, 3, 0));
  auto* tests = NewOwned<std::vector<stats::CandidateTest>>(L);
  Try(L, [&] {
    std::vector<std::int32_t> counts;
    if (of_sample) counts = stats::DrawCounts(handle.sample->n_units(), seed);
    *tests = stats::TestCandidates(handle.scores, counts, options);
  });
  lua_createtable(L, static_cast<int>(tests->size()), 0);
  for (std::size_t c = 0; c < tests->size(); ++c) {
    const stats::CandidateTest& test = (*tests)[c];
    lua_createtable(L, 0, 4);
    SetNumber(L, "p", test.p);
    SetFlag(L, "in_set", test.in_set);
    if (test.rival >= 0) SetInteger(L, "rival", test.rival + 1);
    SetNumber(L, "statistic", test.statistic);
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  return 1;
}

// native.least_set_samples(level): see LeastSamples; `level` is between 0 and 1.
int LeastSetSamples(lua_State* L) {
  const double level = luaL_checknumber(L, 1);
  luaL_argcheck(L, level > 0 && level < 1, 1, "it is not between 0 and 1");
  lua_pushinteger(L, stats::LeastSamples(level));
  return 1;
}

}  // namespace

void OpenChoices(lua_State* L) {
  static constexpr luaL_Reg kPredictionMethods[] = {{"add", AddPrediction}, {nullptr, nullptr}};
  static constexpr luaL_Reg kSampleMethods[] = {
      {"units", Units},           {"folds", FoldsOfSample},    {"prediction", WholePrediction},
      {"drawn", DrawnPrediction}, {"take_scores", TakeScores}, {"bag", Bag},
      {"left_out", LeftOut},      {"test", TestSample},        {nullptr, nullptr}};
  static constexpr luaL_Reg kNoMetamethods[] = {{nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"inner_bytes", InnerBytes},
                                            {"inner_predictions", NewInnerPredictions},
                                            {"choice_sample", NewChoiceSample},
                                            {"least_set_samples", LeastSetSamples},
                                            {nullptr, nullptr}};
  RegisterType<InnerPredictionsHandle>(L, kInnerPredictionsName, kPredictionMethods,
                                       kNoMetamethods);
  RegisterType<ChoiceSampleHandle>(L, kChoiceSampleName, kSampleMethods, kNoMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
