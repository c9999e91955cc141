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
  MatrixXd y = MatrixXd::Constant(design.weights.size(), n_classes, -1);
  for (Index i = 0; i < y.rows(); ++i) y(i, design.labels[static_cast<std::size_t>(i)]) = 1;
  return y;
}

// The weighted mean of each target, and the sum of squares about it.
struct TargetSums {
  // More are not held in memory, but summed in blocks, which rounds differently.
  static constexpr Index kMostTargets = Index{1} << 25;

  VectorXd mean, squares;

  TargetSums(const DesignBlocks& blocks, std::int64_t n_classes) {
    const Index n_targets = n_classes == 0 ? 1 : n_classes;
    if (blocks.num_rows() * n_targets <= kMostTargets) {
      MatrixXd y(blocks.num_rows(), n_targets);
      VectorXd weights(blocks.num_rows());
      Index first = 0;
      ForEachBlock(blocks, n_classes, [&](const MatrixXd& some, const VectorXd& of_some) {
        y.middleRows(first, some.rows()) = some;
        weights.segment(first, some.rows()) = of_some;
        first += some.rows();
      });
      mean = MeanOf(y, weights, blocks.total_weight());
      squares = SquaresOf(y, weights);
      return;
    }
    mean = squares = VectorXd::Zero(n_targets);
    for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding error of the first
      VectorXd rest = VectorXd::Zero(n_targets);
      ForEachBlock(blocks, n_classes, [&](const MatrixXd& some, const VectorXd& of_some) {
        rest += SumOfRows(some.rowwise() - mean.transpose(), of_some);
      });
      mean += rest / blocks.total_weight();
    }
    ForEachBlock(blocks, n_classes, [&](const MatrixXd& some, const VectorXd& of_some) {
      squares += SquaresOf(some, of_some);
    });
  }

 private:
  template <class Use>
  static void ForEachBlock(const DesignBlocks& blocks, std::int64_t n_classes, const Use& use) {
    Design block;
    for (Index b = 0; b < blocks.size(); ++b) {
      blocks.ReadTargets(b, block);
      use(TargetsOf(block, n_classes), block.weights);
    }
  }
  // In two passes; the second removes the rounding error of the first.
  static VectorXd MeanOf(const MatrixXd& y, const VectorXd& weights, double total_weight) {
    const VectorXd mean = SumOfRows(y, weights) / total_weight;
    const MatrixXd rest = y.rowwise() - mean.transpose();
    return mean + SumOfRows(rest, weights) / total_weight;
  }
  VectorXd SquaresOf(const MatrixXd& y, const VectorXd& weights) const {
    return (y.rowwise() - mean.transpose()).cwiseAbs2().transpose() * weights;
  }
};

// Training rows as a problem of least squares. They are read in blocks, and none is kept.
struct Problem {
  Problem(const plugin::TrainingView& train, bool intercept) {
    const DesignBlocks blocks(train);
    if (train.is_classification()) classes = PresentClasses(train);
    n_rows = blocks.num_rows();
    features = FeatureNames(train);
    const Index d = blocks.num_features();
    const ColumnMoments moments = blocks.Moments();
    const TargetSums targets(blocks, train.num_classes());
    sums.weight = blocks.total_weight();
    sums.centred = intercept;
    sums.x_mean = moments.mean;
    sums.x_squares = moments.sd.cwiseAbs2() * sums.weight;
    sums.y_mean = targets.mean;
    sums.y_squares = targets.squares;
    factor = FactorOf(blocks, train.num_classes());
    if (d <= kMostFeaturesWithSums) {
      sums.xx = CrossProduct(factor.r, factor.r);
      sums.xy = CrossProduct(factor.r, factor.rest);
      sums.largest = sums.xx.diagonal();
    }
  }

  // Of the rows about their centre, each times the root of its weight.
  TriangularFactor FactorOf(const DesignBlocks& blocks, std::int64_t n_classes) const {
    const Index d = blocks.num_features(), n_targets = sums.y_mean.size();
    RowFactoriser factoriser(n_rows, d + n_targets, d);
    Design block;
    for (Index b = 0; b < blocks.size(); ++b) {
      blocks.Read(b, block);
      RowMatrix rows(block.num_rows(), d + n_targets);
      rows.leftCols(d) = block.x.rowwise() - sums.x_centre().transpose();
      rows.rightCols(n_targets) =
          TargetsOf(block, n_classes).rowwise() - sums.y_centre().transpose();
      rows = block.weights.cwiseSqrt().asDiagonal() * rows;
      factoriser.Add(rows);
    }
    return factoriser.Finish();
  }

  Index n_rows = 0;
  std::vector<std::string> features;
  PresentClasses classes;
  CrossSums sums;
  TriangularFactor factor;
};

}  // namespace crossfold::bundled
