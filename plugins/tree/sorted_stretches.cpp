#include "sorted_stretches.h"

#include <algorithm>
#include <utility>

namespace crossfold::bundled::tree {

SortedStretches::SortedStretches(const GrowOptions& options, const TrainingColumns& columns,
                                 std::span<const double> weights, bool counted)
    : columns_(columns.num_features()) {
  if (columns.has_missing) return;
  if (!KeepsColumnsSorted(options, columns.num_features())) return;
  for (std::size_t j = 0; j < columns.num_features(); ++j) {
    const TrainingColumn& column = columns.columns[j];
    if (column.kind == ColumnKind::kNominal || column.distinct.size() <= kFewValues) continue;
    Keep(j, column, weights, counted);
  }
}

void SortedStretches::Keep(std::size_t feature, const TrainingColumn& column,
                           std::span<const double> weights, bool leaves_out) {
  SortedColumn& described = columns_[feature];
  described.is_kept = true;
  described.left_out = leaves_out ? column.frequent_rank : kMissingRank;
  Column& kept = kept_.emplace_back();
  kept.feature = feature;
  for (const std::uint32_t row : column.order) {
    const std::uint32_t rank = column.ranks[row];
    if (weights[row] > 0 && rank != described.left_out) kept.items.push_back(PackItem(rank, row));
  }
}

std::vector<Stretch> SortedStretches::Root() const {
  std::vector<Stretch> root;
  for (const Column& column : kept_) root.push_back({0, column.items.size()});
  return root;
}

std::span<const SortedColumn> SortedStretches::At(std::span<const Stretch> node) {
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    columns_[kept_[k].feature].items = {kept_[k].items.data() + node[k].begin, node[k].size};
  }
  return columns_;
}

void SortedStretches::Divide(std::span<const Stretch> node,
                             std::span<const std::uint32_t> part_of_row, std::size_t n_parts,
                             std::vector<Stretch>& parts) {
  const std::size_t n = kept_.size();
  parts.resize(n_parts * n);
  std::vector<std::size_t> sizes;
  for (std::size_t k = 0; k < n; ++k) {
    std::uint64_t* items = kept_[k].items.data() + node[k].begin;
    scratch_.resize(std::max(scratch_.size(), node[k].size));
    if (n_parts == 2) {
      const std::size_t left = DivideInTwo(items, node[k].size, part_of_row);
      parts[k] = {node[k].begin, left};
      parts[n + k] = {node[k].begin + left, node[k].size - left};
      continue;
    }
    sizes.assign(n_parts, 0);
    DivideInMany(items, node[k].size, part_of_row, sizes);
    std::size_t begin = node[k].begin;
    for (std::size_t part = 0; part < n_parts; ++part) {
      parts[part * n + k] = {begin, sizes[part]};
      begin += sizes[part];
    }
  }
}

// Returns the size of the first part.
std::size_t SortedStretches::DivideInTwo(std::uint64_t* items, std::size_t size,
                                         std::span<const std::uint32_t> part_of_row) {
  std::size_t left = 0, right = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t item = items[i];
    const std::uint32_t part = part_of_row[RowOf(item)];
    items[left] = item;
    scratch_[right] = item;
    left += 1 - part;
    right += part;
  }
  std::copy_n(scratch_.begin(), right, items + left);
  return left;
}

void SortedStretches::DivideInMany(std::uint64_t* items, std::size_t size,
                                   std::span<const std::uint32_t> part_of_row,
                                   std::vector<std::size_t>& sizes) {
  for (std::size_t i = 0; i < size; ++i) ++sizes[part_of_row[RowOf(items[i])]];
  std::vector<std::size_t> next;
  std::size_t begin = 0;
  for (const std::size_t n : sizes) next.push_back(std::exchange(begin, begin + n));
  for (std::size_t i = 0; i < size; ++i) {
    scratch_[next[part_of_row[RowOf(items[i])]]++] = items[i];
  }
  std::copy_n(scratch_.begin(), size, items);
}

}  // namespace crossfold::bundled::tree
