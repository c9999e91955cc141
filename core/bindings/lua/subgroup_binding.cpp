// Scores by subgroup: crossfold/stats/subgroups.h over the rows of a prediction, and the rows that
// an expression chooses.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/score.h"
#include "crossfold/stats/subgroups.h"
#include "crossfold/subgroup.h"

namespace crossfold::lua {
namespace {

// What the answers are made of, as scripts give it.
struct GivenSubgroups {
  std::vector<std::int32_t> level;
  std::size_t levels = 0;
  std::vector<std::int64_t> unit;
  std::vector<double> scores, weights;  // of each row; empty = a metric scores the prediction
  stats::SubgroupDesign design() const { return {level, levels, unit}; }
};

// {level = {from 0, or -1}, levels = K, unit = {}} at `index`.
void ReadDesign(lua_State* L, int index, GivenSubgroups& given) {
  auto* level = NewOwned<std::vector<std::int64_t>>(L);
  lua_getfield(L, index, "level");
  ReadIntegers(L, -1, "the levels", *level);
  lua_getfield(L, index, "unit");
  ReadIntegers(L, -1, "the units", given.unit);
  given.levels = static_cast<std::size_t>(IntegerField(L, index, "levels"));
  Try(L, [&] {
    for (const std::int64_t one : *level) given.level.push_back(static_cast<std::int32_t>(one));
  });
  lua_pop(L, 3);
  ReadNumbersField(L, index, "scores", "the scores", given.scores);
  ReadNumbersField(L, index, "weights", "the weights", given.weights);
}

stats::SubgroupOptions ReadSubgroupOptions(lua_State* L, int index) {
  stats::SubgroupOptions options;
  options.confidence = NumberField(L, index, "confidence");
  options.samples = IntegerField(L, index, "samples");
  options.seed = static_cast<std::uint64_t>(IntegerField(L, index, "seed"));
  options.cancel = GetSession(L).cancel();
  return options;
}

template <class T>
void PickEach(const std::vector<T>& from, std::span<const std::size_t> places, std::size_t width,
              std::vector<T>& to) {
  if (from.empty()) return;
  to.reserve(places.size() * width);
  for (const std::size_t place : places) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(place * width);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
}

Prediction PickRows(const Prediction& from, std::span<const std::size_t> places) {
  Prediction picked;
  picked.n_classes = from.n_classes;
  PickEach(from.rows, places, 1, picked.rows);
  PickEach(from.labels, places, 1, picked.labels);
  PickEach(from.values, places, 1, picked.values);
  PickEach(from.probabilities, places, static_cast<std::size_t>(from.n_classes),
           picked.probabilities);
  return picked;
}

double MeanOfPlaces(const GivenSubgroups& given, std::span<const std::size_t> places) {
  double sum = 0, weights = 0;
  for (const std::size_t place : places) {
    const double weight = given.weights.empty() ? 1 : given.weights[place];
    sum += weight * given.scores[place];
    weights += weight;
  }
  return sum / weights;
}

void PushTests(lua_State* L, const std::vector<stats::LevelTest>& tests) {
  PushList(L, tests, [L](const stats::LevelTest& test) {
    PushTable(L, Field("p", test.p), Reason(test.undefined));
  });
}

void PushBootstrap(lua_State* L, const stats::SubgroupBootstrap& answer) {
  lua_createtable(L, 0, 3);
  SetList(L, "levels", answer.levels, [L](const stats::BootstrapInterval& interval) {
    PushTable(L, Field("low", interval.low), Field("high", interval.high),
              Reason(interval.undefined));
  });
  PushTests(L, answer.tests);
  lua_setfield(L, -2, "tests");
  SetTable(L, "gap", Field("estimate", answer.gap.estimate), Field("low", answer.gap.low),
           Field("high", answer.gap.high), Reason(answer.gap.undefined));
}

// native.subgroup_bootstrap({level =, levels =, unit =, scores =, weights =, metric =, prediction
// =}, {confidence =, samples =, seed =, tests = whether each level is compared with the rest}):
// {levels = {{low =, high =, undefined =}, ...}, tests = {{p =, undefined =}, ...}, gap = {estimate
// =, low =, high =, undefined =}}. Without `scores` the metric scores rows of the prediction.
int SubgroupBootstrapOf(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const stats::SubgroupOptions options = ReadSubgroupOptions(L, 2);
  const bool with_tests = FlagField(L, 2, "tests");
  auto* given = NewOwned<GivenSubgroups>(L);
  ReadDesign(L, 1, *given);
  const SpecHandle* metric = nullptr;
  const PredictionHandle* prediction = nullptr;
  const Dataset* data = nullptr;
  if (given->scores.empty()) {
    lua_getfield(L, 1, "metric");
    metric = &CheckSpec(L, lua_gettop(L));
    lua_getfield(L, 1, "prediction");
    prediction = &CheckPrediction(L, lua_gettop(L));
    data = &CheckComparable(L, *prediction);
  }
  auto* answer = NewOwned<stats::SubgroupBootstrap>(L);
  Session& session = GetSession(L);
  Try(L, [&] {
    const auto score = [&](std::span<const std::size_t> places) {
      if (metric == nullptr) return MeanOfPlaces(*given, places);
      const Score found = ScorePrediction(
          *metric->spec, *data, PickRows(*prediction->prediction, places), session.plugins().log());
      return found.defined ? found.value : std::nan("");
    };
    *answer = stats::BootstrapSubgroups(given->design(), score, with_tests, options);
  });
  PushBootstrap(L, *answer);
  return 1;
}

// native.subgroup_permutations({level =, levels =, unit =, scores =, weights =}, {confidence =,
// samples =, seed =}): {{p =, undefined =}, ...}
int SubgroupPermutationsOf(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const stats::SubgroupOptions options = ReadSubgroupOptions(L, 2);
  auto* given = NewOwned<GivenSubgroups>(L);
  ReadDesign(L, 1, *given);
  auto* tests = NewOwned<std::vector<stats::LevelTest>>(L);
  Try(L, [&] {
    *tests = stats::PermuteSubgroups(given->design(), given->scores, given->weights, options);
  });
  PushTests(L, *tests);
  return 1;
}

// native.subgroup_rows(expression, data): a list of booleans.
int SubgroupRowsOf(lua_State* L) {
  const std::string_view expression = CheckText(L, 1);
  const DataHandle& data = CheckData(L, 2);
  auto* rows = NewOwned<std::vector<std::uint8_t>>(L);
  Try(L, [&] { *rows = SubgroupRows(std::string(expression), *data.view.data); });
  return PushForRows(L, data.view, [&](std::int64_t row) {
    lua_pushboolean(L, (*rows)[static_cast<std::size_t>(row)]);
  });
}

// native.subgroup_columns(expression): the names of its columns.
std::vector<std::string> SubgroupColumnsOf(std::string_view expression) {
  return SubgroupColumns(std::string(expression));
}

// native.pick(prediction, {places from 1}): a prediction of these rows, in this order.
PredictionHandle PickOf(const PredictionHandle& from, Integers<"the places"> places) {
  const auto n = static_cast<std::int64_t>(from.prediction->rows.size());
  std::vector<std::size_t> from_zero;
  for (const std::int64_t place : *places) {
    RequireArgument(place >= 1 && place <= n, 2, "there is no such row");
    from_zero.push_back(static_cast<std::size_t>(place - 1));
  }
  PredictionHandle picked = from;
  picked.prediction = std::make_shared<const Prediction>(PickRows(*from.prediction, from_zero));
  return picked;
}

}  // namespace

void OpenSubgroups(lua_State* L) {
  AddFunctions(L, {{"subgroup_bootstrap", SubgroupBootstrapOf},
                   {"subgroup_permutations", SubgroupPermutationsOf},
                   {"subgroup_rows", SubgroupRowsOf},
                   {"subgroup_columns", Native<SubgroupColumnsOf>},
                   {"pick", Native<PickOf>}});
}

}  // namespace crossfold::lua
