#include "column_plan.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

namespace crossfold::reading {

ColumnPlan PlanColumn(std::string name, const cf_column_hint* hint) {
  ColumnPlan plan{.name = std::move(name)};
  if (hint == nullptr) return plan;
  plan.type = HasFlag(hint, CF_HINT_UNUSED) ? ColumnType::kIgnore : TypeOf(hint->dtype);
  plan.firm = HasFlag(hint, CF_HINT_FIRM);
  if (plan.type != ColumnType::kCategorical) return plan;
  plan.declared.assign(hint->levels, hint->levels + hint->n_levels);
  plan.ordered = HasFlag(hint, CF_HINT_ORDERED);
  plan.closed = HasFlag(hint, CF_HINT_CLOSED) && hint->n_levels > 0;
  return plan;
}

bool IsMissing(const plugin::SourceColumn& column, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  const bool present = column.validity == nullptr ||
                       (static_cast<unsigned>(column.validity[i / 8]) >> i % 8 & 1U) != 0;
  switch (column.dtype) {
    case CF_F64:
      return !present || std::isnan(static_cast<const double*>(column.data)[i]);
    case CF_F32:
      return !present || std::isnan(static_cast<const float*>(column.data)[i]);
    case CF_CAT32:
      return !present || static_cast<const std::int32_t*>(column.data)[i] < 0;
    default:
      return !present || column.dtype == 0;
  }
}

std::string MissingFinding(const cf_column_hint& hint) {
  const std::string role = hint.role == nullptr ? hint.name : hint.role;
  return "the " + role + " is missing; read the data with drop_missing = { \"" + role +
         "\" } to leave such rows out";
}

}  // namespace crossfold::reading
