// Keys under which a store finds things again: SHA-256 over what they are made from, every text and
// list with its length, so that no two definitions have the same bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "crossfold/cell.h"
#include "crossfold/pipeline.h"
#include "crossfold/split.h"
#include "engine/data/sha256.h"

namespace crossfold {

// As the tables have them.
inline std::string_view BytesOf(const Digest& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

// Component, its version, the content of its plugin's file and the value of every parameter,
// defaults included.
Digest SpecKey(const Spec& spec);
Digest LearnerKey(const Pipeline& learner);

// The repeat (or list) to which `split` belongs: content of the dataset, rows of the view, and the
// fold number of each or the rows of both parts. The number of the repeat is not in it. O(rows).
Digest SplitsKey(const SplitPlan& plan, std::int64_t split);

// What the cells of a series have in common, in addition to their learner and splits.
struct SeriesTraits {
  std::int64_t repeat = 0;
  std::uint64_t seed = 0;
  bool probabilities = false;
  bool separate = false;  // computed without sharing, where that can matter

  friend bool operator==(const SeriesTraits&, const SeriesTraits&) = default;
};

// `share`: RunOptions::share.
SeriesTraits TraitsOf(const CellBlock& block, std::int64_t split, bool share);

// Also covers the versions of Crossfold and of the plugin boundary.
Digest SeriesKey(const Digest& learner, const Digest& splits, const SeriesTraits& traits);

}  // namespace crossfold
