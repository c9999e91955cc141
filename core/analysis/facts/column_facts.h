// What is known of one column, and of columns that are equal or are named like identifiers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "crossfold/data_report.h"

namespace crossfold {

// How well the values of a column determine those of the target.
enum class TargetRelation {
  kNone,
  kDetermines,  // one value, one target, and values repeat
  kSame         // and one target, one value
};

struct ColumnContent {
  const Column* column = nullptr;
  ColumnFacts facts;
  std::int64_t n_present = 0;
  std::int64_t most_frequent_count = 0;    // of one value
  std::vector<std::int64_t> level_counts;  // categories and bool
  // For numbers: the infinite entries, and the finite ones more than 10 interquartile ranges
  // outside the quartiles.
  std::int64_t n_infinite = 0, n_far = 0;
  bool all_whole = false;                // the finite ones, without decimals
  double first = 0, last = 0;            // of the finite entries, sorted
  std::int64_t n_first = 0, n_last = 0;  // the number of entries with these values
  std::uint64_t content_hash = 0;
  std::optional<std::uint64_t> partition_hash;  // of which rows are equal; nothing if few are
  TargetRelation relation = TargetRelation::kNone;

  bool is_feature() const { return facts.role == "feature"; }
  bool is_number() const { return level_counts.empty() && facts.n_levels == 0; }
};

// `target` has one key per row, or is empty if there is no target.
ColumnContent ExamineColumn(const DataView& view, const Column& column,
                            std::span<const std::uint64_t> target,
                            const DataReportOptions& options);

// Only the names, counts and levels. REQUIRES: the column is categorical or bool.
ColumnContent CountLevels(const DataView& view, const Column& column,
                          const DataReportOptions& options);

struct EqualColumns {
  std::vector<const ColumnContent*> columns;  // two or more, in the order of the data
  bool same_content = false;                  // false: equal but for the names of the values
};

// The equal features; constant columns and those without entries are left out.
std::vector<EqualColumns> FindEqualColumns(const DataView& view,
                                           std::span<const ColumnContent> columns);

// Whether it is a usual name of an id: "id", "customer_id", "CustomerID", "uuid".
bool IsNamedId(std::string_view name);
// Whether it is a usual name of codes, which only look like numbers: "zip", "PostalCode", "plz",
// "phone_number".
bool IsNamedCode(std::string_view name);

}  // namespace crossfold
