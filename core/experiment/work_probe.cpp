// Measures how long a run takes by running some of PlanRun's items, including their scores.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "crossfold/score.h"
#include "crossfold/work_plan.h"
#include "engine/data/worker_threads.h"
#include "engine/run/memory_room.h"
#include "engine/run/prepared_rows.h"
#include "experiment/work_plan.h"

namespace crossfold {
namespace {

using Clock = std::chrono::steady_clock;

// More rows are tried until a measurement takes this long.
constexpr double kLongEnough = 0.2;  // seconds
// Samples of one kind of work take this long together.
constexpr double kSampling = 1.0;  // seconds
constexpr double kFirstShare = 1.0 / 16;
constexpr std::int64_t kFewRows = 500;  // all of them are used at once

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int WorkersOf(const RunOptions& options) {
  return options.workers > 0 ? options.workers : DefaultWorkers();
}

std::uint64_t MemoryOfPass(const RunOptions& options, int workers) {
  const std::uint64_t all = options.shared ? options.shared->memory() : DefaultSharedMemory();
  return all / 2 / static_cast<std::uint64_t>(std::max(workers, 1));
}

// Whether thing i is taken, so that a share of all is taken evenly.
bool IsTaken(std::size_t i, double share) {
  const auto at = static_cast<double>(i);
  return std::floor((at + 1) * share) > std::floor(at * share);
}

std::vector<std::int64_t> Thin(const std::vector<std::int64_t>& all, double share) {
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (IsTaken(i, share)) some.push_back(all[i]);
  }
  return some;
}

// Returns one split with fewer rows in both parts.
std::shared_ptr<const SplitPlan> ThinSplit(const SplitPlan& plan, std::int64_t split,
                                           double share) {
  const SplitRows rows = plan.Rows(split);
  // On the view of all rows, positions are ids.
  return SplitPlan::FromLists({plan.view().data, nullptr},
                              {{Thin(rows.train, share), Thin(rows.test, share)}});
}

// Returns folds first .. first + n - 1 of one repeat with fewer rows; folds without rows are left
// out.
std::shared_ptr<const SplitPlan> ThinFolds(const SplitPlan& plan, std::int64_t first,
                                           std::int64_t n, double share) {
  const Partition& all = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(first))];
  const std::int64_t fold = plan.fold_of(first);
  std::vector<std::int32_t> number(static_cast<std::size_t>(n), -1);
  Partition thin;
  auto rows = std::make_shared<std::vector<std::int64_t>>();
  for (std::size_t p = 0; p < all.fold_of_row.size(); ++p) {
    if (!IsTaken(p, share)) continue;
    rows->push_back(plan.view().row_id(static_cast<std::int64_t>(p)));
    const std::int64_t of_row = all.fold_of_row[p] - fold;
    if (of_row < 0 || of_row >= n) {
      thin.fold_of_row.push_back(-1);
      continue;
    }
    std::int32_t& is = number[static_cast<std::size_t>(of_row)];
    if (is < 0) is = thin.n_folds++;
    thin.fold_of_row.push_back(is);
  }
  return SplitPlan::FromPartitions({plan.view().data, rows}, {std::move(thin)});
}

// Makes a batch of the cells of one item, on a share of the rows.
std::vector<CellBlock> BlocksOfItem(std::span<const CellBlock> blocks, const WorkList& list,
                                    const WorkItem& item, double share) {
  const SplitPlan& plan = *blocks[list.BlocksOf(item).front()].splits;
  const bool whole = item.route == Route::kCross || item.route == Route::kIncremental;
  std::shared_ptr<const SplitPlan> thin;
  if (share < 1) {
    thin = whole ? ThinFolds(plan, item.split, item.n_splits, share)
                 : ThinSplit(plan, item.split, share);
  }
  std::vector<CellBlock> made;
  for (const std::uint32_t b : list.BlocksOf(item)) {
    CellBlock block = blocks[b];
    block.first = thin ? 0 : item.split;
    block.count = thin ? thin->size() : item.n_splits;
    if (thin) block.splits = thin;
    made.push_back(std::move(block));
  }
  return made;
}

// Items that differ only in size.
struct Kind {
  std::string name;  // for people
  std::vector<std::size_t> items;
  double units = 0, largest = 0;
};

