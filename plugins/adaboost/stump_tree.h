// Stumps as trees, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../tree/columns.h"
#include "../tree/tree.h"
#include "stump_finder.h"

namespace crossfold::bundled::adaboost {

// The tree of a split that the finder found by the weights it has at hand; a single leaf without a
// split.
tree::Tree StumpTree(const StumpFinder& finder, const tree::TrainingColumns& columns,
                     const std::optional<StumpCut>& cut);

// A tree that asks one question, or none. Feature 0 and the same label on both sides stand for
// none.
struct Stump {
  std::int32_t feature = 0;
  double threshold = 0;
  std::array<std::size_t, 2> labels{};  // up to the threshold, above it
};
// nullopt if the tree is deeper or splits by levels.
std::optional<Stump> AsStump(const tree::Tree& tree);

// The class that a leaf with these weights gives its rows. Classes whose weight is less than the
// greatest by at most 1e-9 of the sum tie, to the first.
std::size_t HeaviestClass(std::span<const double> class_weights);

}  // namespace crossfold::bundled::adaboost
