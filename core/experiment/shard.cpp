#include "crossfold/shard.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "engine/plan/sharing.h"

namespace crossfold {
namespace {

// Some cells of a batch as blocks, with the place of each cell in the batch.
struct Selection {
  std::vector<CellBlock> blocks;
  std::vector<std::size_t> places;
};

Selection Select(std::span<const CellBlock> blocks, const std::vector<bool>& mine, bool wanted) {
  Selection selection;
  std::size_t place = 0;
  for (const CellBlock& block : blocks) {
    CellBlock one = block;
    one.count = 1;
    for (std::int64_t i = 0; i < block.count; ++i, ++place) {
      if (mine[place] != wanted) continue;
      one.first = block.first + i;
      AppendCells(selection.blocks, one);
      selection.places.push_back(place);
    }
  }
  return selection;
}

void RunSelection(const Selection& selection, const RunOptions& options, const RunEngine& engine,
                  const TakeOutcome& take) {
  if (selection.blocks.empty()) return;
  RunOptions of_selection = options;
  if (options.on_finished) {
    of_selection.on_finished = [&](std::size_t i, Outcome& outcome) {
      options.on_finished(selection.places[i], outcome);
    };
  }
  if (options.claim) {
    of_selection.claim = [&](std::span<const std::size_t> cells) {
      std::vector<std::size_t> places;
      for (const std::size_t i : cells) places.push_back(selection.places[i]);
      return options.claim(places);
    };
  }
  engine(selection.blocks, of_selection,
         [&](std::size_t i, Outcome&& outcome) { take(selection.places[i], std::move(outcome)); });
}

// A whole number of JSON is an integer.
double NumberOf(const JsonValue& entry, std::string_view name) {
  if (const auto* number = entry.FindAs<double>(name)) return *number;
  const auto* whole = entry.FindAs<std::int64_t>(name);
  return whole == nullptr ? 0 : static_cast<double>(*whole);
}

[[noreturn]] void Refuse(const std::string& name, const std::string& finding) {
  throw Error(ErrorKind::kBadData, "cannot read the costs of shards '" + name + "': " + finding +
                                       R"(; a costs file is a list of {"dataset": "iris", )"
                                       R"("learner": "knn", "seconds": 0.5})");
}

}  // namespace

Shard ParseShard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool has_count = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
  const auto count = std::from_chars(has_count ? number.ptr + 1 : end, end, shard.count);
  const bool is_shard = has_count && count.ec == std::errc() && count.ptr == end &&
                        shard.number >= 1 && shard.number <= shard.count;
  if (is_shard) return shard;
  throw Error(
      ErrorKind::kInvalidArgument,
      "cannot run shard '" + text + "': it is not a shard; use I/N with 1 <= I <= N, as in 2/10");
}

ShardDivision::ShardDivision(Shard shard, ShardCosts costs)
    : shard_(shard), costs_(std::move(costs)), loads_(static_cast<std::size_t>(shard.count), 0) {}

// Of one split, in seconds. REQUIRES: there are costs.
double ShardDivision::CostOf(const CellBlock& block) const {
  const CellPurpose* purpose = block.purpose.get();
  return purpose == nullptr ? costs_.Of("", "") : costs_.Of(purpose->dataset, purpose->learner);
}

