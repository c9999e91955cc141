#include "ranks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace crossfold::bundled::tree {

namespace {

// A set of up to kMost numbers, numbered as they come. Equal numbers have equal bits here: -0.0 and
// NaN do not occur.
class SmallSet {
 public:
  static constexpr std::size_t kMost = 256;

  SmallSet() { ids_.fill(kNone); }

  // kMost = there is no room for another number.
  std::size_t IdOf(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    // Fibonacci hashing: Knuth, The Art of Computer Programming 3, section 6.4.
    std::size_t slot = (bits * 0x9E3779B97F4A7C15u) >> (64 - kSlotBits);
    while (ids_[slot] != kNone) {
      if (bits_[slot] == bits) return ids_[slot];
      slot = (slot + 1) % kSlots;
    }
    if (values_.size() == kMost) return kMost;
    bits_[slot] = bits;
    ids_[slot] = static_cast<std::uint16_t>(values_.size());
    values_.push_back(x);
    return values_.size() - 1;
  }

  const std::vector<double>& values() const { return values_; }

 private:
  static constexpr std::size_t kSlotBits = 10, kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::array<std::uint64_t, kSlots> bits_;
  std::array<std::uint16_t, kSlots> ids_;
  std::vector<double> values_;
};

template <class T>
void Gather(const void* data, const plugin::FeatureView& view, std::span<const std::int64_t> rows,
            double* out) {
  const T* from = static_cast<const T*>(data);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out[i] = static_cast<double>(from[view.entry(rows[i])]) + 0.0;
  }
}

}  // namespace

void ReadEntries(const plugin::FeatureView& view, std::int64_t j,
                 std::span<const std::int64_t> rows, std::vector<double>& entries) {
  entries.resize(rows.size());
  const cf_column& column = view.column(j);
  if (column.validity == nullptr && column.dtype == CF_F64) {
    Gather<double>(column.data, view, rows, entries.data());
  } else if (column.validity == nullptr && column.dtype == CF_I64) {
    Gather<std::int64_t>(column.data, view, rows, entries.data());
  } else {
    for (std::size_t i = 0; i < rows.size(); ++i) entries[i] = view.x(rows[i], j) + 0.0;
  }
}

Ranks Ranker::Rank(std::span<const double> entries) {
  Ranks ranks;
  if (!RankFew(entries, ranks)) RankBySorting(entries, ranks);
  return ranks;
}

// False if there are many different values.
bool Ranker::RankFew(std::span<const double> entries, Ranks& ranks) {
  SmallSet set;
  ranks.of_entry.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (std::isnan(entries[i])) {
      ranks.of_entry[i] = kMissingRank;
      continue;
    }
    const std::size_t id = set.IdOf(entries[i]);
    if (id == SmallSet::kMost) return false;
    ranks.of_entry[i] = static_cast<std::uint32_t>(id);
  }
  const std::vector<double>& values = set.values();
  std::vector<std::uint32_t> order(values.size()), rank_of_id(values.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    rank_of_id[order[rank]] = static_cast<std::uint32_t>(rank);
    ranks.distinct.push_back(values[order[rank]]);
  }
  for (std::uint32_t& rank : ranks.of_entry) {
    if (rank != kMissingRank) rank = rank_of_id[rank];
  }
  return true;
}

void Ranker::RankBySorting(std::span<const double> entries, Ranks& ranks) {
  items_.clear();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (std::isnan(entries[i])) continue;
    items_.push_back({OrderedKey(entries[i]), static_cast<std::uint32_t>(i)});
  }
  SortByKey(items_, scratch_);
  ranks.of_entry.assign(entries.size(), kMissingRank);
  for (const KeyedRow& item : items_) {
    if (ranks.distinct.empty() || ranks.distinct.back() < entries[item.row]) {
      ranks.distinct.push_back(entries[item.row]);
    }
    ranks.of_entry[item.row] = static_cast<std::uint32_t>(ranks.distinct.size() - 1);
  }
}

void DropUnused(Ranks& ranks) {
  const std::size_t n = ranks.distinct.size();
  std::vector<std::uint32_t> new_rank(n, 0);
  for (const std::uint32_t rank : ranks.of_entry) {
    if (rank != kMissingRank) new_rank[rank] = 1;
  }
  std::size_t used = 0;
  for (std::size_t rank = 0; rank < n; ++rank) {
    if (new_rank[rank] == 0) continue;
    ranks.distinct[used] = ranks.distinct[rank];
    new_rank[rank] = static_cast<std::uint32_t>(used++);
  }
  if (used == n) return;
  ranks.distinct.resize(used);
  for (std::uint32_t& rank : ranks.of_entry) {
    if (rank != kMissingRank) rank = new_rank[rank];
  }
}

std::vector<std::uint32_t> SortedPlaces(std::span<const std::uint32_t> ranks,
                                        std::size_t n_distinct) {
  std::vector<std::uint32_t> next(n_distinct + 1, 0);
  for (const std::uint32_t rank : ranks) {
    if (rank != kMissingRank) ++next[rank + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(next.back());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != kMissingRank) sorted[next[ranks[i]]++] = static_cast<std::uint32_t>(i);
  }
  return sorted;
}

}  // namespace crossfold::bundled::tree
