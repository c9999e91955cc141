// The penalised log-loss of rows. Every pass reads them again, block by block and in a fixed order.
// Nothing is kept per row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../design.h"
#include "../present_classes.h"
#include "log_loss_sum.h"
#include "penalised_model.h"

namespace crossfold::bundled {

// Features in units that make them comparable. The penalties are restated for these units, so the
// objective is that of the original features.
struct Scaling {
  VectorXd centre, unit;
  bool intercept;

  Scaling(const ColumnMoments& moments, bool with_intercept) : intercept(with_intercept) {
    centre = intercept ? moments.mean : VectorXd::Zero(moments.mean.size());
    unit = moments.sd;
    if (!intercept) unit = (unit.cwiseAbs2() + moments.mean.cwiseAbs2()).cwiseSqrt();
    for (double& length : unit) length = length > 0 ? length : 1;
  }

  Index num_features() const { return unit.size(); }
  // The last column is the intercept's, if there is one.
  Index num_columns() const { return unit.size() + (intercept ? 1 : 0); }
  RowMatrix Apply(const RowMatrix& x) const {
    RowMatrix z(x.rows(), num_columns());
    z.leftCols(num_features()) =
        (x.rowwise() - centre.transpose()) * unit.cwiseInverse().asDiagonal();
    if (intercept) z.col(num_features()).setOnes();
    return z;
  }
};

class BlockedLoss {
 public:
  // All must outlive it.
  BlockedLoss(const DesignBlocks& blocks, const Scaling& scaling, const PresentClasses& classes,
              const Penalty& penalty, const plugin::Context& context)
      : blocks_(blocks),
        scaling_(scaling),
        classes_(classes),
        penalty_(penalty),
        context_(context) {}

  Index num_scores() const { return classes_.size() == 2 ? 1 : classes_.size(); }
  Index num_columns() const { return scaling_.num_columns(); }
  Index num_blocks() const { return blocks_.size(); }
  double total_weight() const { return blocks_.total_weight(); }
  const Penalty& penalty() const { return penalty_; }
  const plugin::Context& context() const { return context_; }

  struct Values {
    double objective = 0;
    MatrixXd slope;     // its derivatives
    double change = 0;  // of a score of a row by `step`, the largest
  };
  // At the coefficients w, which a step has led to.
  Values Evaluate(const MatrixXd& w, const MatrixXd& step, double progress) const {
    Values values{0, penalty_.l2.asDiagonal() * w, 0};
    plugin::CompensatedSum sum;
    sum.Add(penalty_.Value(w));
    for (Index b = 0; b < num_blocks(); ++b) {
      if (b % kBlocksPerPoll == 0) context_.Progress(progress);
      LogLossSum loss = Read(b);
      if (loss.z().rows() == 0) continue;
      sum.Add(loss.Evaluate(w));
      values.slope += loss.Gradient();
      values.change =
          std::max(values.change, CrossProduct(loss.z().transpose(), step).cwiseAbs().maxCoeff());
    }
    values.objective = sum.value();
    return values;
  }

  // The log-losses of block b.
  LogLossSum Read(Index b) const {
    Design block;
    blocks_.Read(b, block);
    std::vector<Index> classes;
    classes.reserve(block.labels.size());
    for (const std::int32_t label : block.labels) classes.push_back(classes_.place_of(label));
    return {scaling_.Apply(block.x), std::move(block.weights), std::move(classes), classes_.size()};
  }

  // The weighted sum of z z' over all rows; its lower triangle.
  MatrixXd CrossProducts() const {
    MatrixXd sum = MatrixXd::Zero(num_columns(), num_columns());
    for (Index b = 0; b < num_blocks(); ++b) {
      if (b % kBlocksPerPoll == 0) context_.Progress(0);
      const LogLossSum loss = Read(b);
      if (loss.z().rows() == 0) continue;
      VectorXd roots(loss.z().rows());
      for (Index i = 0; i < roots.size(); ++i) roots[i] = std::sqrt(loss.weight(i));
      const RowMatrix rows = roots.asDiagonal() * loss.z();
      AddToLowerTriangle(rows.transpose(), 1, sum);
    }
    return sum;
  }

 private:
  static constexpr Index kBlocksPerPoll = 64;

  const DesignBlocks& blocks_;
  const Scaling& scaling_;
  const PresentClasses& classes_;
  const Penalty& penalty_;
  const plugin::Context& context_;
};

// The inverse of c_k Z'WZ + l2 for each score k: about the second derivatives with curvatures c_k.
class CurvatureInverse {
 public:
  CurvatureInverse(const BlockedLoss& loss, const VectorXd& curvatures) {
    const MatrixXd products = loss.CrossProducts();
    for (const double curvature : curvatures) factors_.push_back(Factor(products, curvature, loss));
  }

  MatrixXd Times(const MatrixXd& slope) const {
    MatrixXd solved = slope;
    for (Index k = 0; k < slope.cols(); ++k) {
      VectorXd column = slope.col(k);
      factors_[static_cast<std::size_t>(k)].SolveInPlace(column);
      solved.col(k) = column;
    }
    return solved;
  }

 private:
  // A little more on the diagonal keeps it definite where features depend on each other.
  static Cholesky Factor(const MatrixXd& products, double curvature, const BlockedLoss& loss) {
    constexpr double kLeast = 1e-10, kFactor = 100;
    for (double more = kLeast;; more *= kFactor) {
      MatrixXd matrix = curvature * products;
      matrix.diagonal() += loss.penalty().l2;
      for (double& entry : matrix.diagonal()) entry = entry > 0 ? entry * (1 + more) : 1;
      Cholesky cholesky(matrix);
      if (cholesky.is_definite() || more > 1) return cholesky;
    }
  }

  std::vector<Cholesky> factors_;
};

}  // namespace crossfold::bundled
