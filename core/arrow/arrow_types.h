// The types of the Arrow C data interface by their format strings, and the metadata of a field,
// which are keys and values packed as in that interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"

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

// The key whose value is the role of a column, and its values.
constexpr std::string_view kArrowRoleKey = "crossfold.role";
constexpr std::pair<std::string_view, std::string Roles::*> kArrowRoles[] = {
    {"target", &Roles::target}, {"weights", &Roles::weights}, {"groups", &Roles::groups},
    {"time", &Roles::time},     {"folds", &Roles::folds},     {"strata", &Roles::strata}};

class ArrowMetadata {
 public:
  // Throws Error(kBadData) "<subject><finding>" for a count or length below 0. The length of the
  // bytes cannot be checked.
  ArrowMetadata(const ArrowSchema& schema, const std::string& subject);
  // Returns the value of the key; "" = there is none. It is valid as long as the schema.
  std::string_view Find(std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> entries_;
};

}  // namespace crossfold
