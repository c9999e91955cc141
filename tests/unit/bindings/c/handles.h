// Handles of the C API that destroy themselves, and small things to make them of.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold.h"

namespace crossfold {

struct Destroyer {
  void operator()(crossfold_context* handle) const { crossfold_context_destroy(handle); }
  void operator()(crossfold_dataset* handle) const { crossfold_dataset_destroy(handle); }
  void operator()(crossfold_splits* handle) const { crossfold_splits_destroy(handle); }
  void operator()(crossfold_result* handle) const { crossfold_result_destroy(handle); }
  void operator()(crossfold_comparison* handle) const { crossfold_comparison_destroy(handle); }
  void operator()(crossfold_curve* handle) const { crossfold_curve_destroy(handle); }
  void operator()(crossfold_model* handle) const { crossfold_model_destroy(handle); }
  void operator()(crossfold_prediction* handle) const { crossfold_prediction_destroy(handle); }
};
template <class T>
using Handle = std::unique_ptr<T, Destroyer>;

// Options for the bundled plugins of the build tree and no others.
struct TestOptions : crossfold_options {
  TestOptions() : crossfold_options{} {
    static const char* const kPaths[] = {CROSSFOLD_TEST_PLUGINS};
    struct_size = sizeof(crossfold_options);
    flags = CROSSFOLD_NO_ENVIRONMENT | CROSSFOLD_NO_USER_FOLDER | CROSSFOLD_NO_INSTALLATION;
    plugin_paths = kPaths;
    n_plugin_paths = 1;
    workers = 2;
  }
};

inline Handle<crossfold_context> NewContext(const crossfold_options& options = TestOptions()) {
  crossfold_context* made = nullptr;
  EXPECT_EQ(crossfold_context_create(&options, &made), CROSSFOLD_OK);
  return Handle<crossfold_context>(made);
}

inline Handle<crossfold_dataset> ReadFile(crossfold_context* context, const char* file,
                                          const char* options) {
  const std::string path = std::string(CROSSFOLD_TEST_DATA) + "/" + file;
  crossfold_dataset* made = nullptr;
  EXPECT_EQ(crossfold_dataset_read(context, path.c_str(), options, nullptr, &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_dataset>(made);
}

inline Handle<crossfold_dataset> Iris(crossfold_context* context) {
  return ReadFile(context, "iris.csv", R"({"target": "class"})");
}

// Five neighbours in ten folds of neighbouring rows.
inline constexpr char kNeighbours[] = R"({
  "learners": {"knn": {"id": "knn", "params": {"k": 5}}},
  "splitter": {"id": "kfold", "params": {"folds": 10, "shuffle": false}},
  "metrics": "accuracy"})";

inline Handle<crossfold_result> Evaluate(crossfold_context* context,
                                         const crossfold_dataset* dataset,
                                         const std::string& experiment) {
  crossfold_result* made = nullptr;
  EXPECT_EQ(crossfold_evaluate(context, dataset, nullptr, experiment.c_str(), &made), CROSSFOLD_OK)
      << crossfold_last_error(context);
  return Handle<crossfold_result>(made);
}

template <class T>
T Sized() {
  T made{};
  made.struct_size = sizeof(T);
  return made;
}

inline crossfold_result_info InfoOf(const crossfold_result* result) {
  auto info = Sized<crossfold_result_info>();
  EXPECT_EQ(crossfold_result_describe(result, &info), CROSSFOLD_OK);
  return info;
}

inline crossfold_score ScoreAt(const crossfold_result* result, std::size_t index) {
  auto score = Sized<crossfold_score>();
  EXPECT_EQ(crossfold_result_score(result, index, &score), CROSSFOLD_OK);
  return score;
}

// Every score, in order.
inline std::vector<double> ScoresOf(const crossfold_result* result) {
  std::vector<double> values;
  const std::size_t n = InfoOf(result).n_scores;
  for (std::size_t i = 0; i < n; ++i) values.push_back(ScoreAt(result, i).value);
  return values;
}

inline crossfold_summary SummaryAt(const crossfold_result* result, std::size_t index) {
  auto summary = Sized<crossfold_summary>();
  EXPECT_EQ(crossfold_result_summary(result, index, &summary), CROSSFOLD_OK);
  return summary;
}

}  // namespace crossfold
