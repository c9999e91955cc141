#include "engine/plan/sharing.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "crossfold_plugin.h"
#include "engine/plugin/fit_memory.h"

namespace crossfold {
namespace {

template <class T>
void AppendBytes(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Returns a key of the component and the values of its parameters that have all flags of `with` and
// none of `without`.
std::string KeyOf(const Spec& spec, std::uint32_t with, std::uint32_t without) {
  std::string key;
  AppendBytes(key, &spec.component());
  const std::vector<ParamSpec>& params = spec.component().params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if ((params[i].flags & with) != with || (params[i].flags & without) != 0) continue;
    AppendValue(key, spec.values()[i]);
  }
  return key;
}

bool OffersPath(const Component& learner) {
  return learner.capability<cf_cap_fit_path>(CF_CAP_FIT_PATH) != nullptr;
}

// All workers use one structure, which CF_MT_OBJECTS does not allow.
bool OffersPreparation(const Component& learner) {
  return learner.threading != CF_MT_OBJECTS &&
         learner.capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr;
}

bool IsUnseeded(const Component& component) {
  return (component.determinism & CF_DET_UNSEEDED) != 0;
}

class Planner {
 public:
  Planner(std::span<const CellBlock> blocks, const SharingOptions& options)
      : blocks_(blocks), options_(options) {
    for (const CellBlock& block : blocks) n_cells_ += block.count;
  }

  WorkList Plan() {
    if (!options_.share) {
      for (std::uint32_t b = 0; b < blocks_.size(); ++b) AddAlone(b);
      return std::move(list_);
    }
    for (const Group& group : MakeGroups()) {
      switch (group.route) {
        case Route::kAlone:
          for (const std::uint32_t b : group.blocks) AddAlone(b);
          break;
        case Route::kCross:
          AddCross(group);
          break;
        case Route::kIncremental:
          for (const std::uint32_t b : group.blocks) AddRepeats(Route::kIncremental, {b}, b);
          break;
        default:
          AddShared(group);
      }
    }
    CountUses();
    CutItems();
    return std::move(list_);
  }

 private:
  // Blocks that may share something.
  struct Group {
    Route route;
    std::vector<std::uint32_t> blocks;
  };

  Route RouteOf(const CellBlock& block) const {
    // Its transforms are fitted without the validation rows, which follow from the seed.
    if (block.learner->learner().early_stopping_share()) return Route::kAlone;
    const bool plain = block.learner->transforms().empty();
    if (!plain || block.splits->partitions().empty()) return Route::kShared;
    const Component& learner = block.learner->learner().component();
    if (CanCrossPredict(learner) && (MayCross(block) || ToleranceOf(learner) != 0)) {
      return Route::kCross;
    }
    // Memory may not decide between separate fits and a way that is not exact.
    if (CanTakeRowsOut(learner) &&
        (IsExact(learner) ? block.count > 1 : !CanCrossPredict(learner))) {
      return Route::kIncremental;
    }
    return Route::kShared;
  }

  bool IsLarge(const CellBlock& block) const {
    return options_.largest_copy != 0 &&
           EntriesOf(block) * sizeof(double) > static_cast<double>(options_.largest_copy);
  }

  // Whether there is memory for predicting all folds in one call: for what the learner says that it
  // takes, or a copy of the rows, and for a place and a prediction of each row.
  bool MayCross(const CellBlock& block) const {
    if (options_.largest_copy == 0) return true;
    const Dataset& data = *block.splits->view().data;
    const std::int64_t n = block.splits->view().num_rows();
    std::optional<std::uint64_t> said;
    if (options_.asks) said = CrossMemory(block.learner->learner(), data, n);
    const double own = said ? static_cast<double>(*said) : EntriesOf(block) * sizeof(double);
    const std::int64_t k = data.num_classes();
    const std::int64_t width = (k > 0 ? 12 : 16) + (WantsProbabilities(block) ? 8 * k : 0);
    return own + static_cast<double>(n * width) <= static_cast<double>(options_.largest_copy);
  }

  static bool IsExact(const Component& learner) {
    return learner.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL)->exact != 0;
  }

  std::string GroupKey(const CellBlock& block, Route route) const {
    const Spec& learner = block.learner->learner();
    std::string key;
    AppendBytes(key, route);
    AppendBytes(key, block.splits.get());
    if (route == Route::kCross) {
      AppendBytes(key, WantsProbabilities(block));
      AppendBytes(key, block.first);
      AppendBytes(key, block.count);
      return key + KeyOf(learner, CF_PF_PREPARE, 0);  // one call, one prepared structure
    }
    if (block.learner->transforms().empty()) {
      return key + FamilyKey(learner) + SeedKey(learner.component(), block.seed);
    }
    const Spec& first = *block.learner->transforms().front();
    return key + StepKey(first) + SeedKey(first.component(), block.seed);
  }

