// A report on a dataset before anything is learned from it: its columns, its classes, and what
// looks like a mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold {

struct DataReportOptions {
  std::int64_t folds = 10;         // classes with fewer rows are reported; at least 2
  std::int64_t most_frequent = 3;  // values listed for a column of categories; at least 1
  int threads = 0;                 // 0 = one per core; the report is the same for any number
};

struct ValueCount {
  std::string value;
  std::int64_t count = 0;
};

struct ColumnFacts {
  std::string name;
  std::string type;  // "f64", "f32", "i64", "i32", "bool", "categorical", "ordered categorical"
  std::string role;  // "feature", "target", "weights", "groups", "time", "folds", "strata",
                     // "coordinates", "costs"
  std::int64_t n_missing = 0;
  std::int64_t n_distinct = 0;  // of the entries that are there
  std::int64_t n_levels = 0;    // declared, of a category
  // Statistics of the finite entries of a numeric column; empty if there are none. `sd` divides by
  // n - 1.
  std::optional<double> min, median, mean, max, sd;
  // The extremes of whole numbers (i64, i32) with all their digits, which a double may not hold.
  std::optional<std::int64_t> whole_min, whole_max;
  // The values of categories and bool by falling count; equal counts are in the order of the
  // levels.
  std::vector<ValueCount> most_frequent;
};

// One thing that looks like a mistake, or is worth knowing.
struct DataFinding {
  std::string kind;                  // one of a fixed list, see docs/describe.md
  bool is_warning = false;           // false: a note
  std::vector<std::string> columns;  // that it is about; none = the rows
  std::string message;               // a sentence or two, with a way out
};

struct DataReport {
  std::string name;
  std::string task;  // "classification", "regression", "none"
  std::int64_t n_rows = 0, n_features = 0;
  std::int64_t n_dropped_rows = 0;   // left out when the data were read
  std::vector<ColumnFacts> columns;  // in the order of the data
  std::vector<ValueCount> classes;   // classification: in class order
  // Rows that equal an earlier row in all features and the target (ids are not compared).
  std::int64_t n_duplicate_rows = 0;
  // Rows with the features of another row, but another target.
  std::int64_t n_contradicting_rows = 0;
  std::vector<DataFinding> findings;  // warnings first
};

// Takes n log n steps for n rows, about a second for 1,000,000 rows of 20 columns on one core.
// Throws Error(kInvalidArgument) for options out of range.
DataReport DescribeData(const DataView& view, const DataReportOptions& options = {});

// Returns a text for people, with blocks of columns, classes and findings.
std::string ToText(const DataReport& report);
// Returns one object, whose keys are listed in docs/describe.md.
std::string ToJson(const DataReport& report);

}  // namespace crossfold
