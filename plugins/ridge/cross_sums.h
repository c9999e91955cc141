// Sums of squares and products to which rows can be added and from which they can be removed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "../design.h"
#include "../linear_scores.h"
#include "../matrices.h"

namespace crossfold::bundled {

// Of the features X and the targets Y about a centre: their means, or 0.
struct CrossSums {
  double weight = 0;
  VectorXd x_mean, y_mean;        // of the rows, whatever the centre
  VectorXd x_squares, y_squares;  // about the means
  MatrixXd xx, xy;                // about the centre: features x features, features x targets
  VectorXd largest;               // the largest that each diagonal entry of xx ever was
  bool centred = true;

  VectorXd x_centre() const { return centred ? x_mean : VectorXd::Zero(x_mean.size()); }
  VectorXd y_centre() const { return centred ? y_mean : VectorXd::Zero(y_mean.size()); }
  VectorXd x_sd() const { return (x_squares / weight).cwiseSqrt(); }

  // Adds the sums of other rows.
  void Add(const CrossSums& other) {
    const double all = weight + other.weight;
    const VectorXd dx = other.x_mean - x_mean, dy = other.y_mean - y_mean;
    Shift(other, dx, dy, weight * other.weight / all, 1);
    x_mean += dx * (other.weight / all);
    y_mean += dy * (other.weight / all);
    weight = all;
    largest = largest.cwiseMax(xx.diagonal());
  }

  // Removes rows that are among these. REQUIRES: other.weight < weight.
  void Remove(const CrossSums& other) {
    const double rest = weight - other.weight;
    x_mean -= (other.x_mean - x_mean) * (other.weight / rest);
    y_mean -= (other.y_mean - y_mean) * (other.weight / rest);
    Shift(other, other.x_mean - x_mean, other.y_mean - y_mean, rest * other.weight / weight, -1);
    // Rounding may leave a negative value for a column that is constant now.
    x_squares = x_squares.cwiseMax(0);
    y_squares = y_squares.cwiseMax(0);
    weight = rest;
  }

  void Save(plugin::Writer& w) const {
    w.Write(weight);
    w.Write(centred);
    w.Write(static_cast<std::uint64_t>(xx.rows()));
    w.Write(static_cast<std::uint64_t>(x_mean.size()));
    w.Write(static_cast<std::uint64_t>(y_mean.size()));
    for (const VectorXd* v : {&x_mean, &y_mean, &x_squares, &y_squares}) {
      SaveNumbers(w, v->data(), v->size());
    }
    SaveNumbers(w, xx.data(), xx.size());
    SaveNumbers(w, xy.data(), xy.size());
    SaveNumbers(w, largest.data(), largest.size());
  }
  static CrossSums Load(plugin::Reader& r) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 31;  // products of two fit into an Index
    CrossSums sums;
    sums.weight =
        r.ReadWithin(std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
    sums.centred = r.Read<bool>();
    const auto kept = static_cast<Index>(r.ReadWithin<std::uint64_t>(0, kMost));
    const auto d = static_cast<Index>(r.ReadWithin<std::uint64_t>(0, kMost));
    const auto k = static_cast<Index>(r.ReadWithin<std::uint64_t>(0, kMost));
    if (kept != 0 && kept != d) throw plugin::Error(CF_E_BAD_BLOB, "the sums do not fit together");
    sums.x_mean = LoadNumbers(r, d);
    sums.y_mean = LoadNumbers(r, k);
    sums.x_squares = LoadNumbers(r, d);
    sums.y_squares = LoadNumbers(r, k);
    const VectorXd xx = LoadNumbers(r, kept * kept), xy = LoadNumbers(r, kept * k);
    sums.xx = Eigen::Map<const MatrixXd>(xx.data(), kept, kept);
    sums.xy = Eigen::Map<const MatrixXd>(xy.data(), kept, k);
    sums.largest = LoadNumbers(r, kept);
    return sums;
  }

