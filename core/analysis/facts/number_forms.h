// Strings that are numbers, but not in the form that a reader takes without options; notations of
// different countries: 1234.5, 1.234,5, 1 234,5, 1'234.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold {

struct NumberSigns {
  char decimal = '.';  // or ','
  // Between groups of digits before the decimals; '\0' = none. ' ' also means the blanks U+00A0,
  // U+2009 and U+202F, and '\'' also U+2019.
  char thousands = '\0';

  bool plain() const { return decimal == '.' && thousands == '\0'; }
};

// Returns the number with a decimal point and without thousands signs. A string that is not a
// number with these signs is not one afterwards either: groups have three digits (or two, except
// for the last, as in 12,34,567), the first one up to three, and it does not begin with 0. If
// blanks are thousands signs, blanks around the number are removed.
std::string WithPlainSigns(std::string_view text, NumberSigns signs);

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
