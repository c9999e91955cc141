#include "crossfold/reliability_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "analysis/curves/rising_scores.h"
#include "analysis/stats/refuse_argument.h"
#include "crossfold/stats/bootstrap.h"
#include "crossfold/stats/isotonic_regression.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

constexpr char kDrawReliability[] = "draw a reliability curve";
constexpr std::size_t kMostPlaces = 1000;

ReliabilityBand BandOf(const ScoredRows& rows, const ReliabilityOptions& options) {
  return options.band.value_or(rows.groups.empty() ? ReliabilityBand::kConsistency
                                                   : ReliabilityBand::kBootstrap);
}

void CheckReliability(const ScoredRows& rows, const ReliabilityOptions& options) {
  CheckScoredRows(rows);
  CheckScoresAreProbabilities(kDrawReliability, rows);
  stats::CheckOpenShare(kDrawReliability, "confidence", options.confidence);
  if (options.samples < 2 || options.samples > 10000) {
    stats::RefuseArgument(kDrawReliability, "samples is " + std::to_string(options.samples),
                          "use 2 to 10000");
  }
  const ReliabilityBand band = BandOf(rows, options);
  const bool hypothetical =
      band == ReliabilityBand::kConsistency || band == ReliabilityBand::kConsistencyResampled;
  if (hypothetical && !rows.groups.empty()) {
    stats::RefuseArgument(kDrawReliability,
                          "a consistency band assumes independent rows, and the rows of a group "
                          "depend on each other",
                          "use the band 'bootstrap', which draws whole groups");
  }
}

// Weights of the rows, and of the positive ones, at each distinct score.
struct Counted {
  std::vector<double> weights, positives;
  void Clear(std::size_t points) {
    weights.assign(points, 0);
    positives.assign(points, 0);
  }
};

double LogLoss(double weight, double p) { return weight > 0 ? -weight * std::log(p) : 0; }

// The summed score of the probability p for these weights.
double SummedScore(ReliabilityScore score, double p, double positives, double negatives) {
  if (score == ReliabilityScore::kBrier) {
    return positives * (1 - p) * (1 - p) + negatives * p * p;
  }
  return LogLoss(positives, p) + LogLoss(negatives, 1 - p);
}

// The scores that have a weight, in rising order.
class SortedScores {
 public:
  explicit SortedScores(const ScoredRows& rows) {
    const std::vector<std::size_t> order = ByRisingScore(rows);
    for (const std::size_t i : order) {
      if (distinct_.empty() || distinct_.back() != rows.scores[i]) {
        distinct_.push_back(rows.scores[i]);
      }
      point_.push_back(distinct_.size() - 1);
      weight_.push_back(rows.weight(i));
      positive_.push_back(rows.positive[i]);
    }
    rows_ = UnitsInOrder(rows.rows, order);
    units_ = BootstrapUnits(rows, order);
  }

  const std::vector<double>& distinct() const { return distinct_; }

  // The rows themselves.
  void Count(Counted& counted) const {
    counted.Clear(distinct_.size());
    for (std::size_t i = 0; i < point_.size(); ++i) Add(i, 1, positive_[i], counted);
  }

  // A sample of rows or groups with their classes.
  void CountSample(plugin::Random& random, Counted& counted) const {
    std::vector<std::size_t> times;
    stats::DrawUnits(random, units_.count, times);
    counted.Clear(distinct_.size());
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const auto n = static_cast<double>(times[units_.of[i]]);
      Add(i, n, positive_[i] * n, counted);
    }
  }

  // Rows whose classes are drawn with their scores; `resampled`: of a sample of the rows.
  void CountCalibrated(plugin::Random& random, bool resampled, Counted& counted) const {
    std::vector<std::size_t> times(rows_.count, 1);
    if (resampled) stats::DrawUnits(random, rows_.count, times);
    std::vector<std::size_t> first(rows_.count + 1, 0);  // of the numbers of each row
    for (std::size_t u = 0; u < rows_.count; ++u) first[u + 1] = first[u] + times[u];
    std::vector<double> numbers(rows_.count);
    for (double& number : numbers) number = random.Uniform();
    counted.Clear(distinct_.size());
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const std::size_t u = rows_.of[i];
      double positives = 0;
      for (std::size_t c = first[u]; c < first[u + 1]; ++c) {
        positives += numbers[c] < distinct_[point_[i]] ? 1 : 0;
      }
      Add(i, static_cast<double>(times[u]), positives, counted);
    }
  }

 private:
  void Add(std::size_t i, double n, double positives, Counted& counted) const {
    counted.weights[point_[i]] += n * weight_[i];
    counted.positives[point_[i]] += positives * weight_[i];
  }

  std::vector<double> distinct_;  // ascending
  // One entry per score.
  std::vector<std::size_t> point_;  // its place in distinct_
  std::vector<double> weight_;
  std::vector<std::uint8_t> positive_;
  stats::SampledUnits rows_, units_;
};

// The mean scores of the predicted and of the recalibrated probabilities, and of the share of
// positive rows.
struct MeanScores {
  double predicted = 0, recalibrated = 0, constant = 0;
};

MeanScores MeanScoresOf(ReliabilityScore kind, const std::vector<double>& predicted,
                        const std::vector<double>& recalibrated, const Counted& counted) {
  MeanScores sums;
  double weight = 0, positives = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const double positive = counted.positives[i], negative = counted.weights[i] - positive;
    sums.predicted += SummedScore(kind, predicted[i], positive, negative);
    sums.recalibrated += SummedScore(kind, recalibrated[i], positive, negative);
    weight += counted.weights[i];
    positives += positive;
  }
  const double share = std::min(1.0, positives / weight);
  sums.constant = SummedScore(kind, share, positives, weight - positives);
  return {sums.predicted / weight, sums.recalibrated / weight, sums.constant / weight};
}

