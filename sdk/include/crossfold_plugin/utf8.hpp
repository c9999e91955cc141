// UTF-8 as the Unicode standard defines it (table 3-7): no overlong forms, no surrogates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace crossfold::plugin {

namespace detail {

inline unsigned Utf8Byte(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

inline bool ContinuesUtf8(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

}  // namespace detail

// Returns the bytes of the character that begins at `at`; 0 = there is none.
inline std::size_t Utf8Size(std::string_view text, std::size_t at) {
  const unsigned first = detail::Utf8Byte(text, at), second = detail::Utf8Byte(text, at + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !detail::ContinuesUtf8(second)) return 0;
  if (first < 0xE0) return 2;
  if (!detail::ContinuesUtf8(detail::Utf8Byte(text, at + 2))) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0;
    const bool surrogate = first == 0xED && second > 0x9F;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90;
  const bool too_large = first == 0xF4 && second > 0x8F;
  return overlong || too_large || !detail::ContinuesUtf8(detail::Utf8Byte(text, at + 3)) ? 0 : 4;
}

namespace detail {

// After the character that reaches over `begin`, if there is one.
inline std::size_t FirstCharacterFrom(std::string_view text, std::size_t begin) {
  std::size_t before = begin;
  for (int i = 0; i < 3 && before > 0; ++i) {
    --before;
    if (!ContinuesUtf8(Utf8Byte(text, before))) break;
  }
  const std::size_t end = before + Utf8Size(text, before);
  return before < begin && end > begin ? end : begin;
}

}  // namespace detail

// Returns where the first bytes in [begin, end) begin that are not a character of UTF-8. A
// character that began before `begin` is skipped; one that begins in the range is read to its end.
inline std::optional<std::size_t> FirstInvalidUtf8(std::string_view text, std::size_t begin,
                                                   std::size_t end) {
  std::size_t at = detail::FirstCharacterFrom(text, begin);
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

inline std::optional<std::size_t> FirstInvalidUtf8(std::string_view text) {
  return FirstInvalidUtf8(text, 0, text.size());
}

}  // namespace crossfold::plugin
