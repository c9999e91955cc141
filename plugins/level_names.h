// Features with levels: categorical ones, and bools, whose levels are false and true.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin.hpp"
#include "feature_text.h"

namespace crossfold::bundled {

inline bool HasLevels(const plugin::FeatureView& rows, std::int64_t j) {
  return rows.is_categorical(j) || rows.column(j).dtype == CF_BOOL8;
}

// By code; none for a feature of numbers.
inline std::vector<std::string> LevelNames(const plugin::FeatureView& rows, std::int64_t j) {
  if (rows.column(j).dtype == CF_BOOL8) return {"false", "true"};
  if (!rows.is_categorical(j)) return {};
  return {rows.column(j).levels, rows.column(j).levels + rows.num_levels(j)};
}

// For the learner of that short name, which does not take numbers.
inline void RequireLevels(const plugin::FeatureView& rows, std::int64_t j, const char* learner) {
  if (HasLevels(rows, j)) return;
  throw plugin::Error(
      CF_E_UNSUPPORTED_DATA,
      FeatureText(rows, j) + " is numeric; put a discretizing transform before " + learner);
}

}  // namespace crossfold::bundled
