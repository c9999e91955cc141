// UTF-8 as the Unicode standard defines it (table 3-7): no overlong forms, no surrogates.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace crossfold::reading {

// Returns the bytes of the character that begins at `at`; 0 = there is none.
std::size_t Utf8Size(std::string_view text, std::size_t at);

// Returns where the first bytes in [begin, end) begin that are not a character of UTF-8. A
// character that began before `begin` is skipped; one that begins in the range is read to its end.
std::optional<std::size_t> FirstInvalidUtf8(std::string_view text, std::size_t begin,
                                            std::size_t end);
inline std::optional<std::size_t> FirstInvalidUtf8(std::string_view text) {
  return FirstInvalidUtf8(text, 0, text.size());
}

}  // namespace crossfold::reading
