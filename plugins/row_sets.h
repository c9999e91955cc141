// The rows a splitter was given, in sets: all of them, or group by group (strata.h: class by
// class).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "crossfold_plugin/splitter.hpp"

namespace crossfold::bundled {

using RowSet = std::vector<std::int64_t>;  // positions

// "1 row", "7 rows".
inline std::string Counted(std::int64_t n, const char* noun) {
  return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

// 0, 1, ..., n_rows-1.
inline RowSet AllRows(std::int64_t n_rows) {
  RowSet all(static_cast<std::size_t>(n_rows));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

// All rows as one set.
inline std::vector<RowSet> AllRowsAsOneSet(std::int64_t n_rows) {
  std::vector<RowSet> sets;
  sets.push_back(AllRows(n_rows));  // a list of initializers would copy it
  return sets;
}

// One ascending set for each group, in the order in which the groups first appear.
inline std::vector<RowSet> RowsByGroup(const plugin::SplitInput& input) {
  std::vector<RowSet> groups;
  std::unordered_map<std::int64_t, std::size_t> index_of;
  std::int64_t row = 0;
  for (const std::int64_t group : input.groups()) {
    const auto [place, is_new] = index_of.try_emplace(group, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(row++);
  }
  return groups;
}

}  // namespace crossfold::bundled
