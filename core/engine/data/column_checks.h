// Checks of the columns of a dataset before they are used.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

// Checks columns. Throws Error(kBadData) "<attempt>: <finding>".
void CheckColumns(std::span<const Column> columns, const std::string& attempt);

// Times of rows. `ticks` are the same times without rounding; empty = `values` are exact.
struct Times {
  std::vector<double> values;
  std::vector<std::int64_t> ticks = {};
  double seconds_per_tick = std::numeric_limits<double>::quiet_NaN();  // NaN = not known
};

// The entries of a column with a role, converted. Each function throws Error(kBadData) if the
// column has the wrong type, a missing entry (the message gives the first such row, 1-based, and
// their number) or an entry that the role forbids.
struct RoleColumn {
  const Column& column;
  std::string role;     // "target" ...
  std::string attempt;  // "cannot make dataset 'iris'"

  std::vector<double> FiniteNumbers() const;       // numeric and finite
  struct Times Times() const;                      // numeric, or categorical with ISO 8601 dates
  std::vector<double> Weights() const;             // numeric, finite, >= 0
  std::vector<std::int64_t> Groups() const;        // categorical, integer or bool
  std::vector<std::int64_t> Folds() const;         // integer, >= -1
  std::vector<std::int32_t> ClassIndices() const;  // categorical or bool
  // These only check, for columns that are used in place.
  void CheckFiniteNumbers() const;
  void CheckWeights() const;
  void CheckClassIndices() const;

 private:
  struct Times TimesOfLevels() const;
  [[noreturn]] void Refuse(const std::string& finding) const;
  [[noreturn]] void RefuseEntry(std::size_t row, const std::string& finding) const;
  void CheckType(bool allowed, const std::string& needed) const;
  void CheckComplete() const;
  template <class T>
  std::vector<T> Converted() const;
};

}  // namespace crossfold