void Recalibrate(const std::vector<double>& predicted, const Counted& counted,
                 std::vector<double>& recalibrated) {
  stats::FitSortedPoints(predicted, counted.positives, counted.weights, recalibrated);
  for (double& p : recalibrated) p = std::min(1.0, p);  // sums may differ in the last bit
}

// At most kMostPlaces of n points, the first and the last among them.
std::vector<std::size_t> BandPlaces(std::size_t n) {
  const std::size_t count = std::min(n, kMostPlaces);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    places.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
  }
  return places;
}

// The curves of samples at some places, and how they compare with the curve itself.
class Samples {
 public:
  Samples(const SortedScores& scores, const ReliabilityOptions& options)
      : scores_(scores),
        options_(options),
        places_(BandPlaces(scores.distinct().size())),
        seeds_(stats::SampleSeeds(options.seed, options.samples, options.cancel)) {}

  // Sets the bands of the points.
  void SetBand(ReliabilityBand band, ReliabilityCurve& curve) {
    std::vector<std::vector<double>> values(places_.size());
    Counted counted;
    std::vector<double> line;
    for (const std::uint64_t seed : seeds_) {
      StopIfCancelled(options_.cancel);
      plugin::Random random(seed);
      if (band == ReliabilityBand::kBootstrap) {
        scores_.CountSample(random, counted);
      } else {
        scores_.CountCalibrated(random, band == ReliabilityBand::kConsistencyResampled, counted);
      }
      Recalibrate(scores_.distinct(), counted, line);
      for (std::size_t i = 0; i < places_.size(); ++i) values[i].push_back(line[places_[i]]);
    }
    const double tail = (1 - options_.confidence) / 2;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::sort(values[i].begin(), values[i].end());
      ReliabilityPoint& point = curve.points[places_[i]];
      point.low = stats::SortedQuantile(values[i], tail);
      point.high = stats::SortedQuantile(values[i], 1 - tail);
      if (i > 0) Interpolate(curve.points, places_[i - 1], places_[i]);
    }
  }

  // The share of samples with calibrated probabilities that have at least this miscalibration.
  double P(double miscalibration) {
    Counted counted;
    std::vector<double> line;
    int reached = 0;
    for (const std::uint64_t seed : seeds_) {
      StopIfCancelled(options_.cancel);
      plugin::Random random(seed);
      scores_.CountCalibrated(random, false, counted);
      Recalibrate(scores_.distinct(), counted, line);
      const MeanScores sample = MeanScoresOf(options_.score, scores_.distinct(), line, counted);
      // Equal miscalibrations may differ in the last bits of their sums.
      reached += sample.predicted - sample.recalibrated >= miscalibration * (1 - 1e-12) ? 1 : 0;
    }
    return (1.0 + reached) / (1.0 + static_cast<double>(seeds_.size()));
  }

 private:
  // Sets the bands of the points between two that have one.
  static void Interpolate(std::vector<ReliabilityPoint>& points, std::size_t from, std::size_t to) {
    const ReliabilityPoint &a = points[from], &b = points[to];
    for (std::size_t i = from + 1; i < to; ++i) {
      const double share = (points[i].predicted - a.predicted) / (b.predicted - a.predicted);
      points[i].low = a.low + share * (b.low - a.low);
      points[i].high = a.high + share * (b.high - a.high);
    }
  }

  const SortedScores& scores_;
  const ReliabilityOptions& options_;
  std::vector<std::size_t> places_;
  std::vector<std::uint64_t> seeds_;
};

void SetSampled(const ScoredRows& rows, const SortedScores& scores,
                const ReliabilityOptions& options, ReliabilityCurve& curve) {
  const ReliabilityBand band = BandOf(rows, options);
  if (band == ReliabilityBand::kNone) {
    curve.p_undefined = "no samples are drawn without a band";
    return;
  }
  Samples samples(scores, options);
  samples.SetBand(band, curve);
  if (rows.groups.empty()) {
    curve.p = samples.P(curve.miscalibration);
  } else {
    curve.p_undefined = "the rows of a group depend on each other";
  }
}

}  // namespace

ReliabilityCurve DrawReliabilityCurve(const ScoredRows& rows, const ReliabilityOptions& options) {
  CheckReliability(rows, options);
  ReliabilityCurve curve;
  const SortedScores scores(rows);
  if (scores.distinct().empty()) {
    curve.undefined = rows.size() == 0 ? "there are no rows" : "all rows have weight 0";
    return curve;
  }
  curve.defined = true;
  Counted counted;
  std::vector<double> recalibrated;
  scores.Count(counted);
  Recalibrate(scores.distinct(), counted, recalibrated);
  for (std::size_t i = 0; i < recalibrated.size(); ++i) {
    ReliabilityPoint point;
    point.predicted = scores.distinct()[i];
    point.weight = counted.weights[i];
    point.observed = std::min(1.0, counted.positives[i] / counted.weights[i]);
    point.recalibrated = recalibrated[i];
    curve.points.push_back(point);
  }
  const MeanScores mean = MeanScoresOf(options.score, scores.distinct(), recalibrated, counted);
  curve.score = mean.predicted;
  // Both are at least 0, but for the last bits of the sums.
  curve.miscalibration = std::max(0.0, mean.predicted - mean.recalibrated);
  curve.discrimination = std::max(0.0, mean.constant - mean.recalibrated);
  curve.uncertainty = mean.constant;
  SetSampled(rows, scores, options, curve);
  return curve;
}

}  // namespace crossfold
