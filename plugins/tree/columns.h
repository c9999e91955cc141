// Training rows in the form for trees: every column is ranked once, for any number of trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "ranks.h"

namespace crossfold::bundled::tree {

// Columns with more values are kept in order; those with fewer are counted or sorted faster.
inline constexpr std::size_t kFewValues = 64;

enum class ColumnKind : std::uint8_t {
  kNumeric,
  kOrdinal,  // ordered categories: their codes are numbers; also bool, as false < true
  kNominal
};

// The description of a column, without its entries.
struct ColumnInfo {
  std::string name;
  ColumnKind kind = ColumnKind::kNumeric;
  std::vector<std::string> levels;  // of the whole dataset; empty for numbers
};
std::vector<ColumnInfo> DescribeColumns(const plugin::FeatureView& rows);

struct TrainingColumn {
  ColumnKind kind = ColumnKind::kNumeric;
  std::vector<double> distinct;      // ascending values; kNominal: the codes of all levels
  std::vector<std::uint32_t> ranks;  // of each row into `distinct`, or kMissingRank
  // Rows that have a value, by (rank, row); empty for kNominal and up to kFewValues values.
  std::vector<std::uint32_t> order;
  std::uint32_t frequent_rank = kMissingRank;  // of most rows; kMissingRank where `order` is empty
  bool has_missing = false;
};

// The rank of every entry of a dataset: see crossfold.prepare/1. No target.
class PresortedColumns {
 public:
  PresortedColumns() = default;  // of no rows: fits rank their columns themselves
  explicit PresortedColumns(const plugin::FeatureView& all);
  std::uint64_t Bytes() const;

 private:
  friend class ColumnReader;
  // Ranks are those of the rows with ids 0, 1, ...; kMissingRank where there is no such row.
  std::vector<Ranks> columns_;  // kNominal: empty
  std::vector<bool> is_row_;    // by row id
};

// Rows in ascending order of their row ids (repeated rows side by side), whatever the order of the
// view, so that no tree depends on it. Rows of weight 0 are left out.
struct TrainingColumns {
  std::vector<TrainingColumn> columns;
  std::vector<std::int64_t> view_rows;  // of each row here: its place in the view
  std::vector<double> weights;          // of each row here, as in the view
  std::size_t n_classes = 0;            // 0 in regression
  std::vector<std::int32_t> labels;     // classification
  std::vector<double> values;           // regression
  bool has_missing = false;             // in any column
  // The ranks of all columns with at most kFewValues values, row by row, for counting. Only in
  // classification without missing entries; nominal columns are not among them.
  std::vector<std::uint8_t> narrow_ranks;
  std::vector<std::uint32_t> narrow_columns;

  std::size_t num_rows() const { return view_rows.size(); }
  std::size_t num_features() const { return columns.size(); }
};

// Throws Error for an infinite entry, a missing or infinite target, or no row with a weight.
// The result with and without `presorted` is the same.
TrainingColumns MakeTrainingColumns(const plugin::TrainingView& train,
                                    const PresortedColumns* presorted = nullptr);

// Entries row by row, as PredictionRows gives those of a view.
std::vector<double> RowMajor(const TrainingColumns& columns);

}  // namespace crossfold::bundled::tree
