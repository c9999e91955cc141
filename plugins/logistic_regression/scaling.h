// Features in units that make them comparable. The penalties are restated for these units, so the
// objective is that of the original features.
#pragma once

#include "../design.h"

namespace crossfold::bundled {

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

}  // namespace crossfold::bundled
