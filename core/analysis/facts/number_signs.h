// Numbers in the notations of different countries: 1234.5, 1.234,5, 1 234,5, 1'234.5.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace crossfold
