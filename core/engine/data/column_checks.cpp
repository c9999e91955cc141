#include "engine/data/column_checks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "crossfold/column_types.h"
#include "crossfold/error.h"
#include "engine/data/column_entries.h"
#include "engine/data/iso_time.h"
#include "engine/data/role_names.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

class ColumnChecks {
 public:
  ColumnChecks(std::span<const Column> columns, const std::string& attempt)
      : columns_(columns), attempt_(attempt) {}

  void Run() const {
    if (columns_.empty()) Refuse("it has no columns");
    CheckNames();
    for (const Column& column : columns_) {
      CheckBuffer(column);
      if (column.dtype == CF_CAT32) CheckLevels(column);
      CheckEntries(column);
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& finding) const {
    throw Error(ErrorKind::kBadData, attempt_ + ": " + finding);
  }

  void CheckNames() const {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& name = columns_[i].name;
      const std::string position = "column " + std::to_string(i + 1);
      if (name.empty()) Refuse(position + " has no name");
      // Plugins see names as C strings.
      if (name.find('\0') != std::string::npos)
        Refuse("the name of " + position + " contains a NUL");
      if (!seen.insert(name).second) Refuse("two columns are named '" + Shown(name) + "'");
    }
  }

  void CheckBuffer(const Column& column) const {
    const std::size_t size = EntrySize(column.dtype);
    const std::string subject = "column '" + Shown(column.name) + "' ";
    if (size == 0) Refuse(subject + "has the unknown type " + std::to_string(column.dtype));
    if (column.n_rows != columns_[0].n_rows) {
      Refuse(subject + "has " + std::to_string(column.n_rows) + " rows, column '" +
             Shown(columns_[0].name) + "' has " + std::to_string(columns_[0].n_rows));
    }
    if (column.n_rows < 0) Refuse(subject + "has a negative number of rows");
    if (column.n_rows > 0 && column.data == nullptr) Refuse(subject + "has no data");
    if (reinterpret_cast<std::uintptr_t>(column.data) % size != 0) {
      Refuse(subject + "is not aligned to " + std::to_string(size) + " bytes");
    }
    if (column.validity_offset < 0) Refuse(subject + "has a negative validity offset");
  }

  void CheckLevels(const Column& column) const {
    std::set<std::string_view> seen;
    for (const std::string& level : column.levels) {
      const std::string subject = "column '" + Shown(column.name) + "' has ";
      if (level.find('\0') != std::string::npos) Refuse(subject + "a level that contains a NUL");
      if (!seen.insert(level).second) Refuse(subject + "the level '" + Shown(level) + "' twice");
    }
  }

  // Checks the entries that are not missing; missing ones may have any value.
  void CheckEntries(const Column& column) const {
    if (column.dtype != CF_CAT32 && column.dtype != CF_BOOL8) return;
    const bool categorical = column.dtype == CF_CAT32;
    const std::int64_t lowest = categorical ? -1 : 0;
    const std::int64_t end = categorical ? static_cast<std::int64_t>(column.levels.size()) : 2;
    VisitEntries(column, [&](auto entries) {
      for (std::size_t row = 0; row < entries.size(); ++row) {
        const auto entry = static_cast<std::int64_t>(entries[row]);
        if ((entry >= lowest && entry < end) || !IsValid(column, row)) continue;
        Refuse("column '" + Shown(column.name) + "', row " + std::to_string(row + 1) + ": " +
               (categorical ? "level " + std::to_string(entry) + " is not one of the " +
                                  std::to_string(end) + " levels (counted from 0)"
                            : "bool " + std::to_string(entry) + " is neither 0 nor 1"));
      }
    });
  }

  std::span<const Column> columns_;
  const std::string& attempt_;
};

}  // namespace

void CheckColumns(std::span<const Column> columns, const std::string& attempt) {
  ColumnChecks(columns, attempt).Run();
}

void RoleColumn::Refuse(const std::string& finding) const {
  throw Error(ErrorKind::kBadData,
              attempt + ": " + role + " '" + Shown(column.name) + "' " + finding);
}

void RoleColumn::RefuseEntry(std::size_t row, const std::string& finding) const {
  Refuse("is " + finding + " in row " + std::to_string(row + 1));
}

void RoleColumn::CheckType(bool allowed, const std::string& needed) const {
  if (!allowed)
    Refuse("is of type " + std::string(ColumnTypeName(column.dtype)) + "; it must be " + needed);
}

void RoleColumn::CheckComplete() const {
  const std::int64_t n_missing = column.CountMissing();
  if (n_missing == 0) return;
  std::int64_t row = 0;
  while (!column.is_missing(row)) ++row;
  const std::string rows = n_missing == 1 ? "1 row" : std::to_string(n_missing) + " rows";
  Refuse("is missing in " + rows + ", first in row " + std::to_string(row + 1) +
         WayOutOfMissing(role));
}

template <class T>
std::vector<T> RoleColumn::Converted() const {
  CheckComplete();
  return VisitEntries(column, [](auto entries) {
    std::vector<T> values;
    values.reserve(entries.size());
    for (const auto entry : entries) values.push_back(static_cast<T>(entry));
    return values;
  });
}

