// Texts that are numbers, but not as a reader takes them without options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crossfold {

// What the entries of a column of categories say when they are read as numbers.
struct NumberForm {
  double share = 0;                 // of the entries that are there
  std::string advice;               // how they are written, and what reads them so; "" = as numbers
  std::vector<std::size_t> others;  // levels that are none, the frequent first
};

// The form that most entries have, of plain numbers, those with other decimal or thousands signs,
// and those with a percent or currency sign. `counts` are of the entries with these levels. Nothing
// if fewer than `least_share` of the entries have it.
std::optional<NumberForm> FindNumberForm(std::span<const std::string> levels,
                                         std::span<const std::int64_t> counts, double least_share);

}  // namespace crossfold
