#include "utf8.h"

#include <cstdint>
#include <cstring>

namespace crossfold::reading {
namespace {

unsigned ByteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

bool Continues(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// After the character that reaches over `begin`, if there is one.
std::size_t FirstCharacterFrom(std::string_view text, std::size_t begin) {
  std::size_t before = begin;
  for (int i = 0; i < 3 && before > 0; ++i) {
    --before;
    if (!Continues(ByteAt(text, before))) break;
  }
  const std::size_t end = before + Utf8Size(text, before);
  return before < begin && end > begin ? end : begin;
}

}  // namespace

std::size_t Utf8Size(std::string_view text, std::size_t at) {
  const unsigned first = ByteAt(text, at), second = ByteAt(text, at + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !Continues(second)) return 0;
  if (first < 0xE0) return 2;
  if (!Continues(ByteAt(text, at + 2))) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool too_large = first == 0xF4 && second > 0x8F;
  return overlong || too_large || !Continues(ByteAt(text, at + 3)) ? 0 : 4;
}

std::optional<std::size_t> FirstInvalidUtf8(std::string_view text, std::size_t begin,
                                            std::size_t end) {
  std::size_t at = FirstCharacterFrom(text, begin);
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  while (at < end) {
    std::uint64_t eight = kHighBits;
    if (end - at >= sizeof eight) std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) == 0) {
      at += sizeof eight;
      continue;
    }
    const std::size_t size = Utf8Size(text, at);
    if (size == 0) return at;
    at += size;
  }
  return std::nullopt;
}

}  // namespace crossfold::reading
