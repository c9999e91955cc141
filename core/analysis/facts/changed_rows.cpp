#include "analysis/facts/changed_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "crossfold_plugin/random.hpp"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

using plugin::Random;
using Rows = std::span<const std::int64_t>;

// The present entries of a column, in order of rows.
template <class T>
std::vector<T> PresentEntries(const Column& column, std::span<const T> entries) {
  std::vector<T> present;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (IsValid(column, i) && !MarksMissing(column.dtype, entries[i]))
      present.push_back(entries[i]);
  }
  return present;
}

// A number above `high` by one to ten times the range; `high` itself where there is none.
template <class T>
T Beyond(T low, T high, bool whole, Random& random) {
  const double range = static_cast<double>(high) - static_cast<double>(low);
  const double step = std::max(range, std::max(1.0, 0.1 * std::abs(static_cast<double>(high))));
  double value = static_cast<double>(high) + step * (1 + 9 * random.Uniform());
  if (whole) value = std::floor(value);
  // Below a quarter of the limit, so that sums and squares of a few stay where learners expect
  // them.
  const double limit = std::is_integral_v<T>
                           ? 0.25 * static_cast<double>(std::numeric_limits<T>::max())
                           : static_cast<double>(std::numeric_limits<T>::max());
  return std::isfinite(value) && value < limit ? static_cast<T>(value) : high;
}

template <class T>
bool AreWhole(const std::vector<T>& entries) {
  if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    return std::all_of(entries.begin(), entries.end(), [](T x) { return x == std::floor(x); });
  }
}

// A copy of `column` whose entries are replaced by `make(old entry)` in `rows`, where present.
template <class T, class Make>
Column WithEntries(const Column& column, std::span<const T> entries, Rows rows, Make make) {
  struct Kept {
    std::vector<T> entries;
    std::shared_ptr<const void> before;  // owns the validity
  };
  auto kept = std::make_shared<Kept>();
  kept->entries.assign(entries.begin(), entries.end());
  kept->before = column.owner;
  for (const std::int64_t row : rows) {
    const auto i = static_cast<std::size_t>(row);
    if (!IsValid(column, i) || MarksMissing(column.dtype, entries[i])) continue;
    kept->entries[i] = make(entries[i]);
  }
  Column changed = column;
  changed.data = kept->entries.data();
  changed.owner = std::move(kept);
  return changed;
}

Column ChangedFeature(const Column& column, Rows rows, bool beyond, Random& random) {
  return VisitEntries(column, [&]<class T>(std::span<const T> entries) {
    const std::vector<T> present = PresentEntries(column, entries);
    if (present.empty()) return column;
    const auto [low, high] = std::minmax_element(present.begin(), present.end());
    const bool whole = AreWhole(present);
    return WithEntries(column, entries, rows, [&, low = *low, high = *high](T) -> T {
      const bool far = beyond && random.Below(2) == 1;
      if (far && column.dtype == CF_CAT32) {
        return static_cast<T>(random.Below(column.levels.size()));
      }
      if (far && column.dtype == CF_BOOL8) return static_cast<T>(random.Below(2));
      if (far) return Beyond(low, high, whole, random);
      return present[random.Below(present.size())];
    });
  });
}

// A class becomes another one; a number the entry of another row, moved by up to the range.
Column ChangedTarget(const Column& column, Rows rows, Random& random) {
  return VisitEntries(column, [&]<class T>(std::span<const T> entries) {
    if (column.dtype == CF_BOOL8) {
      return WithEntries(column, entries, rows, [](T old) { return static_cast<T>(old == 0); });
    }
    if (column.dtype == CF_CAT32) {
      const std::uint64_t k = column.levels.size();
      return WithEntries(column, entries, rows, [&](T old) -> T {
        if (k < 2) return old;
        return static_cast<T>((static_cast<std::uint64_t>(old) + 1 + random.Below(k - 1)) % k);
      });
    }
    return ChangedFeature(column, rows, /*beyond=*/true, random);
  });
}

// The entries of the rows, among these rows.
Column Shuffled(const Column& column, Rows rows, Random& random) {
  std::vector<std::int64_t> order(rows.begin(), rows.end());
  random.Shuffle(std::span<std::int64_t>(order));
  return VisitEntries(column, [&]<class T>(std::span<const T> entries) {
    std::size_t next = 0;
    return WithEntries(column, entries, rows,
                       [&](T) { return entries[static_cast<std::size_t>(order[next++])]; });
  });
}

bool HasRole(const Roles& roles, const std::string& name) {
  return name == roles.target || name == roles.weights || name == roles.groups ||
         name == roles.time || name == roles.folds || name == roles.strata ||
         std::ranges::find(roles.coordinates, name) != roles.coordinates.end() ||
         std::any_of(roles.row_costs.begin(), roles.row_costs.end(),
                     [&](const auto& cost) { return cost.second == name; });
}

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

std::shared_ptr<const Dataset> ChangeRows(const std::shared_ptr<const Dataset>& data, Rows rows,
                                          const RowChange& change) {
  const Roles& roles = data->roles();
  std::vector<Column> columns;
  Random random(change.seed);
  for (const Column& column : data->columns()) {
    Random own(random.Next());  // a column's entries do not depend on the columns before it
    if (change.target && column.name == roles.target) {
      columns.push_back(ChangedTarget(column, rows, own));
    } else if (change.target && column.name == roles.weights) {
      columns.push_back(Shuffled(column, rows, own));
    } else if (change.features && !HasRole(roles, column.name)) {
      columns.push_back(ChangedFeature(column, rows, change.beyond, own));
    } else {
      columns.push_back(column);
    }
  }
  return Dataset::Rebuild(*data, std::move(columns), roles);
}

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
