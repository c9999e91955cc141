#include "bindings/lua/stored_cells_binding.h"

#include <cstddef>
#include <memory>
#include <string_view>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"

namespace crossfold::lua {
namespace {

constexpr char kCellsName[] = "crossfold.StoredCells";

const StoredCellsHandle& CheckCells(lua_State* L) {
  return CheckOwned<StoredCellsHandle>(L, 1, kCellsName);
}

const StoredCells& CellsOf(lua_State* L) { return *CheckCells(L).cells; }

// Argument 2, from 0 on.
std::size_t CheckSplitOf(lua_State* L, const StoredCells& cells) {
  const lua_Integer split = luaL_checkinteger(L, 2);
  luaL_argcheck(L, split >= 1 && static_cast<std::size_t>(split) <= cells.size(), 2,
                "there is no such split");
  return static_cast<std::size_t>(split - 1);
}

int State(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  switch (cells.state(CheckSplitOf(L, cells))) {
    case CellState::kUnknown:
      lua_pushnil(L);
      break;
    case CellState::kDamaged:
      lua_pushliteral(L, "damaged");
      break;
    case CellState::kMissing:
      lua_pushliteral(L, "missing");
      break;
    case CellState::kFailed:
      lua_pushliteral(L, "failed");
      break;
    case CellState::kOk:
      lua_pushliteral(L, "ok");
      break;
  }
  return 1;
}

int ScoreOf(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  std::size_t size = 0;
  const char* metric = luaL_checklstring(L, 3, &size);
  const Score* score = cells.FindScore(CheckSplitOf(L, cells), std::string_view(metric, size));
  if (score != nullptr && score->defined) {
    lua_pushnumber(L, score->value);
    return 1;
  }
  lua_pushnil(L);
  if (score == nullptr) return 1;
  PushText(L, score->undefined);
  return 2;
}

int DamagedScores(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  lua_pushinteger(L, static_cast<lua_Integer>(cells.num_damaged_scores(CheckSplitOf(L, cells))));
  return 1;
}

int FailureOf(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  const std::size_t split = CheckSplitOf(L, cells);
  if (cells.state(split) == CellState::kFailed) {
    PushFailure(L, cells.failure(split));
  } else {
    lua_pushnil(L);
  }
  return 1;
}

int WarningsOf(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  const std::vector<std::string>& warnings = cells.warnings(CheckSplitOf(L, cells));
  if (warnings.empty()) {
    lua_pushnil(L);
  } else {
    PushTexts(L, warnings);
  }
  return 1;
}

int Sizes(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  const std::size_t split = CheckSplitOf(L, cells);
  lua_pushinteger(L, cells.n_train(split));
  lua_pushinteger(L, cells.n_test(split));
  return 2;
}

int Seconds(lua_State* L) {
  const StoredCells& cells = CellsOf(L);
  const std::size_t split = CheckSplitOf(L, cells);
  lua_pushnumber(L, cells.fit_s(split));
  lua_pushnumber(L, cells.predict_s(split));
  return 2;
}

// Whether scripts get one.
bool HasPrediction(const StoredCellsHandle& handle, std::size_t split) {
  return handle.keep != Keep::kNothing && handle.cells->has_prediction(split);
}

int HasPredictionOf(lua_State* L) {
  const StoredCellsHandle& handle = CheckCells(L);
  lua_pushboolean(L, HasPrediction(handle, CheckSplitOf(L, *handle.cells)) ? 1 : 0);
  return 1;
}

int PredictionOf(lua_State* L) {
  const StoredCellsHandle& handle = CheckCells(L);
  const std::size_t split = CheckSplitOf(L, *handle.cells);
  if (!HasPrediction(handle, split)) return 0;
  auto* prediction = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    prediction->prediction =
        std::make_shared<const Prediction>(handle.cells->UnpackPrediction(split, handle.keep));
    prediction->data = prediction->truth = handle.cells->data(split);
  });
  return 1;
}

constexpr luaL_Reg kMethods[] = {{"damaged_scores", DamagedScores},
                                 {"failure", FailureOf},
                                 {"has_prediction", HasPredictionOf},
                                 {"prediction", PredictionOf},
                                 {"score", ScoreOf},
                                 {"seconds", Seconds},
                                 {"sizes", Sizes},
                                 {"state", State},
                                 {"warnings", WarningsOf},
                                 {nullptr, nullptr}};
constexpr luaL_Reg kMetamethods[] = {{nullptr, nullptr}};

}  // namespace

void OpenStoredCells(lua_State* L) {
  RegisterType<StoredCellsHandle>(L, kCellsName, kMethods, kMetamethods);
}

}  // namespace crossfold::lua
