// UTF-8 as the Unicode standard defines it (table 3-7), without overlong forms and surrogates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace crossfold {

// Returns the position of the first bytes in [begin, end) that are not UTF-8. A character that
// began before `begin` is not checked; one that begins in the range is read to its end.
std::optional<std::size_t> FirstInvalidUtf8(std::string_view text, std::size_t begin,
                                            std::size_t end);
inline std::optional<std::size_t> FirstInvalidUtf8(std::string_view text) {
  return FirstInvalidUtf8(text, 0, text.size());
}

}  // namespace crossfold
