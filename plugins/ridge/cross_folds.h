// The cross prediction of ridge regression: folds from the sums of all rows where rounding allows
// it, separate fits elsewhere. The table, the fold and the setting decide which.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../design.h"
#include "../fold_views.h"
#include "../used_rows.h"
#include "cross_sums.h"
#include "problem.h"

namespace crossfold::bundled {

// Values (or scores of the classes) of the rows of a fold, from a fit on all other rows, and how
// far rounding may have moved those of each row.
struct FoldValues {
  MatrixXd values;  // rows x targets
  VectorXd doubts;
};

// The rows about their mean, or about 0 without an intercept.
struct SharedRows {
  // Throws Error if there is no common form of the rows.
  SharedRows(const plugin::TrainingView& rows, bool with_intercept) : intercept(with_intercept) {
    Design design = ReadDesign(rows);
    const ColumnMoments moments = MomentsOf(design);
    RequireSpread(moments);
    place_of_position.assign(static_cast<std::size_t>(rows.num_rows()), -1);
    Index place = 0;
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (rows.weight(i) > 0) place_of_position[static_cast<std::size_t>(i)] = place++;
    }
    y = TargetsOf(design, rows.num_classes());
    x = std::move(design.x);
    if (intercept) {
      x.rowwise() -= moments.mean.transpose();
      y_centre = SumOfRows(y, design.weights) / design.total_weight;
      y.rowwise() -= y_centre.transpose();
    } else {
      y_centre = VectorXd::Zero(y.cols());
    }
    sums = SumsOf(x, y, design.weights, intercept);
    if (!AreFinite(sums.xx.data(), sums.xx.size()) || !AreFinite(sums.xy.data(), sums.xy.size())) {
      throw plugin::Error(CF_E_NUMERIC, "range");
    }
    lengths = (y.cwiseAbs2().transpose() * design.weights).cwiseSqrt();
    weights = std::move(design.weights);
    labels = std::move(design.labels);
  }

  // Returns the places of the rows of a fold; nothing if one of them has no weight.
  std::optional<std::vector<Index>> PlacesOf(const Positions& fold) const {
    std::vector<Index> places;
    for (const std::int64_t position : fold) {
      places.push_back(place_of_position[static_cast<std::size_t>(position)]);
      if (places.back() < 0) return std::nullopt;
    }
    return places;
  }

  // Returns how far rounding may move the values of a row; `x` is the row in units of the
  // equations. (A + E)^-1 (b + f) differs from A^-1 b by at most |A^-1| (|E| |A^-1 b| + |f|).
  VectorXd DoubtsOf(const MatrixXd& scaled_x, const VectorXd& solution_lengths,
                    double doubt) const {
    const double size = (solution_lengths + lengths).maxCoeff();
    return scaled_x.rowwise().norm() * (doubt * size);
  }

  bool intercept;
  std::vector<Index> place_of_position;  // -1 = the row has no weight
  RowMatrix x;
  MatrixXd y;
  VectorXd y_centre, weights;
  VectorXd lengths;  // of the targets, weighted
  std::vector<std::int32_t> labels;
  CrossSums sums;

 private:
  // Columns that lie far from 0 for their spread have lost digits before the centre is taken off.
  static void RequireSpread(const ColumnMoments& moments) {
    constexpr double kMost = 1e6;
    for (Index j = 0; j < moments.sd.size(); ++j) {
      if (moments.sd[j] > 0 && std::abs(moments.mean[j]) > kMost * moments.sd[j]) {
        throw plugin::Error(CF_E_NUMERIC, "a feature varies little for its size");
      }
    }
  }
};

// A fold that is large for the number of features: its sums are taken from those of all rows, and
// the normal equations of the rest are solved.
class SumsWithoutFold {
 public:
  // `all` must outlive this. REQUIRES: rows with weight are left.
  SumsWithoutFold(const SharedRows& all, const std::vector<Index>& places)
      : all_(all), x_(all.x(places, Eigen::all)), sums_(all.sums) {
    const MatrixXd y = all.y(places, Eigen::all);
    sums_.Remove(SumsOf(x_, y, all.weights(places), all.intercept));
    amplified_ = all.sums.weight / sums_.weight;
  }

