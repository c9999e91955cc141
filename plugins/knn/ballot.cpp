#include "ballot.h"

#include <algorithm>
#include <cmath>

#include "crossfold_plugin.hpp"

namespace crossfold::knn {

bool IsUsable(const Neighbour& neighbour) {
  return std::isfinite(neighbour.key) && !neighbour.is_lost;
}

void RequireUsable(std::span<const Neighbour> neighbours) {
  if (!std::isfinite(neighbours.back().key)) {
    throw plugin::Error(CF_E_NUMERIC,
                        "a distance exceeds the range of numbers; rescale the features");
  }
  for (const Neighbour& neighbour : neighbours) {
    if (neighbour.is_lost) {
      throw plugin::Error(CF_E_NUMERIC,
                          "the distance of two different rows vanishes in the sum of powers; "
                          "use a smaller p or rescale the features");
    }
  }
}

Ballot::Ballot(const Metric& metric, const Targets& targets)
    : metric_(metric), targets_(targets), votes_(targets.n_classes) {}

void Ballot::Begin(std::span<const Neighbour> neighbours, Weights weights) {
  neighbours_ = neighbours;
  weights_ = weights;
  if (weights == Weights::kDistance) nearest_ = metric_.Length(neighbours.front().key);
  n_counted_ = 0;
  total_ = sum_ = 0;
  for (const std::int32_t c : classes_) votes_[static_cast<std::size_t>(c)] = 0;
  classes_.clear();
}

// 1/length, in units in which the nearest neighbour gets 1: tiny distances cannot overflow.
double Ballot::WeightOf(const Neighbour& neighbour) const {
  if (weights_ == Weights::kUniform) return 1;
  const double length = metric_.Length(neighbour.key);
  if (nearest_ == 0) return length == 0 ? 1 : 0;
  return nearest_ / length;
}

void Ballot::CountTo(std::size_t k) {
  for (; n_counted_ < k; ++n_counted_) {
    const Neighbour& neighbour = neighbours_[n_counted_];
    const double weight = WeightOf(neighbour);
    total_ += weight;
    if (targets_.n_classes == 0) {
      sum_ += weight * targets_.values[neighbour.row];
      continue;
    }
    const std::int32_t label = targets_.labels[neighbour.row];
    double& votes = votes_[static_cast<std::size_t>(label)];
    if (votes == 0 && weight > 0) classes_.push_back(label);
    votes += weight;
  }
}

std::int32_t Ballot::Label() const {
  std::int32_t best = -1;
  double most = 0;
  for (const std::int32_t c : classes_) {
    const double share = votes_[static_cast<std::size_t>(c)] / total_;
    if (share > most || (share == most && c < best)) {
      most = share;
      best = c;
    }
  }
  return best;
}

void Ballot::CopyShares(std::span<double> shares) const {
  std::fill(shares.begin(), shares.end(), 0.0);
  for (const std::int32_t c : classes_) {
    shares[static_cast<std::size_t>(c)] = votes_[static_cast<std::size_t>(c)] / total_;
  }
}

}  // namespace crossfold::knn
