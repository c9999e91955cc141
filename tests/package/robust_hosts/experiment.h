// The same small experiment through any copy of the C API: linked, or loaded by dlopen.
#pragma once

#include <crossfold.h>
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

// The functions that the experiment needs.
struct Library {
  decltype(&::crossfold_context_create) context_create;
  decltype(&::crossfold_context_destroy) context_destroy;
  decltype(&::crossfold_last_error) last_error;
  decltype(&::crossfold_dataset_read) dataset_read;
  decltype(&::crossfold_dataset_destroy) dataset_destroy;
  decltype(&::crossfold_evaluate) evaluate;
  decltype(&::crossfold_result_describe) result_describe;
  decltype(&::crossfold_result_score) result_score;
  decltype(&::crossfold_result_destroy) result_destroy;
};

template <class Function>
void Find(void* handle, const char* name, Function& function) {
  void* found = dlsym(handle, name);
  if (found == nullptr) throw std::runtime_error(dlerror());
  function = reinterpret_cast<Function>(found);
}

// REQUIRES: `handle` is from dlopen.
inline Library LibraryIn(void* handle) {
  Library library{};
  Find(handle, "crossfold_context_create", library.context_create);
  Find(handle, "crossfold_context_destroy", library.context_destroy);
  Find(handle, "crossfold_last_error", library.last_error);
  Find(handle, "crossfold_dataset_read", library.dataset_read);
  Find(handle, "crossfold_dataset_destroy", library.dataset_destroy);
  Find(handle, "crossfold_evaluate", library.evaluate);
  Find(handle, "crossfold_result_describe", library.result_describe);
  Find(handle, "crossfold_result_score", library.result_score);
  Find(handle, "crossfold_result_destroy", library.result_destroy);
  return library;
}

// Learners that compute much in floating point, and one that fails.
inline constexpr char kExperiment[] = R"({
  "learners": {"bayes": "naive_bayes", "forest": "random_forest{trees=5}", "floor": "featureless",
               "logistic": ["standardize", "logistic_regression"],
               "bad": "debug{action=throw_in_fit}"},
  "splitter": "kfold{folds=5}", "metrics": ["accuracy", "log_loss"], "seed": 42})";

// One use of the library from its beginning to its end.
class Session {
 public:
  Session(const Library& library, const std::string& plugins) : library_(library) {
    const char* const paths[] = {plugins.c_str()};
    crossfold_options options{};
    options.struct_size = sizeof options;
    options.plugin_paths = paths;
    options.n_plugin_paths = 1;
    options.workers = 3;
    Check(library_.context_create(&options, &context_));
  }
  ~Session() {
    library_.result_destroy(result_);
    library_.dataset_destroy(dataset_);
    library_.context_destroy(context_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Every score; those of folds that failed are left out.
  std::vector<double> Run(const std::string& file, const char* experiment = kExperiment) {
    library_.result_destroy(result_);
    library_.dataset_destroy(dataset_);
    result_ = nullptr;
    Check(library_.dataset_read(context_, file.c_str(), R"({"target": "class"})", nullptr,
                                &dataset_));
    Check(library_.evaluate(context_, dataset_, nullptr, experiment, &result_));
    crossfold_result_info info{};
    info.struct_size = sizeof info;
    library_.result_describe(result_, &info);
    std::vector<double> scores;
    for (std::size_t i = 0; i < info.n_scores; ++i) {
      crossfold_score score{};
      score.struct_size = sizeof score;
      library_.result_score(result_, i, &score);
      if (score.defined != 0) scores.push_back(score.value);
    }
    if (scores.size() != 40 || info.n_failures != 5) throw std::runtime_error("scores are missing");
    return scores;
  }

 private:
  void Check(crossfold_status status) {
    if (status != CROSSFOLD_OK) throw std::runtime_error(library_.last_error(context_));
  }

  Library library_;
  crossfold_context* context_ = nullptr;
  crossfold_dataset* dataset_ = nullptr;
  crossfold_result* result_ = nullptr;
};

// The library that this program is linked with.
inline Library Linked() {
  return {&::crossfold_context_create,  &::crossfold_context_destroy, &::crossfold_last_error,
          &::crossfold_dataset_read,    &::crossfold_dataset_destroy, &::crossfold_evaluate,
          &::crossfold_result_describe, &::crossfold_result_score,    &::crossfold_result_destroy};
}

// main of each program: its body, or what was wrong.
template <class Body>
int Report(Body body) {
  try {
    body();
    std::puts("done");
    return 0;
  } catch (const std::exception& error) {
    std::printf("failed: %s\n", error.what());
    return 1;
  }
}

inline void Demand(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}
