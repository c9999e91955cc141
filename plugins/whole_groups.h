// For splitters that split rows without using groups: they refuse a split that divides a group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/params.hpp"
#include "crossfold_plugin/splitter.hpp"

namespace crossfold::bundled {

// The parameter of all these splitters.
template <class Params>
constexpr auto IgnoreGroups(bool Params::*member) {
  return plugin::Boolean("ignore_groups", member,
                         "Allow a group to have rows on both sides of a split.");
}

class GroupGuard {
 public:
  GroupGuard(const plugin::SplitInput& input, bool ignore_groups)
      : groups_(ignore_groups ? std::span<const std::int64_t>() : input.groups()) {}

  bool is_on() const { return !groups_.empty(); }

  // Throws Error if a group has rows in both lists of positions.
  void Check(std::span<const std::int64_t> train, std::span<const std::int64_t> test) const {
    if (!is_on()) return;
    std::unordered_map<std::int64_t, std::int64_t> tested;  // a row of each group
    for (const std::int64_t row : test) tested.try_emplace(GroupOf(row), row);
    for (const std::int64_t row : train) {
      const auto place = tested.find(GroupOf(row));
      if (place != tested.end()) Refuse(row, place->second);
    }
  }

  // The same for every split of a partition.
  void CheckPartition(std::span<const std::int32_t> fold_of_row) const {
    if (!is_on()) return;
    std::unordered_map<std::int64_t, std::size_t> first_row;  // of each group
    for (std::size_t row = 0; row < fold_of_row.size(); ++row) {
      const std::size_t first = first_row.try_emplace(groups_[row], row).first->second;
      if (fold_of_row[first] == fold_of_row[row]) continue;
      const bool is_first_tested = fold_of_row[first] >= 0;
      Refuse(static_cast<std::int64_t>(is_first_tested ? row : first),
             static_cast<std::int64_t>(is_first_tested ? first : row));
    }
  }

 private:
  std::int64_t GroupOf(std::int64_t row) const { return groups_[static_cast<std::size_t>(row)]; }

  [[noreturn]] static void Refuse(std::int64_t trained, std::int64_t tested) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                        "row " + std::to_string(tested + 1) + " is tested while row " +
                            std::to_string(trained + 1) +
                            " of the same group trains; use a splitter that keeps groups "
                            "together, such as kfold, or ignore_groups = true");
  }

  std::span<const std::int64_t> groups_;
};

}  // namespace crossfold::bundled
