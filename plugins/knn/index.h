// Rows laid out for finding the nearest of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "metric.h"

namespace crossfold::knn {

// Rows whose features are small whole numbers, as the fast kernels take them. Their keys are
// computed in integers, so they are exact, as those of the doubles are: the same numbers.
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

// Blocks of kBlockRows rows, feature by feature within a block, so that the distances from one row
// to a whole block are computed side by side, each still summed in feature order. Equal distances
// go by the row number here: give the rows in the order of their ids. A value; reading is
// thread-safe.
class Index {
 public:
  Index() = default;
  // `form` is the whole-number layout that can be used too; none for kGower, for example. REQUIRES:
  // entries.size() = n_rows * n_features, row-major; n_rows < 2^32.
  Index(std::span<const double> entries, std::size_t n_rows, std::size_t n_features, Form form);

  std::size_t num_rows() const { return n_rows_; }
  std::size_t num_features() const { return n_features_; }
  std::size_t num_blocks() const { return (n_rows_ + kBlockRows - 1) / kBlockRows; }
  const double* block(std::size_t b) const { return blocks_.data() + b * kBlockRows * n_features_; }
  // The same rows as small whole numbers; null if they are not such numbers.
  const WholeRows* whole() const { return whole_ ? &*whole_ : nullptr; }
  // For tests of the results that the whole-number kernels must equal.
  void ForgetWhole() { whole_.reset(); }

  double entry(std::size_t i, std::size_t j) const {
    return block(i / kBlockRows)[j * kBlockRows + i % kBlockRows];
  }
  // Appends the features of row i.
  void AppendRow(std::size_t i, std::vector<double>& to) const {
    for (std::size_t j = 0; j < n_features_; ++j) to.push_back(entry(i, j));
  }
  // Whether row i has exactly the features of the query.
  bool IsEqual(std::size_t i, std::span<const double> query) const {
    for (std::size_t j = 0; j < n_features_; ++j) {
      if (entry(i, j) != query[j]) return false;
    }
    return true;
  }
  std::uint64_t Bytes() const {
    return blocks_.size() * sizeof(double) + (whole_ ? whole_->Bytes() : 0);
  }

 private:
  std::size_t n_rows_ = 0, n_features_ = 0;
  std::vector<double> blocks_;
  std::optional<WholeRows> whole_;
};

}  // namespace crossfold::knn
