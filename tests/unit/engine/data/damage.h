// Damaged copies of bytes that something wrote: every cut, and every byte changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crossfold {

// Calls visit(damaged) for the bytes without what follows each place.
template <class Visit>
void ForEachCut(std::string_view whole, const Visit& visit) {
  for (std::size_t n = 0; n < whole.size(); ++n) visit(std::string(whole.substr(0, n)));
}

// Calls visit(damaged) with a bit of each byte turned, and with each byte set to 255, so that
// lengths become huge.
template <class Visit>
void ForEachFlip(std::string_view whole, const Visit& visit) {
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged(whole);
    damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ (1U << (i % 8)));
    visit(damaged);
    damaged[i] = '\xff';
    visit(damaged);
  }
}

}  // namespace crossfold
