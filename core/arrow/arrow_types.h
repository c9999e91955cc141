// The types of the Arrow C data interface by their format strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold {

// Integers of all widths, which are also the indices of dictionaries.
struct ArrowInteger {
  std::size_t size = 0;  // bytes; 0 = the format is not an integer
  bool is_signed = false;
};
ArrowInteger ArrowIntegerOf(std::string_view format);

// The integers as which dates, times of day and timestamps are stored; size 0 = the format is none
// of them.
ArrowInteger ArrowTimeOf(std::string_view format);

// Returns "date32" for "tdD", "list" for "+l", and "an unknown type" for formats that are not in
// the specification.
std::string_view ArrowTypeName(std::string_view format);

// Returns what a user can do about a column of that type: "cast it to float64 or leave it out".
std::string_view ArrowWayOut(std::string_view format);

}  // namespace crossfold
