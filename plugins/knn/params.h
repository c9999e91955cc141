// The settings of knn.
#pragma once

#include <array>
#include <cstdint>

#include "crossfold_plugin.hpp"

namespace crossfold::knn {

enum class Distance { kManhattan, kEuclidean, kChebyshev, kMinkowski, kMahalanobis, kGower };
enum class Weights { kUniform, kDistance };

inline constexpr std::array<const char*, 6> kDistanceNames = {
    "manhattan", "euclidean", "chebyshev", "minkowski", "mahalanobis", "gower"};
inline constexpr std::array<const char*, 2> kWeightNames = {"uniform", "distance"};

struct Params {
  std::int64_t k = 5;
  Distance distance = Distance::kEuclidean;
  double p = 2;
  Weights weights = Weights::kUniform;
};

inline constexpr auto kSchema = plugin::Schema(
    plugin::Integer("k", &Params::k, {.low = 1}, "Number of neighbours.",
                    {.flags = CF_PF_SUBMODEL}),
    plugin::Choice("distance", &Params::distance, kDistanceNames, "Distance between two rows.",
                   {.flags = CF_PF_PREPARE}),
    plugin::Real("p", &Params::p, {.low = 1}, "Exponent of the Minkowski distance.",
                 {.flags = CF_PF_PREPARE, .active_if = "distance=minkowski"}),
    plugin::Choice(
        "weights", &Params::weights, kWeightNames,
        "Whether all neighbours count the same, or in inverse proportion to their distance."));

}  // namespace crossfold::knn