  // Returns the groups in the order in which they occur in the batch.
  std::vector<Group> MakeGroups() const {
    std::vector<Group> groups;
    std::unordered_map<std::string, std::size_t> known;
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      const Route route = RouteOf(blocks_[b]);
      const auto [place, is_new] = known.emplace(GroupKey(blocks_[b], route), groups.size());
      if (is_new) groups.push_back({route, {}});
      groups[place->second].blocks.push_back(b);
    }
    return groups;
  }

  double EntriesOf(const CellBlock& block) const {
    const DataView& view = block.splits->view();
    return static_cast<double>(view.num_rows()) *
           static_cast<double>(view.data->num_features() + 1);
  }

  void AddItem(WorkItem item, std::span<const std::uint32_t> blocks) {
    // The next split of a group often has the blocks of the last one.
    const auto n = static_cast<std::uint32_t>(blocks.size());
    const bool same = list_.blocks.size() >= n &&
                      std::equal(blocks.begin(), blocks.end(), list_.blocks.end() - n);
    if (!same) list_.blocks.insert(list_.blocks.end(), blocks.begin(), blocks.end());
    item.n_blocks = n;
    item.first_block = static_cast<std::uint32_t>(list_.blocks.size()) - n;
    item.cost = EntriesOf(blocks_[blocks.front()]) * static_cast<double>(n) *
                static_cast<double>(item.n_splits);
    list_.items.push_back(item);
  }

  void AddAlone(std::uint32_t b) {
    const CellBlock& block = blocks_[b];
    const std::int64_t most = CellsAlone();
    for (std::int64_t i = 0; i < block.count; i += most) {
      WorkItem item;
      item.split = block.first + i;
      item.n_splits = std::min(most, block.count - i);
      AddItem(item, {&b, 1});
    }
  }

  // Returns the number of cells that go into one item although they share nothing. So the list of
  // items of a batch of millions stays small, and workers still end at about the same time.
  std::int64_t CellsAlone() const {
    constexpr std::int64_t kItemsPerWorker = 256;
    return std::max<std::int64_t>(n_cells_ / (kItemsPerWorker * std::max(options_.workers, 1)), 1);
  }

  // Adds an item for each repeat that the splits of `like` belong to.
  void AddRepeats(Route route, const std::vector<std::uint32_t>& members, std::uint32_t like) {
    const CellBlock& block = blocks_[like];
    std::int64_t split = block.first;
    const std::int64_t end = block.first + block.count;
    while (split < end) {
      const auto& partition =
          block.splits->partitions()[static_cast<std::size_t>(block.splits->repeat_of(split))];
      const std::int64_t next = split - block.splits->fold_of(split) + partition.n_folds;
      WorkItem item;
      item.route = route;
      item.split = split;
      item.n_splits = std::min(next, end) - split;
      if (route == Route::kCross) item.preparation = PreparationFor(block, RowsIn(block, item));
      AddItem(item, members);
      split += item.n_splits;
    }
  }

  void AddCross(const Group& group) {
    AddRepeats(Route::kCross, group.blocks, group.blocks.front());
  }

  void AddShared(const Group& group) {
    const CellBlock& first = blocks_[group.blocks.front()];
    const bool prepares = first.learner->transforms().empty() &&
                          OffersPreparation(first.learner->learner().component()) &&
                          !IsLarge(first);
    if (group.blocks.size() == 1 && !prepares) return AddAlone(group.blocks.front());
    std::vector<std::pair<std::int64_t, std::uint32_t>> cells;
    for (const std::uint32_t b : group.blocks) {
      for (std::int64_t i = 0; i < blocks_[b].count; ++i) {
        cells.emplace_back(blocks_[b].first + i, b);
      }
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const std::size_t most = MaxBlocks(group, cells.size());
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < cells.size();) {
      WorkItem item;
      item.split = cells[i].first;
      members.clear();
      for (; i < cells.size() && cells[i].first == item.split && members.size() < most; ++i) {
        members.push_back(cells[i].second);
      }
      item.route = members.size() > 1 || prepares ? Route::kShared : Route::kAlone;
      if (prepares) {
        // Two fits of all rows make up for it.
        const auto rows = static_cast<double>(first.splits->min_train_rows());
        item.preparation = PreparationFor(first, rows * kWorthPreparing / 2);
      }
      AddItem(item, members);
    }
  }

  // Returns the maximum number of blocks of an item. Equal transforms are repeated to keep workers
  // busy; a family is one fit and stays together.
  std::size_t MaxBlocks(const Group& group, std::size_t n_cells) const {
    const bool is_family = blocks_[group.blocks.front()].learner->transforms().empty();
    if (is_family || options_.workers <= 1) return n_cells;
    const auto items = 2 * static_cast<std::size_t>(options_.workers);
    return std::max<std::size_t>((n_cells + items - 1) / items, 1);
  }

