#include "principal_axes.h"

#include <algorithm>
#include <cmath>

#include "../matrices.h"
#include "crossfold_plugin.hpp"

namespace crossfold::pca {
namespace {

constexpr double kSignTolerance = 1e-9;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// 1 or -1: what makes the leading loading positive.
double SignOf(const Eigen::VectorXd& axis) {
  const double greatest = axis.cwiseAbs().maxCoeff();
  for (const double loading : axis) {
    if (std::fabs(loading) >= greatest * (1 - kSignTolerance)) return loading < 0 ? -1 : 1;
  }
  return 1;
}

}  // namespace

PrincipalAxes FindPrincipalAxes(const std::vector<double>& rows, std::size_t n_rows,
                                std::size_t n_features) {
  PrincipalAxes found;
  found.n_features = n_features;
  if (n_features == 0) return found;
  bundled::FixBlockSizes();
  const Eigen::Map<const RowMajor> matrix(rows.data(), static_cast<Eigen::Index>(n_rows),
                                          static_cast<Eigen::Index>(n_features));
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinV);
  if (svd.info() != Eigen::Success || !svd.matrixV().allFinite()) {
    throw plugin::Error(CF_E_NUMERIC, "the singular value decomposition found no finite answer");
  }
  const Eigen::Index n_axes = svd.matrixV().cols();
  for (Eigen::Index axis = 0; axis < n_axes; ++axis) {
    const Eigen::VectorXd column = svd.matrixV().col(axis);
    const double sign = SignOf(column);
    for (const double loading : column) found.loadings.push_back(sign * loading);
    found.singular_values.push_back(svd.singularValues()(axis));
  }
  return found;
}

}  // namespace crossfold::pca
