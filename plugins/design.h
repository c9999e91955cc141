// Rows of numbers for the methods that compute with matrices.
#pragma once

#include <algorithm>
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

// The same rows, some at a time, for methods that never hold all of them. Nothing is kept per row.
class DesignBlocks {
 public:
  static constexpr Index kRows = 1024;  // of the view in a block; they stay in the cache

  // `train` must outlive it. Throws Error if the total weight is 0.
  explicit DesignBlocks(const plugin::TrainingView& train, Index rows_per_block = kRows);

  Index num_features() const { return train_->num_features(); }
  Index size() const { return n_blocks_; }
  double total_weight() const { return total_weight_; }
  Index num_rows() const { return n_rows_; }  // whose weight is not 0

  // Reads block b into `block`, whose memory is used again; it has no total weight and no names.
  // Throws Error as ReadDesign does.
  void Read(Index b, Design& block) const;
  // The same without the features.
  void ReadTargets(Index b, Design& block) const;
  // The moments of all rows, the same as those of ReadDesign.
  ColumnMoments Moments() const;

 private:
  std::int64_t FirstRow(Index b) const { return b * rows_per_block_; }
  std::int64_t EndRow(Index b) const {
    return std::min<std::int64_t>(FirstRow(b) + rows_per_block_, train_->num_rows());
  }

  const plugin::TrainingView* train_;
  Index rows_per_block_, n_blocks_ = 0, n_rows_ = 0;
  double total_weight_ = 0;
};

std::vector<std::string> FeatureNames(const plugin::FeatureView& rows);

}  // namespace crossfold::bundled
