// Rows as C++ code sees them. A FeatureView has no target, so that predictions cannot see it; only
// a TrainingView has one.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "crossfold_plugin/data.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {

inline bool HasValidityBit(const cf_column& c, std::int64_t entry) {
  if (c.validity == nullptr) return true;
  const std::int64_t bit = entry + c.validity_offset;
  return (c.validity[bit / 8] >> (bit % 8)) & 1;
}

// Whether the levels of a categorical column have an order.
inline bool IsOrdered(const cf_column& c) { return (c.flags & CF_COLUMN_ORDERED) != 0; }

// Returns an entry of a column as a double: a category gives its code, a missing entry gives NaN.
inline double EntryAsDouble(const cf_column& c, std::int64_t entry) {
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  if (!HasValidityBit(c, entry)) return kMissing;
  switch (c.dtype) {
    case CF_F64:
      return static_cast<const double*>(c.data)[entry];
    case CF_F32:
      return static_cast<double>(static_cast<const float*>(c.data)[entry]);
    case CF_I32:
      return static_cast<double>(static_cast<const std::int32_t*>(c.data)[entry]);
    case CF_I64:
      return static_cast<double>(static_cast<const std::int64_t*>(c.data)[entry]);
    case CF_BOOL8:
      return static_cast<const std::uint8_t*>(c.data)[entry] != 0 ? 1.0 : 0.0;
    case CF_CAT32: {
      const std::int32_t code = static_cast<const std::int32_t*>(c.data)[entry];
      return code < 0 ? kMissing : static_cast<double>(code);
    }
    default:
      return kMissing;
  }
}

// Rows without a target. They are borrowed, and valid during the call only. Reading is thread-safe.
class FeatureView {
 public:
  explicit FeatureView(const cf_table& table) : table_(&table) {}

  std::int64_t num_rows() const { return table_->n_rows; }
  std::int64_t num_features() const { return table_->n_features; }
  // The place of view row i in the column buffers.
  std::int64_t entry(std::int64_t i) const { return table_->rows ? table_->rows[i] : i; }
  // The row of the dataset that view row i is: the same in every fold and after every transform, so
  // ties that are broken by it do not depend on how the rows were drawn.
  std::int64_t row_id(std::int64_t i) const {
    return CF_HAS(table_, cf_table, row_ids) && table_->row_ids ? table_->row_ids[i] : entry(i);
  }

  const cf_column& column(std::int64_t j) const { return table_->features[j]; }
  std::string_view name(std::int64_t j) const { return column(j).name; }
  bool is_categorical(std::int64_t j) const { return column(j).dtype == CF_CAT32; }
  // The number of levels of a categorical feature in the whole dataset; 0 for other features.
  std::int64_t num_levels(std::int64_t j) const {
    return is_categorical(j) ? column(j).n_levels : 0;
  }

  // A category gives its code, a missing entry NaN.
  double x(std::int64_t i, std::int64_t j) const { return EntryAsDouble(column(j), entry(i)); }
  bool is_missing(std::int64_t i, std::int64_t j) const { return std::isnan(x(i, j)); }

  // Returns the point with the smallest Euclidean distance to row i; ties go to the first. `points`
  // is row-major, with num_features() numbers per point. A point with a NaN is never the nearest;
  // -1 = there is none.
  std::int32_t NearestPoint(std::int64_t i, std::span<const double> points) const {
    const std::int64_t d = num_features();
    const std::int64_t n = d == 0 ? 0 : static_cast<std::int64_t>(points.size()) / d;
    double nearest = std::numeric_limits<double>::infinity();  // squared
    std::int64_t best = -1;
    for (std::int64_t p = 0; p < n; ++p) {
      double distance = 0;
      for (std::int64_t j = 0; j < d; ++j) {
        const double gap = x(i, j) - points[static_cast<std::size_t>(p * d + j)];
        distance += gap * gap;
      }
      if (distance < nearest || (best < 0 && !std::isnan(distance))) {
        nearest = distance;
        best = p;
      }
    }
    return static_cast<std::int32_t>(best);
  }

  // Copies column j of this view, one double per row. REQUIRES: out.size() == num_rows().
  void CopyColumn(std::int64_t j, std::span<double> out) const {
    for (std::int64_t i = 0; i < num_rows(); ++i) out[static_cast<std::size_t>(i)] = x(i, j);
  }
  // Copies all features, row-major: num_rows x num_features.
  std::vector<double> DenseRows() const {
    const auto n = static_cast<std::size_t>(num_rows());
    const auto d = static_cast<std::size_t>(num_features());
    std::vector<double> dense(n * d);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        dense[i * d + j] = x(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
      }
    }
    return dense;
  }

 protected:
  const cf_table* table_;
};

// Rows with target and weights.
class TrainingView : public FeatureView {
 public:
  // Throws Error if there is no target.
  explicit TrainingView(const cf_table& table) : FeatureView(table) {
    if (table.target == nullptr) throw Error(CF_E_INVALID_ARGUMENT, "training rows have no target");
  }

  bool is_classification() const { return table_->target->dtype == CF_CAT32; }
  // The number of classes of the whole dataset; 0 in regression.
  std::int64_t num_classes() const { return is_classification() ? table_->target->n_levels : 0; }
  std::string_view class_name(std::int64_t c) const { return table_->target->levels[c]; }

  // Returns the class index of row i. REQUIRES: is_classification().
  std::int32_t label(std::int64_t i) const {
    return static_cast<const std::int32_t*>(table_->target->data)[entry(i)];
  }
  // Returns the target of row i. REQUIRES: !is_classification().
  double value(std::int64_t i) const {
    return static_cast<const double*>(table_->target->data)[entry(i)];
  }
  bool has_weights() const { return table_->weights != nullptr; }
  double weight(std::int64_t i) const { return table_->weights ? table_->weights[i] : 1.0; }
};

}  // namespace crossfold::plugin
