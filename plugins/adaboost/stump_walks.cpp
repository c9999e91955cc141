#include "stump_walks.h"

#include <algorithm>

#include "../tree/ranks.h"

namespace crossfold::bundled::adaboost {
namespace {

// Where each rank begins in the order of the column, and where the last one ends.
void FindRanks(const tree::TrainingColumn& column, std::vector<std::uint32_t>& first_of_rank) {
  first_of_rank.assign(column.distinct.size() + 1, 0);
  for (const std::uint32_t rank : column.ranks) ++first_of_rank[rank + 1];
  for (std::size_t rank = 1; rank < first_of_rank.size(); ++rank) {
    first_of_rank[rank] += first_of_rank[rank - 1];
  }
}

// The first of those with the most rows.
std::uint32_t MostFrequent(const std::vector<std::uint32_t>& first_of_rank) {
  std::uint32_t most = 0, n_most = 0;
  for (std::uint32_t rank = 0; rank + 1 < first_of_rank.size(); ++rank) {
    const std::uint32_t n = first_of_rank[rank + 1] - first_of_rank[rank];
    if (n <= n_most) continue;
    most = rank;
    n_most = n;
  }
  return most;
}

}  // namespace

StumpWalks::StumpWalks(const tree::TrainingColumns& columns, std::size_t entries_per_block)
    : entries_per_block_(entries_per_block) {
  for (std::uint32_t j = 0; j < columns.num_features(); ++j) AddColumn(columns.columns[j], j);
}

void StumpWalks::AddColumn(const tree::TrainingColumn& column, std::uint32_t feature) {
  FindRanks(column, first_of_rank_);
  // Columns of few values are not kept in order.
  order_ = column.order.empty() ? tree::SortedPlaces(column.ranks, column.distinct.size())
                                : column.order;
  const std::uint32_t middle = MostFrequent(first_of_rank_);
  for (std::uint32_t rank = 0; rank < middle; ++rank) AddRun(rank, rank);
  CloseWalk(feature);
  const auto n_ranks = static_cast<std::uint32_t>(column.distinct.size());
  for (std::uint32_t rank = n_ranks - 1; rank > middle; --rank) AddRun(rank, rank - 1);
  CloseWalk(feature);
}

void StumpWalks::AddRun(std::uint32_t rank, std::uint32_t cut) {
  entries_.insert(entries_.end(), order_.begin() + first_of_rank_[rank],
                  order_.begin() + first_of_rank_[rank + 1]);
  runs_.push_back({entries_.size(), cut});
  const std::size_t begin = blocks_.empty() ? 0 : blocks_.back().end_entry;
  if (entries_.size() - begin >= entries_per_block_) CloseBlock();
}

void StumpWalks::CloseBlock() {
  const std::size_t begin = blocks_.empty() ? 0 : blocks_.back().end_run;
  if (begin < runs_.size()) blocks_.push_back({entries_.size(), runs_.size()});
}

void StumpWalks::CloseWalk(std::uint32_t feature) {
  CloseBlock();
  const std::size_t begin = walks_.empty() ? 0 : walks_.back().end_block;
  if (begin < blocks_.size()) walks_.push_back({feature, blocks_.size()});
}

}  // namespace crossfold::bundled::adaboost
