#include "crossfold/fitted_model.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/fit_models.h"
#include "crossfold/nearest_name.h"
#include "crossfold/run.h"
#include "engine/data/memory_shortage.h"
#include "engine/plan/compatibility.h"
#include "engine/plugin/foreign_text.h"
#include "engine/run/fit_predict.h"
#include "engine/run/shared_items.h"
#include "engine/run/transform_step.h"
#include "files/file_bytes.h"
#include "models/aligned_rows.h"
#include "models/model_file.h"
#include "models/model_outline.h"
#include "models/onnx_model.h"
#include "models/warm_start.h"

namespace crossfold {
namespace {

// Describes a failure, with the step only if it is not clear which one failed.
std::string Describe(const Pipeline& pipeline, const Failure& failure) {
  if (pipeline.steps().size() == 1) return failure.message;
  return failure.stage + ": " + failure.message;
}

[[noreturn]] void ThrowFailed(const std::string& attempt, const Pipeline& pipeline,
                              const StepError& e) {
  if (e.cancelled()) throw Error(ErrorKind::kCancelled, attempt + "cancelled");
  throw Error(ErrorKind::kFailed, attempt + Describe(pipeline, e.failure()));
}

// Whether one fitted pipeline may predict on several threads at the same time.
bool PredictsConcurrently(const Pipeline& pipeline) {
  for (const std::shared_ptr<const Spec>& step : pipeline.steps()) {
    if (step->component().threading != CF_MT_PREDICT) return false;
  }
  return true;
}

const cf_cap_export* ExportOf(const Component& component) {
  const auto* table = component.capability<cf_cap_export>(CF_CAP_EXPORT);
  return CF_HAS(table, cf_cap_export, export_model) && table->export_model ? table : nullptr;
}

std::int64_t AppendText(void* stream, const void* bytes, std::size_t n) noexcept {
  try {
    static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
    return static_cast<std::int64_t>(n);
  } catch (...) {  // no memory
    return -1;
  }
}

[[noreturn]] void ThrowNotOffered(const std::string& attempt, const Component& learner,
                                  const char* capability) {
  throw Error(ErrorKind::kInvalidArgument, attempt + "learner '" +
                                               std::string(ShortId(learner.id)) + "' offers no " +
                                               capability + "; use a learner that does");
}

// Returns the first step that gets categorical features; steps before it leave these unchanged.
const Component& FirstOfCategories(const Pipeline& pipeline, const TableSchema& schema) {
  std::vector<ColumnDeclaration> categorical;
  std::ranges::copy_if(schema.features(), std::back_inserter(categorical),
                       [](const ColumnDeclaration& feature) { return feature.dtype == CF_CAT32; });
  for (const std::shared_ptr<const Spec>& step : pipeline.transforms()) {
    if (!ChoosesNone(*step, categorical)) return step->component();
  }
  return pipeline.learner().component();
}

using FitSteps = std::function<FittedSteps(const StepSeeds& seeds, CallSite& site)>;

// Throws Error, whose messages begin with `attempt`.
ModelParts FitParts(std::shared_ptr<const Pipeline> learner, const DataView& train,
                    std::uint64_t seed, const RunOptions& options, const std::string& attempt,
                    const FitSteps& fit_steps) {
  if (train.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there are no rows");
  }
  CallSite site(options.cancel, options.log);
  try {
    FittedSteps steps = fit_steps(StepSeeds(seed), site);
    site.LogWarnings();
    ModelOutline outline = OutlineOf(train, seed);
    return {std::move(learner), std::move(steps), TableSchema(std::move(outline.features)),
            std::move(outline.training), seed};
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, *learner, e);
  }
}

std::string FitAttempt(const Pipeline& learner, const Dataset& data) {
  return "cannot fit '" + ShortSpecText(learner.ToString()) + "' on dataset '" + data.name() + "'";
}

FitResult FitOne(const FitJob& job, const RunOptions& options) {
  try {
    return {FittedModel::Fit(job.learner, job.train, job.seed, options), std::nullopt};
  } catch (const Error& e) {
    return {nullptr, e};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return {nullptr, Error(ErrorKind::kFailed, e.what())};
  }
}

}  // namespace

