// What the tests of the bundled learners share: fitting, predicting, failing.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/column_types.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/fitted_model.h"
#include "crossfold/pipeline.h"
#include "crossfold/read_data.h"
#include "crossfold/run.h"
#include "unit/engine/data/refusal.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/sources/readings.h"

namespace crossfold {

using RowIds = std::vector<std::int64_t>;
using DataPtr = std::shared_ptr<const Dataset>;
using FittedPtr = std::shared_ptr<const FittedModel>;

inline DataView RowsOf(const DataPtr& data, RowIds rows) {
  return {data, std::make_shared<const RowIds>(std::move(rows))};
}
inline DataView AllRows(const DataPtr& data) { return {data, nullptr}; }

inline RowIds RowRange(std::int64_t first, std::int64_t end) {
  RowIds rows;
  for (std::int64_t i = first; i < end; ++i) rows.push_back(i);
  return rows;
}

// Entries whose place among `rows` is (or is not) `fold` modulo `n_folds`.
inline RowIds FoldRows(const RowIds& rows, std::int64_t n_folds, std::int64_t fold, bool test) {
  RowIds chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((static_cast<std::int64_t>(i) % n_folds == fold) == test) chosen.push_back(rows[i]);
  }
  return chosen;
}

inline std::shared_ptr<const Pipeline> BundledLearner(std::string_view id,
                                                      const ParamValues& values) {
  return Pipeline::Make({BundledSpec(Kind::kLearner, id, values)});
}

inline Prediction FitPredict(std::string_view learner, const ParamValues& values,
                             const DataView& train, const DataView& test,
                             const RunOptions& options = {}) {
  return FittedModel::Fit(BundledLearner(learner, values), train, 1, options)
      ->Predict(test, options);
}

// Rows 0, 5, 10 ..., learnt from the others.
inline Prediction PredictEveryFifth(std::string_view learner, const ParamValues& values,
                                    const DataPtr& data) {
  const RowIds all = RowRange(0, data->num_rows());
  return FitPredict(learner, values, RowsOf(data, FoldRows(all, 5, 0, false)),
                    RowsOf(data, FoldRows(all, 5, 0, true)));
}

// The message with which fit or predict fails, or "".
inline std::string FailureOf(std::string_view learner, const ParamValues& values,
                             const DataView& train, const DataView& test,
                             const RunOptions& options = {}) {
  return test::MessageOf([&] { FitPredict(learner, values, train, test, options); });
}

// FittedModel::FitFrom with a bundled learner alone.
inline FittedPtr FitFrom(const FittedModel& start, std::string_view learner,
                         const ParamValues& values, const DataView& train) {
  return FittedModel::FitFrom(BundledLearner(learner, values), train, 1, start, {});
}
// The message with which that fails, or "".
inline std::string FailureOfFitFrom(const FittedModel& start, std::string_view learner,
                                    const ParamValues& values, const DataView& train) {
  return test::MessageOf([&] { FitFrom(start, learner, values, train); });
}

inline Roles TargetRole(const std::string& target, const std::string& weights = "") {
  Roles roles;
  roles.target = target;
  roles.weights = weights;
  return roles;
}
// A file of the test data, through the bundled sources.
inline DataPtr ReadTestData(const std::string& file, const ReadRequest& request) {
  return ReadData(BundledPlugins(), std::string(CROSSFOLD_TEST_DATA) + "/" + file, request);
}

inline DataPtr ReadTestData(const std::string& file, const std::string& target) {
  ReadRequest request;
  request.roles.target = target;
  return ReadTestData(file, request);
}

// Rows 0-49 are setosa, 50-99 versicolor, 100-149 virginica.
inline const DataPtr& Iris() {
  static const DataPtr iris = ReadTestData("iris.csv", "class");
  return iris;
}
inline DataPtr Penguins() { return ReadTestData("penguins.csv", "species"); }
inline DataPtr Weather() { return ReadTestData("weather_nominal.csv", "play"); }
inline DataPtr Diabetes() { return ReadTestData("diabetes_regr.csv", "target"); }

// The classes are the digits themselves, which would otherwise be read as numbers.
inline DataPtr ReadDigits() {
  ReadRequest request;
  request.roles.target = "class";
  request.types["class"] = ColumnType::kCategorical;
  return ReadTestData("digits.csv", request);
}

// A file of the test data with more rows at its end, named "table".
inline DataPtr ReadTestDataAnd(const std::string& file, const std::string& more_rows,
                               const std::string& target) {
  std::ifstream in(std::filesystem::path(CROSSFOLD_TEST_DATA) / file);
  std::ostringstream text;
  text << in.rdbuf() << more_rows;
  return sources::ParseCsv(text.str(), "table", {.roles = TargetRole(target)});
}

inline DataPtr ParseTable(std::string_view csv, const std::string& target,
                          const std::string& weights = "") {
  return sources::ParseCsv(csv, "table", {.roles = TargetRole(target, weights)});
}

inline std::int64_t CountCorrect(const Dataset& data, const Prediction& prediction) {
  std::int64_t correct = 0;
  for (std::size_t i = 0; i < prediction.rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(prediction.rows[i]);
    correct += prediction.labels.at(i) == data.labels()[row] ? 1 : 0;
  }
  return correct;
}

}  // namespace crossfold
