// A model from a file, for the commands: a fitted pipeline or the model of an ensemble.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/conformal.h"
#include "crossfold/fitted_model.h"
#include "crossfold/outcome.h"
#include "crossfold/plugin_host.h"
#include "crossfold/table.h"

namespace crossfold::cli {

// Every function may throw Error.
class SavedModel {
 public:
  virtual ~SavedModel() = default;

  virtual std::string name() const = 0;  // "standardize|knn"
  virtual ModelOutline outline() const = 0;
  virtual Prediction Predict(const DataView& rows) = 0;
  // With intervals or sets of classes; only models of cf.conformal have them.
  virtual CoveredPrediction PredictCovered(const DataView& rows, double coverage) = 0;
  // The learner's model as text.
  virtual std::string Export(const std::string& format) const = 0;
  // What `crossfold model` prints in addition to the outline: facts and their values.
  virtual std::vector<std::pair<std::string, std::string>> more_facts() const = 0;
  // One row per step or member.
  virtual Table PartTable() const = 0;
};

// Throws Error "cannot load model '...': ...".
std::unique_ptr<SavedModel> LoadSavedModel(const std::string& path,
                                           const std::shared_ptr<PluginHost>& plugins);

// "a, b"
std::string Joined(const std::vector<std::string>& texts);

}  // namespace crossfold::cli
