// Means and cross products of every class, from which the rows of a fold are taken out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../design.h"
#include "../matrices.h"
#include "../present_classes.h"
#include "../used_rows.h"

namespace crossfold::bundled {

// Training rows class by class, and the priors, from which both discriminant analyses start.
struct ClassRows {
  Design design;
  PresentClasses classes;
  std::vector<std::vector<Index>> rows;  // of each present class
  std::vector<ColumnMoments> moments;    // of each present class
  VectorXd priors;                       // of the present classes; sums to 1

  Index size() const { return classes.size(); }
  // Row i minus the mean of its class k, times `factor` and the root of its weight.
  Eigen::RowVectorXd Deviation(Index i, std::size_t k, double factor) const {
    return (design.x.row(i) - moments[k].mean.transpose()) * std::sqrt(design.weights[i] * factor);
  }
};

// One prior for each class of the dataset; none = the shares of the training rows. Those of the
// present classes are divided by their sum.
inline VectorXd PriorsOf(const PresentClasses& classes, const std::vector<double>& given) {
  if (!given.empty() && given.size() != classes.num_classes()) {
    throw plugin::Error(CF_E_INVALID_PARAM, "priors has " + std::to_string(given.size()) +
                                                (given.size() == 1 ? " number" : " numbers") +
                                                ", the target has " +
                                                std::to_string(classes.num_classes()) + " classes");
  }
  VectorXd priors(classes.size());
  for (Index k = 0; k < classes.size(); ++k) {
    priors[k] =
        given.empty() ? classes.weight(k) : given[static_cast<std::size_t>(classes.index(k))];
    if (!(priors[k] > 0)) {
      throw plugin::Error(CF_E_INVALID_PARAM, "the prior of class '" + classes.name(k) +
                                                  "' is 0, but it has training rows");
    }
  }
  return priors / priors.sum();
}

inline Design RowsOfDesign(const Design& design, const std::vector<Index>& rows) {
  Design chosen;
  chosen.features = design.features;
  chosen.x = design.x(rows, Eigen::all);
  chosen.weights = design.weights(rows);
  chosen.total_weight = chosen.weights.sum();
  return chosen;
}

inline ClassRows ReadClassRows(const plugin::TrainingView& train,
                               const std::vector<double>& priors) {
  ClassRows read;
  read.design = ReadDesign(train);
  read.classes = PresentClasses(train);
  read.priors = PriorsOf(read.classes, priors);
  read.rows.resize(static_cast<std::size_t>(read.size()));
  for (Index i = 0; i < read.design.num_rows(); ++i) {
    const Index k = read.classes.place_of(read.design.labels[static_cast<std::size_t>(i)]);
    read.rows[static_cast<std::size_t>(k)].push_back(i);
  }
  for (const std::vector<Index>& rows : read.rows) {
    read.moments.push_back(MomentsOf(RowsOfDesign(read.design, rows)));
  }
  return read;
}

// Of one class.
struct ClassSums {
  double weight = 0;
  double largest_weight = 0;  // before rows left
  VectorXd mean;
  MatrixXd products;  // of the deviations from the mean, weighted
  VectorXd largest;   // diagonal of the products before rows left

  // `deviations` from the mean of rows that are among these, but not all of them.
  void Remove(const MatrixXd& deviations, const VectorXd& weights) {
    const double rest = weight - weights.sum();
    const VectorXd sum = SumOfRows(deviations, weights);
    SubtractCrossProduct(weights.asDiagonal() * deviations, deviations, products);
    products.noalias() -= sum * (sum.transpose() / rest);
    mean -= sum / rest;
    weight = rest;
  }
};

// The classes that the training rows of a fold have, and the rows of the fold.
struct FoldClasses {
  PresentClasses classes;
  std::vector<const ClassSums*> sums;  // of each present class
  MatrixXd x;                          // rows of the fold

  Index size() const { return classes.size(); }
  Index num_features() const { return x.cols(); }
  const ClassSums& at(Index k) const { return *sums[static_cast<std::size_t>(k)]; }
  double total_weight() const {
    double total = 0;
    for (const ClassSums* s : sums) total += s->weight;
    return total;
  }
  // The rounding error that the means have collected as weight left.
  double amplified() const {
    double most = 1;
    for (const ClassSums* s : sums) most = std::max(most, s->largest_weight / s->weight);
    return most;
  }

  std::deque<ClassSums> own;  // of classes that lost rows
};

// All rows of a table.
class SharedClasses {
 public:
  // Throws Error if there is no common form of the rows.
  explicit SharedClasses(const plugin::TrainingView& rows) {
    design_ = ReadDesign(rows);
    const Index d = design_.num_features();
    if (static_cast<double>(rows.num_classes()) * static_cast<double>(d) * static_cast<double>(d) >
        kMostNumbers) {
      throw plugin::Error(CF_E_UNSUPPORTED, "too many features");
    }
    classes_ = PresentClasses(rows);
    places_.assign(static_cast<std::size_t>(rows.num_rows()), -1);
    Index place = 0;
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (rows.weight(i) > 0) places_[static_cast<std::size_t>(i)] = place++;
    }
    rows_.resize(classes_.num_classes());
    for (Index i = 0; i < design_.num_rows(); ++i) rows_[LabelAt(i)].push_back(i);
    for (const std::vector<Index>& members : rows_) sums_.push_back(SumsOf(members));
  }