  FoldValues Predict(double l2) const {
    const NormalEquations equations(sums_, l2);
    if (!std::isfinite(equations.doubt)) return {};
    const MatrixXd w = equations.Solve(sums_.xy);
    const MatrixXd rows = x_.rowwise() - sums_.x_centre().transpose();
    FoldValues predicted;
    predicted.values = Product(rows, w).rowwise() + (sums_.y_centre() + all_.y_centre).transpose();
    const MatrixXd scaled = rows * equations.inverse.asDiagonal();
    const VectorXd sizes =
        (equations.inverse.cwiseInverse().asDiagonal() * w).colwise().norm().transpose();
    predicted.doubts = all_.DoubtsOf(scaled, sizes, equations.doubt * amplified_);
    return predicted;
  }

 private:
  const SharedRows& all_;
  MatrixXd x_;
  CrossSums sums_;
  double amplified_;
};

// The fit on all rows with one l2, from which small folds are taken in closed form: with H the hat
// matrix and e the residuals of all rows, those of a fit without the rows F are (I - H_FF)^-1 e_F
// (Cook and Weisberg 1982, for one row: e / (1 - h)). The penalty stays as it is, so this holds
// with it, too.
class FitOfAll {
 public:
  // `all` must outlive this.
  FitOfAll(const SharedRows& all, double l2) : all_(all), equations_(all.sums, l2) {
    if (!std::isfinite(equations_.doubt)) return;
    const MatrixXd w = equations_.Solve(all.sums.xy);
    residuals_ = all.y;
    SubtractCrossProduct(all.x.transpose(), w, residuals_);
    solution_lengths_ =
        (equations_.inverse.cwiseInverse().asDiagonal() * w).colwise().norm().transpose();
    const VectorXd roots = all.weights.cwiseSqrt();
    half_ = (roots.asDiagonal() * all.x * equations_.inverse.asDiagonal()).transpose();
    equations_.cholesky.SolveLowerInPlace(half_);
  }

  FoldValues Predict(const std::vector<Index>& places) const {
    if (!std::isfinite(equations_.doubt)) return {};
    const auto m = static_cast<Index>(places.size());
    const MatrixXd half = half_(Eigen::all, places);
    const VectorXd roots = all_.weights(places).cwiseSqrt();
    MatrixXd left = MatrixXd::Identity(m, m);
    SubtractCrossProduct(half, half, left);
    if (all_.intercept) left -= roots * roots.transpose() / all_.sums.weight;
    const Cholesky cholesky(left);
    if (!cholesky.is_definite()) return {};
    const double least =
        cholesky.ReciprocalCondition() * left.cwiseAbs().colwise().sum().maxCoeff();
    const MatrixXd rest = cholesky.Solve(roots.asDiagonal() * residuals_(places, Eigen::all));
    FoldValues predicted;
    predicted.values =
        (all_.y(places, Eigen::all) - roots.cwiseInverse().asDiagonal() * rest).rowwise() +
        all_.y_centre.transpose();
    const MatrixXd scaled = all_.x(places, Eigen::all) * equations_.inverse.asDiagonal();
    predicted.doubts = all_.DoubtsOf(scaled, solution_lengths_, equations_.doubt / least);
    return predicted;
  }

 private:
  const SharedRows& all_;
  NormalEquations equations_;
  VectorXd solution_lengths_;
  MatrixXd residuals_;  // rows x targets
  MatrixXd half_;       // H = half' half, up to the intercept: features x rows
};

// Predictions of the rows of a fold by one setting.
struct FoldPrediction {
  std::vector<std::int32_t> labels;  // classification
  std::vector<double> values;        // regression
};