std::vector<ColumnDeclaration> ModelOutline::columns() const {
  std::vector<ColumnDeclaration> columns = features;
  columns.push_back(training.target);
  return columns;
}

std::string ReadModelFile(const std::filesystem::path& path) {
  return ReadFileBytes(path, "cannot load model '" + path.string() + "'");
}

void WriteModelFile(const std::filesystem::path& path, std::string_view bytes) {
  WriteFileBytes(path, bytes, "cannot save model '" + path.string() + "'");
}

struct FittedModel::Impl {
  explicit Impl(ModelParts all)
      : parts(std::move(all)), concurrent(PredictsConcurrently(*parts.pipeline)) {}

  const Pipeline& pipeline() const { return *parts.pipeline; }
  const Component& learner() const { return pipeline().learner().component(); }
  // The features that the learner was fitted on, after the transforms.
  const TableSchema& learner_schema() const {
    const auto made = parts.steps.schemas();
    return made.empty() ? parts.schema : made.back();
  }
  // Returns "cannot <verb> 'standardize|knn': ".
  std::string Attempt(const std::string& verb) const {
    return "cannot " + verb + " '" + ShortSpecText(pipeline().ToString()) + "': ";
  }

  Prediction Predict(const cf_table& rows, CallSite& site) {
    const auto n_classes = static_cast<std::int64_t>(parts.training.class_names.size());
    std::shared_lock shared(lock, std::defer_lock);
    std::unique_lock alone(lock, std::defer_lock);
    if (concurrent) {
      shared.lock();
    } else {
      alone.lock();
    }
    return parts.steps.Predict(rows, {n_classes, true}, StepSeeds(parts.seed), site);
  }

  // Calls the learner for something other than a prediction, while no other call uses the model.
  // Throws Error.
  template <class Body>
  void CallLearner(const char* verb, const std::string& attempt, const RunOptions& options,
                   const Body& body) {
    CallSite site(options.cancel, options.log);
    const std::unique_lock alone(lock);
    try {
      CallStep(verb, learner(), 0, site,
               [&](const cf_call* call) { return body(call, parts.steps.models().back().get()); });
      site.LogWarnings();
    } catch (const StepError& e) {
      site.LogWarnings();
      ThrowFailed(attempt, pipeline(), e);
    }
  }

  // Throws Error.
  std::string Onnx(const std::string& attempt, const RunOptions& options) {
    if (const Component* step = StepWithoutOnnx(parts)) {
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + "the " + std::string(KindName(step->kind)) + " '" +
                      std::string(ShortId(step->id)) + "' has no ONNX form; use one that has");
    }
    CallSite site(options.cancel, options.log);
    const std::unique_lock alone(lock);
    try {
      std::string bytes = WriteOnnx(parts, attempt, site);
      site.LogWarnings();
      return bytes;
    } catch (const StepError& e) {
      site.LogWarnings();
      ThrowFailed(attempt, pipeline(), e);
    }
  }

  std::string Bytes(const std::string& attempt) {
    const LogSink no_log;
    CallSite site(nullptr, no_log);
    const std::unique_lock alone(lock);
    try {
      return WriteModel(parts, attempt, site);
    } catch (const StepError& e) {
      ThrowFailed(attempt, pipeline(), e);
    }
  }

  ModelParts parts;
  bool concurrent;
  std::shared_mutex lock;  // shared by predictions that may run at the same time
};

FittedModel::FittedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FittedModel::~FittedModel() = default;

const Pipeline& FittedModel::learner() const { return impl_->pipeline(); }
std::shared_ptr<const Pipeline> FittedModel::shared_learner() const {
  return impl_->parts.pipeline;
}
std::uint64_t FittedModel::seed() const { return impl_->parts.seed; }
const TrainingFacts& FittedModel::training() const { return impl_->parts.training; }
std::span<const ColumnDeclaration> FittedModel::features() const {
  return impl_->parts.schema.features();
}

ModelOutline FittedModel::outline() const {
  return {training(), {features().begin(), features().end()}, seed()};
}