class Estimate {
 public:
  Estimate(std::span<const CellBlock> blocks, const RunOptions& options,
           std::unordered_map<std::string, double>& rates, std::set<std::string>& structures,
           std::vector<std::string>& probed)
      : blocks_(blocks),
        options_(options),
        workers_(WorkersOf(options)),
        rates_(rates),
        structures_(structures),
        probed_(probed) {
    list_ = PlanWork(blocks, {options.share, workers_, DefaultWorkers()});
    one_ = options;
    one_.workers = 1;
    one_.verify = false;
    one_.on_finished = nullptr;
    one_.claim = nullptr;
    if (!one_.shared) one_.shared = std::make_shared<SharedWork>();
  }

  double Seconds() {
    const double preparing = Prepare();
    double total = 0, longest = 0;
    for (const auto& [key, kind] : MakeKinds()) {
      auto known = rates_.find(key);
      if (known == rates_.end()) {
        known = rates_.emplace(key, MeasureRate(kind)).first;
        probed_.push_back(kind.name);
      }
      total += known->second * kind.units;
      longest = std::max(longest, known->second * kind.largest);
    }
    return preparing + std::max(total / static_cast<double>(workers_), longest);
  }

 private:
  const CellBlock& FirstBlock(const WorkItem& item) const {
    return blocks_[list_.BlocksOf(item).front()];
  }

  static const char* NameOf(const WorkItem& item) {
    switch (item.route) {
      case Route::kShared:
        return "sharing fits";
      case Route::kCross:
        return "across folds";
      case Route::kIncremental:
        return "taking rows out";
      default:
        return "fit by fit";
    }
  }

  // Makes the structures, which stay for the run, because the rest cannot be timed without them.
  double Prepare() {
    double seconds = 0;
    std::unordered_map<const Component*, double> timed;
    for (const Preparation& one : list_.preparations) {
      if (one.uses < kWorthPreparing) continue;
      const std::string key = one.key + one.data->content_hash();
      if (!structures_.insert(key).second) continue;
      const Component* component = &one.learner->component();
      const auto known = timed.find(component);
      if (known != timed.end()) {  // others of the learner are like its first
        seconds += known->second;
        continue;
      }
      CallSite site(options_.cancel, options_.log);
      const bool may = (component->determinism & CF_DET_THREADS) != 0;
      site.n_threads = may ? static_cast<std::uint32_t>(workers_) : 1;
      const Clock::time_point start = Clock::now();
      FindOrPrepare(*one_.shared, one, site);
      timed[component] = SecondsSince(start);
      seconds += timed[component];
    }
    return seconds;
  }

  static std::string Address(const void* object) {
    return std::string(reinterpret_cast<const char*>(&object), sizeof(object));
  }

  // Returns the units of an item. Items of one kind take time in proportion to them.
  double UnitsOf(const WorkItem& item) {
    if (item.route == Route::kCross || item.route == Route::kIncremental) return item.cost;
    if (item.route == Route::kAlone) {
      return item.cost * static_cast<double>(FirstBlock(item).learner->steps().size());
    }
    // Items of many splits have the same blocks.
    const auto [place, is_new] = counts_.try_emplace({item.first_block, item.n_blocks});
    if (is_new) place->second = CountItem(blocks_, list_, item, 1);
    const ItemCounts& counts = place->second;
    return item.cost * static_cast<double>(counts.fits + counts.transform_fits) / item.n_blocks;
  }

  // Groups items by learner, its transforms, the way it shares and the dataset, in the order of the
  // batch.
  std::vector<std::pair<std::string, Kind>> MakeKinds() {
    std::vector<std::pair<std::string, Kind>> kinds;
    std::unordered_map<std::string, std::size_t> known;
    for (std::size_t i = 0; i < list_.items.size(); ++i) {
      const WorkItem& item = list_.items[i];
      const CellBlock& block = FirstBlock(item);
      std::string key(1, static_cast<char>('0' + static_cast<int>(item.route)));
      key += block.splits->view().data->content_hash();
      for (const auto& step : block.learner->steps()) key += Address(&step->component());
      const auto [place, is_new] = known.emplace(key, kinds.size());
      if (is_new) {
        kinds.emplace_back(key,
                           Kind{block.learner->learner().component().id + " on '" +
                                    block.splits->view().data->name() + "' (" + NameOf(item) + ")",
                                {},
                                0,
                                0});
      }
      Kind& kind = kinds[place->second].second;
      const double size = UnitsOf(item);
      kind.items.push_back(i);
      kind.units += size;
      kind.largest = std::max(kind.largest, size);
    }
    return kinds;
  }

