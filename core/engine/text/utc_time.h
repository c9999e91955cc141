// The time of the clock, as a string.
#pragma once

#include <string>

namespace crossfold {

// Returns the time now in UTC, such as "2026-11-26T21:45:24Z". It is thread-safe.
std::string UtcTime();
// Returns the day now in UTC, such as "2026-11-26". It is thread-safe.
std::string UtcDate();

}  // namespace crossfold
