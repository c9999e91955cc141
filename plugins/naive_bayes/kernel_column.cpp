#include "kernel_column.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numbers>

#include "../number_text.h"

namespace crossfold::bundled {
namespace {

// exp(-x) is 0 from here on.
constexpr double kVanishes = 746;

// Value at place (total - 1) p of the values repeated by their weights, between two places
// linearly.
double Quantile(std::span<const double> values, std::span<const double> weights, double total,
                double p) {
  const double place = std::max((total - 1) * p, 0.0);
  const double low = std::floor(place);
  const auto at = [&](double index) {
    double passed = 0;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      passed += weights[i];
      if (passed > index) return values[i];
    }
    return values.back();
  };
  return at(low) + (place - low) * (at(low + 1) - at(low));
}

// 0.9 min(sd, IQR / 1.34) n^(-1/5); without IQR the sd alone.
double SilvermanBandwidth(std::span<const double> values, std::span<const double> weights,
                          double total, const std::string& subject) {
  if (total <= 1) return 0;
  const double sd = ComputeMoments(values, weights, Denominator::kTotalWeightMinusOne, subject).sd;
  const double iqr =
      Quantile(values, weights, total, 0.75) - Quantile(values, weights, total, 0.25);
  const double spread = iqr > 0 ? std::min(sd, iqr / 1.34) : sd;
  return 0.9 * spread * std::pow(total, -0.2);
}

}  // namespace

KernelColumn::KernelColumn(std::string name, std::size_t n_classes)
    : name_(std::move(name)), entries_(n_classes) {}

void KernelColumn::Update(const Batch& batch, std::span<const double> x) {
  std::vector<std::vector<Entry>> changes(entries_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || batch.weights[i] == 0) continue;
    RefuseInfinite(name_, x[i]);
    // Adding 0 turns -0 into 0, so that equal values have equal bits.
    changes[batch.classes[i]].emplace_back(x[i] + 0.0, std::fabs(batch.weights[i]));
  }
  for (std::size_t c = 0; c < entries_.size(); ++c) {
    if (changes[c].empty()) continue;
    std::sort(changes[c].begin(), changes[c].end());
    std::vector<Entry> changed;
    if (!batch.leaving) {
      std::merge(entries_[c].begin(), entries_[c].end(), changes[c].begin(), changes[c].end(),
                 std::back_inserter(changed));
    } else {
      std::set_difference(entries_[c].begin(), entries_[c].end(), changes[c].begin(),
                          changes[c].end(), std::back_inserter(changed));
      if (changed.size() + changes[c].size() != entries_[c].size()) {
        throw plugin::Error(CF_E_INVALID_ARGUMENT, "the rows to remove are not in the model");
      }
    }
    entries_[c] = std::move(changed);
  }
}

KernelColumn::Density KernelColumn::MakeDensity(const std::vector<Entry>& entries, double floor,
                                                const BayesParams& params,
                                                const std::string& subject) const {
  Density density;
  double total = 0;
  for (const auto& [value, weight] : entries) {
    if (density.values.empty() || density.values.back() != value) {
      density.values.push_back(value);
      density.weights.push_back(0);
    }
    density.weights.back() += weight;
    total += weight;
  }
  double bandwidth = 0;
  switch (params.bandwidth) {
    case BandwidthRule::kRange:
      bandwidth = (density.values.back() - density.values.front()) / std::sqrt(total);
      break;
    case BandwidthRule::kInverseRoot:
      bandwidth = 1 / std::sqrt(total);
      break;
    case BandwidthRule::kSilverman:
      bandwidth = SilvermanBandwidth(density.values, density.weights, total, subject);
      break;
  }
  density.bandwidth = std::max(params.bandwidth_factor * bandwidth, floor);
  if (density.bandwidth == 0) {
    throw plugin::Error(CF_E_NUMERIC, subject + " has bandwidth 0; raise min_sd");
  }
  if (!std::isfinite(density.bandwidth)) {
    throw plugin::Error(CF_E_NUMERIC, subject + " has no finite bandwidth");
  }
  density.log_factor =
      -std::log(total) - std::log(density.bandwidth) - 0.5 * std::log(2 * std::numbers::pi);
  return density;
}

