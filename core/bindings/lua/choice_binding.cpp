// The predictions that a search keeps of its candidates, and samples of their rows: the choice
// itself is made in Lua.
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/inner_predictions.h"
#include "crossfold/stats/candidate_scores.h"

namespace crossfold::lua {
namespace {

struct InnerPredictionsHandle {
  static constexpr char kName[] = "crossfold.InnerPredictions";
  std::shared_ptr<InnerPredictions> predictions;
  std::shared_ptr<const Dataset> data;
};

struct ChoiceSampleHandle {
  static constexpr char kName[] = "crossfold.ChoiceSample";
  std::shared_ptr<const ChoiceSample> sample;
  std::shared_ptr<const Dataset> data;
  stats::CandidateScores scores;  // of each row; empty = they are not known
};

// The number of a candidate of the sample, from 0, of argument `arg`.
std::size_t CheckNumber(const ChoiceSampleHandle& handle, std::int64_t i, int arg) {
  RequireArgument(i >= 1 && static_cast<std::size_t>(i) <= handle.sample->n_candidates(), arg,
                  "there is no such candidate");
  return static_cast<std::size_t>(i - 1);
}

// native.inner_bytes(splits, probabilities): bytes of the predictions of a candidate, and how many
// the sandbox has left (nil = there is none).
std::tuple<std::uint64_t, std::optional<std::uint64_t>> InnerBytes(const SplitsHandle& splits,
                                                                   bool probabilities,
                                                                   const Session& session) {
  const std::uint64_t bytes = InnerPredictions::BytesOf(*splits.plan, probabilities);
  if (session.budget == nullptr) return {bytes, std::nullopt};
  return {bytes, session.budget->rest()};
}

// native.inner_predictions(splits, probabilities)
InnerPredictionsHandle NewInnerPredictions(const SplitsHandle& splits, bool probabilities) {
  return {std::make_shared<InnerPredictions>(splits.plan, probabilities), splits.plan->view().data};
}

// predictions:add(candidate, split, prediction)
void AddPrediction(const InnerPredictionsHandle& handle, std::int64_t candidate, std::int64_t split,
                   const PredictionHandle& p) {
  RequireArgument(candidate >= 1, 2, "candidates count from 1");
  RequireArgument(split >= 1 && split <= handle.predictions->splits().size(), 3,
                  "there is no such split");
  handle.predictions->Add(static_cast<std::size_t>(candidate - 1), split - 1, *p.prediction);
}

// native.choice_sample(predictions, {candidates})
ChoiceSampleHandle NewChoiceSample(const InnerPredictionsHandle& from,
                                   Integers<"the candidates"> places) {
  RequireArgument(!places->empty(), 2, "at least one candidate");
  std::vector<std::size_t> candidates;
  for (const std::int64_t place : *places) {
    candidates.push_back(static_cast<std::size_t>(place - 1));
  }
  return {
      std::make_shared<const ChoiceSample>(from.predictions, std::move(candidates)), from.data, {}};
}

// sample:units(): the number of what is drawn, and whether these are groups.
std::tuple<std::int64_t, bool> Units(const ChoiceSampleHandle& handle) {
  return {handle.sample->n_units(), handle.sample->draws_groups()};
}

// sample:folds(): the splits that all candidates have, from 1.
int FoldsOfSample(lua_State* L) {
  PushRowIds(L, CheckOwned<ChoiceSampleHandle>(L, 1).sample->splits());
  return 1;
}

// The counts of the sample with this seed; each unit once without one.
std::vector<std::int32_t> DrawnCounts(const ChoiceSampleHandle& from,
                                      std::optional<std::uint64_t> seed) {
  const std::int64_t n = from.sample->n_units();
  if (seed) return stats::DrawCounts(n, *seed);
  return std::vector<std::int32_t>(static_cast<std::size_t>(n), 1);
}

PredictionHandle Selected(const ChoiceSampleHandle& from, std::size_t i,
                          const std::vector<std::int32_t>& counts, ChoiceSample::Part part,
                          std::int64_t fold) {
  PredictionHandle made;
  made.prediction = std::make_shared<const Prediction>(from.sample->Select(i, counts, part, fold));
  made.data = made.truth = from.data;
  return made;
}

// Pushes nil over a prediction without rows.
void NilIfEmpty(lua_State* L, const PredictionHandle& made) {
  if (made.prediction->rows.empty()) lua_pushnil(L);
}

// sample:prediction(i): that of candidate i for all tested rows.
PredictionHandle WholePrediction(const ChoiceSampleHandle& handle, std::int64_t i) {
  return Selected(handle, CheckNumber(handle, i, 2), DrawnCounts(handle, std::nullopt),
                  ChoiceSample::Part::kDrawn, -1);
}

// sample:drawn(seed, i, left_out, fold): the prediction of candidate i for the rows of a sample (or
// all rows, without a seed) in a fold, or for those that it leaves out; nil if there are none.
PredictionHandle DrawnPrediction(const ChoiceSampleHandle& handle,
                                 std::optional<std::uint64_t> seed, std::int64_t i, bool left_out,
                                 std::int64_t fold) {
  const auto part = left_out ? ChoiceSample::Part::kLeftOut : ChoiceSample::Part::kDrawn;
  return Selected(handle, CheckNumber(handle, i, 3), DrawnCounts(handle, seed), part, fold - 1);
}

// sample:take_scores(i, values, weights): the scores of the rows of prediction(i), for i = 1, 2,
// ... in this order.
void TakeScores(ChoiceSampleHandle& handle, std::int64_t candidate, Numbers<"the scores"> values,
                std::optional<Numbers<"the weights">> given) {
  const std::size_t i = CheckNumber(handle, candidate, 2);
  const std::vector<std::int64_t>& units = handle.sample->units();
  RequireArgument(values->size() == units.size(), 3, "one score per tested row");
  const std::vector<double> weights = given ? **given : std::vector<double>();
  RequireArgument(weights.empty() || weights.size() == units.size(), 4,
                  "one weight per tested row");
  stats::CandidateScores& scores = handle.scores;
  const std::size_t n = handle.sample->n_candidates();
  if (scores.scores.empty()) {
    scores.n_candidates = static_cast<std::int64_t>(n);
    scores.n_units = handle.sample->n_units();
    scores.n_folds = static_cast<std::int64_t>(handle.sample->splits().size());
    scores.units = units;
    scores.folds = handle.sample->folds();
    scores.weights = weights;
    scores.scores.assign(units.size() * n, 0);
  }
  for (std::size_t test = 0; test < units.size(); ++test) {
    scores.scores[test * n + i] = (*values)[test];
  }
}

// Pushes `score`, or false for one that is undefined.
void PushScore(lua_State* L, double score) {
  if (std::isnan(score)) {
    lua_pushboolean(L, 0);
  } else {
    lua_pushnumber(L, score);
  }
}

// Pushes a list of the candidates' scores, or by fold a list with a list per candidate.
void PushParts(lua_State* L, const std::vector<double>& parts, std::size_t n_candidates,
               bool by_fold) {
  const auto push = [L](double score) { PushScore(L, score); };
  if (!by_fold) return PushList(L, parts, push);
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

// The metric that is argument 4; null = the scores of the rows were taken.
const Spec* OptMetric(const ChoiceSampleHandle& handle, std::optional<SpecHandle*> metric) {
  const bool fits =
      metric ? (*metric)->spec->component().metric != nullptr : !handle.scores.scores.empty();
  RequireArgument(fits, 4, "a metric is expected");
  return metric ? (*metric)->spec.get() : nullptr;
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
  const ChoiceSampleHandle& handle = CheckOwned<ChoiceSampleHandle>(L, 1);
  const bool by_fold = lua_toboolean(L, 3) != 0;
  int at = 4;
  const auto given = Argument<std::optional<SpecHandle*>>::Read(L, at);
  at = 2;
  const auto seed = Argument<std::optional<std::uint64_t>>::Read(L, at);
  Session& session = GetSession(L);
  const auto bag = [&] {
    const Spec* metric = OptMetric(handle, given);
    const std::vector<std::int32_t> counts = DrawnCounts(handle, seed);
    StopIfCancelled(session.cancel());
    return metric == nullptr ? stats::BagMeans(handle.scores, counts, by_fold)
                             : ScoreBag(*handle.sample, *metric, counts, by_fold, session,
                                        session.plugins().log());
  };
  return RunAndPush(L, bag, [&](lua_State*, const std::vector<double>& parts) {
    PushParts(L, parts, handle.sample->n_candidates(), by_fold);
    return 1;
  });
}

// sample:left_out(seed, i, metric): the score of candidate i on the rows that a sample leaves out;
// nil if it is undefined.
std::optional<double> LeftOut(const ChoiceSampleHandle& handle, std::uint64_t seed,
                              std::int64_t candidate, std::optional<SpecHandle*> given,
                              Session& session) {
  const std::size_t i = CheckNumber(handle, candidate, 3);
  const Spec* metric = OptMetric(handle, given);
  const std::vector<std::int32_t> counts = DrawnCounts(handle, seed);
  const double score =
      metric == nullptr ? stats::OutOfBagMean(handle.scores, counts, static_cast<std::int64_t>(i))
                        : handle.sample->Score(*metric, i, counts, ChoiceSample::Part::kLeftOut, -1,
                                               session.plugins().log());
  return std::isnan(score) ? std::nullopt : std::optional(score);
}

// sample:test({direction =, level =, samples =, seed =}, seed of a sample or nil): see
// TestCandidates; of all rows without the second.
int TestSample(lua_State* L) {
  lua_settop(L, 3);
  const ChoiceSampleHandle& handle = CheckOwned<ChoiceSampleHandle>(L, 1);
  luaL_argcheck(L, !handle.scores.scores.empty(), 1, "it has no scores of rows");
  luaL_checktype(L, 2, LUA_TTABLE);
  stats::ConfidenceSetOptions options;
  options.direction = NumberField(L, 2, "direction");
  options.level = NumberField(L, 2, "level");
  options.samples = IntegerField(L, 2, "samples");
  options.seed = static_cast<std::uint64_t>(IntegerField(L, 2, "seed"));
  options.cancel = GetSession(L).cancel();
  int at = 3;
  const auto seed = Argument<std::optional<std::uint64_t>>::Read(L, at);
  auto* tests = NewOwned<std::vector<stats::CandidateTest>>(L);
  Try(L, [&] {
    std::vector<std::int32_t> counts;
    if (seed) counts = stats::DrawCounts(handle.sample->n_units(), *seed);
    *tests = stats::TestCandidates(handle.scores, counts, options);
  });
  PushList(L, *tests, [L](const stats::CandidateTest& test) {
    PushTable(L, Field("p", test.p), Field("in_set", test.in_set),
              Field("statistic", test.statistic));
    if (test.rival >= 0) SetField(L, "rival", test.rival + 1);
  });
  return 1;
}

// native.least_set_samples(level): see LeastSamples; `level` is between 0 and 1.
std::int64_t LeastSetSamples(double level) {
  RequireArgument(level > 0 && level < 1, 1, "it is not between 0 and 1");
  return stats::LeastSamples(level);
}

}  // namespace

void OpenChoices(lua_State* L) {
  RegisterType<InnerPredictionsHandle>(L, {{"add", Native<AddPrediction>}});
  RegisterType<ChoiceSampleHandle>(L, {{"units", Native<Units>},
                                       {"folds", FoldsOfSample},
                                       {"prediction", Native<WholePrediction, NilIfEmpty>},
                                       {"drawn", Native<DrawnPrediction, NilIfEmpty>},
                                       {"take_scores", Native<TakeScores>},
                                       {"bag", Bag},
                                       {"left_out", Native<LeftOut>},
                                       {"test", TestSample}});
  AddFunctions(L, {{"inner_bytes", Native<InnerBytes>},
                   {"inner_predictions", Native<NewInnerPredictions>},
                   {"choice_sample", Native<NewChoiceSample>},
                   {"least_set_samples", Native<LeastSetSamples>}});
}

}  // namespace crossfold::lua
