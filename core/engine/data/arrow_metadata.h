// The metadata of a field: keys and values, packed as the Arrow C data interface has them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"

namespace crossfold {

// The key whose value is the role of a column, and these values.
constexpr std::string_view kArrowRoleKey = "crossfold.role";
constexpr std::pair<std::string_view, std::string Roles::*> kArrowRoles[] = {
    {"target", &Roles::target}, {"weights", &Roles::weights}, {"groups", &Roles::groups},
    {"time", &Roles::time},     {"folds", &Roles::folds},     {"strata", &Roles::strata}};

class ArrowMetadata {
 public:
  // Throws Error(kBadData) "<subject><finding>" for a count or length below 0; how long the bytes
  // are nobody can know.
  ArrowMetadata(const ArrowSchema& schema, const std::string& subject);
  // "" = there is none of that key. Valid as long as the schema.
  std::string_view Find(std::string_view key) const;

 private:
  std::vector<std::pair<std::string_view, std::string_view>> entries_;
};

}  // namespace crossfold
