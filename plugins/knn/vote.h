// What the neighbours of a row say about it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crossfold_plugin.hpp"
#include "nearest.h"
#include "params.h"

namespace crossfold::knn {

struct Vote {
  std::size_t position;  // among the training rows
  double weight;
};

// 1/length, in units in which the nearest neighbour gets 1: tiny distances cannot overflow.
inline double InverseDistance(double nearest, double length) {
  if (nearest == 0) return length == 0 ? 1 : 0;
  return nearest / length;
}

// Throws Error if a distance is not a number any more. REQUIRES: there are neighbours.
template <class Metric>
void Weigh(const Metric& metric, Weights weights, std::span<const Neighbour> neighbours,
           std::vector<Vote>& votes) {
  if (!std::isfinite(neighbours.back().key)) {
    throw plugin::Error(CF_E_NUMERIC,
                        "a distance exceeds the range of numbers; rescale the features");
  }
  const double nearest = metric.Length(neighbours.front().key);
  votes.clear();
  for (const Neighbour& n : neighbours) {
    const double weight =
        weights == Weights::kUniform ? 1.0 : InverseDistance(nearest, metric.Length(n.key));
    votes.push_back({static_cast<std::size_t>(n.position), weight});
  }
}

// With uniform weights a share is a whole number of votes over k, so shares tie exactly where votes
// do. `shares` has one entry a class.
inline void ShareVotes(std::span<const Vote> votes, std::span<const std::int32_t> labels,
                       std::span<double> shares) {
  for (double& share : shares) share = 0;
  double total = 0;
  for (const Vote& vote : votes) {
    shares[static_cast<std::size_t>(labels[vote.position])] += vote.weight;
    total += vote.weight;
  }
  for (double& share : shares) share /= total;
}

inline double MeanOfVotes(std::span<const Vote> votes, std::span<const double> values) {
  double sum = 0, total = 0;
  for (const Vote& vote : votes) {
    sum += vote.weight * values[vote.position];
    total += vote.weight;
  }
  return sum / total;
}

}  // namespace crossfold::knn
