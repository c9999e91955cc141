#include "experiment/work_plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "engine/plan/fit_groups.h"
#include "engine/plan/kept_predictions.h"

namespace crossfold {
namespace {

using Members = FitGroups::Members;

// Counts the fits of members whose steps before `depth` are the same (see
// engine/run/shared_fits.cpp).
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

// Returns the bytes of the predictions of one setting in a pass.
std::uint64_t BytesOfSetting(const CellBlock& block) {
  const DataView& view = block.splits->view();
  const auto k = static_cast<std::uint64_t>(view.data->num_classes());
  const std::uint64_t width = WantsProbabilities(block) ? k + 1 : 1;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(view.num_rows()) * 8 * width, 1);
}

// Returns the number of settings that fit into one pass.
std::uint64_t MaxSettings(const CellBlock& block, std::uint64_t memory) {
  return std::max<std::uint64_t>(memory / BytesOfSetting(block), 1);
}

std::uint64_t PassBytes(std::span<const CellBlock> blocks, const WorkList& list, int workers,
                        std::uint64_t memory) {
  std::vector<std::uint64_t> sizes;
  for (const WorkItem& item : list.items) {
    if (item.route != Route::kCross) continue;
    const CellBlock& block = blocks[list.BlocksOf(item).front()];
    const std::uint64_t settings =
        std::min<std::uint64_t>(item.n_blocks, MaxSettings(block, memory));
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
      const std::uint64_t most = MaxSettings(blocks[places.front()], memory);
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

WorkPlan PlanFits(std::span<const FitJob> jobs) {
  WorkPlan plan;
  plan.fits_asked = plan.fits_done = jobs.size();
  for (const FitJob& job : jobs) plan.transform_fits += job.learner->transforms().size();
  return plan;
}

}  // namespace crossfold
