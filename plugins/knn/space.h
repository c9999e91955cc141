// What a distance learns from the training rows: nothing, the inverse covariance (mahalanobis), or
// the ranges of the features (gower).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "metric.h"
#include "rows.h"

namespace crossfold::knn {

// Returns which features gower compares only as equal or different. Ordered categories count as
// numbers.
std::vector<bool> NominalFeatures(const plugin::FeatureView& rows);

// A value; reading is thread-safe.
class Space {
 public:
  // `nominal` has one entry per feature; only gower uses it. Throws Error if the distance does not
  // exist on these rows because their covariance is singular.
  static Space Fit(Distance distance, const Rows& train, const std::vector<bool>& nominal);

  // Whether it depends on the training rows at all.
  static bool IsLearned(Distance distance) {
    return distance == Distance::kMahalanobis || distance == Distance::kGower;
  }

  // Changes rows so that the distance between them is the distance of the changed rows: for
  // mahalanobis the euclidean one. REQUIRES: entries.size() is a multiple of the features.
  void Map(std::vector<double>& entries) const;

  std::span<const GowerFeature> gower() const { return gower_; }

  void Save(plugin::Writer& w) const;
  static Space Load(plugin::Reader& r, Distance distance, std::size_t n_features);

 private:
  std::size_t n_features_ = 0;
  std::vector<double> factor_;  // lower triangle L of the covariance L L', row-major; or empty
  std::vector<GowerFeature> gower_;
};

}  // namespace crossfold::knn
