// Outcomes of cells, as scripts see them.
#include <cstddef>
#include <memory>
#include <string>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/planning.h"
#include "bindings/lua/protect.h"

namespace crossfold::lua {
namespace {

OutcomesHandle& CheckOutcomes(lua_State* L) {
  return CheckOwned<OutcomesHandle>(L, 1, kOutcomesName);
}

// Index into the shared vectors for the 1-based argument `arg`.
std::size_t CheckPlace(lua_State* L, int arg) {
  const OutcomesHandle& all = CheckOutcomes(L);
  const lua_Integer i = luaL_checkinteger(L, arg);
  luaL_argcheck(L, i >= 1 && static_cast<std::size_t>(i) <= all.count, arg,
                "there is no such outcome");
  return all.first + static_cast<std::size_t>(i - 1);
}

int NumOutcomes(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(CheckOutcomes(L).count));
  return 1;
}

// outcomes:slice(first, count)
int Slice(lua_State* L) {
  const OutcomesHandle& all = CheckOutcomes(L);
  const lua_Integer first = luaL_checkinteger(L, 2);
  const lua_Integer count = luaL_checkinteger(L, 3);
  const auto size = static_cast<lua_Integer>(all.count);
  luaL_argcheck(L, first >= 1 && first - 1 <= size, 2, "out of range");
  luaL_argcheck(L, count >= 0 && count <= size - (first - 1), 3, "out of range");
  auto* handle = NewOwned<OutcomesHandle>(L);
  *handle = CheckOutcomes(L);
  handle->first += static_cast<std::size_t>(first - 1);
  handle->count = static_cast<std::size_t>(count);
  return 1;
}

// outcomes:ok(i)
int Ok(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushboolean(L, CheckOutcomes(L).outcomes->status(i) == OutcomeStatus::kOk);
  return 1;
}

// outcomes:score(i, m): the value, or nil and the reason (a failure's text if the cell failed).
int ScoreOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  const lua_Integer m = luaL_checkinteger(L, 3);
  if (outcomes.status(i) != OutcomeStatus::kOk) {
    lua_pushnil(L);
    PushText(L, outcomes.failure(i).message);
    return 2;
  }
  luaL_argcheck(L, m >= 1 && static_cast<std::size_t>(m) <= outcomes.num_metrics(i), 3,
                "there is no such metric");
  const auto metric = static_cast<std::size_t>(m - 1);
  const std::string* undefined = outcomes.undefined(i, metric);
  if (undefined == nullptr) {
    lua_pushnumber(L, outcomes.score(i, metric));
    return 1;
  }
  lua_pushnil(L);
  PushText(L, *undefined);
  return 2;
}

// outcomes:failure(i): nil, or {stage =, code =, message =}, with of_another_shard = true where
// another shard computes the cell.
int FailureOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  if (outcomes.status(i) == OutcomeStatus::kOk) {
    lua_pushnil(L);
    return 1;
  }
  PushFailure(L, outcomes.failure(i));
  if (outcomes.status(i) == OutcomeStatus::kElsewhere) {
    lua_pushboolean(L, 1);
    lua_setfield(L, -2, "of_another_shard");
  }
  return 1;
}

int WarningsOf(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  PushTexts(L, CheckOutcomes(L).outcomes->warnings(i));
  return 1;
}

// outcomes:prediction(i): what the cell's `keep` asked for; nil if nothing was kept.
int PredictionOf(lua_State* L) {
  const std::size_t place = CheckPlace(L, 2);
  const OutcomeTable& outcomes = *CheckOutcomes(L).outcomes;
  if (outcomes.is_planned() && outcomes.block_of(place).keep != Keep::kNothing) {
    auto* handle = NewOwned<PredictionHandle>(L);
    const std::shared_ptr<OutcomeTable>& shared = CheckOutcomes(L).outcomes;
    Try(L, [&] {
      handle->make = [shared, place] {
        return PlannedPrediction(shared->block_of(place), shared->split_of(place));
      };
    });
    handle->data = handle->truth = outcomes.block_of(place).splits->view().data;
    return 1;
  }
  if (!outcomes.has_prediction(place)) {
    lua_pushnil(L);
    return 1;
  }
  auto* handle = NewOwned<PredictionHandle>(L);
  const std::shared_ptr<OutcomeTable>& all = CheckOutcomes(L).outcomes;
  if (const Prediction* prediction = outcomes.prediction(place)) {
    // Shares the outcomes' memory and keeps it alive.
    handle->prediction = std::shared_ptr<const Prediction>(all, prediction);
  } else {
    Try(L, [&] {
      handle->make = [all, place] {
        return std::make_shared<const Prediction>(all->Unpacked(place));
      };
    });
  }
  handle->data = outcomes.block_of(place).splits->view().data;
  handle->truth = handle->data;
  return 1;
}

// outcomes:elsewhere(): whether other shards compute some of the cells.
int Elsewhere(lua_State* L) {
  const OutcomesHandle& all = CheckOutcomes(L);
  bool any = false;
  for (std::size_t i = all.first; i < all.first + all.count && !any; ++i) {
    any = all.outcomes->status(i) == OutcomeStatus::kElsewhere;
  }
  lua_pushboolean(L, any ? 1 : 0);
  return 1;
}

// outcomes:sizes(i): training rows, test rows. outcomes:seconds(i): fit, predict.
int Sizes(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushinteger(L, CheckOutcomes(L).outcomes->n_train(i));
  lua_pushinteger(L, CheckOutcomes(L).outcomes->n_test(i));
  return 2;
}

int OutcomeSeconds(lua_State* L) {
  const std::size_t i = CheckPlace(L, 2);
  lua_pushnumber(L, CheckOutcomes(L).outcomes->fit_s(i));
  lua_pushnumber(L, CheckOutcomes(L).outcomes->predict_s(i));
  return 2;
}

constexpr luaL_Reg kOutcomeMethods[] = {{"slice", Slice},         {"ok", Ok},
                                        {"score", ScoreOf},       {"failure", FailureOf},
                                        {"warnings", WarningsOf}, {"prediction", PredictionOf},
                                        {"sizes", Sizes},         {"seconds", OutcomeSeconds},
                                        {"elsewhere", Elsewhere}, {nullptr, nullptr}};
constexpr luaL_Reg kOutcomeMetamethods[] = {{"__len", NumOutcomes}, {nullptr, nullptr}};

}  // namespace

void OpenOutcomes(lua_State* L) {
  RegisterType<OutcomesHandle>(L, kOutcomesName, kOutcomeMethods, kOutcomeMetamethods);
}

}  // namespace crossfold::lua
