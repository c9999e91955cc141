// Predictions of all folds in one call: see Knn::CrossPredict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../row_subset.h"
#include "crossfold_plugin.hpp"
#include "index.h"
#include "params.h"
#include "prepared.h"
#include "rows.h"

namespace crossfold::knn {

// Rows that are too many to be held together: they are read block by block, and every block is
// searched as an index of its own.
struct BlockLimits {
  std::int64_t most_numbers = std::int64_t{1} << 26;  // of rows that are held together
  std::int64_t rows = std::int64_t{1} << 16;          // of a block
};

// Row i is position i of the view, which must outlive it.
class BlockedRows {
 public:
  BlockedRows(const plugin::TrainingView& view, Distance distance, std::int64_t rows_of_block)
      : view_(&view), distance_(distance), rows_of_block_(rows_of_block) {}

  // Whether rows of a view are read in blocks: then they are large, and in the order of their ids,
  // which decides ties.
  static bool Suits(const plugin::TrainingView& view, const BlockLimits& limits) {
    if (!IsLarge(view.num_rows(), view.num_features(), limits)) return false;
    for (std::int64_t i = 1; i < view.num_rows(); ++i) {
      if (view.row_id(i - 1) >= view.row_id(i)) return false;
    }
    return true;
  }
  static bool IsLarge(std::int64_t n_rows, std::int64_t n_features, const BlockLimits& limits) {
    return n_rows * n_features > limits.most_numbers;
  }

  std::int64_t num_rows() const { return view_->num_rows(); }
  std::int64_t num_features() const { return view_->num_features(); }
  std::int64_t rows_of_block() const { return rows_of_block_; }
  // Throws Error for an entry that the distance does not accept.
  std::vector<double> Entries(std::span<const std::int64_t> rows) const {
    return ReadEntries(bundled::RowSubset(*view_, rows).features(), distance_);
  }
  // Rows first .. first + n - 1.
  Index BlockFrom(std::int64_t first, std::int64_t n, Form form) const {
    std::vector<std::int64_t> rows(static_cast<std::size_t>(n));
    std::iota(rows.begin(), rows.end(), first);
    return Index(Entries(rows), rows.size(), static_cast<std::size_t>(view_->num_features()), form);
  }

 private:
  const plugin::TrainingView* view_;
  Distance distance_;
  std::int64_t rows_of_block_;
};

// Tested rows are searched together, because searches with few queries are slow, as long as their
// lists take little memory; and if the rows are read in blocks, their entries, too.
inline constexpr std::size_t kEnoughQueries = 2048;
inline constexpr std::size_t kMostNeighbours = std::size_t{1} << 22;
inline constexpr std::size_t kMostQueryNumbers = std::size_t{1} << 22;

// `prepared` may be null. The limits do not change a prediction.
void PredictFolds(std::span<const Params> settings, const Prepared* prepared,
                  const plugin::TrainingView& rows, std::span<const std::int32_t> fold_of_row,
                  std::int32_t n_folds, const plugin::CrossSink& sink,
                  const plugin::Context& context, const BlockLimits& limits = {});

}  // namespace crossfold::knn
