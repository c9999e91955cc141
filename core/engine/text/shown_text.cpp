#include "engine/text/shown_text.h"

#include <algorithm>
#include <cstddef>

namespace crossfold {

std::string Shown(std::string_view text) {
  constexpr std::size_t kMaxLength = 40;  // bytes
  std::size_t length = std::min(text.size(), kMaxLength);
  const auto continues = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  if (length < text.size()) {
    while (length > 0 && continues(length)) --length;  // no half character
  }
  std::string shown(text.substr(0, length));
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return length < text.size() ? shown + "..." : shown;
}

}  // namespace crossfold
