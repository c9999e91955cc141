#include "engine/plan/nested_rows.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

[[noreturn]] void Refuse(const DataView& view, const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument,
              "cannot draw training sets of '" + view.data->name() + "': " + finding);
}

// Returns the stratum of each position.
std::vector<std::int64_t> StrataOf(const DataView& view) {
  const Dataset& data = *view.data;
  if (data.strata().empty() && data.labels().empty()) {
    Refuse(view, "it has neither classes nor strata; use stratify = false");
  }
  std::vector<std::int64_t> strata(static_cast<std::size_t>(view.num_rows()));
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const auto row = static_cast<std::size_t>(view.row_id(static_cast<std::int64_t>(i)));
    strata[i] = data.strata().empty() ? data.labels()[row] : data.strata()[row];
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
  for (const std::int64_t i : order) known[strata[static_cast<std::size_t>(i)]].rows += 1;
  for (auto& entry : known) entry.second.start = random.Uniform();
  std::vector<double> place(strata.size());
  for (const std::int64_t i : order) {
    Stratum& stratum = known[strata[static_cast<std::size_t>(i)]];
    place[static_cast<std::size_t>(i)] = (stratum.seen + stratum.start) / stratum.rows;
    stratum.seen += 1;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
  });
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
