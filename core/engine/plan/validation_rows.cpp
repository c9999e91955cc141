#include "engine/plan/validation_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "engine/plan/nested_rows.h"

namespace crossfold {
namespace {

using RowIds = std::vector<std::int64_t>;

// Returns the ids in ascending order, each of them once.
RowIds DistinctRows(const DataView& view) {
  RowIds ids;
  for (std::int64_t i = 0; i < view.num_rows(); ++i) ids.push_back(view.row_id(i));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Returns the places of the rows in time: equal times have equal numbers.
std::map<std::int64_t, std::int64_t> TimeRanks(const Dataset& data, RowIds ids) {
  const auto is_earlier = [&](std::int64_t a, std::int64_t b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (!data.time_exact().empty()) return data.time_exact()[i] < data.time_exact()[j];
    return data.time()[i] < data.time()[j];
  };
  std::stable_sort(ids.begin(), ids.end(), is_earlier);
  std::map<std::int64_t, std::int64_t> ranks;
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i > 0 && is_earlier(ids[i - 1], ids[i])) ++rank;
    ranks.emplace(ids[i], rank);
  }
  return ranks;
}

// Rows that stay together: of one group, or of one time.
struct Unit {
  RowIds rows;
  std::int64_t last = 0;  // the place in time of its last row
};

// Returns the units in the order in which they are held out.
std::vector<Unit> UnitsInOrder(const Dataset& data, const RowIds& ids, std::uint64_t seed) {
  const bool in_time = !data.time().empty();
  std::map<std::int64_t, std::int64_t> ranks;
  if (in_time) ranks = TimeRanks(data, ids);
  std::map<std::int64_t, Unit> known;
  for (const std::int64_t id : ids) {
    const std::int64_t rank = in_time ? ranks[id] : 0;
    Unit& unit = known[data.groups().empty() ? rank : data.groups()[static_cast<std::size_t>(id)]];
    unit.rows.push_back(id);
    unit.last = std::max(unit.last, rank);
  }
  std::vector<Unit> units;
  for (auto& entry : known) units.push_back(std::move(entry.second));
  // Codes of groups follow the order of their names.
  std::ranges::sort(units, {}, [](const Unit& unit) { return unit.rows.front(); });
  if (in_time) {
    std::ranges::stable_sort(units, std::ranges::greater{}, &Unit::last);
  } else {
    plugin::Random random(seed);
    random.Shuffle(std::span<Unit>(units));
  }
  return units;
}

[[noreturn]] void Refuse(const std::string& finding) {
  throw Error(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: " + finding + "; leave out early_stopping_share");
}

// Returns the rows of the first units that have `wanted` rows or more; one unit always stays.
RowIds TakeUnits(const std::vector<Unit>& units, std::int64_t wanted, bool are_groups) {
  if (units.size() < 2) {
    Refuse(std::string("all training rows ") + (are_groups ? "are of one group" : "have one time"));
  }
  RowIds taken;
  for (std::size_t u = 0; u + 1 < units.size() && std::ssize(taken) < wanted; ++u) {
    taken.insert(taken.end(), units[u].rows.begin(), units[u].rows.end());
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

// Returns rows that are drawn one by one.
RowIds DrawRows(const DataView& view, RowIds ids, std::int64_t wanted, std::uint64_t seed) {
  const bool stratify = !view.data->strata().empty() || !view.data->labels().empty();
  const DataView distinct{view.data, std::make_shared<const RowIds>(std::move(ids))};
  RowIds taken;
  for (const std::int64_t position : DrawNestedRows(distinct, wanted, stratify, seed).test) {
    taken.push_back(distinct.row_id(position));
  }
  return taken;  // ascending, as the positions are
}

}  // namespace

ValidationRows HoldOut(const DataView& rows, double share, std::uint64_t seed) {
  assert(share > 0 && share < 1);
  const Dataset& data = *rows.data;
  RowIds ids = DistinctRows(rows);
  const auto n = std::ssize(ids);
  if (n < 2) Refuse("there is only one training row");
  const auto wanted =
      std::clamp<std::int64_t>(std::llround(share * static_cast<double>(n)), 1, n - 1);
  const bool one_by_one = data.groups().empty() && data.time().empty();
  const RowIds held =
      one_by_one ? DrawRows(rows, std::move(ids), wanted, seed)
                 : TakeUnits(UnitsInOrder(data, ids, seed), wanted, !data.groups().empty());
  ValidationRows divided;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const std::int64_t id = rows.row_id(i);
    const bool is_held = std::binary_search(held.begin(), held.end(), id);
    (is_held ? divided.validation : divided.train).push_back(id);
  }
  return divided;
}

}  // namespace crossfold
