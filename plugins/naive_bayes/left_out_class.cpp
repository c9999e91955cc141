#include "left_out_class.h"

#include <algorithm>
#include <cmath>

#include "double_double.h"
#include "normal_column.h"

namespace crossfold::bundled {
namespace {

// A bound of the error of a few operations on DoubleDoubles, relative to their operands.
constexpr double kRelativeError = 0x1p-95;
// For the rounding of the bounds themselves.
constexpr double kSlack = 1.01;
// A mean moves by at most a third of the distance of its row, and so does its error.
constexpr double kMoved = 1.4;
// Variances below it may come from products that underflow.
constexpr double kLeastVariance = 1e-250;

DoubleDouble Exactly(double x) { return {x, 0}; }

// sum (x - mean)^2 = sum x^2 - mean sum x, and a bound of its error.
struct QuickSpread {
  DoubleDouble mean, squares;
  double mean_error = 0, squares_error = 0;

  QuickSpread(const QuickSums& s, double n, double sum_error, double square_error) {
    const DoubleDouble sum{s.sum_hi, s.sum_lo};
    mean = sum / Exactly(n);
    const DoubleDouble product = mean * sum;
    squares = DoubleDouble{s.square_hi, s.square_lo} - product;
    mean_error = sum_error / n * kSlack + std::fabs(mean.hi) * kRelativeError;
    squares_error = square_error + 2 * kSlack * std::fabs(mean.hi) * sum_error +
                    (s.square_hi + std::fabs(product.hi)) * kRelativeError;
  }
};

double LostRows(const BayesParams& params) {
  return params.variance == Denominator::kTotalWeightMinusOne ? 1 : 0;
}

}  // namespace

double MostOverallVariance(const GroupedRows& rows, std::size_t k, const BayesParams& params) {
  const auto n = static_cast<double>(rows.n_rows());
  const QuickSpread all(rows.all_sums().at(k), n, rows.sum_error(k), rows.square_error(k));
  return (all.squares.hi + all.squares_error) / (n - 1 - LostRows(params)) * (1 + 1e-9);
}

LeftOutClass::LeftOutClass(const GroupedRows& rows, std::size_t c, const BayesParams& params)
    : LeftOutClass(rows, rows.class_sums(c), rows.class_counts()[c], params) {
  if (params.min_sd == 0) return;
  for (std::size_t k = 0; k < rows.n_columns(); ++k) {
    const double floor = FloorVariance(params.min_sd, MostOverallVariance(rows, k, params));
    least_variances_[k] = std::max(kLeastVariance, floor);
  }
}

LeftOutClass LeftOutClass::OfAllRows(const GroupedRows& rows, const BayesParams& params) {
  return {rows, rows.all_sums(), static_cast<double>(rows.n_rows()), params};
}

LeftOutClass::LeftOutClass(const GroupedRows& rows, const ColumnSums& sums, double n,
                           const BayesParams& params)
    : least_variances_(rows.n_columns(), kLeastVariance) {
  const double divisor = n - 1 - LostRows(params);
  const DoubleDouble share = Exactly(1) / Exactly(n - 1);
  const DoubleDouble factor = Exactly(n) / (Exactly(n - 1) * Exactly(divisor));
  share_hi_ = share.hi;
  share_lo_ = share.lo;
  factor_hi_ = factor.hi;
  factor_lo_ = factor.lo;
  for (std::size_t k = 0; k < rows.n_columns(); ++k) {
    const QuickSpread own(sums.at(k), n, rows.sum_error(k), rows.square_error(k));
    const DoubleDouble variance = own.squares / Exactly(divisor);
    mean_hi_.push_back(own.mean.hi);
    mean_lo_.push_back(own.mean.lo);
    variance_hi_.push_back(variance.hi);
    variance_lo_.push_back(variance.lo);
    // The row is at most this far from the mean, and moves the mean by less.
    const double farthest = 2 * rows.largest(k);
    mean_errors_.push_back(kMoved * own.mean_error + farthest * kRelativeError);
    variance_errors_.push_back(kSlack * own.squares_error / divisor +
                               std::fabs(variance.hi) * kRelativeError +
                               2 * kSlack * factor.hi * farthest * own.mean_error);
  }
}

void LeftOutClass::SetConstant(std::size_t k, double value) {
  mean_hi_[k] = value;
  for (auto* const zero :
       {&mean_lo_, &variance_hi_, &variance_lo_, &mean_errors_, &variance_errors_}) {
    (*zero)[k] = 0;
  }
  least_variances_[k] = -1;
}

ClassConstants LeftOutClass::constants() const {
  return {.mean_hi = mean_hi_.data(),
          .mean_lo = mean_lo_.data(),
          .variance_hi = variance_hi_.data(),
          .variance_lo = variance_lo_.data(),
          .mean_error = mean_errors_.data(),
          .variance_error = variance_errors_.data(),
          .least_variance = least_variances_.data(),
          .share_hi = share_hi_,
          .share_lo = share_lo_,
          .factor_hi = factor_hi_,
          .factor_lo = factor_lo_};
}

namespace {

// Between them, a variance plus what is added is in the range of doubles.
constexpr double kLeastAdded = 1e-250;
constexpr double kMostAdded = 1e250;

}  // namespace

AddedVariances::AddedVariances(const GroupedRows& rows, const BayesParams& params)
    : smoothing_(params.var_smoothing), all_(LeftOutClass::OfAllRows(rows, params)) {
  for (std::size_t k = 0; k < rows.n_columns(); ++k) {
    candidates_.push_back({k, MostOverallVariance(rows, k, params)});
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.most > b.most; });
}

void AddedVariances::Find(const double* block, std::size_t n, double* added,
                          double* certain) const {
  std::fill_n(added, RoundedUp(n), 0.0);
  std::fill_n(certain, RoundedUp(n), 1.0);
  if (!(smoothing_ > 0)) return;
  for (const Candidate& each : candidates_) {
    // Neither this column nor a later one can exceed what every row has.
    if (*std::min_element(added, added + n) >= each.most) break;
    SupportedKernels()[0]->largest_without_one(
        {.x = block + each.column * GroupedRows::kBlockStride,
         .n_rows = n,
         .of_all = all_.constants(),
         .column = each.column,
         .largest = added,
         .certain = certain});
  }
  for (std::size_t i = 0; i < n; ++i) {
    added[i] *= smoothing_;
    if (!(added[i] > kLeastAdded && added[i] < kMostAdded)) certain[i] = 0;
  }
}

}  // namespace crossfold::bundled
