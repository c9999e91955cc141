// The .632 and .632+ estimates of the error of a model from bootstrap samples (Efron 1983, JASA 78,
// 316-331; Efron & Tibshirani 1997, JASA 92, 548-560). The functions are pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "crossfold/cancel_token.h"

namespace crossfold::stats {

// A number, or the reason why it is undefined.
struct ErrorEstimate {
  bool defined = false;
  std::string undefined;  // the reason; then `value` is NaN
  double value = 0;
};

// The error of guessing when the features carry no information: the mean loss over all pairs of a
// true and a predicted value. For the 0/1 loss: sum over classes of p (1 - q), p and q the class's
// shares of the labels and of the predictions. Classes are any numbers. Throws for empty lists, and
// for lists of different lengths.
double NoInformationError(std::span<const std::int64_t> labels,
                          std::span<const std::int64_t> predictions,
                          const CancelToken* cancel = nullptr);
// The same for the squared loss: the mean of all (truth - predicted)^2. Throws as
// NoInformationError, and if a number is not finite.
double NoInformationSquaredError(std::span<const double> truth, std::span<const double> predicted);

// The loss on a row (from 0) of a model that was fitted without it.
struct OutOfBagLoss {
  std::int64_t row = 0;
  double loss = 0;
};

struct OutOfBagError {
  ErrorEstimate error;                            // Err(1); undefined if no row was ever out of bag
  std::int64_t rows_used = 0, rows_left_out = 0;  // left out: never out of bag
};

// Err(1), the leave-one-out bootstrap error: for each row the mean of its losses, then the mean
// over the rows that have one. `losses` may be in any order. Throws for a row outside 0 .. rows-1
// and for a loss that is not finite.
OutOfBagError LeaveOneOutBootstrapError(std::int64_t rows, std::span<const OutOfBagLoss> losses,
                                        const CancelToken* cancel = nullptr);

struct Bootstrap632 {
  double estimate_632 = 0;          // .368 training error + .632 Err(1)
  ErrorEstimate estimate_632_plus;  // (1 - w) training error + w min(Err(1), gamma)
  double relative_overfitting = 0;  // R; in 0 .. 1; NaN without gamma
  double weight = 0;                // w = .632 / (1 - .368 R); in .632 .. 1; NaN without gamma
};

// Combines the training error, Err(1) and, for .632+, the no-information error gamma; a NaN for
// gamma means that it is not known. Throws if an error is negative or not finite.
Bootstrap632 CombineErrors(double training_error, double out_of_bag_error,
                           double no_information_error);

}  // namespace crossfold::stats
