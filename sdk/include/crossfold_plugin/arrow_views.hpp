// The entries of Arrow's utf8_view: the string itself if it is short, or where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace crossfold::plugin {

constexpr std::size_t kArrowViewBytes = 16;

// Returns the string of the entry at `view`, which need not be aligned and must outlive it.
// buffer_of(i) is the bytes of the buffer with that number, or has no data if there is none;
// nothing if the string is not inside of its buffer.
template <class BufferOf>
std::optional<std::string_view> ArrowViewText(const char* view, const BufferOf& buffer_of) {
  constexpr std::int32_t kMostInPlace = 12;
  struct Entry {
    std::int32_t size, prefix, buffer, offset;
  } entry;
  static_assert(sizeof entry == kArrowViewBytes);
  std::memcpy(&entry, view, sizeof entry);
  if (entry.size < 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(entry.size);
  if (entry.size <= kMostInPlace) return std::string_view(view + sizeof entry.size, size);
  if (entry.buffer < 0 || entry.offset < 0) return std::nullopt;
  const std::string_view bytes = buffer_of(static_cast<std::size_t>(entry.buffer));
  const auto begin = static_cast<std::size_t>(entry.offset);
  if (bytes.data() == nullptr || begin > bytes.size() || size > bytes.size() - begin) {
    return std::nullopt;
  }
  return bytes.substr(begin, size);
}

}  // namespace crossfold::plugin
