// Principal axes by singular value decomposition.
#pragma once

#include <cstddef>
#include <vector>

namespace crossfold::pca {

struct PrincipalAxes {
  std::size_t n_features = 0;
  std::vector<double> loadings;         // row-major, one unit vector of n_features an axis
  std::vector<double> singular_values;  // one an axis, falling

  std::size_t size() const { return singular_values.size(); }
  double loading(std::size_t axis, std::size_t feature) const {
    return loadings[axis * n_features + feature];
  }
};

// All axes of a centred matrix: as many as it has rows or columns, whichever is less. Of the
// loadings of an axis, the one of the greatest absolute value is positive; the first of those that
// are equally great up to 1e-9. REQUIRES: rows.size() == n_rows * n_features (row-major), all
// finite. Throws Error if the decomposition fails.
PrincipalAxes FindPrincipalAxes(const std::vector<double>& rows, std::size_t n_rows,
                                std::size_t n_features);

}  // namespace crossfold::pca
