#include "number_text.h"

#include <array>
#include <charconv>

namespace crossfold::bundled {

std::string NumberText(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

std::string RoundedText(double value, int digits) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits)
                       .ptr;
  return std::string(buffer.data(), end);
}

}  // namespace crossfold::bundled
