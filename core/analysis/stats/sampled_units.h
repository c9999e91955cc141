// What is drawn together when rows are sampled with replacement: a row with all that belongs to it,
// or a whole group of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "crossfold_plugin/random.hpp"

namespace crossfold::stats {

struct SampledUnits {
  std::vector<std::size_t> of;  // the unit of each element, from 0 in the order of appearance
  std::size_t count = 0;
};

// Elements with the same name are one unit.
inline SampledUnits NumberUnits(std::span<const std::int64_t> names) {
  SampledUnits units;
  std::unordered_map<std::int64_t, std::size_t> known;
  for (const std::int64_t name : names) {
    units.of.push_back(known.try_emplace(name, known.size()).first->second);
  }
  units.count = known.size();
  return units;
}

// Every one of `n` elements is a unit.
inline SampledUnits SingleUnits(std::size_t n) {
  SampledUnits units;
  for (std::size_t i = 0; i < n; ++i) units.of.push_back(i);
  units.count = n;
  return units;
}

// Draws the same number of units as there are; times[u] = how often unit u is in the sample.
inline void DrawUnits(plugin::Random& random, std::size_t count, std::vector<std::size_t>& times) {
  times.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) ++times[static_cast<std::size_t>(random.Below(count))];
}

}  // namespace crossfold::stats
