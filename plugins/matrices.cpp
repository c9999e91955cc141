#include "matrices.h"

#include <algorithm>
#include <limits>

#include "crossfold_plugin.hpp"

template class Eigen::HouseholderQR<Eigen::MatrixXd>;
template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
template class Eigen::JacobiSVD<Eigen::MatrixXd>;
template class Eigen::BDCSVD<Eigen::MatrixXd>;
template class Eigen::LLT<Eigen::MatrixXd>;

namespace crossfold::bundled {

TriangularFactor Factorise(const RowMatrix& rows, Index n_factored) {
  const Index n = rows.rows();
  const Index n_rest = rows.cols() - n_factored;
  const Index capacity = std::min(n, n_factored + std::max<Index>(256, 2 * n_factored));
  MatrixXd block(capacity, rows.cols());
  Index used = 0;
  for (Index next = 0; next < n;) {
    const Index taken = std::min(capacity - used, n - next);
    block.middleRows(used, taken) = rows.middleRows(next, taken);
    next += taken;
    used += taken;
    Eigen::Ref<MatrixXd> left = block.topLeftCorner(used, n_factored);
    const Eigen::HouseholderQR<Eigen::Ref<MatrixXd>> qr(left);
    if (n_rest > 0) {
      block.topRightCorner(used, n_rest).applyOnTheLeft(qr.householderQ().adjoint());
    }
    used = std::min(used, n_factored);
    block.topLeftCorner(used, n_factored).triangularView<Eigen::StrictlyLower>().setZero();
  }
  TriangularFactor factor{block.topLeftCorner(used, n_factored),
                          block.topRightCorner(used, n_rest)};
  if (!factor.r.allFinite() || !factor.rest.allFinite()) {
    throw plugin::Error(CF_E_NUMERIC,
                        "products of the features exceed the range of numbers; rescale them");
  }
  return factor;
}

VectorXd ColumnLengths(const MatrixXd& matrix) {
  VectorXd lengths = matrix.colwise().norm().transpose();
  for (double& length : lengths) length = length > 0 ? length : 1;
  return lengths;
}

Eigen::ColPivHouseholderQR<MatrixXd> PivotedFactor(const MatrixXd& factor, Index n_rows) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  const double size = static_cast<double>(std::max(n_rows, factor.cols()));
  qr.setThreshold(size * std::numeric_limits<double>::epsilon());
  qr.compute(factor * ColumnLengths(factor).cwiseInverse().asDiagonal());
  return qr;
}

}  // namespace crossfold::bundled
