// Cells as scripts write them: { learner =, splits =, split =, count =, seed =, metrics =, keep =,
// isolate =, purpose = { learner =, dataset =, inner = } }.
#pragma once

#include <lua.hpp>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/lua/run_settings.h"
#include "crossfold/cell.h"

namespace crossfold::lua {

// The cells read so far, and what is remembered from one to the next. Owned by Lua.
struct CellReader {
  std::vector<CellBlock> blocks;
  const void* metrics_table = nullptr;  // identity of the table that `metrics` came from
  std::shared_ptr<const MetricList> metrics;
  const void* purpose_table = nullptr;  // the same for `purpose`
  std::shared_ptr<const CellPurpose> purpose;
  // All different ones, by their fields.
  std::map<std::tuple<std::string, std::string, bool, ShardPart>,
           std::shared_ptr<const CellPurpose>>
      purposes;
};

// Reads the list of cells at `index`. Refuses cells that could not run. May raise.
void ReadCells(lua_State* L, int index, const RunSettings& settings, CellReader& reader);

// Reads the purpose that is at the top of the stack (nil = none) and pops it. May raise.
void ReadPurpose(lua_State* L, CellReader& reader);

}  // namespace crossfold::lua
