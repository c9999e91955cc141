// Decomposes the error of models of several training sets on the same rows. There is no noise term:
// the observed value is taken as the best prediction. The functions are pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crossfold::stats {

// One row, 0/1 loss. p(c) = share of the models that predict class c.
struct ZeroOneRow {
  std::int64_t main = 0;    // the most frequent prediction; ties to the lowest class
  bool biased = false;      // the main prediction is wrong: Domingos' bias, 1 or 0
  double error = 0;         // share of the models that are wrong
  double variance = 0;      // Domingos: share of the models off the main prediction
  double net_variance = 0;  // that share, minus p(true class) if biased; error = bias + net
  double squared_bias = 0;  // Kohavi & Wolpert: sum of ([c is true] - p(c))^2 over 2
  double spread = 0;        // Kohavi & Wolpert: (1 - sum of p(c)^2) / 2
};

// Means over the rows; bias + net = error. P. Domingos 2000, "A unified bias-variance
// decomposition", AAAI, 564-569.
struct DomingosParts {
  double bias = 0;
  double variance = 0;  // unbiased + all variance on biased rows
  double unbiased = 0;  // variance on rows without bias, where it costs
  double biased = 0;    // variance on biased rows that hits the true class, where it helps
  double net = 0;       // unbiased - biased
};

// Means over the rows; squared_bias + variance = error. R. Kohavi & D. Wolpert 1996, "Bias plus
// variance decomposition for zero-one loss functions", ICML, 275-283.
struct KohaviWolpertParts {
  double squared_bias = 0;
  double variance = 0;
};

struct ZeroOneParts {
  std::int64_t rows = 0, models = 0;
  double error = 0;  // mean over rows and models
  DomingosParts domingos;
  KohaviWolpertParts kohavi_wolpert;  // with the shares as they are ("plug-in")
  // The parts without the bias of the shares of few models; the squared bias may be below 0. Both
  // parts are corrected, so that they still add up to the error (Weka's BVDecompose corrects only
  // one).
  bool unbiased_defined = false;   // there are at least 2 models
  std::string unbiased_undefined;  // the reason; then the parts are NaN
  KohaviWolpertParts kohavi_wolpert_unbiased;
  std::vector<ZeroOneRow> per_row;
};

// `predictions[l]` has one class per row, of model l. Every model must predict every row: the
// shares of rows that only some models predicted would not be comparable. Throws if there is no row
// or no model, a list differs in length from `truth`, or a class is negative.
ZeroOneParts DecomposeZeroOne(std::span<const std::int64_t> truth,
                              const std::vector<std::vector<std::int64_t>>& predictions);

// One row, squared loss, over the models.
struct SquaredRow {
  double mean = 0;          // prediction
  double error = 0;         // mean squared distance from the true value
  double squared_bias = 0;  // of the mean prediction
  double variance = 0;
};

// Squared loss: error = squared_bias + variance (Geman, Bienenstock & Doursat 1992, Neural
// Computation 4, 1-58), the variance of the models' predictions divided by their number.
struct SquaredParts {
  std::int64_t rows = 0, models = 0;
  double error = 0;
  double squared_bias = 0;
  double variance = 0;
  std::vector<SquaredRow> per_row;
};

// Decomposes the squared loss. Throws as DecomposeZeroOne, and if a number is not finite.
SquaredParts DecomposeSquared(std::span<const double> truth,
                              const std::vector<std::vector<double>>& predictions);

}  // namespace crossfold::stats
