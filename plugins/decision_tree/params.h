// The parameters of a decision tree.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "../tree/grow.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

enum class TreeCriterion {
  kAuto,
  kEntropy,
  kGainRatio,
  kGini,
  kSquaredError,
  kRandom,
  kLeastValues,
  kMostValues
};
enum class TreeTies { kEarlier, kRandom };
enum class TreeSplits { kAxis, kOblique };
enum class TreePruning { kNone, kReducedError, kPessimistic, kErrorBased, kCostComplexity };

inline constexpr std::array<const char*, 8> kTreeCriterionNames = {
    "auto",          "entropy", "gain_ratio",   "gini",
    "squared_error", "random",  "least_values", "most_values"};
inline constexpr std::array<const char*, 2> kNominalSplitNames = {"multiway", "subset"};
inline constexpr std::array<const char*, 2> kThresholdNames = {"midpoint", "observed"};
inline constexpr std::array<const char*, 2> kMissingGainNames = {"known_rows", "all_rows"};
inline constexpr std::array<const char*, 2> kTreeTiesNames = {"earlier", "random"};
inline constexpr std::array<const char*, 2> kTreeSplitsNames = {"axis", "oblique"};
inline constexpr std::array<const char*, 5> kTreePruningNames = {
    "none", "reduced_error", "pessimistic", "error_based", "cost_complexity"};

struct TreeParams {
  TreeCriterion criterion = TreeCriterion::kAuto;
  bool average_gain = true;
  bool mdl_correction = false;
  tree::NominalSplit nominal = tree::NominalSplit::kMultiway;
  tree::Threshold threshold = tree::Threshold::kMidpoint;
  tree::MissingGain missing_gain = tree::MissingGain::kKnownRows;
  TreeSplits splits = TreeSplits::kAxis;
  std::int64_t oblique_restarts = 5;
  std::optional<std::int64_t> max_depth;
  double min_rows = 2;
  double min_leaf = 1;
  double min_gain = 0;
  std::optional<double> chi_squared_p;
  std::optional<std::int64_t> features_per_node;
  TreeTies ties = TreeTies::kEarlier;
  tree::Growth growth = tree::Growth::kMemory;
  TreePruning pruning = TreePruning::kNone;
  double validation_share = 0.25;
  double leaf_penalty = 0.5;
  double confidence = 0.25;
  bool subtree_raising = false;
  double ccp_alpha = 0;
  double laplace = 0;
};

// Throws Error (CF_E_INVALID_PARAM) for a criterion, test or pruning that the task does not have.
void CheckTask(const TreeParams& params, bool classification);

// Throws Error (CF_E_INVALID_PARAM) for what `growth` cannot do.
void CheckGrowth(const TreeParams& params);

// Returns what growing needs of them, without max_depth. Checks the task and the growth.
tree::GrowOptions GrowOptionsOf(const TreeParams& params, bool classification, std::uint64_t seed);

}  // namespace crossfold::bundled