void KernelColumn::Finish(const Shared& shared) {
  densities_.clear();
  std::vector<Entry> all;
  for (const std::vector<Entry>& entries : entries_) {
    all.insert(all.end(), entries.begin(), entries.end());
  }
  std::sort(all.begin(), all.end());
  if (all.empty() || all.front().first == all.back().first) return;
  std::vector<double> values, weights;
  for (const auto& [value, weight] : all) {
    values.push_back(value);
    weights.push_back(weight);
  }
  const Moments overall =
      ComputeMoments(values, weights, Denominator::kTotalWeight, FeatureText(name_));
  const double floor = shared.params->min_sd * overall.sd;
  for (std::size_t c = 0; c < entries_.size(); ++c) {
    // A class that never has this feature gets the distribution of all rows.
    densities_.push_back(MakeDensity(entries_[c].empty() ? all : entries_[c], floor, *shared.params,
                                     OfClass(name_, shared.class_names[c])));
  }
}

double KernelColumn::LogDensity(const Density& density, double x) {
  const std::vector<double>& values = density.values;
  const auto exponent = [&](std::size_t i) {
    const double z = (x - values[i]) / density.bandwidth;
    return 0.5 * z * z;
  };
  const auto n = values.size();
  const auto above =
      static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), x) - values.begin());
  double least = above < n ? exponent(above) : exponent(n - 1);
  if (above > 0) least = std::min(least, exponent(above - 1));
  if (std::isinf(least)) return -least;
  // Kernels too far to change the sum are left out, relative to the nearest one.
  std::size_t first = above;
  while (first > 0 && exponent(first - 1) - least < kVanishes) --first;
  double sum = 0;
  for (std::size_t i = first; i < n; ++i) {
    const double e = exponent(i) - least;
    if (e >= kVanishes) {
      if (i >= above) break;
      continue;
    }
    sum += density.weights[i] * std::exp(-e);
  }
  return density.log_factor - least + std::log(sum);
}

void KernelColumn::Score(std::span<const double> x, const ScoreTable& table) const {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    RefuseInfinite(name_, x[i]);
    double* to = table.row(i);
    for (std::size_t c = 0; c < densities_.size(); ++c) to[c] += LogDensity(densities_[c], x[i]);
  }
}

std::string KernelColumn::Describe(const Shared& shared) const {
  if (densities_.empty()) return name_ + " is constant or missing and is not used\n";
  std::string text;
  for (std::size_t c = 0; c < densities_.size(); ++c) {
    text += name_ + " | " + shared.class_names[c] +
            " ~ kernel(bandwidth = " + NumberText(densities_[c].bandwidth) +
            ", distinct values = " + std::to_string(densities_[c].values.size()) + ")\n";
  }
  return text;
}

void KernelColumn::Save(plugin::Writer& w) const {
  for (const std::vector<Entry>& entries : entries_) {
    w.Write(static_cast<std::uint64_t>(entries.size()));
    for (const auto& [value, weight] : entries) {
      w.Write(value);
      w.Write(weight);
    }
  }
}

KernelColumn KernelColumn::Load(plugin::Reader& r, std::string name, std::size_t n_classes) {
  KernelColumn column(std::move(name), n_classes);
  for (std::vector<Entry>& entries : column.entries_) {
    const auto n = r.Read<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto value = r.Read<double>();
      const auto weight = r.Read<double>();
      if (!std::isfinite(value) || !std::isfinite(weight) || !(weight > 0) ||
          (!entries.empty() && entries.back() > Entry(value, weight))) {
        throw plugin::Error(CF_E_BAD_BLOB, "the values of a kernel are not in order");
      }
      entries.emplace_back(value, weight);
    }
  }
  return column;
}

}  // namespace crossfold::bundled
