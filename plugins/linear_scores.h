// Scores that are linear in the features. Ridge regression, logistic regression and linear
// discriminant analysis predict with them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "matrices.h"
#include "onnx_parts.h"

namespace crossfold::bundled {

// Saves and loads a vector with its length. Load throws Error at a number that is not finite.
void SaveNumbers(plugin::Writer& w, const double* numbers, Index n);
VectorXd LoadNumbers(plugin::Reader& r, Index n);

// Score k of a row x is offsets[k] + sum over j of (x[j] - centre[j]) * coefficients(j, k). The
// differences from the centre keep the digits of columns that lie far from 0.
class LinearScores {
 public:
  LinearScores() = default;
  // REQUIRES: the sizes fit. Throws Error if a number is not finite.
  LinearScores(std::vector<std::string> features, VectorXd centre, const MatrixXd& coefficients,
               VectorXd offsets);

  Index num_features() const { return centre_.size(); }
  Index size() const { return offsets_.size(); }
  double coefficient(Index feature, Index k) const { return coefficients_(feature, k); }

  // REQUIRES: scores.size() == size(). Summed in the order of the features.
  void Score(std::span<const double> row, std::span<double> scores) const;

  // Adds Score for all rows to a graph: [rows, size()].
  OnnxValue AddOnnx(plugin::OnnxGraph& graph) const;

  // Mean over the scores of |coefficient| x `sds`: the change of a score by one standard deviation
  // of the feature.
  void Importance(const VectorXd& sds, std::span<double> out) const;

  // "<name> = <intercept>", then a line "  + <coefficient> * [<feature>]" for each feature.
  std::string Text(Index k, const std::string& name) const;

  void Save(plugin::Writer& w) const;
  static LinearScores Load(plugin::Reader& r);

 private:
  std::vector<std::string> features_;
  VectorXd centre_;
  RowMatrix coefficients_;  // features x scores
  VectorXd offsets_;
};

}  // namespace crossfold::bundled
