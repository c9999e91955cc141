// Dates and times in the ISO 8601 format as numbers that can be compared.
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

// Parses "2024-01-31", which may be followed by 'T' or a blank, by hh:mm, hh:mm:ss or
// hh:mm:ss.fraction, and by 'Z'. Returns nothing for other strings, invalid days, and offsets of
// time zones.
std::optional<IsoTime> ParseIsoTime(std::string_view text);

}  // namespace crossfold