std::vector<ColumnDeclaration> FittedModel::columns() const { return outline().columns(); }

std::shared_ptr<const FittedModel> FittedModel::Fit(std::shared_ptr<const Pipeline> learner,
                                                    const DataView& train, std::uint64_t seed,
                                                    const RunOptions& options) {
  CheckCompatible(*learner, *train.data);
  const std::string attempt = FitAttempt(*learner, *train.data) + ": ";
  const Pipeline& pipeline = *learner;
  auto impl =
      std::make_unique<Impl>(FitParts(std::move(learner), train, seed, options, attempt,
                                      [&](const StepSeeds& seeds, CallSite& site) {
                                        return FittedSteps::Fit(pipeline, train, seeds, site);
                                      }));
  return std::shared_ptr<const FittedModel>(new FittedModel(std::move(impl)));
}

std::shared_ptr<const FittedModel> FittedModel::FitFrom(std::shared_ptr<const Pipeline> learner,
                                                        const DataView& train, std::uint64_t seed,
                                                        const FittedModel& start,
                                                        const RunOptions& options) {
  CheckCompatible(*learner, *train.data);
  Impl& from = *start.impl_;
  const std::string attempt = FitAttempt(*learner, *train.data) + " from the model of '" +
                              ShortSpecText(from.pipeline().ToString()) + "': ";
  const Spec& step = learner->learner();
  const WarmStart warm{from.learner(), from.parts.steps.models().back().get(),
                       from.learner_schema(), from.parts.training.class_names};
  warm.Check(step, *train.data, attempt);
  const RowTable table = RowTable::ForTraining(*train.data, train.rows.get());
  const Pipeline& pipeline = *learner;
  const auto fit = [&](const StepSeeds& seeds, CallSite& site) {
    return FittedSteps::Fit(pipeline, table.get(), nullptr, seeds, site,
                            [&](const cf_table& rows, const cf_table*) {
                              const std::unique_lock alone(from.lock);
                              return warm.Fit(step, rows, seeds.Fit(), site, attempt);
                            });
  };
  auto impl =
      std::make_unique<Impl>(FitParts(std::move(learner), train, seed, options, attempt, fit));
  return std::shared_ptr<const FittedModel>(new FittedModel(std::move(impl)));
}

Prediction FittedModel::Predict(const DataView& rows, const RunOptions& options) const {
  const Dataset& data = *rows.data;
  const std::string attempt = "cannot predict with '" + ShortSpecText(learner().ToString()) +
                              "' on dataset '" + data.name() + "': ";
  Prediction prediction;
  prediction.n_classes = static_cast<std::int64_t>(training().class_names.size());
  CallSite site(options.cancel, options.log);
  try {
    if (impl_->parts.schema.FindDifference(data.features()).empty()) {
      if (rows.num_rows() == 0) return prediction;
      prediction = impl_->Predict(RowTable::ForPrediction(data, rows.rows.get()).get(), site);
    } else {
      const std::uint32_t accepts = AcceptBits(FirstOfCategories(learner(), impl_->parts.schema));
      const AlignedRows aligned(
          impl_->parts.schema, data, rows.rows.get(),
          (accepts & CF_ACCEPTS_MISSING) != 0 ? UnknownLevels::kMissing : UnknownLevels::kRefused,
          attempt);
      if (rows.num_rows() == 0) return prediction;
      for (const std::string& note : aligned.notes()) {
        if (options.log) options.log(CF_LOG_WARN, "dataset '" + data.name() + "': " + note);
      }
      prediction = impl_->Predict(aligned.get(), site);
    }
  } catch (const StepError& e) {
    site.LogWarnings();
    ThrowFailed(attempt, learner(), e);
  }
  site.LogWarnings();
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) prediction.rows.push_back(rows.row_id(i));
  return prediction;
}

void FittedModel::Save(const std::filesystem::path& path) const {
  WriteModelFile(path, ToBytes(path.string()));
}

std::string FittedModel::ToBytes() const { return impl_->Bytes(impl_->Attempt("save")); }

