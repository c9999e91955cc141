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

// The keys as the tables have them.
inline std::string_view BytesOf(const Digest& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

// The key covers the component, its version, the content of its plugin's file and the value of
// every parameter, defaults included.
Digest SpecKey(const Spec& spec);
Digest LearnerKey(const Pipeline& learner);

// The key of the repeat (or list) to which `split` belongs. It covers the content of the dataset,
// the rows of the view, and the fold number of each row or the rows of both parts, but not the
// number of the repeat. Takes O(rows).
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

// The key also covers the versions of Crossfold and of the plugin boundary.
Digest SeriesKey(const Digest& learner, const Digest& splits, const SeriesTraits& traits);

}  // namespace crossfold