 private:
  void Shift(const CrossSums& other, const VectorXd& dx, const VectorXd& dy, double factor,
             double sign) {
    x_squares += sign * (other.x_squares + factor * dx.cwiseAbs2());
    y_squares += sign * (other.y_squares + factor * dy.cwiseAbs2());
    xx += sign * other.xx;
    xy += sign * other.xy;
    if (!centred) return;
    xx += (sign * factor) * (dx * dx.transpose());
    xy += (sign * factor) * (dx * dy.transpose());
  }
};

// The sums of some rows. `centred`: products are about the means, else about 0.
inline CrossSums SumsOf(const MatrixXd& x, const MatrixXd& y, const VectorXd& weights,
                        bool centred) {
  CrossSums sums;
  sums.weight = weights.sum();
  sums.centred = centred;
  sums.x_mean = SumOfRows(x, weights) / sums.weight;
  sums.y_mean = SumOfRows(y, weights) / sums.weight;
  const VectorXd roots = weights.cwiseSqrt();
  const MatrixXd about_x = roots.asDiagonal() * (x.rowwise() - sums.x_mean.transpose());
  const MatrixXd about_y = roots.asDiagonal() * (y.rowwise() - sums.y_mean.transpose());
  sums.x_squares = about_x.colwise().squaredNorm().transpose();
  sums.y_squares = about_y.colwise().squaredNorm().transpose();
  sums.xx = CrossProduct(about_x, about_x);
  sums.xy = CrossProduct(about_x, about_y);
  if (!centred) {
    sums.xx += sums.weight * (sums.x_mean * sums.x_mean.transpose());
    sums.xy += sums.weight * (sums.x_mean * sums.y_mean.transpose());
  }
  sums.largest = sums.xx.diagonal();
  return sums;
}

// The normal equations of the sums, with every column in units of its root, factorised by Cholesky.
struct NormalEquations {
  NormalEquations(const CrossSums& sums, double l2) {
    MatrixXd normal = sums.xx;
    normal.diagonal().array() += l2;
    VectorXd scale = normal.diagonal().cwiseMax(0).cwiseSqrt();
    double amplified = 1;
    for (Index j = 0; j < scale.size(); ++j) {
      if (scale[j] == 0) {  // constant from the beginning: its row is 0, and its coefficient
        normal(j, j) = scale[j] = 1;
      }
      amplified = std::max(amplified, sums.largest[j] / (scale[j] * scale[j]));
    }
    inverse = scale.cwiseInverse();
    // The singular values of a separate fit are about as exact as the largest column allows.
    if (l2 > 0 && scale.size() > 0 && scale.maxCoeff() > kMostUnits * scale.minCoeff()) return;
    const MatrixXd scaled = inverse.asDiagonal() * normal * inverse.asDiagonal();
    cholesky = Cholesky(scaled);
    if (!cholesky.is_definite()) return;
    const double size = scaled.cwiseAbs().colwise().sum().maxCoeff();
    doubt = kRounding * amplified / (cholesky.ReciprocalCondition() * size);
  }

  MatrixXd Solve(const MatrixXd& xy) const {
    return inverse.asDiagonal() * cholesky.Solve(inverse.asDiagonal() * xy);
  }

  static constexpr double kMostUnits = 1e6;
  static constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

  VectorXd inverse;  // of the columns' units
  Cholesky cholesky;
  // A bound of the effect of rounding on the inverse. The rounding when rows were added and removed
  // is relative to the largest sums so far.
  double doubt = std::numeric_limits<double>::infinity();
};

// The coefficients from the sums. Throws Error if rounding may change a prediction by more than
// `tolerance`, relative to the spread of the targets if that is above 1.
inline MatrixXd SolveSums(const CrossSums& sums, double l2, double tolerance) {
  const NormalEquations equations(sums, l2);
  const double y_sd = std::min(1.0, std::sqrt(sums.y_squares.maxCoeff() / sums.weight));
  if (!(equations.doubt * y_sd <= tolerance)) {
    throw plugin::Error(CF_E_NUMERIC,
                        "the features are too nearly dependent or too different in size to be "
                        "updated; fit all rows again");
  }
  return equations.Solve(sums.xy);
}

}  // namespace crossfold::bundled
