// The engine that does the work of scripts: on the stores, workers and shards of the session.
#pragma once

#include "bindings/lua/script_engine.h"

namespace crossfold::lua {

struct Session;

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
