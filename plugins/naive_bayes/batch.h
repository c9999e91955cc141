// What a call of naive Bayes passes to the model of each column.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../feature_text.h"
#include "crossfold_plugin.hpp"
#include "params.h"

namespace crossfold::bundled {

// Some training rows, one after the other, that come into a model or leave it.
struct Batch {
  std::vector<std::size_t> classes;
  std::vector<double> weights;  // below 0 for rows that leave; 0 = the row is not there
  bool whole_weights = true;    // whole numbers below 2^22: doubles sum them exactly
  bool leaving = false;
  // If all weights are 1, otherwise empty: the rows by class, and where each class ends.
  std::vector<std::size_t> by_class, class_ends;

  Batch() = default;
  // Rows first .. first + n - 1 of the view.
  Batch(const plugin::TrainingView& rows, std::int64_t first, std::int64_t n_rows, bool rows_leave)
      : leaving(rows_leave) {
    const auto n = static_cast<std::size_t>(n_rows);
    classes.resize(n);
    weights.resize(n);
    bool unit_weights = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t row = first + static_cast<std::int64_t>(i);
      const double weight = rows.weight(row);
      classes[i] = static_cast<std::size_t>(rows.label(row));
      weights[i] = leaving ? -weight : weight;
      unit_weights = unit_weights && weight == 1;
      whole_weights = whole_weights && weight == std::floor(weight) && weight < 0x1p22;
    }
    if (unit_weights) SortByClass(static_cast<std::size_t>(rows.num_classes()));
  }

 private:
  void SortByClass(std::size_t n_classes) {
    class_ends.resize(n_classes);
    for (const std::size_t c : classes) ++class_ends[c];
    std::size_t first = 0;
    for (std::size_t& end : class_ends) first += std::exchange(end, first);  // where each begins
    by_class.resize(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i) by_class[class_ends[classes[i]]++] = i;
  }
};

// What the model of one column needs to know of the others.
struct Shared {
  const BayesParams* params = nullptr;
  std::span<const std::string> class_names;
  double added_variance = 0;               // of normal columns
  std::vector<double> multinomial_totals;  // one per class
  double n_multinomial = 0;                // columns
};

// Log scores of rows, row-major.
struct ScoreTable {
  std::span<double> scores;
  std::size_t n_classes;

  double* row(std::size_t i) const { return scores.data() + i * n_classes; }
};

inline std::string OfClass(const std::string& name, const std::string& class_name) {
  return FeatureText(name) + " of class '" + class_name + "'";
}

}  // namespace crossfold::bundled
