// Numbers as text, independent of the locale.
#pragma once

#include <string>

namespace crossfold::bundled {

// The shortest text that reads back as the same number.
std::string NumberText(double value);

// Returns at most `digits` significant digits, without zeros at the end. REQUIRES: 1 <= digits <=
// 17.
std::string RoundedText(double value, int digits);

}  // namespace crossfold::bundled
