#include "refusal.h"

#include <algorithm>
#include <cstddef>

#include "crossfold_plugin/utf8.hpp"

namespace crossfold::reading {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string ShownUpTo(std::string_view text, std::size_t longest) {
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = plugin::Utf8Size(text, i), taken = std::max(size, std::size_t{1});
    if (shown.size() + taken > longest) return shown + "...";
    if (size == 0) {
      shown += '?';
    } else if (IsControl(text[i])) {
      shown += ' ';
    } else {
      shown += text.substr(i, size);
    }
    i += taken;
  }
  return shown;
}

}  // namespace

std::string Shown(std::string_view text) {
  constexpr std::size_t kLongest = 40;  // bytes
  return ShownUpTo(text, kLongest);
}

std::string ShownWhole(std::string_view text) { return ShownUpTo(text, std::string::npos); }

}  // namespace crossfold::reading
