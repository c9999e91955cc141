#include "experiment/work_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/plan/fit_groups.h"

namespace crossfold {
namespace {

using Members = FitGroups::Members;

// Fits of members whose steps before `depth` are the same (see engine/run/shared_fits.cpp).
void CountFits(const FitGroups& groups, std::size_t depth, const Members& members,
               ItemCounts& counts) {
  for (const Members& group : groups.ByStep(depth, members)) {
    if (groups.IsLearner(depth, group.front())) {
      counts.fits += groups.ByFit(group, groups.PathParam(group)).size();
    } else {
      ++counts.transform_fits;
      CountFits(groups, depth + 1, group, counts);
    }
  }
}

ItemCounts CountShared(std::span<const CellBlock> blocks, std::span<const std::uint32_t> places) {
  std::vector<const CellBlock*> list;
  for (const std::uint32_t b : places) list.push_back(&blocks[b]);
  const FitGroups groups(std::move(list));
  Members all(groups.num_blocks());
  std::iota(all.begin(), all.end(), std::size_t{0});
  ItemCounts counts;
  CountFits(groups, 0, all, counts);
  return counts;
}

// Bytes of the predictions of one setting in a pass.
std::uint64_t BytesOfSetting(const CellBlock& block) {
  const DataView& view = block.splits->view();
  const auto k = static_cast<std::uint64_t>(view.data->num_classes());
  const std::uint64_t width = WantsProbabilities(block) ? k + 1 : 1;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(view.num_rows()) * 8 * width, 1);
}

// Settings that one pass may have.
std::uint64_t MostSettings(const CellBlock& block, std::uint64_t memory) {
  return std::max<std::uint64_t>(memory / BytesOfSetting(block), 1);
}

// Bytes that an outcome keeps for each test row.
std::uint64_t KeptBytes(const CellBlock& block) {
  if (block.keep == Keep::kNothing) return 0;
  const Dataset& data = *block.splits->view().data;
  const auto k = static_cast<std::uint64_t>(data.num_classes());
  const std::uint64_t label = k > 0 ? sizeof(std::int32_t) : sizeof(double);
  const std::uint64_t shares = block.keep == Keep::kProbabilities ? k * sizeof(double) : 0;
  return sizeof(std::int64_t) + label + shares;
}

std::uint64_t PassBytes(std::span<const CellBlock> blocks, const WorkList& list, int workers,
                        std::uint64_t memory) {
  std::vector<std::uint64_t> sizes;
  for (const WorkItem& item : list.items) {
    if (item.route != Route::kCross) continue;
    const CellBlock& block = blocks[list.BlocksOf(item).front()];
    const std::uint64_t settings =
        std::min<std::uint64_t>(item.n_blocks, MostSettings(block, memory));
    sizes.push_back(settings * BytesOfSetting(block));
  }
  std::sort(sizes.rbegin(), sizes.rend());
  const auto n = std::min(sizes.size(), static_cast<std::size_t>(std::max(workers, 1)));
  return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(n),
                         std::uint64_t{0});
}

}  // namespace

void WorkPlan::Add(const WorkPlan& next) {
  fits_asked += next.fits_asked;
  fits_done += next.fits_done;
  transform_fits += next.transform_fits;
  passes += next.passes;
  prediction_bytes += next.prediction_bytes;
  pass_bytes = std::max(pass_bytes, next.pass_bytes);
  for (const PlannedStructure& one : next.structures) {
    const bool known = std::ranges::any_of(structures, [&](const PlannedStructure& other) {
      return other.data == one.data && other.key == one.key;
    });
    if (!known) structures.push_back(one);
  }
}

ItemCounts CountItem(std::span<const CellBlock> blocks, const WorkList& list, const WorkItem& item,
                     std::uint64_t memory) {
  const std::span<const std::uint32_t> places = list.BlocksOf(item);
  switch (item.route) {
    case Route::kShared:
      return CountShared(blocks, places);
    case Route::kCross: {
      const std::uint64_t most = MostSettings(blocks[places.front()], memory);
      return {0, 0, (places.size() + most - 1) / most};
    }
    case Route::kIncremental:
      return {1, 0, 0};
    default: {
      const auto n = static_cast<std::uint64_t>(item.n_splits);
      return {n, n * (blocks[places.front()].learner->steps().size() - 1), 0};
    }
  }
}

WorkPlan CountWork(std::span<const CellBlock> blocks, const WorkList& list, int workers,
                   std::uint64_t memory) {
  WorkPlan plan;
  for (const CellBlock& block : blocks) {
    plan.fits_asked += static_cast<std::uint64_t>(block.count);
  }
  // Items of many splits have the same blocks.
  std::map<std::pair<std::uint32_t, std::uint32_t>, ItemCounts> known;
  for (const WorkItem& item : list.items) {
    ItemCounts counts;
    if (item.route == Route::kShared) {
      const auto [place, is_new] = known.try_emplace({item.first_block, item.n_blocks});
      if (is_new) place->second = CountItem(blocks, list, item, memory);
      counts = place->second;
    } else {
      counts = CountItem(blocks, list, item, memory);
    }
    plan.fits_done += counts.fits;
    plan.transform_fits += counts.transform_fits;
    plan.passes += counts.passes;
  }
  for (const Preparation& one : list.preparations) {
    if (one.uses < kWorthPreparing) continue;
    plan.structures.push_back({one.data, one.learner->component().id, one.key});
  }
  plan.prediction_bytes = PredictionBytes(blocks);
  plan.pass_bytes = PassBytes(blocks, list, workers, memory);
  return plan;
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
  for (std::int64_t s = 0; s < plan.size(); ++s) {
    sizes.push_back(static_cast<std::int64_t>(plan.Rows(s).test.size()));
  }
  return sizes;
}

WorkPlan PlanFits(std::span<const FitJob> jobs) {
  WorkPlan plan;
  plan.fits_asked = plan.fits_done = jobs.size();
  for (const FitJob& job : jobs) plan.transform_fits += job.learner->transforms().size();
  return plan;
}

}  // namespace crossfold
