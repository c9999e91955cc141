#include "crossfold/stats/bootstrap_632.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "analysis/stats/refuse_argument.h"
#include "crossfold/summary.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr char kNoInformation[] = "compute the no-information error";

void CheckLengths(std::size_t truth, std::size_t predicted) {
  if (truth == 0) RefuseArgument(kNoInformation, "there are no rows", "give at least one");
  if (truth == predicted) return;
  RefuseArgument(kNoInformation,
                 "there are " + std::to_string(truth) + " true values and " +
                     std::to_string(predicted) + " predictions",
                 "give one prediction per row");
}

void CheckError(const std::string& name, double error) {
  if (error >= 0 && std::isfinite(error)) return;
  RefuseArgument("combine bootstrap errors", name + " is " + FormatShortest(error),
                 "an error is a finite number from 0 on");
}

struct LossesOfRow {
  plugin::CompensatedSum sum;
  std::int64_t count = 0;
};

// Mean of squared deviations from the mean.
double PlugInVariance(const Summary& summary) {
  if (summary.n < 2) return 0;
  const double n = static_cast<double>(summary.n);
  return summary.sd * summary.sd * (n - 1) / n;
}

}  // namespace

double NoInformationError(std::span<const std::int64_t> labels,
                          std::span<const std::int64_t> predictions, const CancelToken* cancel) {
  CheckLengths(labels.size(), predictions.size());
  std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> counts;
  const auto count_of = [&](std::int64_t label) -> auto& {
    StopIfCancelled(cancel);
    return counts[label];
  };
  for (const std::int64_t label : labels) ++count_of(label).first;
  for (const std::int64_t label : predictions) ++count_of(label).second;
  const auto n = static_cast<std::int64_t>(labels.size());
  std::int64_t wrong_pairs = 0;
  for (const auto& [label, count] : counts) wrong_pairs += count.first * (n - count.second);
  return static_cast<double>(wrong_pairs) / static_cast<double>(n) / static_cast<double>(n);
}

// The mean over all pairs is variance + variance + (difference of the means)^2.
double NoInformationSquaredError(std::span<const double> truth, std::span<const double> predicted) {
  CheckLengths(truth.size(), predicted.size());
  CheckFinite(kNoInformation, "true value", truth);
  CheckFinite(kNoInformation, "prediction", predicted);
  const Summary t = Summarize(truth), p = Summarize(predicted);
  const double shift = t.mean - p.mean;
  const double error = PlugInVariance(t) + PlugInVariance(p) + shift * shift;
  if (std::isfinite(error)) return error;
  RefuseArgument(kNoInformation, "the squares are too large for a number",
                 "divide all values by one number");
}

OutOfBagError LeaveOneOutBootstrapError(std::int64_t rows, std::span<const OutOfBagLoss> losses,
                                        const CancelToken* cancel) {
  const std::string attempt = "compute the out-of-bag error";
  if (rows < 1) RefuseArgument(attempt, "there are no rows", "give at least one");
  std::map<std::int64_t, LossesOfRow> tested;  // in ascending order; not as large as `rows` may be
  for (const OutOfBagLoss& loss : losses) {
    StopIfCancelled(cancel);
    if (loss.row < 0 || loss.row >= rows) {
      RefuseArgument(
          attempt,
          "row " + std::to_string(loss.row) + " is not one of " + std::to_string(rows) + " rows",
          "rows count from 0");
    }
    CheckFinite(attempt, "loss", {&loss.loss, 1});
    LossesOfRow& of_row = tested[loss.row];
    of_row.sum.Add(loss.loss);
    ++of_row.count;
  }
  OutOfBagError result;
  plugin::CompensatedSum total;
  for (const auto& [row, of_row] : tested) {
    ++result.rows_used;
    total.Add(of_row.sum.DividedBy(static_cast<double>(of_row.count)));
  }
  result.rows_left_out = rows - result.rows_used;
  result.error =
      result.rows_used == 0
          ? ErrorEstimate{false, "no row was ever out of bag", kUndefined}
          : ErrorEstimate{true, "", total.DividedBy(static_cast<double>(result.rows_used))};
  return result;
}

Bootstrap632 CombineErrors(double training_error, double out_of_bag_error,
                           double no_information_error) {
  CheckError("the training error", training_error);
  CheckError("the out-of-bag error", out_of_bag_error);
  Bootstrap632 result;
  result.estimate_632 = 0.368 * training_error + 0.632 * out_of_bag_error;
  if (std::isnan(no_information_error)) {
    result.estimate_632_plus = {false, "the no-information error is not known", kUndefined};
    result.relative_overfitting = result.weight = kUndefined;
    return result;
  }
  CheckError("the no-information error", no_information_error);
  if (out_of_bag_error > training_error && no_information_error > training_error) {
    result.relative_overfitting = std::min(
        1.0, (out_of_bag_error - training_error) / (no_information_error - training_error));
  }
  result.weight = 0.632 / (1 - 0.368 * result.relative_overfitting);
  const double capped = std::min(out_of_bag_error, no_information_error);
  result.estimate_632_plus = {true, "",
                              (1 - result.weight) * training_error + result.weight * capped};
  return result;
}

}  // namespace crossfold::stats
