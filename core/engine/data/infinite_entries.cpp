#include "crossfold/infinite_entries.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "engine/data/column_entries.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

// The first row with an infinite entry that is there; the number of rows if there is none.
template <class T>
std::size_t FirstInfinite(const Column& column) {
  const auto* const entries = static_cast<const T*>(column.data);
  const auto n = static_cast<std::size_t>(column.n_rows);
  for (std::size_t row = 0; row < n; ++row) {
    if (std::isinf(entries[row]) && IsValid(column, row)) return row;
  }
  return n;
}

template <class T>
std::vector<T> FiniteEntries(const Column& column) {
  const auto* const entries = static_cast<const T*>(column.data);
  std::vector<T> finite(entries, entries + column.n_rows);
  for (std::size_t row = 0; row < finite.size(); ++row) {
    if (std::isinf(finite[row]) || !IsValid(column, row)) {
      finite[row] = std::numeric_limits<T>::quiet_NaN();
    }
  }
  return finite;
}

}  // namespace

InfiniteEntries InfiniteEntriesFromName(std::string_view name) {
  const std::vector<std::string> known = {"refuse", "missing", "keep"};
  const auto found = std::ranges::find(known, name);
  if (found != known.end()) return static_cast<InfiniteEntries>(found - known.begin());
  throw Error(ErrorKind::kInvalidArgument, "cannot use infinite = '" + std::string(name) +
                                               "': there is no such word; " +
                                               KnownNames(name, known));
}

void SettleInfiniteEntries(std::vector<Column>& columns, InfiniteEntries wanted,
                           const std::string& attempt) {
  if (wanted == InfiniteEntries::kKeep) return;
  for (Column& column : columns) {
    const bool is_double = column.dtype == CF_F64;
    if ((!is_double && column.dtype != CF_F32) || column.data == nullptr) continue;
    const auto row = is_double ? FirstInfinite<double>(column) : FirstInfinite<float>(column);
    if (row == static_cast<std::size_t>(std::max<std::int64_t>(column.n_rows, 0))) continue;
    if (wanted == InfiniteEntries::kRefuse) {
      throw Error(ErrorKind::kBadData,
                  attempt + ": column '" + Shown(column.name) + "', row " +
                      std::to_string(row + 1) +
                      ": the entry is infinite; give infinite = \"missing\" to make such entries "
                      "missing, \"keep\" to keep them, or leave the column out");
    }
    column = is_double ? Column::Doubles(column.name, FiniteEntries<double>(column))
                       : Column::Floats(column.name, FiniteEntries<float>(column));
  }
}

}  // namespace crossfold
