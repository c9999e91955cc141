// The engine of plans: it counts the work that scripts request and times a small part of it. Its
// outcomes are placeholders (all scores are 0, all predictions are right), so that searches and
// ensembles request all their cells; planning.lua keeps the outcomes from scripts.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/script_engine.h"
#include "crossfold/work_plan.h"

namespace crossfold::lua {

// What was counted since planning began.
struct Planning : public ScriptEngine {
  // `session` must outlive this.
  explicit Planning(Session& of) : session(of) {}

  Session& session;
  WorkPlan plan;
  WorkProbe probe;
  double seconds = 0;
  std::uint64_t lua_fits = 0;  // of learners written in Lua, which are not timed
  int workers = 0;             // of the last call
  std::vector<std::string> calls;
  std::set<std::string> at_most;  // why there may be less to do
  // Of what a learner asks for on a dataset, by their names, with LuaOptions.plan_costs.
  struct Cost {
    WorkProbe probe;  // of its own: parameters count, not only which learner it is
    double seconds = 0;
    std::int64_t tasks = 0;  // folds that cannot be cut
    std::int64_t outer_cells = 0, cells = 0;

    // What the seconds are divided by: what shards get one by one.
    std::int64_t parts() const { return tasks > 0 ? tasks : outer_cells > 0 ? outer_cells : cells; }
  };
  std::map<std::pair<std::string, std::string>, Cost> costs;

  // These functions throw what the run would throw.
  std::string Run(const RunSettings& settings, OutcomeTable& outcomes) override;
  // Without predictions.
  CrossPrediction CrossPredict(const RunSettings& settings, const CellBlock& block) override;
  std::vector<FitAnswer> Fit(std::span<const FitJob> jobs, lua_Integer workers) override;
  ModelHandle Fit(const FitJob& job, const FittedModel* start) override;

  std::optional<bool> TakeTask(const std::string& dataset, const std::string& learner) override;
  std::optional<ModelHandle> ReplaceLuaFit(const DataView& train) override;
  void NoteAtMost(const std::string& why) override;
  // Raises what PushPlanned pushes: the plan is for this call of the script.
  void EndCall(lua_State* L, const char* name) override;

 private:
  void AddCells(std::span<const CellBlock> blocks, const RunOptions& options);
  void AddCosts(std::span<const CellBlock> blocks, const RunOptions& options);
};

// The truth of some rows as their prediction, in the classes of `trained`.
std::shared_ptr<const Prediction> PlannedPrediction(const DataView& rows, const Dataset& trained);
std::shared_ptr<const Prediction> PlannedPrediction(const CellBlock& block, std::int64_t split);

// The error value that ends a script whose work was planned: one table per state.
void PushPlanned(lua_State* L);

}  // namespace crossfold::lua
