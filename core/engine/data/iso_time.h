// Dates and times as ISO 8601 writes them, as numbers that can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crossfold {

struct IsoTime {
  std::int64_t days = 0;  // since 1970-01-01
  double seconds = 0;     // of the day
  bool has_clock = false;
};

// "2024-01-31", also followed by 'T' or a blank, hh:mm or hh:mm:ss or hh:mm:ss.fraction, and
// perhaps 'Z'. Nothing for other texts, days that no month has, and offsets of time zones.
std::optional<IsoTime> ParseIsoTime(std::string_view text);

}  // namespace crossfold
