// Smaller training sets, for the early rounds of a search.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "crossfold/seed.h"
#include "crossfold/split.h"
#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

// The positions of a view by row id. A view may contain a row more than once.
class PositionsOfRows {
 public:
  explicit PositionsOfRows(const DataView& view)
      : positions_(static_cast<std::size_t>(view.data->num_rows())), next_(positions_.size()) {
    for (std::int64_t i = 0; i < view.num_rows(); ++i) {
      positions_[static_cast<std::size_t>(view.row_id(i))].push_back(i);
    }
  }

  // Replaces row ids by positions. A repeated row gets its positions in turn.
  void Replace(std::vector<std::int64_t>& rows) {
    for (const std::int64_t row : rows) next_[static_cast<std::size_t>(row)] = 0;
    for (std::int64_t& row : rows) {
      const auto id = static_cast<std::size_t>(row);
      row = positions_[id][next_[id]++ % positions_[id].size()];
    }
  }

 private:
  std::vector<std::vector<std::int64_t>> positions_;
  std::vector<std::size_t> next_;  // of the list that is being replaced
};

// Orders shuffled rows so that the classes of every beginning have nearly the shares of the whole:
// the j-th of the n rows of a class is at (j - 0.5) / n.
void SpreadClasses(const Dataset& data, std::vector<std::int64_t>& rows) {
  struct Place {
    std::int64_t number = 0, row = 0, label = 0;
  };
  const auto n_classes = static_cast<std::size_t>(data.num_classes());
  std::vector<std::int64_t> counts(n_classes);
  std::vector<Place> places;
  places.reserve(rows.size());
  for (const std::int64_t row : rows) {
    const std::int32_t label = data.labels()[static_cast<std::size_t>(row)];
    places.push_back({++counts[static_cast<std::size_t>(label)], row, label});
  }
  std::stable_sort(places.begin(), places.end(), [&](const Place& a, const Place& b) {
    const auto size_of = [&](const Place& p) { return counts[static_cast<std::size_t>(p.label)]; };
    return (2 * a.number - 1) * size_of(b) < (2 * b.number - 1) * size_of(a);
  });
  std::ranges::transform(places, rows.begin(), &Place::row);
}

}  // namespace

std::shared_ptr<const SplitPlan> ShrinkTraining(const SplitPlan& plan, double share,
                                                std::uint64_t seed) {
  assert(share > 0 && share <= 1);
  const DataView& view = plan.view();
  PositionsOfRows positions(view);
  std::vector<SplitRows> splits;
  for (std::int64_t s = 0; s < plan.size(); ++s) {
    SplitRows rows = plan.Rows(s);
    plugin::Random random(SeedOfPath(seed, {"order", s}));
    random.Shuffle(std::span<std::int64_t>(rows.train));
    if (view.data->task() == Task::kClassification) SpreadClasses(*view.data, rows.train);
    const double wanted = std::ceil(share * static_cast<double>(rows.train.size()));
    rows.train.resize(std::min(rows.train.size(), static_cast<std::size_t>(wanted)));
    std::sort(rows.train.begin(), rows.train.end());
    positions.Replace(rows.train);
    positions.Replace(rows.test);
    splits.push_back(std::move(rows));
  }
  return SplitPlan::FromLists(view, std::move(splits));
}

}  // namespace crossfold
