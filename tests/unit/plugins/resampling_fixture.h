// What a resampling transform makes of training rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "engine/run/fit_predict.h"
#include "engine/run/training_rows.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {

struct Resampled {
  std::string failure;
  RowIds row_ids;
  std::vector<std::int32_t> labels, types;
  std::vector<std::vector<double>> rows;  // features, row by row

  std::vector<std::int64_t> ClassSizes(std::int64_t n_classes) const {
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(n_classes));
    for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
    return sizes;
  }
  // (row id, features) of every row, sorted: equal for equal sets of rows.
  std::vector<std::tuple<std::int64_t, std::vector<double>>> Sorted() const {
    std::vector<std::tuple<std::int64_t, std::vector<double>>> all;
    for (std::size_t i = 0; i < rows.size(); ++i) all.emplace_back(row_ids[i], rows[i]);
    std::sort(all.begin(), all.end());
    return all;
  }
};

inline Resampled Resample(std::string_view id, const ParamValues& params, const DataView& train,
                          std::uint64_t seed = 1) {
  const auto spec = BundledSpec(Kind::kTransform, id, params);
  const RowTable table = RowTable::ForTraining(*train.data, train.rows.get());
  TrainingRows rows(table.get());
  CallSite site(nullptr, LogSink());
  Resampled result;
  try {
    rows.Resample(*spec, seed, site);
  } catch (const StepError& e) {
    result.failure = e.failure().message;
    return result;
  }
  const plugin::TrainingView view(rows.get());
  for (std::int64_t j = 0; j < view.num_features(); ++j) {
    result.types.push_back(view.column(j).dtype);
  }
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    result.row_ids.push_back(view.row_id(i));
    result.labels.push_back(view.label(i));
    result.rows.emplace_back();
    for (std::int64_t j = 0; j < view.num_features(); ++j) {
      result.rows.back().push_back(view.x(i, j));
    }
  }
  return result;
}

inline RowIds Reversed(RowIds rows) {
  std::reverse(rows.begin(), rows.end());
  return rows;
}

}  // namespace crossfold
