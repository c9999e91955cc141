// Rows whose features are small whole numbers, as the fast kernels take them. Their keys are
// computed in integers, so they are exact, as those of the doubles are: the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "metric.h"

namespace crossfold::knn {

// Padding at the end of the last block and of groups of queries may have any key.
class WholeRows {
 public:
  // The maximum span of a feature; sums stay below kLargestKey.
  static constexpr std::int32_t kLargestSpan = 16383;
  static constexpr std::int32_t kLargestKey = (1 << 30) - 1;

  // Makes them from row-major entries; nothing if these are not such rows, or there is no kernel
  // for the form.
  static std::optional<WholeRows> Make(std::span<const double> entries, std::size_t n_rows,
                                       std::size_t n_features, Form form);

  std::size_t num_pairs() const { return n_pairs_; }
  const std::int16_t* block(std::size_t b) const {
    return blocks_.data() + b * n_pairs_ * 2 * kBlockRows;
  }
  const std::int32_t* starts(std::size_t b) const { return starts_.data() + b * kBlockRows; }

  // Writes a query for the kernels. Returns false if it is not of whole numbers, or too far from
  // the rows. REQUIRES: out.size() == 2 * num_pairs(), all zeros.
  bool Convert(std::span<const double> query, std::span<std::int16_t> out,
               std::int32_t& start) const;

  std::uint64_t Bytes() const {
    return blocks_.size() * sizeof(std::int16_t) + starts_.size() * sizeof(std::int32_t) +
           lows_.size() * 2 * sizeof(double);
  }

 private:
  WholeRows(Form form, std::size_t n_features) : form_(form), n_pairs_((n_features + 1) / 2) {}

  Form form_;
  std::size_t n_pairs_;
  std::vector<double> lows_, spans_;  // one per feature
  std::vector<std::int16_t> blocks_;
  std::vector<std::int32_t> starts_;
};

}  // namespace crossfold::knn
