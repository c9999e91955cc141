#include "engine/run/table_schema.h"

#include <algorithm>
#include <string_view>

#include "crossfold_plugin/view.hpp"

namespace crossfold {
namespace {

std::span<const char* const> LevelsOf(const cf_column& column) {
  return {column.levels, column.levels == nullptr ? 0 : static_cast<std::size_t>(column.n_levels)};
}

}  // namespace

std::string_view TypeName(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return "a 64-bit float";
    case CF_F32:
      return "a 32-bit float";
    case CF_I32:
      return "a 32-bit integer";
    case CF_I64:
      return "a 64-bit integer";
    case CF_BOOL8:
      return "a bool";
    default:
      return "categorical";
  }
}

TableSchema::TableSchema(std::span<const cf_column> features) {
  features_.reserve(features.size());
  for (const cf_column& column : features) {
    const auto levels = LevelsOf(column);
    features_.push_back(
        {column.name, column.dtype, plugin::IsOrdered(column), {levels.begin(), levels.end()}});
  }
}

std::string TableSchema::FindDifference(std::span<const cf_column> features) const {
  for (std::size_t j = 0; j < std::min(features.size(), features_.size()); ++j) {
    const ColumnDeclaration& expected = features_[j];
    const cf_column& found = features[j];
    const std::string where = "feature " + std::to_string(j + 1);
    if (expected.name != found.name) {
      return where + " is '" + found.name + "' instead of '" + expected.name + "'";
    }
    const std::string named = where + " '" + expected.name + "'";
    if (expected.dtype != found.dtype) {
      return named + " is " + std::string(TypeName(found.dtype)) + " instead of " +
             std::string(TypeName(expected.dtype));
    }
    if (!std::ranges::equal(expected.levels, LevelsOf(found), {}, {},
                            [](const char* level) { return std::string_view(level); }) ||
        expected.ordered != plugin::IsOrdered(found)) {
      return named + " has different levels";
    }
  }
  if (features.size() == features_.size()) return "";
  return "there are " + std::to_string(features.size()) + " features instead of " +
         std::to_string(features_.size());
}

}  // namespace crossfold
