#include "analysis/facts/number_signs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/text/ascii.h"

namespace crossfold {
namespace {

// Returns the bytes of the thousands sign that `text` begins with; 0 = none.
std::size_t SignSize(std::string_view text, char thousands) {
  if (text[0] == thousands) return 1;
  if (thousands == '\'') return text.starts_with("\u2019") ? 3 : 0;
  if (thousands != ' ') return 0;
  constexpr std::array<std::string_view, 3> kBlanks = {"\u00A0", "\u2009", "\u202F"};
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

// Removes the blanks of SignSize at both ends.
std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && SignSize(text, ' ') > 0) text.remove_prefix(SignSize(text, ' '));
  for (std::size_t n = 1; n <= 3 && n <= text.size(); ++n) {
    if (SignSize(text.substr(text.size() - n), ' ') != n) continue;
    text.remove_suffix(n);
    n = 0;
  }
  return text;
}

// Whether digits in groups of these sizes are thousands, or lakhs and crores.
bool AreThousands(const std::vector<std::size_t>& sizes) {
  if (sizes.size() < 2 || sizes.back() != 3) return false;
  const auto all = [&](std::size_t size) {
    return sizes[0] >= 1 && sizes[0] <= size &&
           std::all_of(sizes.begin() + 1, sizes.end() - 1,
                       [size](std::size_t other) { return other == size; });
  };
  return all(3) || all(2);
}

std::string WithoutThousands(std::string text, char thousands) {
  const std::string_view all = text;
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at < text.size() && text[at] == '0') return text;
  std::string joined(all.substr(0, at));
  std::vector<std::size_t> sizes(1);
  while (at < text.size()) {
    if (IsDigit(text[at])) {
      joined += text[at++];
      ++sizes.back();
      continue;
    }
    const std::size_t size = SignSize(all.substr(at), thousands);
    if (size == 0) break;
    sizes.push_back(0);
    at += size;
  }
  return AreThousands(sizes) ? joined.append(all.substr(at)) : text;
}

}  // namespace

std::string WithPlainSigns(std::string_view text, NumberSigns signs) {
  std::string plain(signs.thousands == ' ' ? WithoutBlanks(text) : text);
  char thousands = signs.thousands;
  if (signs.decimal == ',') {
    // A point becomes a comma, so that 1.5 is not a number.
    for (char& c : plain) {
      if (c == ',' || c == '.') c = c == ',' ? '.' : ',';
    }
    if (thousands == '.') thousands = ',';
  }
  return thousands == '\0' ? plain : WithoutThousands(std::move(plain), thousands);
}

}  // namespace crossfold