  // Returns the seconds of one item on a share of the rows; nothing if a cell of it fails, or if
  // there are too few rows for a split.
  std::optional<double> Time(const WorkItem& item, double share) const {
    try {
      const std::vector<CellBlock> batch = BlocksOfItem(blocks_, list_, item, share);
      std::atomic<bool> failed = false;
      const Clock::time_point start = Clock::now();
      RunAndScore(batch, one_, [&](std::size_t, Outcome&& outcome) {
        if (outcome.status != OutcomeStatus::kOk) failed = true;
      });
      const double seconds = SecondsSince(start);
      if (failed && share < 1) return std::nullopt;
      return seconds;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  bool IsCancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }

  // The greatest share that was tried, and the factor by which all rows take longer.
  struct Growth {
    double share = 1, factor = 1, seconds = 0;
  };

  // Tries more and more rows of the item in the middle. The time of all rows is extrapolated with
  // the power law of the last step.
  Growth Grow(const WorkItem& item) const {
    const double n = static_cast<double>(FirstBlock(item).splits->view().num_rows());
    Growth growth;
    double before = 0;
    for (double share = n <= kFewRows ? 1 : kFirstShare; share <= 1; share *= 2) {
      if (IsCancelled()) break;
      const std::optional<double> seconds = Time(item, share);
      if (!seconds) continue;
      const double power = before > 0 ? std::log2(*seconds / before) : 1;
      growth = {share, std::pow(1 / share, std::clamp(power, 0.8, 2.2)), *seconds};
      if (before > 0 && *seconds >= kLongEnough) break;
      before = *seconds;
    }
    return growth;
  }

  double MeasureRate(const Kind& kind) {
    const std::size_t n = kind.items.size();
    const WorkItem& first = list_.items[kind.items[n / 2]];
    const Growth growth = Grow(first);
    double seconds = growth.seconds, units = UnitsOf(first), spent = growth.seconds;
    // The other items follow in an order that is spread over all of them.
    const std::size_t most = std::min<std::size_t>(n, 64);
    for (std::size_t i = 1; i < most && spent < kSampling && !IsCancelled(); ++i) {
      const auto spread = std::fmod(0.5 + static_cast<double>(i) * 0.6180339887498949, 1.0);
      const WorkItem& item =
          list_.items[kind.items[static_cast<std::size_t>(spread * static_cast<double>(n))]];
      const std::optional<double> took = Time(item, growth.share);
      if (!took) continue;
      seconds += *took;
      spent += *took;
      units += UnitsOf(item);
    }
    return units > 0 ? seconds * growth.factor / units : 0;
  }

  std::span<const CellBlock> blocks_;
  const RunOptions& options_;
  RunOptions one_;  // for what runs here
  const int workers_;
  WorkList list_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ItemCounts> counts_;
  std::unordered_map<std::string, double>& rates_;
  std::set<std::string>& structures_;
  std::vector<std::string>& probed_;
};

// Makes a cell of a fit on all rows of a view, which tests one of them.
std::vector<CellBlock> ToCells(std::span<const FitJob> jobs) {
  std::vector<CellBlock> blocks;
  for (const FitJob& job : jobs) {
    if (job.train.num_rows() == 0) continue;
    const std::int64_t tested = job.train.row_id(0);
    std::vector<std::int64_t> train;
    for (std::int64_t i = 1; i < job.train.num_rows(); ++i) {
      if (job.train.row_id(i) != tested) train.push_back(job.train.row_id(i));
    }
    if (train.empty()) continue;
    CellBlock block;
    block.learner = job.learner;
    block.splits = SplitPlan::FromLists({job.train.data, nullptr}, {{std::move(train), {tested}}});
    block.seed = job.seed;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace

WorkPlan PlanRun(std::span<const CellBlock> blocks, const RunOptions& options) {
  const int workers = WorkersOf(options);
  const std::uint64_t largest = options.shared ? LargestCopy(*options.shared) : 0;
  return CountWork(blocks, PlanWork(blocks, {options.share, workers, DefaultWorkers(), largest}),
                   workers, MemoryOfPass(options, workers));
}

double WorkProbe::Seconds(std::span<const CellBlock> blocks, const RunOptions& options) {
  return Estimate(blocks, options, rates_, structures_, probed_).Seconds();
}

double WorkProbe::Seconds(std::span<const FitJob> jobs, const RunOptions& options) {
  RunOptions alone = options;
  alone.share = false;  // every fit is one
  return Seconds(ToCells(jobs), alone);
}

}  // namespace crossfold
