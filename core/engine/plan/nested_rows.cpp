#include "engine/plan/nested_rows.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const DataView& view, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument,
              "cannot draw training sets of '" + view.data->name() + "': " + finding);
}

// Returns the stratum of each position; they are numbered in the order of their first positions, so
// that the order of the classes does not matter.
std::vector<std::int64_t> StrataOf(const DataView& view) {
  const Dataset& data = *view.data;
  if (data.strata().empty() && data.labels().empty()) {
    Refuse(view, "it has neither classes nor strata; use stratify = false");
  }
  std::vector<std::int64_t> strata(static_cast<std::size_t>(view.num_rows()));
  std::map<std::int64_t, std::int64_t> numbers;  // by code
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const auto row = static_cast<std::size_t>(view.row_id(static_cast<std::int64_t>(i)));
    const std::int64_t code = data.strata().empty() ? data.labels()[row] : data.strata()[row];
    strata[i] = numbers.try_emplace(code, std::ssize(numbers)).first->second;
  }
  return strata;
}

// Reorders `order` so that each of its beginnings has the strata in their shares: the i-th row of a
// stratum of n is at (i + u) / n, where u in [0, 1) is drawn once per stratum.
void Spread(std::span<const std::int64_t> strata, plugin::Random& random,
            std::vector<std::int64_t>& order) {
  struct Stratum {
    double rows = 0, seen = 0, start = 0;
  };
  std::map<std::int64_t, Stratum> known;
  std::vector<Stratum*> stratum_of;
  for (const std::int64_t i : order) {
    stratum_of.push_back(&known[strata[static_cast<std::size_t>(i)]]);
    stratum_of.back()->rows += 1;
  }
  for (auto& entry : known) entry.second.start = random.Uniform();
  // Sorted by place; equal places keep their order. Places are spread evenly, so about one is in
  // each of as many buckets.
  const std::size_t n = order.size();
  std::vector<double> place(n);
  std::vector<std::size_t> bucket(n), end(n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    Stratum& stratum = *stratum_of[k];
    place[k] = (stratum.seen + stratum.start) / stratum.rows;
    stratum.seen += 1;
    bucket[k] = std::min(static_cast<std::size_t>(place[k] * static_cast<double>(n)), n - 1);
    ++end[bucket[k] + 1];
  }
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<std::pair<double, std::size_t>> sorted(n);
  for (std::size_t k = 0; k < n; ++k) sorted[end[bucket[k]]++] = {place[k], k};
  std::size_t first = 0;
  for (std::size_t b = 0; b < n; ++b) {
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(first),
              sorted.begin() + static_cast<std::ptrdiff_t>(end[b]));
    first = end[b];
  }
  std::vector<std::int64_t> spread(n);
  for (std::size_t k = 0; k < n; ++k) spread[k] = order[sorted[k].second];
  order = std::move(spread);
}

// Takes whole groups for the test, in the order in which they occur in `order`.
NestedRows DivideGroups(const DataView& view, std::span<const std::int64_t> order,
                        std::int64_t test_count) {
  const auto group_of = [&](std::int64_t i) {
    return view.data->groups()[static_cast<std::size_t>(view.row_id(i))];
  };
  std::map<std::int64_t, std::int64_t> rows;  // of each group
  for (const std::int64_t i : order) ++rows[group_of(i)];
  std::map<std::int64_t, bool> tested;
  std::int64_t taken = 0;
  for (const std::int64_t i : order) {
    if (taken >= test_count) break;
    if (tested.emplace(group_of(i), true).second) taken += rows[group_of(i)];
  }
  NestedRows drawn;
  for (const std::int64_t i : order) {
    (tested.contains(group_of(i)) ? drawn.test : drawn.train).push_back(i);
  }
  return drawn;
}

}  // namespace

NestedRows DrawNestedRows(const DataView& view, std::int64_t test_count, bool stratify,
                          std::uint64_t seed) {
  if (test_count < 0 || test_count >= view.num_rows()) {
    Refuse(view, std::to_string(test_count) + " test rows of " + std::to_string(view.num_rows()) +
                     " leave no training row; use a smaller share");
  }
  plugin::Random random(seed);
  std::vector<std::int64_t> order(static_cast<std::size_t>(view.num_rows()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  random.Shuffle(std::span<std::int64_t>(order));
  const bool grouped = !view.data->groups().empty() && test_count > 0;
  NestedRows drawn;
  if (grouped) {
    drawn = DivideGroups(view, order, test_count);
    if (drawn.train.empty()) {
      Refuse(view,
             "the test takes whole groups, which leaves no training row; use a smaller share");
    }
    if (stratify) Spread(StrataOf(view), random, drawn.train);
  } else {
    if (stratify) Spread(StrataOf(view), random, order);
    drawn.test.assign(order.begin(), order.begin() + test_count);
    drawn.train.assign(order.begin() + test_count, order.end());
  }
  std::sort(drawn.test.begin(), drawn.test.end());
  return drawn;
}

}  // namespace crossfold