  // Returns the test rows of an item of folds, as a share of the view.
  static double RowsIn(const CellBlock& block, const WorkItem& item) {
    const auto& partition =
        block.splits->partitions()[static_cast<std::size_t>(block.splits->repeat_of(item.split))];
    return static_cast<double>(block.splits->view().num_rows()) *
           static_cast<double>(item.n_splits) / static_cast<double>(partition.n_folds);
  }

  std::uint32_t PreparationFor(const CellBlock& block, double rows) {
    const std::shared_ptr<const Spec>& learner = block.learner->steps().back();
    if (!OffersPreparation(learner->component()) || IsLarge(block)) return kNoPreparation;
    std::string key = KeyOf(*learner, CF_PF_PREPARE, 0);
    std::string place = key;
    AppendBytes(place, block.splits->view().data.get());
    const auto [known, is_new] =
        preparations_.emplace(std::move(place), static_cast<std::uint32_t>(preparations_.size()));
    if (is_new) {
      list_.preparations.push_back({block.splits->view().data, learner, std::move(key), 0});
    }
    list_.preparations[known->second].uses += rows;
    return known->second;
  }

  void CountUses() {
    for (Preparation& one : list_.preparations) {
      one.uses /= static_cast<double>(std::max<std::int64_t>(one.data->num_rows(), 1));
    }
  }

  // Divides items of folds if there are fewer items than workers.
  void CutItems() {
    const std::size_t n = list_.items.size();
    const int most =
        options_.cores > 0 ? std::min(options_.workers, options_.cores) : options_.workers;
    const auto workers = static_cast<std::size_t>(std::max(most, 1));
    if (n == 0 || n >= workers) return;
    const auto pieces = static_cast<std::int64_t>((workers + n - 1) / n);
    std::vector<WorkItem> cut;
    for (const WorkItem& item : list_.items) {
      const std::int64_t parts = std::min(pieces, item.n_splits);
      for (std::int64_t part = 0; part < parts; ++part) {
        WorkItem one = item;
        one.split = item.split + item.n_splits * part / parts;
        one.n_splits = item.split + item.n_splits * (part + 1) / parts - one.split;
        one.cost = item.cost / static_cast<double>(parts);
        cut.push_back(one);
      }
    }
    list_.items = std::move(cut);
  }

  std::span<const CellBlock> blocks_;
  SharingOptions options_;
  std::int64_t n_cells_ = 0;
  WorkList list_;
  std::unordered_map<std::string, std::uint32_t> preparations_;
};

}  // namespace

bool WantsProbabilities(const CellBlock& block) {
  if (block.keep == Keep::kProbabilities) return true;
  if (!block.metrics) return false;
  return std::ranges::any_of(*block.metrics, [](const std::shared_ptr<const Spec>& metric) {
    return (metric->component().metric->needs & CF_NEEDS_PROBABILITIES) != 0;
  });
}

void AppendValue(std::string& key, const Value& value) {
  const std::string text = ToText(value);
  AppendBytes(key, value.index());
  AppendBytes(key, text.size());
  key += text;
}

std::string FamilyKey(const Spec& learner) {
  return KeyOf(learner, 0, OffersPath(learner.component()) ? CF_PF_SUBMODEL : 0);
}

std::string StepKey(const Spec& step) {
  std::string key = KeyOf(step, 0, 0);
  for (const auto& [name, list] : step.added()) {
    AppendValue(key, name);
    AppendValue(key, list);
  }
  return key;
}

std::string SeedKey(const Component& component, std::uint64_t seed) {
  std::string key;
  if (!IsUnseeded(component)) AppendBytes(key, seed);
  return key;
}

bool CanCrossPredict(const Component& learner) {
  // Its sink has no place for scores.
  return learner.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT) != nullptr &&
         learner.capability<cf_cap_scores>(CF_CAP_SCORES) == nullptr;
}

bool CanTakeRowsOut(const Component& learner) {
  const auto* table = learner.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  // One model replaces the fits of all folds, which have different seeds.
  return table != nullptr && table->remove_rows != nullptr && IsUnseeded(learner);
}

double ToleranceOf(const Component& learner) {
  if (const auto* cross = learner.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT)) {
    return cross->tolerance;
  }
  const auto* incremental = learner.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  return incremental == nullptr || incremental->exact != 0 ? 0 : incremental->tolerance;
}

WorkList PlanWork(std::span<const CellBlock> blocks, const SharingOptions& options) {
  return Planner(blocks, options).Plan();
}

}  // namespace crossfold
