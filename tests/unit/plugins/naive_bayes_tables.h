// Tables of numbers for the cross predictions of naive Bayes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

inline std::vector<std::int32_t> EachRowAlone(std::int64_t n_rows) {
  std::vector<std::int32_t> folds(static_cast<std::size_t>(n_rows));
  std::iota(folds.begin(), folds.end(), 0);
  return folds;
}

inline void ExpectLeaveOneOutLaw(const std::vector<ParamValues>& settings, const DataView& rows) {
  ExpectCrossPredictLaw("naive_bayes", settings, rows, EachRowAlone(rows.num_rows()),
                        static_cast<std::int32_t>(rows.num_rows()));
}

inline DataPtr Numbers(std::vector<std::vector<double>> columns, std::vector<std::int32_t> labels,
                       std::vector<std::string> classes) {
  std::vector<Column> made;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    made.push_back(Column::Doubles("x" + std::to_string(k), std::move(columns[k])));
  }
  made.push_back(Column::Categories("y", std::move(labels), std::move(classes)));
  return Dataset::Create("numbers", std::move(made), TargetRole("y"));
}

// Two normal columns per pair of centre and spread, the classes in turn.
inline DataPtr NormalNumbers(std::size_t n, const std::vector<std::pair<double, double>>& shapes,
                             std::int32_t n_classes, std::uint64_t seed) {
  plugin::Random random(seed);
  std::vector<std::vector<double>> columns(shapes.size());
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  for (std::int32_t c = 0; c < n_classes; ++c) classes.push_back(std::to_string(c));
  for (std::size_t i = 0; i < n; ++i) {
    labels.push_back(static_cast<std::int32_t>(i) % n_classes);
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const double shift = labels.back() % 2 == 0 ? 0 : shapes[k].second;
      columns[k].push_back(shapes[k].first + shift + shapes[k].second * random.Normal());
    }
  }
  return Numbers(std::move(columns), std::move(labels), std::move(classes));
}

}  // namespace crossfold
