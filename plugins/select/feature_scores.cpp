#include "feature_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "../feature_values.h"
#include "../mdl_cuts.h"
#include "../moments.h"

namespace crossfold::select {
namespace {

using bundled::ComputeMoments;
using bundled::Denominator;
using bundled::FeatureText;
using bundled::FeatureValues;
using bundled::Moments;
using bundled::PresentValues;
using plugin::TrainingView;

Moments MomentsOf(const TrainingView& train, std::int64_t j, const FeatureValues& part) {
  return ComputeMoments(part.values, part.weights, Denominator::kTotalWeight,
                        FeatureText(train, j));
}

std::optional<double> Variance(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  if (present.values.empty()) return std::nullopt;
  const Moments m = MomentsOf(train, j, present);
  return m.sd * m.sd;
}

// Mean square between the classes by mean square within them.
std::optional<double> AnovaF(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  std::vector<FeatureValues> parts(static_cast<std::size_t>(train.num_classes()));
  for (std::size_t i = 0; i < present.values.size(); ++i) {
    FeatureValues& part = parts[static_cast<std::size_t>(train.label(present.rows[i]))];
    part.values.push_back(present.values[i]);
    part.weights.push_back(present.weights[i]);
  }
  const Moments all = MomentsOf(train, j, present);
  double between = 0, within = 0;
  int n_classes = 0;
  for (const FeatureValues& part : parts) {
    if (part.values.empty()) continue;
    const Moments m = MomentsOf(train, j, part);
    ++n_classes;
    between += m.weight * (m.mean - all.mean) * (m.mean - all.mean);
    within += m.weight * m.sd * m.sd;
  }
  if (n_classes < 2 || all.sd == 0 || !(all.weight > n_classes)) return std::nullopt;
  if (within == 0) return std::numeric_limits<double>::infinity();
  return between / (n_classes - 1) / (within / (all.weight - n_classes));
}

// Absolute value of Pearson's correlation with a numeric target.
std::optional<double> Correlation(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  std::vector<double> targets;
  for (const std::int64_t i : present.rows) targets.push_back(train.value(i));
  const Moments x = MomentsOf(train, j, present);
  const Moments y =
      ComputeMoments(targets, present.weights, Denominator::kTotalWeight, "the target");
  if (x.sd == 0 || y.sd == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    sum +=
        present.weights[i] * ((present.values[i] - x.mean) / x.sd) * ((targets[i] - y.mean) / y.sd);
  }
  return std::min(1.0, std::fabs(sum / x.weight));
}

// Weights by level (or interval) and class.
struct Contingency {
  std::size_t n_levels, n_classes;
  std::vector<double> weights;  // n_levels x n_classes
  std::vector<double> of_level, of_class;
  double total = 0;

  Contingency(std::size_t levels, std::size_t classes)
      : n_levels(levels),
        n_classes(classes),
        weights(levels * classes),
        of_level(levels),
        of_class(classes) {}

  void Add(std::size_t level, std::int32_t label, double weight) {
    const auto c = static_cast<std::size_t>(label);
    weights[level * n_classes + c] += weight;
    of_level[level] += weight;
    of_class[c] += weight;
    total += weight;
  }

  // Calls use(observed, expected) for every cell whose row and column are not empty.
  template <class Use>
  void ForEachCell(const Use& use) const {
    for (std::size_t level = 0; level < n_levels; ++level) {
      for (std::size_t c = 0; c < n_classes; ++c) {
        const double expected = of_level[level] * of_class[c] / total;
        if (expected > 0) use(weights[level * n_classes + c], expected);
      }
    }
  }
};

Contingency CountLevels(const TrainingView& train, std::int64_t j) {
  Contingency table(static_cast<std::size_t>(train.num_levels(j)),
                    static_cast<std::size_t>(train.num_classes()));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.is_missing(i, j)) continue;
    table.Add(static_cast<std::size_t>(train.x(i, j)), train.label(i), train.weight(i));
  }
  return table;
}

// A bool has its two values as intervals.
std::vector<double> CutsOf(const TrainingView& train, std::int64_t j,
                           const FeatureValues& present) {
  if (train.column(j).dtype == CF_BOOL8) return {0.5};
  std::vector<std::int32_t> labels;
  for (const std::int64_t i : present.rows) labels.push_back(train.label(i));
  return bundled::MdlCuts(bundled::ValueClasses(present.values, present.weights, labels,
                                                static_cast<std::size_t>(train.num_classes())));
}

Contingency CountIntervals(const TrainingView& train, std::int64_t j) {
  const FeatureValues present = PresentValues(train, j);
  const std::vector<double> cuts = CutsOf(train, j, present);
  Contingency table(cuts.size() + 1, static_cast<std::size_t>(train.num_classes()));
  for (std::size_t i = 0; i < present.values.size(); ++i) {
    table.Add(bundled::IntervalOf(cuts, present.values[i]), train.label(present.rows[i]),
              present.weights[i]);
  }
  return table;
}

std::optional<double> ChiSquared(const Contingency& table) {
  if (table.total == 0) return std::nullopt;
  double sum = 0;
  table.ForEachCell([&sum](double observed, double expected) {
    sum += (observed - expected) * (observed - expected) / expected;
  });
  return sum;
}

// In nats.
std::optional<double> MutualInformation(const Contingency& table) {
  if (table.total == 0) return std::nullopt;
  double sum = 0;
  table.ForEachCell([&sum](double observed, double expected) {
    if (observed > 0) sum += observed * std::log(observed / expected);
  });
  return std::max(0.0, sum / table.total);  // rounding may leave a negative value
}

}  // namespace

std::optional<double> ScoreOf(Method method, const TrainingView& train, std::int64_t j) {
  if (method == Method::kVariance) return Variance(train, j);
  if (method == Method::kAnovaF) return AnovaF(train, j);
  if (method == Method::kCorrelation) return Correlation(train, j);
  const Contingency table =
      train.is_categorical(j) ? CountLevels(train, j) : CountIntervals(train, j);
  return method == Method::kChiSquared ? ChiSquared(table) : MutualInformation(table);
}

}  // namespace crossfold::select
