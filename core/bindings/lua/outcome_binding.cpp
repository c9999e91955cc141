// Outcomes of cells, as scripts see them.
#include <cstddef>
#include <memory>
#include <string>

#include "bindings/lua/native.h"
#include "bindings/lua/planning.h"

namespace crossfold::lua {
namespace {

// Index into the shared vectors for argument 2, which counts from 1.
std::size_t PlaceOf(const OutcomesHandle& all, std::int64_t i) {
  RequireArgument(i >= 1 && static_cast<std::size_t>(i) <= all.count, 2,
                  "there is no such outcome");
  return all.first + static_cast<std::size_t>(i - 1);
}

std::size_t NumOutcomes(const OutcomesHandle& all) { return all.count; }

// outcomes:slice(first, count)
OutcomesHandle Slice(const OutcomesHandle& all, std::int64_t first, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(all.count);
  RequireArgument(first >= 1 && first - 1 <= size, 2, "out of range");
  RequireArgument(count >= 0 && count <= size - (first - 1), 3, "out of range");
  return {all.outcomes, all.first + static_cast<std::size_t>(first - 1),
          static_cast<std::size_t>(count)};
}

// outcomes:ok(i)
bool Ok(const OutcomesHandle& all, std::int64_t i) {
  return all.outcomes->status(PlaceOf(all, i)) == OutcomeStatus::kOk;
}

// outcomes:score(i, m): the value, or nil and the reason (a failure's text if the cell failed).
NumberOrReason ScoreOf(const OutcomesHandle& all, std::int64_t place, std::int64_t m) {
  const std::size_t i = PlaceOf(all, place);
  const OutcomeTable& outcomes = *all.outcomes;
  if (outcomes.status(i) != OutcomeStatus::kOk) return {std::nullopt, outcomes.failure(i).message};
  RequireArgument(m >= 1 && static_cast<std::size_t>(m) <= outcomes.num_metrics(i), 3,
                  "there is no such metric");
  const auto metric = static_cast<std::size_t>(m - 1);
  const std::string* undefined = outcomes.undefined(i, metric);
  if (undefined != nullptr) return {std::nullopt, *undefined};
  return {outcomes.score(i, metric), std::nullopt};
}

// outcomes:failure(i): nil, or {stage =, code =, message =}, with of_another_shard = true where
// another shard computes the cell.
std::pair<const OutcomeTable*, std::size_t> FailureOf(const OutcomesHandle& all, std::int64_t i) {
  return {all.outcomes.get(), PlaceOf(all, i)};
}

void PushFailureOf(lua_State* L, const std::pair<const OutcomeTable*, std::size_t>& cell) {
  const auto& [outcomes, i] = cell;
  if (outcomes->status(i) == OutcomeStatus::kOk) return lua_pushnil(L);
  PushFailure(L, outcomes->failure(i));
  if (outcomes->status(i) == OutcomeStatus::kElsewhere) SetField(L, "of_another_shard", true);
}

std::span<const std::string> WarningsOf(const OutcomesHandle& all, std::int64_t i) {
  return all.outcomes->warnings(PlaceOf(all, i));
}

// outcomes:prediction(i): what the cell's `keep` asked for; nil if nothing was kept.
PredictionHandle PredictionOf(const OutcomesHandle& handle, std::int64_t i) {
  const std::size_t place = PlaceOf(handle, i);
  const std::shared_ptr<OutcomeTable>& all = handle.outcomes;
  const CellBlock& block = all->block_of(place);
  PredictionHandle made;
  if (all->is_planned() && block.keep != Keep::kNothing) {
    made.make = [all, place] {
      return PlannedPrediction(all->block_of(place), all->split_of(place));
    };
  } else if (!all->has_prediction(place)) {
    return made;
  } else if (const Prediction* prediction = all->prediction(place)) {
    // Shares the outcomes' memory and keeps it alive.
    made.prediction = std::shared_ptr<const Prediction>(all, prediction);
  } else {
    made.make = [all, place] { return std::make_shared<const Prediction>(all->Unpacked(place)); };
  }
  made.data = made.truth = block.splits->view().data;
  return made;
}

void NilIfNone(lua_State* L, const PredictionHandle& made) {
  if (made.data == nullptr) lua_pushnil(L);
}

// outcomes:elsewhere(): whether other shards compute some of the cells.
bool Elsewhere(const OutcomesHandle& all) {
  for (std::size_t i = all.first; i < all.first + all.count; ++i) {
    if (all.outcomes->status(i) == OutcomeStatus::kElsewhere) return true;
  }
  return false;
}

// outcomes:sizes(i): training rows, test rows. outcomes:seconds(i): fit, predict.
std::tuple<std::int64_t, std::int64_t> Sizes(const OutcomesHandle& all, std::int64_t i) {
  const std::size_t place = PlaceOf(all, i);
  return {all.outcomes->n_train(place), all.outcomes->n_test(place)};
}

std::tuple<double, double> OutcomeSeconds(const OutcomesHandle& all, std::int64_t i) {
  const std::size_t place = PlaceOf(all, i);
  return {all.outcomes->fit_s(place), all.outcomes->predict_s(place)};
}

}  // namespace

void OpenOutcomes(lua_State* L) {
  RegisterType<OutcomesHandle>(L, {{"slice", Native<Slice>},
                                   {"ok", Native<Ok>},
                                   {"score", Native<ScoreOf>},
                                   {"failure", Native<FailureOf, PushFailureOf>},
                                   {"warnings", Native<WarningsOf>},
                                   {"prediction", Native<PredictionOf, NilIfNone>},
                                   {"sizes", Native<Sizes>},
                                   {"seconds", Native<OutcomeSeconds>},
                                   {"elsewhere", Native<Elsewhere>},
                                   {"__len", Native<NumOutcomes>}});
}

}  // namespace crossfold::lua
