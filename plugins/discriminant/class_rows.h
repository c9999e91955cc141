// Training rows class by class, and the priors, from which both discriminant analyses start.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "../design.h"
#include "../present_classes.h"

namespace crossfold::bundled {

struct ClassRows {
  Design design;
  PresentClasses classes;
  std::vector<std::vector<Index>> rows;  // of each present class
  std::vector<ColumnMoments> moments;    // of each present class
  VectorXd priors;                       // of the present classes; sums to 1

  Index size() const { return classes.size(); }
  // Row i minus the mean of its class k, times `factor` and the root of its weight.
  Eigen::RowVectorXd Deviation(Index i, std::size_t k, double factor) const {
    return (design.x.row(i) - moments[k].mean.transpose()) * std::sqrt(design.weights[i] * factor);
  }
};

// One prior for each class of the dataset; none = the shares of the training rows. Those of the
// present classes are divided by their sum.
inline VectorXd PriorsOf(const PresentClasses& classes, const std::vector<double>& given) {
  if (!given.empty() && given.size() != classes.num_classes()) {
    throw plugin::Error(CF_E_INVALID_PARAM, "priors has " + std::to_string(given.size()) +
                                                (given.size() == 1 ? " number" : " numbers") +
                                                ", the target has " +
                                                std::to_string(classes.num_classes()) + " classes");
  }
  VectorXd priors(classes.size());
  for (Index k = 0; k < classes.size(); ++k) {
    priors[k] =
        given.empty() ? classes.weight(k) : given[static_cast<std::size_t>(classes.index(k))];
    if (!(priors[k] > 0)) {
      throw plugin::Error(CF_E_INVALID_PARAM, "the prior of class '" + classes.name(k) +
                                                  "' is 0, but it has training rows");
    }
  }
  return priors / priors.sum();
}

inline Design RowsOfDesign(const Design& design, const std::vector<Index>& rows) {
  Design chosen;
  chosen.features = design.features;
  chosen.x = design.x(rows, Eigen::all);
  chosen.weights = design.weights(rows);
  chosen.total_weight = chosen.weights.sum();
  return chosen;
}

inline ClassRows ReadClassRows(const plugin::TrainingView& train,
                               const std::vector<double>& priors) {
  ClassRows read;
  read.design = ReadDesign(train);
  read.classes = PresentClasses(train);
  read.priors = PriorsOf(read.classes, priors);
  read.rows.resize(static_cast<std::size_t>(read.size()));
  for (Index i = 0; i < read.design.num_rows(); ++i) {
    const Index k = read.classes.place_of(read.design.labels[static_cast<std::size_t>(i)]);
    read.rows[static_cast<std::size_t>(k)].push_back(i);
  }
  for (const std::vector<Index>& rows : read.rows) {
    read.moments.push_back(MomentsOf(RowsOfDesign(read.design, rows)));
  }
  return read;
}

}  // namespace crossfold::bundled
