#include "store/cells/test_rows.h"

#include <utility>

#include "engine/run/fold_rows.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxBytes = 64u << 20;
constexpr std::size_t kMaxEntries = 32;
// With few folds, a look at all rows for each of them costs little.
constexpr std::int32_t kFewFolds = 64;

std::size_t MemoryOf(const FoldTests& tests) {
  return sizeof(FoldTests) + 8 * (tests.ids.size() + tests.starts.size());
}

// Whether the rows of all folds of a repeat exceed what is kept, and those of one fold are made at
// little cost.
bool IsTooLarge(const SplitPlan& plan, std::int64_t split) {
  const Partition& partition = plan.partitions()[static_cast<std::size_t>(plan.repeat_of(split))];
  return partition.n_folds <= kFewFolds &&
         partition.fold_of_row.size() > kMaxBytes / sizeof(std::int64_t);
}

}  // namespace

std::shared_ptr<const FoldTests> MakeFoldTests(const SplitPlan& plan, std::int64_t first_split) {
  auto tests = std::make_shared<FoldTests>();
  if (plan.partitions().empty()) {
    tests->ids = plan.TestRows(first_split);
    tests->starts = {0, tests->ids.size()};
    return tests;
  }
  const auto repeat = static_cast<std::size_t>(plan.repeat_of(first_split));
  const FoldRows rows(plan, first_split, plan.partitions()[repeat].n_folds);
  tests->ids.reserve(rows.tested().size());
  for (const std::int64_t place : rows.tested()) {
    tests->ids.push_back(rows.id(place));
  }
  for (std::size_t f = 0; f < rows.num_folds(); ++f) tests->starts.push_back(rows.first_tested(f));
  tests->starts.push_back(tests->ids.size());
  return tests;
}

TestRows::Rows TestRows::Of(const SplitPlan& plan, std::int64_t split) {
  const bool is_list = plan.partitions().empty();
  const std::int64_t fold = is_list ? 0 : plan.fold_of(split);
  Rows rows;
  if (!is_list && IsTooLarge(plan, split)) {
    auto tests = std::make_shared<FoldTests>();
    tests->ids = plan.TestRows(split);
    rows.ids = tests->ids;
    rows.owner = std::move(tests);
    return rows;
  }
  rows.owner = is_list ? MakeFoldTests(plan, split) : Find(plan, split - fold);
  rows.ids = rows.owner->Of(fold);
  return rows;
}

std::shared_ptr<const FoldTests> TestRows::Find(const SplitPlan& plan, std::int64_t first_split) {
  const std::lock_guard lock(mutex_);  // others that need the same wait for it
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->plan != &plan || entry->first_split != first_split) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front().tests;
  }
  entries_.push_front({&plan, first_split, MakeFoldTests(plan, first_split)});
  bytes_ += MemoryOf(*entries_.front().tests);
  while ((bytes_ > kMaxBytes || entries_.size() > kMaxEntries) && entries_.size() > 1) {
    bytes_ -= MemoryOf(*entries_.back().tests);
    entries_.pop_back();
  }
  return entries_.front().tests;
}

}  // namespace crossfold