std::string FittedModel::ToBytes(const std::string& name) const {
  return impl_->Bytes("cannot save model '" + name + "': ");
}

std::shared_ptr<const FittedModel> FittedModel::Load(const std::filesystem::path& path,
                                                     const PluginHost& plugins) {
  return ReportingShortage("cannot load model '" + path.string() + "'", "close other programs,",
                           [&] { return FromBytes(ReadModelFile(path), path.string(), plugins); });
}

std::shared_ptr<const FittedModel> FittedModel::FromBytes(std::string_view bytes,
                                                          const std::string& name,
                                                          const PluginHost& plugins) {
  auto impl =
      std::make_unique<Impl>(ReadModel(bytes, "cannot load model '" + name + "': ", plugins));
  return std::shared_ptr<const FittedModel>(new FittedModel(std::move(impl)));
}

std::vector<FeatureImportance> FittedModel::Importance(const RunOptions& options) const {
  const std::string attempt = impl_->Attempt("compute the feature importance of");
  const Component& component = impl_->learner();
  const auto* table = component.capability<cf_cap_importance>(CF_CAP_IMPORTANCE);
  if (!CF_HAS(table, cf_cap_importance, importance) || table->importance == nullptr) {
    ThrowNotOffered(attempt, component, CF_CAP_IMPORTANCE);
  }
  const auto seen = impl_->learner_schema().features();
  std::vector<double> values(seen.size(), std::nan(""));
  impl_->CallLearner("importance", attempt, options,
                     [&](const cf_call* call, const cf_model* model) {
                       return table->importance(call, model, values.data(), values.size());
                     });
  std::vector<FeatureImportance> importance;
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (!std::isfinite(values[j])) {
      throw Error(ErrorKind::kFailed, attempt + "the importance of feature '" + seen[j].name +
                                          "' is not finite; report this to the plugin's author");
    }
    importance.push_back({seen[j].name, values[j]});
  }
  return importance;
}

std::vector<std::string> FittedModel::export_formats() const {
  std::vector<std::string> formats;
  const cf_cap_export* table = ExportOf(impl_->learner());
  for (std::size_t i = 0; table != nullptr && i < table->n_formats; ++i) {
    formats.push_back(CleanText(table->formats[i]));
  }
  if (StepWithoutOnnx(impl_->parts) == nullptr) formats.push_back(kOnnxFormat);
  return formats;
}

std::string FittedModel::Export(std::string_view format, const RunOptions& options) const {
  const std::string attempt = impl_->Attempt("export");
  if (format == kOnnxFormat) return impl_->Onnx(attempt, options);
  const cf_cap_export* table = ExportOf(impl_->learner());
  if (table == nullptr) ThrowNotOffered(attempt, impl_->learner(), CF_CAP_EXPORT);
  const std::vector<std::string> formats = export_formats();
  const auto found = std::find(formats.begin(), formats.end(), format);
  if (found == formats.end()) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "there is no format '" +
                                                 std::string(format) + "'; " +
                                                 KnownNames(format, formats));
  }
  std::string text;
  const cf_writer writer{&text, &AppendText};
  impl_->CallLearner("export", attempt, options, [&](const cf_call* call, const cf_model* model) {
    return table->export_model(call, model, static_cast<std::size_t>(found - formats.begin()),
                               &writer);
  });
  return CleanDocument(text.c_str());
}

std::vector<FitResult> FitModels(std::span<const FitJob> jobs, const RunOptions& options) {
  std::vector<FitResult> results(
      jobs.size(), FitResult{nullptr, Error(ErrorKind::kCancelled, "cancelled by the host")});
  const FitResult no_memory{nullptr, Error(ErrorKind::kFailed, "out of memory")};
  const auto fit = [&](std::size_t i) noexcept {
    try {
      results[i] = FitOne(jobs[i], options);
    } catch (const std::bad_alloc&) {
      results[i] = no_memory;  // made before, because copies need no memory
    }
  };
  SharedItems items(jobs.size(), options.cancel, fit);
  items.WorkOn(options.workers);
  return results;
}

}  // namespace crossfold
