#include "engine/plan/kept_predictions.h"

#include <cstddef>
#include <map>
#include <numeric>

namespace crossfold {
namespace {

// Returns the bytes that an outcome keeps for each test row.
std::uint64_t KeptBytes(const CellBlock& block) {
  if (block.keep == Keep::kNothing) return 0;
  const Dataset& data = *block.splits->view().data;
  const auto k = static_cast<std::uint64_t>(data.num_classes());
  const std::uint64_t label = k > 0 ? sizeof(std::int32_t) : sizeof(double);
  const std::uint64_t shares = block.keep == Keep::kProbabilities ? k * sizeof(double) : 0;
  return sizeof(std::int64_t) + label + shares;
}

}  // namespace

std::vector<std::int64_t> TestSizes(const SplitPlan& plan) {
  std::vector<std::int64_t> sizes;
  for (const Partition& partition : plan.partitions()) {
    const std::size_t first = sizes.size();
    sizes.resize(first + static_cast<std::size_t>(partition.n_folds), 0);
    for (const std::int32_t fold : partition.fold_of_row) {
      if (fold >= 0) ++sizes[first + static_cast<std::size_t>(fold)];
    }
  }
  if (!plan.partitions().empty()) return sizes;
  for (const ListedRows& split : plan.lists()) {
    sizes.push_back(static_cast<std::int64_t>(split.num_test()));
  }
  return sizes;
}

std::uint64_t PredictionBytes(std::span<const CellBlock> blocks) {
  std::map<const SplitPlan*, std::vector<std::int64_t>> sizes;
  std::uint64_t bytes = 0;
  for (const CellBlock& block : blocks) {
    const std::uint64_t of_row = KeptBytes(block);
    if (of_row == 0) continue;
    std::vector<std::int64_t>& tested = sizes[block.splits.get()];
    if (tested.empty()) tested = TestSizes(*block.splits);
    const auto first = tested.begin() + block.first;
    bytes += of_row * static_cast<std::uint64_t>(
                          std::accumulate(first, first + block.count, std::int64_t{0}));
  }
  return bytes;
}

}  // namespace crossfold
