#include "columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "../feature_text.h"
#include "../level_names.h"
#include "../used_rows.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled::tree {

namespace {

ColumnKind KindOf(const plugin::FeatureView& rows, std::int64_t j) {
  if (rows.column(j).dtype == CF_BOOL8) return ColumnKind::kOrdinal;
  if (!rows.is_categorical(j)) return ColumnKind::kNumeric;
  return plugin::IsOrdered(rows.column(j)) ? ColumnKind::kOrdinal : ColumnKind::kNominal;
}

constexpr std::int64_t kMostIdsPerRow = 4;

// As SortByRowId, by counting. Returns false, and does nothing, if the ids are far apart.
bool CountByRowId(const plugin::FeatureView& view, std::vector<std::int64_t>& rows) {
  std::int64_t last = -1;
  for (const std::int64_t i : rows) {
    if (view.row_id(i) < 0) return false;
    last = std::max(last, view.row_id(i));
  }
  if (last >= kMostIdsPerRow * std::ssize(rows)) return false;
  std::vector<std::size_t> next(static_cast<std::size_t>(last) + 2, 0);
  for (const std::int64_t i : rows) ++next[static_cast<std::size_t>(view.row_id(i)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::int64_t> sorted(rows.size());
  for (const std::int64_t i : rows) sorted[next[static_cast<std::size_t>(view.row_id(i))]++] = i;
  rows = std::move(sorted);
  return true;
}

// Rows with a weight, by their row ids.
std::vector<std::int64_t> RowsById(const plugin::TrainingView& train) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    if (train.weight(i) > 0) rows.push_back(i);
  }
  if (rows.empty()) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "no training row has a weight above 0");
  }
  if (!CountByRowId(train, rows)) SortByRowId(train, rows);
  return rows;
}

void ReadTarget(const plugin::TrainingView& train, TrainingColumns& out) {
  for (const std::int64_t i : out.view_rows) {
    if (train.is_classification()) {
      if (train.label(i) < 0) {
        throw plugin::Error(CF_E_UNSUPPORTED_DATA, "a training row has no class");
      }
      out.labels.push_back(train.label(i));
    } else {
      if (!std::isfinite(train.value(i))) {
        throw plugin::Error(CF_E_UNSUPPORTED_DATA, "a training row has no finite target");
      }
      out.values.push_back(train.value(i));
    }
  }
}

}  // namespace

std::vector<ColumnInfo> DescribeColumns(const plugin::FeatureView& rows) {
  std::vector<ColumnInfo> columns;
  for (std::int64_t j = 0; j < rows.num_features(); ++j) {
    columns.push_back({std::string(rows.name(j)), KindOf(rows, j), LevelNames(rows, j)});
  }
  return columns;
}

// Rows that training refuses are refused by training only, because such a row may be in no fold.
PresortedColumns::PresortedColumns(const plugin::FeatureView& all) {
  const Positions rows = AllPositions(all.num_rows());
  std::int64_t last = -1;
  for (const std::int64_t i : rows) last = std::max(last, all.row_id(i));
  is_row_.resize(static_cast<std::size_t>(last + 1));
  for (const std::int64_t i : rows) {
    if (all.row_id(i) >= 0) is_row_[static_cast<std::size_t>(all.row_id(i))] = true;
  }
  columns_.resize(static_cast<std::size_t>(all.num_features()));
  std::vector<double> entries;
  Ranker ranker;
  for (std::int64_t j = 0; j < all.num_features(); ++j) {
    if (KindOf(all, j) == ColumnKind::kNominal) continue;
    ReadEntries(all, j, rows, entries);
    Ranks ranks = ranker.Rank(entries);
    std::vector<std::uint32_t> by_id(is_row_.size(), kMissingRank);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t id = all.row_id(rows[i]);
      if (id >= 0) by_id[static_cast<std::size_t>(id)] = ranks.of_entry[i];
    }
    ranks.of_entry = std::move(by_id);
    columns_[static_cast<std::size_t>(j)] = std::move(ranks);
  }
}

std::uint64_t PresortedColumns::Bytes() const {
  std::uint64_t bytes = sizeof(*this) + columns_.capacity() * sizeof(Ranks) + is_row_.size() / 8;
  for (const Ranks& ranks : columns_) {
    bytes += ranks.distinct.capacity() * sizeof(double) +
             ranks.of_entry.capacity() * sizeof(std::uint32_t);
  }
  return bytes;
}

namespace {

// The rank of most of the rows that `order` lists by rank.
std::uint32_t MostFrequentRank(const TrainingColumn& column) {
  std::size_t most = 0, begin = 0;
  std::uint32_t rank = kMissingRank;
  for (std::size_t i = 1; i <= column.order.size(); ++i) {
    const std::uint32_t of_run = column.ranks[column.order[begin]];
    if (i < column.order.size() && column.ranks[column.order[i]] == of_run) continue;
    if (i - begin > most) {
      most = i - begin;
      rank = of_run;
    }
    begin = i;
  }
  return rank;
}

}  // namespace

