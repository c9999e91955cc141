// Plan mode: calls that would run cells are counted instead, and a small part of them is timed.
// Their results are placeholders (all scores are 0, all predictions are right), so that searches
// and ensembles request all their cells; planning.lua keeps the results from scripts.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/outcome_table.h"
#include "crossfold/work_plan.h"

namespace crossfold::lua {

struct Session;

// What was counted since planning began.
struct Planning {
  WorkPlan plan;
  WorkProbe probe;
  double seconds = 0;
  std::uint64_t lua_fits = 0;  // of learners written in Lua, which are not timed
  int workers = 0;             // of the last call
  std::vector<std::string> calls;
  std::set<std::string> at_most;  // why there may be less to do

  // These functions count and time work. They throw what the run would throw.
  void AddCells(std::span<const CellBlock> blocks, const RunOptions& options);
  void AddFits(std::span<const FitJob> jobs, const RunOptions& options);
};

// The outcomes of planned cells: no failure, all scores 0.
void TakePlanned(OutcomeTable& outcomes);
// The truth of some rows as their prediction, in the classes of `trained`.
std::shared_ptr<const Prediction> PlannedPrediction(const DataView& rows, const Dataset& trained);
std::shared_ptr<const Prediction> PlannedPrediction(const CellBlock& block, std::int64_t split);

// The error value that ends a script whose work was planned: one table per state.
void PushPlanned(lua_State* L);
// Ends the call of the script whose work was planned.
[[noreturn]] void EndPlannedCall(lua_State* L, const char* name);

// native.planning(), native.plan_begin() ...
void OpenPlanning(lua_State* L);

}  // namespace crossfold::lua
