// Rows of numbers for the methods that compute with matrices.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "matrices.h"
#include "moments.h"

namespace crossfold::bundled {

inline std::string FeatureText(const plugin::FeatureView& rows, std::int64_t j) {
  return "feature '" + std::string(rows.name(j)) + "'";
}

// Row i as numbers. Throws Error at an infinite or missing entry.
// REQUIRES: out has room for every feature.
inline void ReadFiniteRow(const plugin::FeatureView& rows, std::int64_t i, double* out) {
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    out[j] = rows.x(i, j);
    if (!std::isfinite(out[j])) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          FeatureText(rows, j) + " has an infinite or missing entry");
    }
  }
}

// Calls use(i, row) for every row, in order.
template <class Use>
void ForEachFiniteRow(const plugin::FeatureView& rows, const plugin::Context& context, Use&& use) {
  constexpr std::int64_t kRowsPerPoll = 1024;
  std::vector<double> row(static_cast<std::size_t>(rows.num_features()));
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    if (i % kRowsPerPoll == 0) {
      context.Progress(static_cast<double>(i) / static_cast<double>(rows.num_rows()));
    }
    ReadFiniteRow(rows, i, row.data());
    use(i, std::span<const double>(row));
  }
}

// The training rows whose weight is not 0.
struct Design {
  RowMatrix x;       // rows x features, all finite
  VectorXd weights;  // > 0
  double total_weight = 0;
  std::vector<std::int32_t> labels;  // classification: class indices of the dataset
  VectorXd values;                   // regression
  std::vector<std::string> features;

  Index num_rows() const { return x.rows(); }
  Index num_features() const { return x.cols(); }
};

inline Design ReadDesign(const plugin::TrainingView& train) {
  FixBlockSizes();
  std::vector<std::int64_t> used;
  Design design;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.weight(i) > 0) used.push_back(i);
    design.total_weight += train.weight(i);
  }
  if (used.empty()) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
  }
  const auto n = static_cast<Index>(used.size());
  design.x.resize(n, train.num_features());
  design.weights.resize(n);
  design.values.resize(train.is_classification() ? 0 : n);
  for (Index i = 0; i < n; ++i) {
    const std::int64_t row = used[static_cast<std::size_t>(i)];
    ReadFiniteRow(train, row, design.x.data() + i * train.num_features());
    design.weights[i] = train.weight(row);
    if (train.is_classification()) {
      design.labels.push_back(train.label(row));
    } else {
      design.values[i] = train.value(row);
    }
  }
  if (!design.values.allFinite()) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the target has an infinite or missing entry");
  }
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    design.features.emplace_back(train.name(j));
  }
  return design;
}

// Mean and population standard deviation of each column; the latter is 0 exactly for a column whose
// entries are all equal, and the mean is then that entry.
struct ColumnMoments {
  VectorXd mean, sd;
};

inline ColumnMoments MomentsOf(const Design& design) {
  const Index d = design.num_features();
  ColumnMoments moments{VectorXd(d), VectorXd(d)};
  const std::span<const double> weights(design.weights.data(),
                                        static_cast<std::size_t>(design.num_rows()));
  for (Index j = 0; j < d; ++j) {
    const VectorXd column = design.x.col(j);
    const Moments m =
        ComputeMoments({column.data(), weights.size()}, weights, Denominator::kTotalWeight,
                       "feature '" + design.features[static_cast<std::size_t>(j)] + "'");
    moments.mean[j] = m.mean;
    moments.sd[j] = m.sd;
  }
  return moments;
}

}  // namespace crossfold::bundled
