#include "group_dealer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace crossfold::bundled {

GroupCounts::GroupCounts(std::span<const RowSet> groups, const Strata& strata, std::int64_t n_rows)
    : n_columns_(strata.size() + 1), counts_(groups.size() * n_columns_) {
  std::vector<std::size_t> order(strata.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return strata.rows[a].front() < strata.rows[b].front();
  });
  std::vector<std::size_t> group_of(static_cast<std::size_t>(n_rows));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::int64_t row : groups[g]) group_of[static_cast<std::size_t>(row)] = g;
    counts_[g * n_columns_ + strata.size()] = static_cast<double>(groups[g].size());
  }
  for (std::size_t column = 0; column < order.size(); ++column) {
    const RowSet& rows = strata.rows[order[column]];
    for (const std::int64_t row : rows) {
      ++counts_[group_of[static_cast<std::size_t>(row)] * n_columns_ + column];
    }
    totals_.push_back(static_cast<double>(rows.size()));
  }
  totals_.push_back(static_cast<double>(n_rows));
}

std::vector<std::int64_t> CountGroupsOfStrata(std::span<const RowSet> groups,
                                              const Strata& strata) {
  std::vector<std::size_t> stratum_of;
  for (std::size_t s = 0; s < strata.size(); ++s) {
    for (const std::int64_t row : strata.rows[s]) {
      const auto place = static_cast<std::size_t>(row);
      if (place >= stratum_of.size()) stratum_of.resize(place + 1);
      stratum_of[place] = s;
    }
  }
  std::vector<std::int64_t> counts(strata.size());
  std::vector<std::size_t> last_group(strata.size(), groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::int64_t row : groups[g]) {
      const std::size_t s = stratum_of[static_cast<std::size_t>(row)];
      if (last_group[s] != g) ++counts[s];
      last_group[s] = g;
    }
  }
  return counts;
}

namespace {

// Exchanges of all pairs are tried up to this many groups. With more groups, moves of single
// groups are enough.
constexpr std::size_t kMostGroupsToSwap = 1000;
constexpr int kMostPasses = 20;
// A smaller gain is rounding error, as the numbers are around 1.
constexpr double kLeastGain = 1e-12;
// A draw is even enough if the root mean square of the relative deviations, over parts and columns,
// is at most this share, or this multiple of what DealLargestFirst comes to.
constexpr double kEvenEnough = 0.01;
constexpr double kAboutAsEven = 1.1;
constexpr int kMostDraws = 10;

}  // namespace

GroupDealer::GroupDealer(const GroupCounts& counts, std::span<const double> shares)
    : counts_(counts),
      shares_(shares.begin(), shares.end()),
      n_columns_(counts.num_columns()),
      load_(shares.size() * n_columns_),
      groups_in_(shares.size()),
      part_of_(counts.num_groups()) {}

