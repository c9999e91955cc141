// What becomes of the work that scripts ask for. One engine does it (Running), another one counts
// it and answers with outcomes of cells that did not run (planning.h). Bindings hand work over and
// do not ask which of the two gets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bindings/lua/handles.h"
#include "bindings/lua/outcome_table.h"
#include "bindings/lua/run_settings.h"
#include "crossfold/cell_store.h"
#include "crossfold/cross_prediction.h"
#include "crossfold/fit_models.h"

namespace crossfold::lua {

struct Session;

// The answer to a FitJob.
struct FitAnswer {
  ModelHandle handle;
  std::optional<std::string> problem;  // why there is no model
};

class ScriptEngine {
 public:
  ScriptEngine() = default;
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;
  virtual ~ScriptEngine() = default;

  // The work. These throw Error, of kind kCancelled if the host asked to stop.

  // Gives an outcome to each cell of `outcomes`. Returns why it did not, if `settings.stop` ended
  // it before; else "".
  virtual std::string Run(const RunSettings& settings, OutcomeTable& outcomes) = 0;
  // Out-of-fold predictions of all splits of `block`.
  virtual CrossPrediction CrossPredict(const RunSettings& settings, const CellBlock& block) = 0;
  virtual std::vector<FitAnswer> Fit(std::span<const FitJob> jobs, lua_Integer workers) = 0;
  // One fit, which continues from `start` unless that is null.
  virtual ModelHandle Fit(const FitJob& job, const FittedModel* start) = 0;

  // What scripts do themselves.

  // A cell ran outside of Run: a learner written in Lua.
  virtual void CountCell(bool /*ok*/) {}
  // A cell of Run has failed after all, such as by a metric written in Lua.
  virtual void CountFailure() {}
  // An experiment of `n` folds begins.
  virtual void BeginFolds(std::size_t /*n*/) {}
  // Whether the next piece of work that cannot be cut, a fold of `learner` on `dataset`, is for
  // this shard; nullopt = this is not a shard.
  virtual std::optional<bool> TakeTask(const std::string& /*dataset*/,
                                       const std::string& /*learner*/) {
    return std::nullopt;
  }
  // Where results are kept; null = nowhere.
  virtual std::shared_ptr<CellStore> StoreFor(const RunSettings& /*settings*/) { return nullptr; }
  // A learner written in Lua is about to be fitted: the model to take instead, if it is not called.
  virtual std::optional<ModelHandle> ReplaceLuaFit(const DataView& /*train*/) {
    return std::nullopt;
  }
  // There may be less to do than was asked for, because of `why`.
  virtual void NoteAtMost(const std::string& /*why*/) {}
  // A call of the script that asked for work ends. May raise.
  virtual void EndCall(lua_State* /*L*/, const char* /*name*/) {}
};

// The engine that does the work: on the stores, workers and shards of the session.
class Running : public ScriptEngine {
 public:
  // `session` must outlive this.
  explicit Running(Session& session) noexcept : session_(session) {}

  std::string Run(const RunSettings& settings, OutcomeTable& outcomes) override;
  CrossPrediction CrossPredict(const RunSettings& settings, const CellBlock& block) override;
  std::vector<FitAnswer> Fit(std::span<const FitJob> jobs, lua_Integer workers) override;
  ModelHandle Fit(const FitJob& job, const FittedModel* start) override;
  void CountCell(bool ok) override;
  void CountFailure() override;
  void BeginFolds(std::size_t n) override;
  std::optional<bool> TakeTask(const std::string& dataset, const std::string& learner) override;
  std::shared_ptr<CellStore> StoreFor(const RunSettings& settings) override;

 private:
  Session& session_;
};

}  // namespace crossfold::lua
