// Numbers as text, whatever the locale.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace crossfold::bundled {

// The fewest digits that give back the same double.
inline std::string ShortestText(double x) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
  return {text.data(), end};
}

// At most `digits` significant digits, no zeros at the end. REQUIRES: 1 <= digits <= 17.
inline std::string RoundedText(double x, int digits) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits)
          .ptr;
  return {text.data(), end};
}

}  // namespace crossfold::bundled