class CrossFolds {
 public:
  // `rows` and `folds` must outlive this. Values are known if rounding moves each by at most
  // `tolerance`, relative to numbers above 1, labels if rounding cannot change them.
  CrossFolds(const plugin::TrainingView& rows, const std::vector<Positions>& folds, bool intercept,
             double tolerance)
      : folds_(folds), tolerance_(tolerance) {
    try {
      all_.emplace(rows, intercept);
    } catch (const plugin::Error& e) {
      return;  // every fold is fitted separately, and reports what is wrong with its rows
    }
    rows_of_class_.resize(static_cast<std::size_t>(rows.num_classes()));
    for (const std::int32_t label : all_->labels) ++rows_of_class_[static_cast<std::size_t>(label)];
  }

  // Calls use(index of the l2, fold, prediction) for what is known, folds in any order.
  template <class Use>
  void Predict(std::span<const double> l2, const plugin::Context& context, Use&& use) const {
    if (!all_) return;
    std::vector<std::size_t> small;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const auto places = all_->PlacesOf(folds_[f]);
      const auto size = places ? static_cast<Index>(places->size()) : 0;
      if (size == 0 || size == all_->x.rows()) continue;
      if (2 * size <= all_->x.cols()) {
        small.push_back(f);
        continue;
      }
      context.Progress(static_cast<double>(f) / static_cast<double>(folds_.size()));
      const SumsWithoutFold without(*all_, *places);
      for (std::size_t s = 0; s < l2.size(); ++s) {
        if (auto known = Known(*places, without.Predict(l2[s]))) use(s, f, *known);
      }
    }
    for (std::size_t s = 0; !small.empty() && s < l2.size(); ++s) {
      const FitOfAll fit(*all_, l2[s]);
      for (const std::size_t f : small) {
        if (f % kFoldsPerPoll == 0) context.Progress(0);
        const std::vector<Index> places = *all_->PlacesOf(folds_[f]);
        if (auto known = Known(places, fit.Predict(places))) use(s, f, *known);
      }
    }
  }

 private:
  static constexpr std::size_t kFoldsPerPoll = 64;

  std::optional<FoldPrediction> Known(const std::vector<Index>& places,
                                      const FoldValues& predicted) const {
    const MatrixXd& values = predicted.values;
    if (values.rows() == 0 || !AreFinite(values.data(), values.size())) return std::nullopt;
    return rows_of_class_.empty() ? KnownValues(predicted) : KnownLabels(places, predicted);
  }

  std::optional<FoldPrediction> KnownValues(const FoldValues& predicted) const {
    FoldPrediction known;
    for (Index i = 0; i < predicted.values.rows(); ++i) {
      const double value = predicted.values(i, 0);
      if (!(predicted.doubts[i] <= tolerance_ * std::max(1.0, std::abs(value)))) {
        return std::nullopt;
      }
      known.values.push_back(value);
    }
    return known;
  }

  std::optional<FoldPrediction> KnownLabels(const std::vector<Index>& places,
                                            const FoldValues& predicted) const {
    const std::vector<std::int32_t> classes = ClassesWithout(places);
    FoldPrediction known;
    for (Index i = 0; i < predicted.values.rows(); ++i) {
      double best = -std::numeric_limits<double>::infinity(), second = best;
      known.labels.push_back(classes.front());
      for (const std::int32_t c : classes) {
        const double score = predicted.values(i, c);
        if (score > best) known.labels.back() = c;
        second = std::max(second, std::min(best, score));
        best = std::max(best, score);
      }
      // A tie goes to the lower class, so it must be seen as a separate fit sees it.
      if (!(best - second > std::max(2 * predicted.doubts[i], tolerance_))) return std::nullopt;
    }
    return known;
  }

  // Classes that the rows outside of the fold have.
  std::vector<std::int32_t> ClassesWithout(const std::vector<Index>& places) const {
    std::vector<std::int64_t> left = rows_of_class_;
    for (const Index i : places)
      --left[static_cast<std::size_t>(all_->labels[static_cast<std::size_t>(i)])];
    std::vector<std::int32_t> classes;
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (left[c] > 0) classes.push_back(static_cast<std::int32_t>(c));
    }
    return classes;
  }

  const std::vector<Positions>& folds_;
  double tolerance_;
  std::optional<SharedRows> all_;
  std::vector<std::int64_t> rows_of_class_;  // empty in regression
};

}  // namespace crossfold::bundled
