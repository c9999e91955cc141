#include "bindings/lua/stored_cells_binding.h"
#include "bindings/lua/native.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace crossfold::lua {
namespace {

// Argument 2, from 0 on.
std::size_t CheckSplitOf(const StoredCellsHandle& handle, std::int64_t split) {
  RequireArgument(split >= 1 && static_cast<std::size_t>(split) <= handle.cells->size(), 2,
                  "there is no such split");
  return static_cast<std::size_t>(split - 1);
}

CellState State(const StoredCellsHandle& handle, std::int64_t split) {
  return handle.cells->state(CheckSplitOf(handle, split));
}

void PushState(lua_State* L, CellState state) {
  switch (state) {
    case CellState::kUnknown:
      return lua_pushnil(L);
    case CellState::kDamaged:
      return PushText(L, "damaged");
    case CellState::kMissing:
      return PushText(L, "missing");
    case CellState::kFailed:
      return PushText(L, "failed");
    case CellState::kOk:
      return PushText(L, "ok");
  }
}

NumberOrReason StoredScoreOf(const StoredCellsHandle& handle, std::int64_t split,
                             std::string_view metric) {
  const Score* score = handle.cells->FindScore(CheckSplitOf(handle, split), metric);
  if (score == nullptr) return {};
  if (score->defined) return {score->value, std::nullopt};
  return {std::nullopt, score->undefined};
}

std::int64_t DamagedScores(const StoredCellsHandle& handle, std::int64_t split) {
  return static_cast<std::int64_t>(handle.cells->num_damaged_scores(CheckSplitOf(handle, split)));
}

const Failure* StoredFailureOf(const StoredCellsHandle& handle, std::int64_t number) {
  const std::size_t split = CheckSplitOf(handle, number);
  const bool failed = handle.cells->state(split) == CellState::kFailed;
  return failed ? &handle.cells->failure(split) : nullptr;
}

void PushFailureOrNil(lua_State* L, const Failure* failure) {
  if (failure == nullptr) return lua_pushnil(L);
  PushFailure(L, *failure);
}

std::span<const std::string> StoredWarningsOf(const StoredCellsHandle& handle, std::int64_t split) {
  return handle.cells->warnings(CheckSplitOf(handle, split));
}

void PushWarnings(lua_State* L, std::span<const std::string> warnings) {
  if (warnings.empty()) return lua_pushnil(L);
  PushTexts(L, warnings);
}

std::tuple<std::int64_t, std::int64_t> StoredSizes(const StoredCellsHandle& handle,
                                                   std::int64_t number) {
  const std::size_t split = CheckSplitOf(handle, number);
  return {handle.cells->n_train(split), handle.cells->n_test(split)};
}

std::tuple<double, double> StoredSeconds(const StoredCellsHandle& handle, std::int64_t number) {
  const std::size_t split = CheckSplitOf(handle, number);
  return {handle.cells->fit_s(split), handle.cells->predict_s(split)};
}

// Whether scripts get one.
bool HasPrediction(const StoredCellsHandle& handle, std::size_t split) {
  return handle.keep != Keep::kNothing && handle.cells->has_prediction(split);
}

bool HasPredictionOf(const StoredCellsHandle& handle, std::int64_t split) {
  return HasPrediction(handle, CheckSplitOf(handle, split));
}

std::optional<PredictionHandle> StoredPredictionOf(const StoredCellsHandle& handle,
                                                   std::int64_t number) {
  const std::size_t split = CheckSplitOf(handle, number);
  if (!HasPrediction(handle, split)) return std::nullopt;
  PredictionHandle made;
  made.prediction =
      std::make_shared<const Prediction>(handle.cells->UnpackPrediction(split, handle.keep));
  made.data = made.truth = handle.cells->data(split);
  return made;
}

}  // namespace

void OpenStoredCells(lua_State* L) {
  RegisterType<StoredCellsHandle>(L, {{"damaged_scores", Native<DamagedScores>},
                                      {"failure", Native<StoredFailureOf, PushFailureOrNil>},
                                      {"has_prediction", Native<HasPredictionOf>},
                                      {"prediction", Native<StoredPredictionOf>},
                                      {"score", Native<StoredScoreOf>},
                                      {"seconds", Native<StoredSeconds>},
                                      {"sizes", Native<StoredSizes>},
                                      {"state", Native<State, PushState>},
                                      {"warnings", Native<StoredWarningsOf, PushWarnings>}});
}

}  // namespace crossfold::lua
