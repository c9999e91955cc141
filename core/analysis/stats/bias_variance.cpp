#include "crossfold/stats/bias_variance.h"

#include <cmath>
#include <map>

#include "analysis/stats/refuse_argument.h"
#include "crossfold_plugin/compensated_sum.hpp"

namespace crossfold::stats {
namespace {

constexpr char kDecompose[] = "decompose the error";

template <class Value>
void CheckShape(std::span<const Value> truth, const std::vector<std::vector<Value>>& predictions) {
  if (truth.empty()) RefuseArgument(kDecompose, "there are no rows", "give at least one");
  if (predictions.empty()) RefuseArgument(kDecompose, "there are no models", "give at least one");
  for (std::size_t l = 0; l < predictions.size(); ++l) {
    if (predictions[l].size() == truth.size()) continue;
    RefuseArgument(kDecompose,
                   "model " + std::to_string(l + 1) + " predicts " +
                       std::to_string(predictions[l].size()) + " of " +
                       std::to_string(truth.size()) + " rows",
                   "every model must predict the same rows");
  }
}

void CheckClasses(const std::string& what, std::span<const std::int64_t> classes) {
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] >= 0) continue;
    RefuseArgument(
        kDecompose,
        what + ": row " + std::to_string(i + 1) + " has class " + std::to_string(classes[i]),
        "classes are whole numbers from 0 on, and every model must predict every row");
  }
}

// The counts of one row, in whole numbers: with L models, shares are these over L and squares over
// 2 L^2, so that parts add up without rounding.
struct RowCounts {
  std::int64_t main = 0, of_main = 0, of_truth = 0;  // models that predict main, the true class
  std::int64_t bias_squares = 0;                     // sum of (L [c is true] - count(c))^2
  std::int64_t spread_squares = 0;                   // L^2 - sum of count(c)^2
};

RowCounts CountRow(std::int64_t truth, std::size_t row,
                   const std::vector<std::vector<std::int64_t>>& predictions) {
  std::map<std::int64_t, std::int64_t> counts;
  counts[truth] = 0;
  for (const auto& model : predictions) ++counts[model[row]];
  const auto models = static_cast<std::int64_t>(predictions.size());
  RowCounts result;
  result.of_truth = counts[truth];
  result.spread_squares = models * models;
  for (const auto& [label, count] : counts) {  // from the lowest class up
    if (count > result.of_main) {
      result.main = label;
      result.of_main = count;
    }
    const std::int64_t off = (label == truth ? models : 0) - count;
    result.bias_squares += off * off;
    result.spread_squares -= count * count;
  }
  return result;
}

// Sums over rows, in units of 1/L and 1/(2 L^2).
struct Totals {
  std::int64_t wrong = 0, biased_rows = 0, off_main = 0, off_main_unbiased = 0, hits_biased = 0;
  std::int64_t bias_squares = 0, spread_squares = 0;

  void Add(const RowCounts& row, bool biased, std::int64_t models) {
    wrong += models - row.of_truth;
    biased_rows += biased ? 1 : 0;
    off_main += models - row.of_main;
    off_main_unbiased += biased ? 0 : models - row.of_main;
    hits_biased += biased ? row.of_truth : 0;
    bias_squares += row.bias_squares;
    spread_squares += row.spread_squares;
  }
};

ZeroOneRow RowParts(const RowCounts& row, bool biased, std::int64_t models) {
  const double l = static_cast<double>(models);
  ZeroOneRow parts;
  parts.main = row.main;
  parts.biased = biased;
  parts.error = static_cast<double>(models - row.of_truth) / l;
  parts.variance = static_cast<double>(models - row.of_main) / l;
  parts.net_variance = biased ? -static_cast<double>(row.of_truth) / l : parts.variance;
  parts.squared_bias = static_cast<double>(row.bias_squares) / (2 * l * l);
  parts.spread = static_cast<double>(row.spread_squares) / (2 * l * l);
  return parts;
}

