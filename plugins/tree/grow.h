// Growing a tree from prepared columns and row weights.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "columns.h"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/random.hpp"
#include "tree.h"

namespace crossfold::bundled::tree {

// Where trees are grown: the parameter `growth` of the plugins with trees. The trees are the same.
// kSliq is for data larger than memory: see level_growth.h.
enum class Growth { kMemory, kSliq };
inline constexpr std::array<const char*, 2> kGrowthNames = {"memory", "sliq"};

// The seed of a node, made from that of its tree and the path to the node. `child`: its place among
// the children of the node with `seed`.
inline std::uint64_t SeedOfChild(std::uint64_t seed, std::uint64_t child) {
  plugin::Random random(seed + 0x632BE59BD9B4E019u * (child + 1));
  return random.Next();
}

enum class Criterion : std::uint8_t {
  kEntropy,       // information gain, bits (ID3)
  kGainRatio,     // gain / split information, among the splits of at least average gain (C4.5)
  kGini,          // CART
  kSquaredError,  // regression: variance
  kRandom,        // any feature that splits; its threshold or subset by entropy (or variance)
  kLeastValues,   // the feature with the fewest values at the node; otherwise as kRandom
  kMostValues     // the feature with the most values at the node; otherwise as kRandom
};
enum class NominalSplit : std::uint8_t { kMultiway, kSubset };
// What a gain is when some entries of the feature are missing. Both are multiplied by the known
// fraction; without missing entries they are equal. Regression: always kKnownRows.
enum class MissingGain : std::uint8_t {
  kKnownRows,  // impurity of the known rows - of the children (Quinlan 1993)
  kAllRows     // impurity of all rows - of the children, weighted by their shares of all rows
};
enum class Threshold : std::uint8_t { kMidpoint, kObserved };

struct GrowOptions {
  Criterion criterion = Criterion::kGini;
  NominalSplit nominal = NominalSplit::kMultiway;
  MissingGain missing_gain = MissingGain::kKnownRows;
  // kObserved: the largest training value (of all rows, as C4.5) that is not above the midpoint.
  Threshold threshold = Threshold::kMidpoint;
  // Thresholds of numeric columns as in C4.5 release 8: each side needs a tenth of the average
  // class (at least min_leaf, at most 25), and the gain is lowered by log2(thresholds tried) /
  // weight.
  bool mdl_correction = false;
  // kGainRatio: only splits whose gain is at least the average gain of all possible splits compete.
  bool average_gain_constraint = true;
  bool oblique = false;               // also tries linear combinations of the numeric columns
  std::int64_t oblique_restarts = 5;  // random starts in addition to the best split on one feature

  std::int64_t max_depth = std::numeric_limits<std::int64_t>::max();
  double min_rows = 2;       // weight that a node needs to be split
  double min_leaf = 1;       // known weight that at least two children need; both of two
  double min_gain = 0;       // a split needs a gain above 0 and at least this
  double chi_squared_p = 1;  // a split whose test of independence has a larger p is not made
  std::int64_t features_per_node = 0;  // drawn again at every node; 0 = all
  // The features are tried in a drawn order, and equally good splits go to the one that was drawn
  // first instead of the earlier one, so that a forest does not prefer the first columns.
  bool ties_by_draw = false;
  // Every node draws from its own generator, made from this seed and the path to the node, so a
  // shallower tree is the top of a deeper one.
  std::uint64_t seed = 0;
};

// min_rows and min_leaf are in the unit of the weights: scale weights that sum to 1, or lower both.
// `row_weights`: one per row of `columns`, >= 0; a whole number counts as that many rows, 0 as
// none. May be called any number of times with different weights. With features_per_node, features
// are drawn without replacement until that many that are not constant at the node have been tried.
// Ties go to the earlier feature, then the lower threshold. Throws Error if all weights are 0.
// `context` may be null; else it is checked now and then for cancellation.
Tree Grow(const GrowOptions& options, const TrainingColumns& columns,
          std::span<const double> row_weights, const plugin::Context* context = nullptr);

}  // namespace crossfold::bundled::tree
