// The types of the opaque handles of crossfold.h, of which all but the context never change once
// made, and the list of those that are live, so that a wrong one is reported instead of used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "crossfold.h"
#include "crossfold/cancel_token.h"
#include "crossfold/comparison.h"
#include "crossfold/curve_table.h"
#include "crossfold/error.h"
#include "crossfold/experiment.h"
#include "crossfold/isolation.h"
#include "crossfold/loaded_model.h"
#include "crossfold/plugin_host.h"
#include "crossfold/run.h"

namespace crossfold::c_api {

// Its address distinguishes the handles of one type from the others.
template <class T>
inline constexpr char kKind = 0;

// Thread-safe. A destroyed handle is not live, until a new one of its kind has the same address.
// Remember throws std::bad_alloc.
void Remember(const void* handle, const void* kind);
bool Forget(const void* handle, const void* kind) noexcept;
bool IsKnown(const void* handle, const void* kind) noexcept;

template <class T>
bool IsAlive(const T* handle) noexcept {
  return handle != nullptr && IsKnown(handle, &kKind<std::remove_cv_t<T>>);
}

// Gives the host a handle, which it must destroy.
template <class T>
T* HandOut(std::unique_ptr<T> made) {
  Remember(made.get(), &kKind<T>);
  return made.release();
}

// Does nothing for anything other than a live handle of this type.
template <class T>
void Destroy(T* handle) noexcept {
  if (handle != nullptr && Forget(handle, &kKind<T>)) delete handle;
}

// The handle. Throws Error if it is not live.
template <class T>
T* Alive(T* handle, const char* attempt, const char* name) {
  if (IsAlive(handle)) return handle;
  throw Error(ErrorKind::kInvalidArgument,
              std::string(attempt) + ": argument '" + name + "' is " +
                  (handle == nullptr ? "NULL; give one"
                                     : "not a live handle of its kind; pass one that "
                                       "was made and not destroyed"));
}

// Pointers to strings that stay where they are.
inline std::vector<const char*> Pointers(std::span<const std::string> texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

template <class T>
const T* OrNull(const std::vector<T>& entries) {
  return entries.empty() ? nullptr : entries.data();
}

// The true classes or values of predictions.
struct Truth {
  std::vector<std::int32_t> labels;
  std::vector<double> values;
};

// The size of the first version of crossfold_predictions.
inline constexpr std::size_t kFirstDataInfo = offsetof(crossfold_data_info, positive);
inline constexpr std::size_t kFirstPredictions = offsetof(crossfold_predictions, true_labels);

inline std::int32_t TaskOf(Task task) {
  return task == Task::kClassification ? CROSSFOLD_CLASSIFICATION
         : task == Task::kRegression   ? CROSSFOLD_REGRESSION
                                       : CROSSFOLD_NO_TARGET;
}

}  // namespace crossfold::c_api

struct crossfold_context {
  ~crossfold_context() { tag = nullptr; }

  // Its kind, for crossfold_cancel, which a signal handler calls and so must not lock the list of
  // live handles. Unreliable for a context that was destroyed.
  std::atomic<const void*> tag{&crossfold::c_api::kKind<crossfold_context>};
  // Null if the search for plugins failed; `error` says why.
  std::shared_ptr<crossfold::PluginHost> plugins;
  crossfold_options options{};  // without paths
  crossfold::CancelToken cancel;
  std::shared_ptr<crossfold::SharedWork> shared;
  std::shared_ptr<crossfold::WorkerProcesses> workers;  // made by the first isolated run
  std::atomic<bool> is_busy{false};
  std::string error;
  const char* plain_error = nullptr;  // used instead if there is no memory

  crossfold::RunOptions run_options() const;
};

struct crossfold_dataset {
  std::shared_ptr<const crossfold::Dataset> data;
  std::vector<const char*> features;
};

struct crossfold_splits {
  std::shared_ptr<const crossfold::SplitPlan> plan;
};

struct crossfold_result {
  crossfold::Experiment experiment;
  crossfold::ExperimentResult found;
  std::vector<crossfold::ScoreSummary> summaries;
  std::vector<const char*> learners, metrics, metric_classes;
  std::vector<std::string> classes;   // what metric_classes point to
  std::vector<std::size_t> failures;  // places in found.folds
  std::size_t n_cancelled = 0;
  std::vector<std::string> reasons;  // by fold, why one that failed or did not run has no scores
  std::vector<crossfold::c_api::Truth> truths;  // by learner; empty if no predictions were kept
  std::size_t n_found = 0;                      // cells of a store
  std::string store_problem;                    // what the store lacks, "" = nothing
};

struct crossfold_comparison {
  std::vector<crossfold::ComparedPair> pairs;
};

struct crossfold_curve {
  crossfold::CurveTable table;
  std::string positive;
  std::vector<const char*> figures;
  std::vector<double> figure_values;
};

struct crossfold_model {
  std::shared_ptr<const crossfold::LoadedModel> model;
  std::vector<const char*> features, classes;
};

struct crossfold_prediction {
  crossfold::Prediction prediction;
};
