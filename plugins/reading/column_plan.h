// The type and levels of a column that are known before it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "column_type.h"
#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/source.h"

namespace crossfold::reading {

struct ColumnPlan {
  std::string name = {};
  ColumnType type = ColumnType::kInfer;
  bool firm = false;                       // the type is required; else it is preferred
  std::vector<std::string> declared = {};  // first levels of a categorical column, distinct
  bool ordered = false;                    // they have an order, if there are no others
  bool closed = false;                     // a different level is an error
};

// `hint` may be null.
ColumnPlan PlanColumn(std::string name, const cf_column_hint* hint);

inline bool HasFlag(const cf_column_hint* hint, std::uint32_t flag) {
  return hint != nullptr && (hint->flags & flag) != 0;
}

bool IsMissing(const plugin::SourceColumn& column, std::int64_t row);

// Returns what is wrong with a missing entry of a column that must be complete.
std::string MissingFinding(const cf_column_hint& hint);

}  // namespace crossfold::reading
