// Numbers in exported models.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace crossfold::bundled {

// The shortest text that reads back as the same number, whatever the locale.
inline std::string NumberText(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

}  // namespace crossfold::bundled
