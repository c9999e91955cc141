#include "columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../feature_text.h"
#include "../level_names.h"
#include "../used_rows.h"
#include "crossfold_plugin/error.hpp"
#include "sort_keys.h"

namespace crossfold::bundled::tree {

namespace {

ColumnKind KindOf(const plugin::FeatureView& rows, std::int64_t j) {
  if (rows.column(j).dtype == CF_BOOL8) return ColumnKind::kOrdinal;
  if (!rows.is_categorical(j)) return ColumnKind::kNumeric;
  return rows.column(j).ordered != 0 ? ColumnKind::kOrdinal : ColumnKind::kNominal;
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
  SortByRowId(train, rows);
  return rows;
}

// Entry of row i: 0.0 for -0.0, so that equal numbers have equal keys.
double EntryOf(const plugin::FeatureView& rows, std::int64_t i, std::int64_t j) {
  const double x = rows.x(i, j) + 0.0;
  RefuseInfinite(rows, j, x);
  return x;
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

PresortedColumns::PresortedColumns(const plugin::FeatureView& all) {
  orders_.resize(static_cast<std::size_t>(all.num_features()));
  Positions by_id = AllPositions(all.num_rows());
  SortByRowId(all, by_id);
  std::vector<KeyedRow> items, scratch;
  for (std::int64_t j = 0; j < all.num_features(); ++j) {
    if (KindOf(all, j) == ColumnKind::kNominal) continue;
    items.clear();
    for (std::size_t i = 0; i < by_id.size(); ++i) {
      const double x = all.x(by_id[i], j) + 0.0;
      // What training refuses is left to training: such a row may be in no fold.
      if (!std::isnan(x)) items.push_back({OrderedKey(x), static_cast<std::uint32_t>(i)});
    }
    SortByKey(items, scratch);
    auto& order = orders_[static_cast<std::size_t>(j)];
    order.reserve(items.size());
    for (const KeyedRow& item : items) order.push_back(all.row_id(by_id[item.row]));
  }
}

std::uint64_t PresortedColumns::Bytes() const {
  std::uint64_t bytes = orders_.capacity() * sizeof(orders_[0]);
  for (const auto& order : orders_) bytes += order.capacity() * sizeof(order[0]);
  return bytes;
}

// Fills the columns of one set of rows.
class ColumnReader {
 public:
  ColumnReader(const plugin::TrainingView& train, std::span<const std::int64_t> rows,
               const PresortedColumns* presorted)
      : train_(train), rows_(rows), presorted_(presorted) {
    if (presorted_ == nullptr) return;
    const std::int64_t first = train.row_id(rows.front()), last = train.row_id(rows.back());
    if (first < 0) {
      presorted_ = nullptr;
      return;
    }
    first_of_id_.assign(static_cast<std::size_t>(last) + 2, 0);
    for (const std::int64_t i : rows) ++first_of_id_[static_cast<std::size_t>(train.row_id(i)) + 1];
    std::partial_sum(first_of_id_.begin(), first_of_id_.end(), first_of_id_.begin());
  }

  TrainingColumn Read(std::int64_t j) {
    TrainingColumn column;
    column.kind = KindOf(train_, j);
    if (column.kind == ColumnKind::kNominal) {
      ReadCodes(j, column);
      return column;
    }
    entries_.resize(rows_.size());
    std::size_t present = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      entries_[i] = EntryOf(train_, rows_[i], j);
      present += std::isnan(entries_[i]) ? 0 : 1;
    }
    column.has_missing = present < rows_.size();
    column.order.reserve(present);
    if (presorted_ == nullptr || !TakeOrder(static_cast<std::size_t>(j), present, column.order)) {
      SortEntries(column.order);
    }
    Rank(column);
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

  // False if the presorted rows are not those of this view.
  bool TakeOrder(std::size_t j, std::size_t present, std::vector<std::uint32_t>& order) const {
    for (const std::int64_t id : presorted_->orders_[j]) {
      const auto place = static_cast<std::size_t>(id);
      if (id < 0 || place + 1 >= first_of_id_.size()) continue;
      for (std::uint32_t row = first_of_id_[place]; row < first_of_id_[place + 1]; ++row) {
        if (!std::isnan(entries_[row])) order.push_back(row);
      }
    }
    const bool sorted = std::is_sorted(order.begin(), order.end(), [&](auto a, auto b) {
      return entries_[a] < entries_[b] || (entries_[a] == entries_[b] && a < b);
    });
    if (sorted && order.size() == present) return true;
    order.clear();
    return false;
  }

  void SortEntries(std::vector<std::uint32_t>& order) {
    items_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (std::isnan(entries_[i])) continue;
      items_.push_back({OrderedKey(entries_[i]), static_cast<std::uint32_t>(i)});
    }
    SortByKey(items_, scratch_);
    for (const KeyedRow& item : items_) order.push_back(item.row);
  }

  void Rank(TrainingColumn& column) const {
    column.ranks.assign(entries_.size(), kMissingRank);
    for (const std::uint32_t row : column.order) {
      if (column.distinct.empty() || column.distinct.back() < entries_[row]) {
        column.distinct.push_back(entries_[row]);
      }
      column.ranks[row] = static_cast<std::uint32_t>(column.distinct.size() - 1);
    }
  }

  const plugin::TrainingView& train_;
  std::span<const std::int64_t> rows_;
  const PresortedColumns* presorted_;
  std::vector<std::uint32_t> first_of_id_;  // rows with id: first_of_id_[id] .. first_of_id_[id+1]
  std::vector<double> entries_;
  std::vector<KeyedRow> items_, scratch_;
};

TrainingColumns MakeTrainingColumns(const plugin::TrainingView& train,
                                    const PresortedColumns* presorted) {
  TrainingColumns out;
  out.view_rows = RowsById(train);
  for (const std::int64_t i : out.view_rows) out.weights.push_back(train.weight(i));
  out.n_classes = static_cast<std::size_t>(train.num_classes());
  ReadTarget(train, out);
  ColumnReader reader(train, out.view_rows, presorted);
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    out.columns.push_back(reader.Read(j));
    out.has_missing |= out.columns.back().has_missing;
  }
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
