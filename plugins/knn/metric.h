// Distances between rows. Neighbours are compared by a key that grows with the distance and needs
// no root: whole-number data then have exact keys, so equal distances compare equal. Terms are
// added in feature order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels.h"
#include "params.h"

namespace crossfold::knn {

// How Gower's coefficient compares two entries of a feature.
struct GowerFeature {
  bool nominal = false;      // 0 if equal, 1 if not; otherwise |difference| * inverse_range
  double inverse_range = 0;  // 0 = the training rows are all equal
};

enum class Form { kAbsolute, kSquares, kLargest, kPowers, kGower };

// Computes the keys of rows; borrows the features of a Space.
class Metric {
 public:
  // `gower` is that of the space of the rows. Mahalanobis is euclidean on the rows that its space
  // has changed.
  static Metric Of(const Params& params, std::span<const GowerFeature> gower);

  Form form() const { return form_; }
  // The exponent of kPowers.
  double p() const { return p_; }
  double Length(double key) const;
  // Two different rows with a key below this have lost their order.
  double least_key() const;
  // Keys of real rows, as the kernels give them.
  void Keys(const Kernels& kernels, const RealTile& tile, double* keys) const;

 private:
  Metric(Form form, double p, std::span<const GowerFeature> gower)
      : form_(form), p_(p), gower_(gower) {}
  void PowerKeys(const RealTile& tile, double* keys) const;
  void GowerKeys(const RealTile& tile, double* keys) const;

  Form form_;
  double p_;
  std::span<const GowerFeature> gower_;
};

// One of the rows nearest to another.
struct Neighbour {
  double key;         // see Metric; infinite = the distance is no longer a finite number
  std::uint32_t row;  // of an Index
  // The row is not the query, but at no distance from it that numbers could tell.
  bool is_lost = false;

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

}  // namespace crossfold::knn
