// Rows of numbers for the methods that compute with matrices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "matrices.h"

namespace crossfold::bundled {

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

// Throws Error if an entry of the features or of a numeric target is not finite.
Design ReadDesign(const plugin::TrainingView& train);

// The mean and population standard deviation of each column. For a column whose entries are all
// equal, the mean is that entry and the standard deviation is exactly 0.
struct ColumnMoments {
  VectorXd mean, sd;
};

ColumnMoments MomentsOf(const Design& design);

}  // namespace crossfold::bundled