std::vector<bool> ShardDivision::Divide(std::span<const CellBlock> blocks, bool share) {
  std::vector<bool> mine;
  std::vector<CellBlock> divided;
  std::vector<std::size_t> divided_first;
  for (const CellBlock& block : blocks) {
    const ShardPart part = block.purpose ? block.purpose->part : ShardPart::kDivided;
    if (part == ShardPart::kDivided) {
      divided.push_back(block);
      divided_first.push_back(mine.size());
    }
    mine.resize(mine.size() + static_cast<std::size_t>(block.count), part == ShardPart::kOwn);
  }
  WorkList list = PlanWork(divided, {share, shard_.count});
  for (WorkItem& item : list.items) {
    if (costs_.seconds.empty()) {
      item.cost = std::max(item.cost, 1.0);
      continue;
    }
    item.cost = 0;
    for (const std::uint32_t b : list.BlocksOf(item)) {
      item.cost += CostOf(divided[b]) * static_cast<double>(item.n_splits);
    }
  }
  std::stable_sort(list.items.begin(), list.items.end(),
                   [](const WorkItem& a, const WorkItem& b) { return a.cost > b.cost; });
  std::vector<std::pair<double, int>> loads;  // with the number of the shard
  for (const double load : loads_) loads.emplace_back(load, static_cast<int>(loads.size()) + 1);
  std::priority_queue least(std::greater<>(), std::move(loads));
  for (const WorkItem& item : list.items) {
    const auto [load, number] = least.top();
    least.pop();
    loads_[static_cast<std::size_t>(number - 1)] = load + item.cost;
    least.emplace(load + item.cost, number);
    if (number != shard_.number) continue;
    for (const std::uint32_t b : list.BlocksOf(item)) {
      const auto start = divided_first[b] + static_cast<std::size_t>(item.split - divided[b].first);
      for (std::int64_t i = 0; i < item.n_splits; ++i)
        mine[start + static_cast<std::size_t>(i)] = true;
    }
  }
  return mine;
}

bool ShardDivision::TakeTask(const std::string& dataset, const std::string& learner) {
  if (!costs_.seconds.empty()) {
    const auto least = std::min_element(loads_.begin(), loads_.end());
    *least += costs_.Of(dataset, learner);
    return least - loads_.begin() + 1 == shard_.number;
  }
  const bool is_mine = next_task_ == shard_.number;
  next_task_ = next_task_ == shard_.count ? 1 : next_task_ + 1;
  return is_mine;
}

void RunShard(ShardDivision& division, std::span<const CellBlock> blocks, const RunOptions& options,
              const RunEngine& engine, const RunEngine& others, const TakeOutcome& take) {
  const std::vector<bool> mine = division.Divide(blocks, options.share);
  RunSelection(Select(blocks, mine, false), options, others, take);
  RunSelection(Select(blocks, mine, true), options, engine, take);
}

void LeaveToOtherShards(std::span<const CellBlock> blocks, const RunOptions&,
                        const TakeOutcome& take) {
  std::size_t cells = 0;
  for (const CellBlock& block : blocks) cells += static_cast<std::size_t>(block.count);
  for (std::size_t i = 0; i < cells; ++i) {
    Outcome outcome;
    outcome.status = OutcomeStatus::kElsewhere;
    take(i, std::move(outcome));
  }
}

double ShardCosts::Of(const std::string& dataset, const std::string& learner) const {
  assert(!seconds.empty());
  const auto known = seconds.find({dataset, learner});
  if (known != seconds.end()) return known->second;
  double sum = 0;
  for (const auto& [names, one] : seconds) sum += one;
  return sum / static_cast<double>(seconds.size());
}

ShardCosts ParseShardCosts(std::string_view json, const std::string& name) {
  std::string problem;
  const std::optional<JsonValue> read = ParseJson(json, &problem);
  if (!read) Refuse(name, "it " + problem);
  const auto* list = read->As<JsonList>();
  if (list == nullptr || list->empty()) Refuse(name, "it has no list of learners");
  ShardCosts costs;
  for (const JsonValue& entry : *list) {
    const std::string place = "entry " + std::to_string(costs.seconds.size() + 1);
    const auto* dataset = entry.FindAs<std::string>("dataset");
    const auto* learner = entry.FindAs<std::string>("learner");
    const double seconds = NumberOf(entry, "seconds");
    if (dataset == nullptr || learner == nullptr)
      Refuse(name, place + " has no dataset or no learner");
    if (!(seconds > 0)) Refuse(name, place + " has no seconds greater than 0");
    if (!costs.seconds.try_emplace({*dataset, *learner}, seconds).second) {
      Refuse(name, "learner '" + *learner + "' on '" + *dataset + "' has two entries");
    }
  }
  return costs;
}

std::string ShardCostsText(const ShardCosts& costs) {
  std::string text = "[";
  for (const auto& [names, seconds] : costs.seconds) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    text += JsonText(
        JsonObject{{"dataset", names.first}, {"learner", names.second}, {"seconds", seconds}});
  }
  return text + "\n]\n";
}

}  // namespace crossfold
