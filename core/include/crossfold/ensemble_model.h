// Saved models of ensembles (cf.voting, cf.bagging, cf.stacking), of pipelines that adjust
// predictions (cf.calibration, cf.threshold, cf.minimum_cost; the member is the learner before the
// step) and of cf.conformal (the members are the models of the folds and, last, that of all rows)
// for C++ programs. They are written in Lua, so their models predict in a Lua state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/conformal.h"
#include "crossfold/fitted_model.h"
#include "crossfold/value.h"

struct lua_State;

namespace crossfold {

struct EnsembleMember {
  std::string name;                                  // "standardize|knn"
  std::optional<std::vector<std::string>> features;  // that it sees; none = all
  std::string bytes;                                 // of its model, which may be an ensemble's
};

// The contents of the file of an ensemble's model.
struct SavedEnsemble {
  std::string kind;  // "voting"
  std::string name;  // "voting{knn, naive_bayes}"
  ModelOutline outline;
  ParamValues options;
  std::vector<EnsembleMember> members;
};

// Not thread-safe, because it uses its Lua state.
class EnsembleModel {
 public:
  // `bytes` is what model:save wrote, see IsEnsembleModel; messages use `name` as the name of the
  // file. `L` was prepared by OpenLua, has the standard libraries and outlives the model. Throws
  // Error.
  EnsembleModel(lua_State* L, std::string_view bytes, const std::string& name);
  ~EnsembleModel();
  EnsembleModel(const EnsembleModel&) = delete;
  EnsembleModel& operator=(const EnsembleModel&) = delete;

  // Predicts as FittedModel::Predict does. Throws Error.
  Prediction Predict(const DataView& rows);
  // Predicts with intervals or sets of classes of this coverage. Throws Error, also if the model is
  // not that of cf.conformal.
  CoveredPrediction PredictCovered(const DataView& rows, double coverage);
  const SavedEnsemble& saved() const { return saved_; }

 private:
  lua_State* state_;
  int reference_;  // of the model in the registry
  SavedEnsemble saved_;
};

}  // namespace crossfold