void RoleColumn::CheckFiniteNumbers() const {
  CheckType(IsNumeric(column.dtype), "numeric");
  CheckComplete();
  VisitEntries(column, [&](auto entries) {
    for (std::size_t row = 0; row < entries.size(); ++row) {
      if (!std::isfinite(static_cast<double>(entries[row]))) RefuseEntry(row, "infinite");
    }
  });
}

std::vector<double> RoleColumn::FiniteNumbers() const {
  CheckFiniteNumbers();
  return Converted<double>();
}

Times RoleColumn::Times() const {
  if (column.dtype == CF_CAT32) return TimesOfLevels();
  CheckType(IsNumeric(column.dtype), "numeric, or dates such as 2024-01-31");
  if (column.dtype != CF_I64) return {Converted<double>()};
  return {Converted<double>(), Converted<std::int64_t>()};
}

namespace {

// Returns nanoseconds since 1970; nothing for years that 64 bits do not reach.
std::optional<std::int64_t> NanosecondsOf(const IsoTime& time) {
  constexpr std::int64_t kOfDay = std::int64_t{86400} * 1'000'000'000;
  constexpr std::int64_t kMaxDays = std::numeric_limits<std::int64_t>::max() / kOfDay - 1;
  if (time.days > kMaxDays || time.days < -kMaxDays) return std::nullopt;
  return time.days * kOfDay + std::llround(time.seconds * 1e9);
}

// Returns exact ticks for times with fractions of seconds, which a double cannot hold. Empty =
// there are no fractions, or some times are too early or too late.
std::vector<std::int64_t> TicksOf(const std::vector<IsoTime>& times,
                                  const std::vector<std::int32_t>& codes) {
  const bool any_part = std::any_of(codes.begin(), codes.end(), [&](std::int32_t code) {
    const double seconds = times[static_cast<std::size_t>(code)].seconds;
    return seconds != std::floor(seconds);
  });
  std::vector<std::int64_t> ticks;
  if (!any_part) return ticks;
  ticks.reserve(codes.size());
  for (const std::int32_t code : codes) {
    const auto tick = NanosecondsOf(times[static_cast<std::size_t>(code)]);
    if (!tick) return {};
    ticks.push_back(*tick);
  }
  return ticks;
}

}  // namespace

// Returns days, or seconds if some row has a time of day, so that whole days and seconds are exact
// numbers. A splitter that adds a horizon compares them.
Times RoleColumn::TimesOfLevels() const {
  const std::vector<std::int32_t> codes = Converted<std::int32_t>();
  std::vector<IsoTime> times(column.levels.size());
  std::vector<bool> is_known(column.levels.size());
  bool any_clock = false;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    const auto level = static_cast<std::size_t>(codes[row]);
    if (is_known[level]) continue;
    const auto time = ParseIsoTime(column.levels[level]);
    if (!time) {
      RefuseEntry(row, "'" + Shown(column.levels[level]) +
                           "', which is neither a number nor a date such as 2024-01-31 or "
                           "2024-01-31T12:30,");
    }
    times[level] = *time;
    is_known[level] = true;
    any_clock = any_clock || time->has_clock;
  }
  std::vector<double> values;
  values.reserve(codes.size());
  for (const std::int32_t code : codes) {
    const IsoTime& time = times[static_cast<std::size_t>(code)];
    const auto days = static_cast<double>(time.days);
    values.push_back(any_clock ? days * 86400 + time.seconds : days);
  }
  return {std::move(values), TicksOf(times, codes), 1e-9};
}

void RoleColumn::CheckWeights() const {
  CheckFiniteNumbers();
  VisitEntries(column, [&](auto entries) {
    for (std::size_t row = 0; row < entries.size(); ++row) {
      const auto weight = static_cast<double>(entries[row]);
      if (weight < 0) RefuseEntry(row, "negative (" + FormatShortest(weight) + ")");
    }
  });
}

std::vector<double> RoleColumn::Weights() const {
  CheckWeights();
  return Converted<double>();
}

std::vector<std::int64_t> RoleColumn::Groups() const {
  CheckType(column.dtype != CF_F64 && column.dtype != CF_F32, "categorical, integer or bool");
  return Converted<std::int64_t>();
}

std::vector<std::int64_t> RoleColumn::Folds() const {
  CheckType(column.dtype == CF_I32 || column.dtype == CF_I64, "i32 or i64");
  std::vector<std::int64_t> values = Converted<std::int64_t>();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] < -1) {
      RefuseEntry(row, std::to_string(values[row]) + " (below -1, which means never tested)");
    }
  }
  return values;
}

void RoleColumn::CheckClassIndices() const {
  CheckType(column.dtype == CF_CAT32 || column.dtype == CF_BOOL8, "categorical or bool");
  CheckComplete();
}

std::vector<std::int32_t> RoleColumn::ClassIndices() const {
  CheckClassIndices();
  return Converted<std::int32_t>();
}

}  // namespace crossfold
