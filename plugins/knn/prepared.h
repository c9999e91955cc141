// What crossfold.prepare/1 makes of a dataset: every row's nearest other rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "index.h"
#include "metric.h"
#include "params.h"

namespace crossfold::knn {

// Reading is thread-safe.
class Prepared {
 public:
  // This number of neighbours is enough for k = 31 with ten folds, or k = 25 with five folds within
  // five.
  static constexpr std::size_t kListLength = 48;

  // Prepares nothing where a space is learned from training rows, where entries cannot be used
  // (only the rows of a fold show whether that matters) or where row ids repeat.
  static Prepared Make(const Params& params, const plugin::FeatureView& all,
                       const plugin::Context& context);

  // Whether there are lists for this distance on rows with this number of features.
  bool Serves(const Params& params, std::int64_t n_features) const;
  // The rows in the order of their ids. REQUIRES for this and all that follows: there are lists.
  const Index& index() const { return index_; }
  Metric metric() const { return Metric::Of(params_, {}); }
  // The row of the index with that id; none = it was not there.
  std::optional<std::uint32_t> RowOf(std::int64_t id) const;
  // Nearest first; fewer than kListLength in small datasets only.
  std::span<const Neighbour> NearestTo(std::uint32_t row) const {
    return std::span(lists_).subspan(row * list_length_, list_length_);
  }
  std::uint64_t Bytes() const;

 private:
  void FindLists(const plugin::Context& context);

  Params params_;
  bool serves_ = false;
  std::vector<std::int64_t> ids_;
  Index index_;
  std::size_t list_length_ = 0;
  std::vector<Neighbour> lists_;
};

}  // namespace crossfold::knn