std::vector<std::int32_t> GroupDealer::DealLargestFirst() {
  std::vector<std::pair<double, std::size_t>> keyed;
  for (std::size_t g = 0; g < counts_.num_groups(); ++g) {
    keyed.emplace_back(counts_.Product(counts_.of_group(g), counts_.of_group(g)), g);
  }
  std::ranges::stable_sort(keyed, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> order;
  for (const auto& [impact, group] : keyed) order.push_back(group);
  Deal(order);
  return part_of_;
}

std::vector<std::int32_t> GroupDealer::DrawEven(plugin::Random& random) {
  if (most_uneven_ < 0) {
    DealLargestFirst();
    double of_slack = 0;
    for (const double share : shares_) of_slack += share * share;
    of_slack *= kEvenEnough * kEvenEnough * static_cast<double>(n_columns_);
    most_uneven_ = std::max(kAboutAsEven * kAboutAsEven * Unevenness(), of_slack);
  }
  std::vector<std::size_t> order(counts_.num_groups());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int32_t> best;
  double least = 0;
  for (int draw = 0; draw < kMostDraws; ++draw) {
    random.Shuffle(std::span(order));
    Deal(order);
    const double found = Unevenness();
    if (draw == 0 || found < least) {
      least = found;
      best = part_of_;
    }
    if (least <= most_uneven_) break;
  }
  return best;
}

void GroupDealer::Deal(std::span<const std::size_t> order) {
  for (std::size_t part = 0; part < shares_.size(); ++part) {
    for (std::size_t c = 0; c < n_columns_; ++c) {
      load_[part * n_columns_ + c] = -shares_[part] * counts_.totals()[c];
    }
  }
  std::fill(groups_in_.begin(), groups_in_.end(), 0);
  for (const std::size_t group : order) Put(group, NeediestPart(group));
  FillEmptyParts(order);
  Improve(order);
}

double GroupDealer::Unevenness() const {
  double sum = 0;
  for (std::size_t part = 0; part < shares_.size(); ++part) {
    const auto load = std::span(load_).subspan(part * n_columns_, n_columns_);
    sum += counts_.Product(load, load);
  }
  return sum;
}

std::size_t GroupDealer::NeediestPart(std::size_t group) {
  std::size_t best = 0;
  double least = 0;
  for (std::size_t part = 0; part < shares_.size(); ++part) {
    const double crowding = counts_.Product(counts_.of_group(group), LoadOf(part));
    if (part == 0 || crowding < least) {
      best = part;
      least = crowding;
    }
  }
  return best;
}

void GroupDealer::FillEmptyParts(std::span<const std::size_t> order) {
  for (std::size_t part = 0; part < shares_.size(); ++part) {
    if (groups_in_[part] > 0) continue;
    std::size_t best = counts_.num_groups();
    for (const std::size_t group : order) {
      if (groups_in_[PartOf(group)] == 1) continue;
      if (best == counts_.num_groups() || Gain(group, part, nullptr) > Gain(best, part, nullptr)) {
        best = group;
      }
    }
    Take(best);
    Put(best, part);
  }
}

void GroupDealer::Add(std::size_t group, std::size_t part, int sign) {
  const std::span<const double> counts = counts_.of_group(group);
  const std::span<double> load = LoadOf(part);
  for (std::size_t c = 0; c < n_columns_; ++c) load[c] += sign * counts[c];
  groups_in_[part] += sign;
  part_of_[group] = static_cast<std::int32_t>(part);
}

double GroupDealer::Gain(std::size_t group, std::size_t to, const std::size_t* other) {
  const std::span<const double> own = counts_.of_group(group);
  const std::span<const double> from_load = LoadOf(PartOf(group));
  const std::span<const double> to_load = LoadOf(to);
  double change = 0;
  for (std::size_t c = 0; c < n_columns_; ++c) {
    const double d = own[c] - (other == nullptr ? 0.0 : counts_.of_group(*other)[c]);
    const double total = counts_.totals()[c];
    change += d * (to_load[c] - from_load[c] + d) / (total * total);
  }
  return -2 * change;
}

bool GroupDealer::MoveIfBetter(std::size_t group) {
  const auto from = PartOf(group);
  if (groups_in_[from] == 1) return false;
  std::size_t best = from;
  double most = kLeastGain;
  for (std::size_t part = 0; part < shares_.size(); ++part) {
    if (part == from) continue;
    const double gain = Gain(group, part, nullptr);
    if (gain > most) {
      best = part;
      most = gain;
    }
  }
  if (best == from) return false;
  Take(group);
  Put(group, best);
  return true;
}

bool GroupDealer::SwapIfBetter(std::size_t group, std::size_t other) {
  const auto from = PartOf(group);
  const auto to = PartOf(other);
  if (from == to || Gain(group, to, &other) <= kLeastGain) return false;
  Take(group);
  Take(other);
  Put(group, to);
  Put(other, from);
  return true;
}

void GroupDealer::Improve(std::span<const std::size_t> order) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool is_better = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      is_better |= MoveIfBetter(order[i]);
      if (order.size() > kMostGroupsToSwap) continue;
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        is_better |= SwapIfBetter(order[i], order[j]);
      }
    }
    if (!is_better) return;
  }
}

}  // namespace crossfold::bundled
