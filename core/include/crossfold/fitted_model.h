// A fitted pipeline, which predicts in this process, or is saved and predicts in another one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold/pipeline.h"
#include "crossfold/plugin_host.h"

namespace crossfold {

struct RunOptions;

// The facts that a model remembers of the rows it was fitted on.
struct TrainingFacts {
  std::string dataset;       // its name
  std::string content_hash;  // Dataset::content_hash()
  std::int64_t n_rows = 0;   // of the view
  Task task = Task::kNone;
  ColumnDeclaration target;
  std::vector<std::string> class_names;  // in their fixed order; empty in regression
};

// The part of a model that is known without its learner.
struct ModelOutline {
  TrainingFacts training;
  std::vector<ColumnDeclaration> features;  // that predict needs, in the order of the training data
  std::uint64_t seed = 0;                   // of the fit

  // Features and target, for ReadRequest::like.
  std::vector<ColumnDeclaration> columns() const;
};

// Reads the bytes of a model's file. Throws Error(kIo) "cannot load model '...': ...".
std::string ReadModelFile(const std::filesystem::path& path);
// Makes or replaces the file of a model; if it is interrupted, the old file stays. Throws
// Error(kIo) "cannot save model '...': ...".
void WriteModelFile(const std::filesystem::path& path, std::string_view bytes);
// Whether a file with these bytes holds the model of an ensemble (see ensemble_model.h) and not a
// fitted pipeline. It looks at the first bytes only.
bool IsEnsembleModel(std::string_view bytes);

struct FeatureImportance {
  std::string feature;
  double value = 0;
};

// Thread-safe: calls wait for each other where a plugin requires it.
class FittedModel {
 public:
  // Fits a pipeline on all rows of a view. Throws Error(kFailed) with the plugin's reason, or
  // Error(kCancelled).
  static std::shared_ptr<const FittedModel> Fit(std::shared_ptr<const Pipeline> learner,
                                                const DataView& train, std::uint64_t seed,
                                                const RunOptions& options);
  // Does the same, but the learner starts from that of `start`, which stays as it is; the
  // transforms are fitted again. This may save time between similar settings, but the result
  // differs from that of Fit, so no evaluation uses it. The learner must offer
  // crossfold.warm-start/1; `start` must have the same learner (other settings are allowed), the
  // same classes and, after the transforms, the same features. Throws as Fit does, and
  // Error(kInvalidArgument):
  //   cannot fit 'mlp' on dataset 'iris' from the model of 'knn': its learner is 'knn'; start from
  //   a model of 'mlp'
  static std::shared_ptr<const FittedModel> FitFrom(std::shared_ptr<const Pipeline> learner,
                                                    const DataView& train, std::uint64_t seed,
                                                    const FittedModel& start,
                                                    const RunOptions& options);
  ~FittedModel();
  FittedModel(const FittedModel&) = delete;
  FittedModel& operator=(const FittedModel&) = delete;

  // Predicts for the rows. Features are found by their names; their order and columns that the
  // model does not know do not matter. Levels are matched by name. A level that the training data
  // did not declare counts as missing if the first step that gets categorical features accepts
  // missing values (options.log gets a warning). Numbers of another type are converted if that is
  // exact. Anything else is refused. Probabilities are filled in if the learner gives any. Throws
  // Error.
  Prediction Predict(const DataView& rows, const RunOptions& options) const;

  // Writes the model to a file; if it is interrupted, the old file stays. The file begins with what
  // it is and its format version, and ends in a checksum. Throws Error: kInvalidArgument if a step
  // offers no crossfold.serialize/1, kFailed with its reason, kIo.
  void Save(const std::filesystem::path& path) const;
  // Returns the same as bytes; messages use `name` as the name of the file.
  std::string ToBytes() const;
  std::string ToBytes(const std::string& name) const;

  // Reads what Save wrote. A plugin of another version than the saving one is used if it reads the
  // saved format, and plugins.log() gets a warning. Throws Error:
  //   cannot load model 'iris.cfm': it is damaged or cut short; save it again
  // A model is read by the plugins that saved it: load files from sources that you trust.
  static std::shared_ptr<const FittedModel> Load(const std::filesystem::path& path,
                                                 const PluginHost& plugins);
  // Reads the same from bytes; messages use `name` as the name of the file.
  static std::shared_ptr<const FittedModel> FromBytes(std::string_view bytes,
                                                      const std::string& name,
                                                      const PluginHost& plugins);

  const Pipeline& learner() const;
  std::shared_ptr<const Pipeline> shared_learner() const;
  std::uint64_t seed() const;
  const TrainingFacts& training() const;
  // The columns that Predict needs, in the order of the training data.
  std::span<const ColumnDeclaration> features() const;
  ModelOutline outline() const;
  // Features and target, for ReadRequest::like.
  std::vector<ColumnDeclaration> columns() const;

  // Returns how much each feature mattered to the learner. If there are transforms, these are the
  // columns that the last one makes. Throws Error if the learner offers no crossfold.importance/1.
  std::vector<FeatureImportance> Importance(const RunOptions& options) const;

  // Formats of Export: those of the learner, if it offers crossfold.export/1, and "onnx" if all
  // steps offer crossfold.onnx/1.
  std::vector<std::string> export_formats() const;
  // Writes the learner's fitted model as text, or the whole pipeline as the bytes of an ONNX model.
  // Throws Error with the known formats, or:
  //   cannot export 'pca|knn': the transform 'pca' has no ONNX form; use one that has
  std::string Export(std::string_view format, const RunOptions& options) const;

 private:
  struct Impl;
  explicit FittedModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crossfold
