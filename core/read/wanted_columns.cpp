#include "read/wanted_columns.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arrow/category_levels.h"
#include "crossfold/column_types.h"
#include "crossfold/error.h"
#include "crossfold/nearest_name.h"
#include "engine/data/column_entries.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

template <class T>
std::string EntryText(std::int32_t dtype, T entry) {
  if (dtype == CF_BOOL8) return entry != 0 ? "true" : "false";
  if constexpr (std::is_floating_point_v<T>) {
    return FormatShortest(static_cast<double>(entry) + 0.0);  // -0.0 and 0.0 are one level
  } else {
    return std::to_string(entry);
  }
}

// Whether To can represent this value exactly.
template <class To, class From>
bool Fits(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Both bounds are powers of two, so they are exact in any float.
    const auto lowest = static_cast<From>(std::numeric_limits<To>::min());
    return value >= lowest && value < -lowest && value == std::trunc(value);
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    return std::in_range<To>(value);
  } else if constexpr (std::is_integral_v<From>) {
    const auto made = static_cast<long double>(static_cast<To>(value));
    return made == static_cast<long double>(value);
  } else {
    return true;  // rounded, as a number in a text file would be
  }
}

class Conversion {
 public:
  Conversion(const Column& column, const cf_column_hint& hint, const std::string& attempt)
      : column_(column), hint_(hint), subject_(attempt + "column '" + Shown(column.name) + "'") {}

  Column ToNumbers() const {
    if (column_.dtype == CF_CAT32 || column_.dtype == CF_BOOL8) RefuseType();
    switch (hint_.dtype) {
      case CF_F64:
        return Column::Doubles(column_.name, Numbers<double>());
      case CF_F32:
        return Column::Floats(column_.name, Numbers<float>());
      case CF_I32:
        return Column::Integers32(column_.name, Numbers<std::int32_t>(), Present());
      case CF_I64:
        return Column::Integers(column_.name, Numbers<std::int64_t>(), Present());
      default:
        RefuseType();
    }
  }

  Column ToCategories() const {
    LevelSet found;
    std::vector<std::int32_t> codes(static_cast<std::size_t>(column_.n_rows), -1);
    VisitEntries(column_, [&](auto entries) {
      for (std::size_t row = 0; row < entries.size(); ++row) {
        if (IsMissing(row, entries[row])) continue;
        codes[row] = found.CodeOf(column_.dtype == CF_CAT32
                                      ? column_.levels[static_cast<std::size_t>(entries[row])]
                                      : EntryText(column_.dtype, entries[row]));
      }
    });
    // Levels without rows are kept.
    for (const std::string& level : column_.levels) found.CodeOf(level);
    const std::vector<std::string> declared(hint_.levels, hint_.levels + hint_.n_levels);
    OrderedLevels ordered = OrderLevels(found, declared);
    const bool closed = (hint_.flags & CF_HINT_CLOSED) != 0;
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] < 0) continue;
      const auto code = static_cast<std::size_t>(codes[row]);
      codes[row] = ordered.code_of_found[code];
      if (!closed || codes[row] < hint_.n_levels) continue;
      RefuseEntry(row, "'" + Shown(found.level(code)) + "' is not one of its levels; " +
                           KnownNames(found.level(code), declared));
    }
    if (closed) ordered.levels.resize(declared.size());
    Column made = Column::Categories(column_.name, std::move(codes), std::move(ordered.levels));
    made.ordered = IsOrdered(made.levels.size());
    return made;
  }

  bool HasWantedLevels() const {
    const auto n = static_cast<std::size_t>(hint_.n_levels);
    if (column_.levels.size() < n) return false;
    if ((hint_.flags & CF_HINT_CLOSED) != 0 && column_.levels.size() != n) return false;
    return std::equal(hint_.levels, hint_.levels + n, column_.levels.begin(),
                      [](const char* wanted, const std::string& level) { return wanted == level; });
  }

  bool IsOrdered(std::size_t n_levels) const {
    return (hint_.flags & CF_HINT_ORDERED) != 0 &&
           n_levels == static_cast<std::size_t>(hint_.n_levels);
  }

 private:
  template <class T>
  bool IsMissing(std::size_t row, T entry) const {
    return !IsValid(column_, row) || MarksMissing(column_.dtype, entry);
  }

  std::vector<bool> Present() const {
    std::vector<bool> present(static_cast<std::size_t>(column_.n_rows));
    for (std::size_t row = 0; row < present.size(); ++row) {
      present[row] = !column_.is_missing(static_cast<std::int64_t>(row));
    }
    return present;
  }

  template <class To>
  std::vector<To> Numbers() const {
    return VisitEntries(column_, [&](auto entries) {
      std::vector<To> values(entries.size());
      for (std::size_t row = 0; row < entries.size(); ++row) {
        if (IsMissing(row, entries[row])) {
          if constexpr (std::is_floating_point_v<To>) {
            values[row] = std::numeric_limits<To>::quiet_NaN();
          }
        } else if (Fits<To>(entries[row])) {
          values[row] = static_cast<To>(entries[row]);
        } else {
          RefuseEntry(row, EntryText(column_.dtype, entries[row]) +
                               " cannot be stored exactly as " +
                               std::string(ColumnTypeName(hint_.dtype)));
        }
      }
      return values;
    });
  }

  [[noreturn]] void RefuseType() const {
    throw Error(ErrorKind::kBadData,
                subject_ + " is of type " + std::string(ColumnTypeName(column_.dtype)) + " (type " +
                    std::string(ColumnTypeName(hint_.dtype)) + " was requested)");
  }

  [[noreturn]] void RefuseEntry(std::size_t row, const std::string& finding) const {
    throw Error(ErrorKind::kBadData,
                subject_ + ", row " + std::to_string(row + 1) + ": " + finding);
  }

  const Column& column_;
  const cf_column_hint& hint_;
  std::string subject_;
};

}  // namespace

Column WantedColumn(Column column, const cf_column_hint& hint, const std::string& attempt) {
  const Conversion conversion(column, hint, attempt);
  if (hint.dtype != CF_CAT32) {
    const bool is_wanted = hint.dtype == 0 || hint.dtype == column.dtype;
    return is_wanted ? std::move(column) : conversion.ToNumbers();
  }
  if (column.dtype != CF_CAT32 || !conversion.HasWantedLevels()) return conversion.ToCategories();
  if (hint.n_levels > 0) column.ordered = conversion.IsOrdered(column.levels.size());
  return column;
}

}  // namespace crossfold