void SetUnbiased(ZeroOneParts& parts, const Totals& totals) {
  parts.unbiased_defined = parts.models >= 2;
  if (!parts.unbiased_defined) {
    parts.unbiased_undefined = "one model does not show how models vary";
    parts.kohavi_wolpert_unbiased = {kUndefined, kUndefined};
    return;
  }
  const double l = static_cast<double>(parts.models), n = static_cast<double>(parts.rows);
  // p (1 - p) / (L - 1) summed over classes = spread squares / (L^2 (L - 1)).
  const double moved = static_cast<double>(totals.spread_squares) / (2 * l * l * (l - 1)) / n;
  parts.kohavi_wolpert_unbiased = {parts.kohavi_wolpert.squared_bias - moved,
                                   parts.kohavi_wolpert.variance + moved};
}

SquaredRow DecomposeRow(std::size_t i, double truth, double n_models,
                        const std::vector<std::vector<double>>& predictions) {
  plugin::CompensatedSum sum, errors, spreads;
  for (const auto& model : predictions) sum.Add(model[i]);
  const double mean = sum.DividedBy(n_models);
  for (const auto& model : predictions) {
    errors.Add((model[i] - truth) * (model[i] - truth));
    spreads.Add((model[i] - mean) * (model[i] - mean));
  }
  return {mean, errors.DividedBy(n_models), (mean - truth) * (mean - truth),
          spreads.DividedBy(n_models)};
}

}  // namespace

ZeroOneParts DecomposeZeroOne(std::span<const std::int64_t> truth,
                              const std::vector<std::vector<std::int64_t>>& predictions) {
  CheckShape(truth, predictions);
  CheckClasses("truth", truth);
  for (std::size_t l = 0; l < predictions.size(); ++l) {
    CheckClasses("model " + std::to_string(l + 1), predictions[l]);
  }
  ZeroOneParts parts;
  parts.rows = static_cast<std::int64_t>(truth.size());
  parts.models = static_cast<std::int64_t>(predictions.size());
  Totals totals;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const RowCounts row = CountRow(truth[i], i, predictions);
    const bool biased = row.main != truth[i];
    totals.Add(row, biased, parts.models);
    parts.per_row.push_back(RowParts(row, biased, parts.models));
  }
  const double n = static_cast<double>(parts.rows), l = static_cast<double>(parts.models);
  const auto share = [&](std::int64_t count) { return static_cast<double>(count) / (n * l); };
  parts.error = share(totals.wrong);
  parts.domingos = {static_cast<double>(totals.biased_rows) / n, share(totals.off_main),
                    share(totals.off_main_unbiased), share(totals.hits_biased),
                    share(totals.off_main_unbiased - totals.hits_biased)};
  parts.kohavi_wolpert = {static_cast<double>(totals.bias_squares) / (2 * l * l * n),
                          static_cast<double>(totals.spread_squares) / (2 * l * l * n)};
  SetUnbiased(parts, totals);
  return parts;
}

SquaredParts DecomposeSquared(std::span<const double> truth,
                              const std::vector<std::vector<double>>& predictions) {
  CheckShape(truth, predictions);
  CheckFinite(kDecompose, "true value", truth);
  for (std::size_t l = 0; l < predictions.size(); ++l) {
    CheckFinite(kDecompose, "model " + std::to_string(l + 1) + ": prediction", predictions[l]);
  }
  const double n = static_cast<double>(truth.size()), l = static_cast<double>(predictions.size());
  SquaredParts parts{.rows = static_cast<std::int64_t>(truth.size()),
                     .models = static_cast<std::int64_t>(predictions.size()),
                     .error = 0,
                     .squared_bias = 0,
                     .variance = 0,
                     .per_row = {}};
  plugin::CompensatedSum errors, biases, spreads;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const SquaredRow& row = parts.per_row.emplace_back(DecomposeRow(i, truth[i], l, predictions));
    errors.Add(row.error);
    biases.Add(row.squared_bias);
    spreads.Add(row.variance);
  }
  if (!std::isfinite(errors.value() + biases.value() + spreads.value())) {
    RefuseArgument(kDecompose, "the squared errors are too large for a number",
                   "divide all values by one number");
  }
  parts.error = errors.DividedBy(n);
  parts.squared_bias = biases.DividedBy(n);
  parts.variance = spreads.DividedBy(n);
  return parts;
}

}  // namespace crossfold::stats