  // Returns the sums without the rows of a fold; nothing if one of them has no weight or no others
  // are left.
  std::optional<FoldClasses> Without(const Positions& fold) const {
    std::vector<std::vector<Index>> leaving(rows_.size());
    std::vector<Index> places;
    for (const std::int64_t position : fold) {
      const Index place = places_[static_cast<std::size_t>(position)];
      if (place < 0) return std::nullopt;
      places.push_back(place);
      leaving[LabelAt(place)].push_back(place);
    }
    if (static_cast<Index>(places.size()) == design_.num_rows()) return std::nullopt;
    FoldClasses without;
    without.x = design_.x(places, Eigen::all);
    std::vector<double> weights(rows_.size());
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      if (leaving[c].size() == rows_[c].size()) continue;
      without.sums.push_back(leaving[c].empty() ? &sums_[c]
                                                : &without.own.emplace_back(Less(c, leaving[c])));
      weights[c] = without.sums.back()->weight;
    }
    without.classes = classes_;
    without.classes.set_all_weights(std::move(weights));
    return without;
  }

 private:
  static constexpr double kMostNumbers = 1 << 23;

  std::size_t LabelAt(Index i) const {
    return static_cast<std::size_t>(design_.labels[static_cast<std::size_t>(i)]);
  }

  MatrixXd Deviations(const std::vector<Index>& members, const VectorXd& mean) const {
    return design_.x(members, Eigen::all).rowwise() - mean.transpose();
  }

  ClassSums Less(std::size_t c, const std::vector<Index>& leaving) const {
    ClassSums less = sums_[c];
    less.Remove(Deviations(leaving, less.mean), design_.weights(leaving));
    return less;
  }

  ClassSums SumsOf(const std::vector<Index>& members) const {
    ClassSums sums;
    if (members.empty()) return sums;
    const Design rows = RowsOfDesign(design_, members);
    const ColumnMoments moments = MomentsOf(rows);
    RequireSpread(moments);
    sums.weight = sums.largest_weight = rows.total_weight;
    sums.mean = moments.mean;
    const MatrixXd scaled =
        rows.weights.cwiseSqrt().asDiagonal() * (rows.x.rowwise() - moments.mean.transpose());
    sums.products = CrossProduct(scaled, scaled);
    sums.largest = sums.products.diagonal();
    if (!AreFinite(sums.products.data(), sums.products.size())) {
      throw plugin::Error(CF_E_NUMERIC, "out of range");
    }
    return sums;
  }

  // Columns that lie far from 0 for their spread have lost digits before the mean is taken off.
  static void RequireSpread(const ColumnMoments& moments) {
    constexpr double kMost = 1e6;
    for (Index j = 0; j < moments.sd.size(); ++j) {
      if (moments.sd[j] > 0 && std::abs(moments.mean[j]) > kMost * moments.sd[j]) {
        throw plugin::Error(CF_E_NUMERIC, "a feature varies little for its size");
      }
    }
  }

  Design design_;
  PresentClasses classes_;
  std::vector<Index> places_;             // of each position; -1 = the row has no weight
  std::vector<std::vector<Index>> rows_;  // of each class of the dataset
  std::vector<ClassSums> sums_;
};

// A covariance R'R with its columns in units of their roots, by Cholesky's factorisation.
class CovarianceRoot {
 public:
  // `largest`: the diagonal before rows left, to which rounding is relative. Columns of 0 are left
  // out.
  CovarianceRoot(const MatrixXd& covariance, const VectorXd& largest) {
    const Index d = covariance.cols();
    inverse_ = VectorXd::Zero(d);
    MatrixXd scaled = covariance;
    double amplified = 1;
    for (Index j = 0; j < d; ++j) {
      if (covariance(j, j) > 0) {
        inverse_[j] = 1 / std::sqrt(covariance(j, j));
        amplified = std::max(amplified, largest[j] / covariance(j, j));
        ++rank_;
      } else if (largest[j] > 0) {
        return;  // what is left of the column is rounding
      }
    }
    scaled = inverse_.asDiagonal() * covariance * inverse_.asDiagonal();
    for (Index j = 0; j < d; ++j) {
      if (inverse_[j] == 0) scaled(j, j) = 1;
    }
    cholesky_ = Cholesky(scaled);
    if (!cholesky_.is_definite()) return;
    least_ = cholesky_.ReciprocalCondition() * scaled.cwiseAbs().colwise().sum().maxCoeff();
    doubt_ = 16 * std::numeric_limits<double>::epsilon() * amplified / least_;
  }

  bool is_full() const { return rank_ == inverse_.size(); }
  Index rank() const { return rank_; }
  // A lower bound of the smallest eigenvalue, of the columns in their units; 0 = unknown.
  double least() const { return least_; }
  // How far rounding may move squares of the result of Solve, relatively.
  double doubt() const { return doubt_; }

  // R'^-1 times the columns.
  MatrixXd Solve(const MatrixXd& columns) const {
    MatrixXd solved = inverse_.asDiagonal() * columns;
    cholesky_.SolveLowerInPlace(solved);
    return solved;
  }
  // REQUIRES: is_full().
  double LogDeterminant() const {
    double sum = 0;
    for (Index j = 0; j < rank_; ++j) {
      sum += std::log(cholesky_.diagonal(j)) - std::log(inverse_[j]);
    }
    return 2 * sum;
  }

 private:
  VectorXd inverse_;
  Index rank_ = 0;
  Cholesky cholesky_;
  double least_ = 0;
  double doubt_ = std::numeric_limits<double>::infinity();
};

}  // namespace crossfold::bundled
