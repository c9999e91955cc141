#include "engine/plan/kept_predictions.h"

#include <cstddef>
#include <map>

namespace crossfold {
namespace {

// Returns the bytes that an outcome keeps for each test row.
std::uint64_t KeptBytes(const CellBlock& block, bool is_packed) {
  if (block.keep == Keep::kNothing) return 0;
  const Dataset& data = *block.splits->view().data;
  const auto k = static_cast<std::uint64_t>(data.num_classes());
  const std::uint64_t width = !is_packed || k > 0x10000 ? 4 : k > 0x100 ? 2 : 1;
  const std::uint64_t label = k > 0 ? width : sizeof(double);
  const std::uint64_t shares = block.keep == Keep::kProbabilities ? k * sizeof(double) : 0;
  return (is_packed ? 0 : sizeof(std::int64_t)) + label + shares;
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

std::uint64_t PredictionBytes(std::span<const CellBlock> blocks, bool packs) {
  std::map<const SplitPlan*, std::vector<std::int64_t>> sizes;
  std::uint64_t bytes = 0;
  for (const CellBlock& block : blocks) {
    if (block.keep == Keep::kNothing) continue;
    std::vector<std::int64_t>& tested = sizes[block.splits.get()];
    if (tested.empty()) tested = TestSizes(*block.splits);
    const std::uint64_t plain = KeptBytes(block, false), packed = KeptBytes(block, packs);
    for (std::int64_t s = block.first; s < block.first + block.count; ++s) {
      const std::int64_t n = tested[static_cast<std::size_t>(s)];
      bytes += (n >= kPackedRows ? packed : plain) * static_cast<std::uint64_t>(n);
    }
  }
  return bytes;
}

}  // namespace crossfold
