// The host's settings for one lua_State: plugins, defaults, cancellation, counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <vector>

#include "bindings/lua/memory_budget.h"
#include "bindings/lua/planning.h"
#include "bindings/lua/run_engines.h"
#include "bindings/lua/script_engine.h"
#include "bindings/lua/script_files.h"
#include "crossfold/lua.h"
#include "crossfold/run.h"

namespace crossfold::lua {

struct Session {
  LuaOptions options;
  LuaRunCounts counts;
  Progress folds;                        // only folds_finished and folds_total
  ScriptFiles files;                     // asked before a path of a script is opened
  std::shared_ptr<MemoryBudget> budget;  // of a sandbox; else null
  std::shared_ptr<SharedWork> shared;    // made by the first run
  RunEngines engines;                    // stores and worker processes
  Running running{*this};
  std::vector<std::unique_ptr<Planning>> plans;  // the last is being made; none = work is done

  // Throws if the default plugin host cannot be made.
  PluginHost& plugins();
  const CancelToken* cancel() const { return options.cancel.get(); }
  // What gets the work that scripts request now.
  ScriptEngine& engine() {
    if (plans.empty()) return running;
    return *plans.back();
  }
  // Begins a plan: work is only counted until EndPlan().
  void BeginPlan() { plans.push_back(std::make_unique<Planning>(*this)); }
  void EndPlan() { plans.pop_back(); }
  // Begins an experiment. Counting starts again if all earlier ones are finished.
  void BeginFolds(std::size_t n) {
    if (folds.folds_finished >= folds.folds_total) folds = {};
    folds.folds_total += n;
  }
  void FinishFold() {
    if (folds.folds_finished < folds.folds_total) ++folds.folds_finished;
  }
  // The shared work of cells and models. Throws as plugins() does.
  RunOptions run_options(lua_Integer workers);
  RunOptions run_options() { return run_options(options.workers); }
};

// Makes the session of this state; replaces the options if there is one. May raise.
Session& OpenSession(lua_State* L);
// Raises if the session is gone, as in finalizers that run while the state is closed.
Session& GetSession(lua_State* L);
// The session, or null if this state has none.
Session* FindSession(lua_State* L);

}  // namespace crossfold::lua
