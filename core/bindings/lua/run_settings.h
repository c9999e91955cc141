// How the cells of one call are run: on how many workers, with which store, where, until when.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <optional>
#include <string>

#include "crossfold/cell_store.h"
#include "crossfold/isolation.h"

namespace crossfold::lua {

struct Session;

struct RunSettings {
  int workers = 0;
  std::string store;  // "" = none
  // Of that store; none = as it is open already, or as the session says.
  std::optional<std::uint64_t> prediction_bytes;
  std::optional<OnStoreError> on_store_error;
  std::optional<Isolation> isolation;  // of cells that do not set their own
  CellLimits limits;
  bool stop = false;  // after the first cell that failed, unless it is an inner one
};

// Reads the value at `index`: a number of workers, or a table { workers, store (false = none),
// store_predictions (bytes), on_store_error, isolate, limits = { seconds, cpu_seconds, memory },
// stop }. Absent fields are those of the session. execution.lua has checked them before. May raise.
void ReadRunSettings(lua_State* L, int index, const Session& session, RunSettings& out);

// The isolation named at `index`; nullopt for another value.
std::optional<Isolation> ToIsolation(lua_State* L, int index);

// Where a cell of `learner` runs; `own` is the cell's own setting.
Isolation ChooseIsolation(const RunSettings& settings, const Pipeline& learner,
                          std::optional<Isolation> own);

}  // namespace crossfold::lua
