#include "row_sets.h"

#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace crossfold::bundled {

std::string Counted(std::int64_t n, const char* noun) {
  return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

RowSet AllRows(std::int64_t n_rows) {
  RowSet all(static_cast<std::size_t>(n_rows));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

std::vector<RowSet> AllRowsAsOneSet(std::int64_t n_rows) {
  std::vector<RowSet> sets;
  sets.push_back(AllRows(n_rows));  // a list of initializers would copy it
  return sets;
}

std::vector<RowSet> RowsByGroup(const plugin::SplitInput& input) {
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
