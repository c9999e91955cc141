// Stumps as trees, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../tree/columns.h"
#include "../tree/tree.h"
#include "stump_finder.h"

namespace crossfold::bundled::adaboost {

// Returns the tree of a split that the finder found with its current weights; without a split, a
// single leaf.
tree::Tree StumpTree(const StumpFinder& finder, const tree::TrainingColumns& columns,
                     const std::optional<StumpCut>& cut);

// The sides of a stump: values around its threshold, and the weights of the classes.
struct StumpSides {
  std::size_t feature = 0;
  double low = 0, high = 0;
  std::vector<double> left, right;
};
// The same from the weights of all rows.
tree::Tree StumpTree(std::span<const double> all, const std::optional<StumpSides>& sides);

// A tree with one test, or none. Feature 0 and the same label on both sides mean no test.
struct Stump {
  std::int32_t feature = 0;
  double threshold = 0;
  std::array<std::size_t, 2> labels{};  // up to the threshold, above it
};
// nullopt if the tree is deeper or splits by levels.
std::optional<Stump> AsStump(const tree::Tree& tree);

// Weights are rounded in every round, so that equal shares of a leaf may differ by this much.
inline constexpr double kEqualShare = 1e-9;

// Returns the class that a leaf with these weights predicts. Classes whose weight is less than the
// greatest by at most 1e-9 of the sum tie; ties go to the first.
std::size_t HeaviestClass(std::span<const double> class_weights);

}  // namespace crossfold::bundled::adaboost
