// The settings with which one call runs its cells: the number of workers, the store, the place and
// the limits.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <string>

#include "crossfold/cell_store.h"
#include "crossfold/isolation.h"
#include "crossfold/retry.h"

namespace crossfold::lua {

struct Session;

struct RunSettings {
  int workers = 0;
  std::string store;  // "" = none
  // The options of that store; none = as it is open already, or the session's.
  std::optional<std::uint64_t> prediction_bytes;
  std::optional<OnStoreError> on_store_error;
  std::optional<Isolation> isolation;  // of cells that do not set their own
  CellLimits limits;
  RetryOptions retry;
  bool stop = false;  // stop after the first failed cell, unless it is an inner one
};

// Reads the value at `index`: a number of workers, or a table { workers, store (false = none),
// store_predictions (bytes), on_store_error, isolate, retries, limits = { seconds, cpu_seconds,
// memory, memory_max }, stop }. Absent fields are those of the session. execution.lua has checked
// them before. May raise.
void ReadRunSettings(lua_State* L, int index, const Session& session, RunSettings& out);

// The isolation named at `index`; nullopt for another value.
std::optional<Isolation> ToIsolation(lua_State* L, int index);

// Where a cell of `learner` runs; `own` is the cell's own setting.
Isolation ChooseIsolation(const RunSettings& settings, const Pipeline& learner,
                          std::optional<Isolation> own);

}  // namespace crossfold::lua
