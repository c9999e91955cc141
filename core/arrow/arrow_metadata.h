// The metadata of a field, which are keys and values packed as in the Arrow C data interface.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"

namespace crossfold {

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
