// The tree of features within a tree-augmented naive Bayes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crossfold::bundled {

inline constexpr std::int32_t kNoLevel = -1;   // of a missing entry
inline constexpr std::int32_t kNoParent = -1;  // of the root
// Informations that differ by at most this much are equal, in nats: far above the rounding of their
// sums, which depends on the order of rows and levels.
inline constexpr double kEqualInformation = 1e-12;

// Training rows as level codes, one list per feature.
struct LevelTable {
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::size_t> n_levels;
  std::vector<std::size_t> classes;
  std::vector<double> weights;
  std::size_t n_classes = 0;
};

// The mutual information of features i and j given the class, in nats, over the rows that have
// both; 0 if there are none.
double ConditionalMutualInformation(const LevelTable& table, std::size_t i, std::size_t j);

// Returns the parents in the spanning tree of the largest total weight, directed away from feature
// 0. `weights` is d x d, the entries above the diagonal are read; ties (see kEqualInformation) go
// to the edge with the lower first feature, then to the lower second one.
std::vector<std::int32_t> MaximumSpanningTree(std::span<const double> weights, std::size_t d);

}  // namespace crossfold::bundled
