#include "crossfold/calibration_curve.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "analysis/curves/rising_scores.h"
#include "analysis/stats/distributions.h"
#include "crossfold/error.h"
#include "engine/text/format_number.h"

namespace crossfold {
namespace {

[[noreturn]] void RefuseCalibrationCurve(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument, "cannot draw a calibration curve: " + finding);
}

void CheckCalibrationCurve(const ScoredRows& rows, const CalibrationOptions& options) {
  CheckScoredRows(rows);
  if (options.bins < 1 || options.bins > 10000) {
    RefuseCalibrationCurve(std::to_string(options.bins) + " bins; use 1 to 10000");
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    RefuseCalibrationCurve("confidence " + FormatShortest(options.confidence) +
                           " is not between 0 and 1");
  }
  CheckScoresAreProbabilities("draw a calibration curve", rows);
}

// The upper edges of the bins, rising; the last is 1.
std::vector<double> UniformEdges(int bins) {
  std::vector<double> edges;
  for (int b = 1; b <= bins; ++b) edges.push_back(static_cast<double>(b) / bins);
  return edges;
}

std::vector<double> QuantileEdges(const ScoredRows& rows, const std::vector<std::size_t>& order,
                                  int bins) {
  double total = 0;
  for (const std::size_t row : order) total += rows.weight(row);
  std::vector<double> edges;
  double sum = 0;
  int reached = 1;  // the share that the next edge waits for
  for (const std::size_t row : order) {
    sum += rows.weight(row);
    if (reached == bins || sum * bins < total * reached) continue;
    while (reached < bins && sum * bins >= total * reached) ++reached;
    if (edges.empty() || edges.back() < rows.scores[row]) edges.push_back(rows.scores[row]);
  }
  if (edges.empty() || edges.back() < 1) edges.push_back(1);
  return edges;
}

// Wilson 1927 for a share of `n` rows, which need not be a whole number.
void SetInterval(CalibrationBin& bin, double n, double confidence) {
  const double z = stats::NormalQuantile((1 + confidence) / 2), p = bin.observed;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  bin.observed_low = p == 0 ? 0 : std::max(0.0, centre - half);
  bin.observed_high = p == 1 ? 1 : std::min(1.0, centre + half);
}

// How many scores there are of the row of each score; only those that have a weight count.
std::vector<double> TimesScored(const ScoredRows& rows) {
  std::vector<double> times(rows.size(), 1);
  if (rows.rows.empty()) return times;
  std::unordered_map<std::int64_t, double> scores;
  for (std::size_t i = 0; i < rows.size(); ++i) scores[rows.rows[i]] += rows.weight(i) > 0 ? 1 : 0;
  for (std::size_t i = 0; i < rows.size(); ++i) times[i] = scores[rows.rows[i]];
  return times;
}

std::int64_t CountRows(const ScoredRows& rows, std::span<const std::size_t> members) {
  if (rows.rows.empty()) return static_cast<std::int64_t>(members.size());
  std::vector<std::int64_t> numbers;
  for (const std::size_t i : members) numbers.push_back(rows.rows[i]);
  std::sort(numbers.begin(), numbers.end());
  return std::unique(numbers.begin(), numbers.end()) - numbers.begin();
}

// (sum w)^2 / sum w^2 times over the scores, whose `total` weight is sum w.
double EffectiveRows(const ScoredRows& rows, std::span<const std::size_t> members,
                     std::span<const double> times, double total) {
  std::vector<double> parts;
  for (const std::size_t i : members) parts.push_back(rows.weight(i) * rows.weight(i) * times[i]);
  std::sort(parts.begin(), parts.end());  // the same sum for every order of the rows
  double sum = 0;
  for (const double part : parts) sum += part;
  return total / sum * total;
}

// REQUIRES: `members` is not empty.
CalibrationBin MakeBin(const ScoredRows& rows, std::span<const std::size_t> members,
                       std::span<const double> times, double low, double high, double confidence) {
  CalibrationBin bin;
  bin.low = low;
  bin.high = high;
  bin.rows = CountRows(rows, members);
  double scores = 0, positives = 0;
  for (const std::size_t row : members) {
    const double w = rows.weight(row);
    bin.weight += w;
    scores += w * rows.scores[row];
    if (rows.positive[row] != 0) positives += w;
  }
  bin.mean_predicted = scores / bin.weight;
  // Sums in another order may differ in the last bit, a share may not exceed 1.
  bin.observed = std::min(1.0, positives / bin.weight);
  SetInterval(bin, EffectiveRows(rows, members, times, bin.weight), confidence);
  return bin;
}

}  // namespace

CalibrationCurve DrawCalibrationCurve(const ScoredRows& rows, const CalibrationOptions& options) {
  CheckCalibrationCurve(rows, options);
  CalibrationCurve curve;
  const std::vector<std::size_t> order = ByRisingScore(rows);
  if (order.empty()) {
    curve.undefined = rows.size() == 0 ? "there are no rows" : "all rows have weight 0";
    return curve;
  }
  curve.defined = true;
  const std::vector<double> edges = options.binning == Binning::kUniform
                                        ? UniformEdges(options.bins)
                                        : QuantileEdges(rows, order, options.bins);
  const std::vector<double> times = TimesScored(rows);
  double low = 0, total = 0, error = 0, largest = 0;
  std::size_t first = 0;
  for (const double high : edges) {
    std::size_t end = first;
    while (end < order.size() && rows.scores[order[end]] <= high) ++end;
    if (end > first) {
      const CalibrationBin bin = MakeBin(rows, std::span(order).subspan(first, end - first), times,
                                         low, high, options.confidence);
      const double gap = std::fabs(bin.observed - bin.mean_predicted);
      total += bin.weight;
      error += bin.weight * gap;
      largest = std::max(largest, gap);
      curve.bins.push_back(bin);
    }
    first = end;
    low = high;
  }
  curve.expected_error = error / total;
  curve.largest_error = largest;
  return curve;
}

}  // namespace crossfold