// Fills the columns of one set of rows.
class ColumnReader {
 public:
  ColumnReader(const plugin::TrainingView& train, std::span<const std::int64_t> rows,
               const PresortedColumns* presorted)
      : train_(train), rows_(rows), presorted_(presorted) {
    if (presorted_ == nullptr) return;
    for (const std::int64_t i : rows) {
      const std::int64_t id = train.row_id(i);
      const std::vector<bool>& is_row = presorted_->is_row_;
      if (id < 0 || static_cast<std::size_t>(id) >= is_row.size() ||
          !is_row[static_cast<std::size_t>(id)]) {
        presorted_ = nullptr;  // prepared on other rows
        return;
      }
      ids_.push_back(static_cast<std::size_t>(id));
    }
  }

  TrainingColumn Read(std::int64_t j) {
    TrainingColumn column;
    column.kind = KindOf(train_, j);
    if (column.kind == ColumnKind::kNominal) {
      ReadCodes(j, column);
      return column;
    }
    Ranks ranks = RanksOf(j);
    column.has_missing = std::any_of(ranks.of_entry.begin(), ranks.of_entry.end(),
                                     [](std::uint32_t rank) { return rank == kMissingRank; });
    column.distinct = std::move(ranks.distinct);
    column.ranks = std::move(ranks.of_entry);
    if (!column.distinct.empty()) {
      RefuseInfinite(train_, j, column.distinct.front());
      RefuseInfinite(train_, j, column.distinct.back());
    }
    if (column.distinct.size() > kFewValues) {
      column.order = SortedPlaces(column.ranks, column.distinct.size());
      column.frequent_rank = MostFrequentRank(column);
    }
    return column;
  }

 private:
  void ReadCodes(std::int64_t j, TrainingColumn& column) {
    column.distinct.resize(static_cast<std::size_t>(train_.num_levels(j)));
    std::iota(column.distinct.begin(), column.distinct.end(), 0.0);
    column.ranks.reserve(rows_.size());
    for (const std::int64_t i : rows_) {
      const double code = train_.x(i, j);
      column.has_missing |= std::isnan(code);
      column.ranks.push_back(std::isnan(code) ? kMissingRank : static_cast<std::uint32_t>(code));
    }
  }

  Ranks RanksOf(std::int64_t j) {
    if (presorted_ == nullptr) {
      ReadEntries(train_, j, rows_, entries_);
      return ranker_.Rank(entries_);
    }
    const Ranks& all = presorted_->columns_[static_cast<std::size_t>(j)];
    Ranks ranks;
    ranks.distinct = all.distinct;
    ranks.of_entry.resize(ids_.size());
    for (std::size_t i = 0; i < ids_.size(); ++i) ranks.of_entry[i] = all.of_entry[ids_[i]];
    DropUnused(ranks);
    return ranks;
  }

  const plugin::TrainingView& train_;
  std::span<const std::int64_t> rows_;
  const PresortedColumns* presorted_;
  std::vector<std::size_t> ids_;  // of the rows, if there is something presorted
  std::vector<double> entries_;
  Ranker ranker_;
};

namespace {

void LayOutNarrowRanks(TrainingColumns& out) {
  if (out.n_classes == 0 || out.has_missing) return;
  for (std::size_t j = 0; j < out.columns.size(); ++j) {
    const TrainingColumn& column = out.columns[j];
    if (column.kind == ColumnKind::kNominal || column.distinct.size() > kFewValues) continue;
    out.narrow_columns.push_back(static_cast<std::uint32_t>(j));
  }
  const std::size_t width = out.narrow_columns.size();
  out.narrow_ranks.resize(out.num_rows() * width);
  for (std::size_t k = 0; k < width; ++k) {
    const std::uint32_t* ranks = out.columns[out.narrow_columns[k]].ranks.data();
    for (std::size_t i = 0; i < out.num_rows(); ++i) {
      out.narrow_ranks[i * width + k] = static_cast<std::uint8_t>(ranks[i]);
    }
  }
}

}  // namespace

TrainingColumns MakeTrainingColumns(const plugin::TrainingView& train,
                                    const PresortedColumns* presorted) {
  TrainingColumns out;
  out.view_rows = RowsById(train);
  out.weights.reserve(out.view_rows.size());
  for (const std::int64_t i : out.view_rows) out.weights.push_back(train.weight(i));
  out.n_classes = static_cast<std::size_t>(train.num_classes());
  ReadTarget(train, out);
  ColumnReader reader(train, out.view_rows, presorted);
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    out.columns.push_back(reader.Read(j));
    out.has_missing |= out.columns.back().has_missing;
  }
  LayOutNarrowRanks(out);
  return out;
}

std::vector<double> RowMajor(const TrainingColumns& columns) {
  const std::size_t width = columns.num_features();
  std::vector<double> dense(columns.num_rows() * width);
  for (std::size_t j = 0; j < width; ++j) {
    const TrainingColumn& column = columns.columns[j];
    for (std::size_t i = 0; i < columns.num_rows(); ++i) {
      const std::uint32_t rank = column.ranks[i];
      dense[i * width + j] =
          rank == kMissingRank ? std::numeric_limits<double>::quiet_NaN() : column.distinct[rank];
    }
  }
  return dense;
}

}  // namespace crossfold::bundled::tree
