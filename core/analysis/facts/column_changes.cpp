#include "analysis/facts/column_changes.h"

#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

bool IsCategorical(const Column& column) { return column.dtype == CF_CAT32; }

// Whether both have the same entry in `row`; entries of category columns are compared by name.
template <class A, class B>
bool AreEqual(const Column& a, A x, const Column& b, B y) {
  if (IsCategorical(a) != IsCategorical(b)) return false;
  if (IsCategorical(a)) {
    return a.levels[static_cast<std::size_t>(x)] == b.levels[static_cast<std::size_t>(y)];
  }
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    return static_cast<std::int64_t>(x) == static_cast<std::int64_t>(y);
  } else {
    return static_cast<double>(x) == static_cast<double>(y);
  }
}

ColumnChange Compare(const Column& a, const Column& b, std::span<const std::int64_t> rows) {
  ColumnChange change{a.name};
  VisitEntries(a, [&](auto x) {
    VisitEntries(b, [&](auto y) {
      for (const std::int64_t row : rows) {
        const auto i = static_cast<std::size_t>(row);
        const bool missing_a = !IsValid(a, i) || MarksMissing(a.dtype, x[i]);
        const bool missing_b = !IsValid(b, i) || MarksMissing(b.dtype, y[i]);
        if (missing_a && missing_b) continue;
        if (missing_a == missing_b && AreEqual(a, x[i], b, y[i])) continue;
        if (change.count++ == 0) change.first_row = row;
      }
    });
  });
  return change;
}

}  // namespace

std::vector<ColumnChange> FindColumnChanges(const Dataset& before, const Dataset& after,
                                            std::span<const std::int64_t> rows) {
  std::vector<ColumnChange> changes;
  for (const Column& column : before.columns()) {
    const Column* other = after.FindColumn(column.name);
    if (other == nullptr) {
      changes.push_back({column.name, ColumnFate::kGone});
      continue;
    }
    ColumnChange change = Compare(column, *other, rows);
    if (change.count > 0) changes.push_back(std::move(change));
  }
  for (const Column& column : after.columns()) {
    if (before.FindColumn(column.name) == nullptr)
      changes.push_back({column.name, ColumnFate::kNew});
  }
  return changes;
}

}  // namespace crossfold
