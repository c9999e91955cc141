// Numbers as text, independent of the locale.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace crossfold::bundled {

// The shortest text that reads back as the same number.
inline std::string NumberText(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

// Returns at most `digits` significant digits, without zeros at the end. REQUIRES: 1 <= digits <=
// 17.
inline std::string RoundedText(double value, int digits) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  return std::string(buffer.data(), end);
}

}  // namespace crossfold::bundled
