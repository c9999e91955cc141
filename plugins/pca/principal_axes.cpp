#include "principal_axes.h"

#include <algorithm>
#include <cmath>

#include "../orthogonal_factors.h"
#include "crossfold_plugin.hpp"

namespace crossfold::pca {
namespace {

constexpr double kSignTolerance = 1e-9;

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
  const Eigen::Map<const bundled::RowMatrix> matrix(rows.data(), static_cast<Eigen::Index>(n_rows),
                                                    static_cast<Eigen::Index>(n_features));
  const auto [values, left, axes, is_known] =
      bundled::FindSingularValues(matrix, bundled::Sides::kRight);
  if (!is_known || !bundled::AreFinite(axes.data(), axes.size())) {
    throw plugin::Error(CF_E_NUMERIC, "the singular value decomposition has no finite result");
  }
  for (Eigen::Index axis = 0; axis < axes.cols(); ++axis) {
    const Eigen::VectorXd column = axes.col(axis);
    const double sign = SignOf(column);
    for (const double loading : column) found.loadings.push_back(sign * loading);
    found.singular_values.push_back(values[axis]);
  }
  return found;
}

}  // namespace crossfold::pca
