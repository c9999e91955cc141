// A saved model of any kind, which predicts without Lua: a fitted pipeline, or what cf.voting,
// cf.bagging, cf.stacking, cf.calibration, cf.threshold and cf.minimum_cost make of several models,
// or the model of cf.conformal, which predicts here without intervals or sets.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "crossfold/fitted_model.h"

namespace crossfold {

// Thread-safe, as FittedModel is.
class LoadedModel {
 public:
  // The model of a pipeline that was fitted here.
  explicit LoadedModel(std::shared_ptr<const FittedModel> fitted);
  // Reads what FittedModel::Save or model:save in Lua wrote. Throws as FittedModel::Load does, also
  //   cannot load model 'a.cfm': it is of kind 'cascade', this version knows bagging, ...; use a
  //   newer Crossfold
  static std::shared_ptr<const LoadedModel> Load(const std::filesystem::path& path,
                                                 const PluginHost& plugins);
  // Reads the same from bytes; messages use `name` as the name of the file.
  static std::shared_ptr<const LoadedModel> FromBytes(std::string_view bytes,
                                                      const std::string& name,
                                                      const PluginHost& plugins);
  ~LoadedModel();
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  // Predicts as FittedModel::Predict does; the numbers of an ensemble are those of model:predict in
  // Lua. Throws Error.
  Prediction Predict(const DataView& rows, const RunOptions& options) const;

  // Writes a file with the same model. Throws as FittedModel::Save does.
  void Save(const std::filesystem::path& path) const;

  // "standardize|knn{k=5}", "voting{knn, naive_bayes}".
  const std::string& learner() const;
  const ModelOutline& outline() const;

 private:
  struct Impl;
  explicit LoadedModel(std::unique_ptr<Impl> impl);
  // `depth` = the number of ensembles around the model.
  static std::shared_ptr<const LoadedModel> Read(std::string_view bytes, const std::string& name,
                                                 const PluginHost& plugins, int depth);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
