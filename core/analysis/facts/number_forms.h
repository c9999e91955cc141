// Strings that are numbers, but not in the form that a reader takes without options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crossfold {

// The entries of a categorical column, read as numbers.
struct NumberForm {
  double share = 0;    // of the entries that are there
  std::string advice;  // how they are written, and the option that reads them; "" = as numbers
  std::vector<std::size_t> others;  // levels that are not numbers, the most frequent first
};

// The most frequent form of the entries: plain numbers, numbers with other decimal or thousands
// separators, or with a percent or currency sign. `counts` has the number of entries with each
// level. Returns nothing if less than `least_share` of the entries have the form.
std::optional<NumberForm> FindNumberForm(std::span<const std::string> levels,
                                         std::span<const std::int64_t> counts, double least_share);

}  // namespace crossfold
