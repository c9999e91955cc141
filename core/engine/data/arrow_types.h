// The types of the Arrow C data interface by their format strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold {

// Integers of all widths, which are also the indices of dictionaries.
struct ArrowInteger {
  std::size_t size = 0;  // bytes; 0 = the format is no integer
  bool is_signed = false;
};
ArrowInteger ArrowIntegerOf(std::string_view format);

// Dates, times of day and timestamps by the integers that they are stored as; size 0 = none of
// them.
ArrowInteger ArrowTimeOf(std::string_view format);

// "date32" for "tdD", "list" for "+l"; "an unknown type" for what is not in the specification.
std::string_view ArrowTypeName(std::string_view format);

// What a user can do about a column of that type: "cast it to float64 or leave it out".
std::string_view ArrowWayOut(std::string_view format);

}  // namespace crossfold
