// Training rows as the problem that ridge regression solves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../design.h"
#include "../orthogonal_factors.h"
#include "../present_classes.h"
#include "cross_sums.h"

namespace crossfold::bundled {

// The sums take the square of this many numbers.
constexpr Index kMostFeaturesWithSums = 1000;

// A target of -1 and 1 for each class of the dataset, or the target itself.
inline MatrixXd TargetsOf(const Design& design, std::int64_t n_classes) {
  if (n_classes == 0) return design.values;
  MatrixXd y = MatrixXd::Constant(design.num_rows(), n_classes, -1);
  for (Index i = 0; i < y.rows(); ++i) y(i, design.labels[static_cast<std::size_t>(i)]) = 1;
  return y;
}

// Training rows as a problem of least squares.
struct Problem {
  Problem(const plugin::TrainingView& train, bool intercept) {
    Design design = ReadDesign(train);
    if (train.is_classification()) classes = PresentClasses(train, design);
    n_rows = design.num_rows();
    const Index d = design.num_features();
    const MatrixXd y = TargetsOf(design, train.num_classes());
    const ColumnMoments moments = MomentsOf(design);
    sums.weight = design.total_weight;
    sums.centred = intercept;
    sums.x_mean = moments.mean;
    sums.x_squares = moments.sd.cwiseAbs2() * sums.weight;
    sums.y_mean = MeansOf(y, design);
    sums.y_squares =
        (y.rowwise() - sums.y_mean.transpose()).cwiseAbs2().transpose() * design.weights;
    RowMatrix rows(n_rows, d + y.cols());
    rows.leftCols(d) = design.x.rowwise() - sums.x_centre().transpose();
    rows.rightCols(y.cols()) = y.rowwise() - sums.y_centre().transpose();
    rows = design.weights.cwiseSqrt().asDiagonal() * rows;
    factor = Factorise(rows, d);
    if (d <= kMostFeaturesWithSums) {
      sums.xx = CrossProduct(factor.r, factor.r);
      sums.xy = CrossProduct(factor.r, factor.rest);
      sums.largest = sums.xx.diagonal();
    }
    features = std::move(design.features);
  }

  // In two passes; the second removes the rounding error of the first.
  static VectorXd MeansOf(const MatrixXd& y, const Design& design) {
    const VectorXd mean = SumOfRows(y, design.weights) / design.total_weight;
    const MatrixXd rest = y.rowwise() - mean.transpose();
    return mean + SumOfRows(rest, design.weights) / design.total_weight;
  }

  Index n_rows = 0;
  std::vector<std::string> features;
  PresentClasses classes;
  CrossSums sums;
  TriangularFactor factor;
};

}  // namespace crossfold::bundled
