#include "analysis/facts/equal_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <type_traits>

#include "analysis/facts/part_threads.h"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

// Marks a missing entry; an entry with these bits only costs a comparison.
constexpr std::uint64_t kMissing = 0x9B1A6E3F0C5D2787u;

// Equal numbers have equal bits: -0 becomes 0.
template <class T>
std::uint64_t EntryBits(T entry) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<std::uint64_t>(static_cast<double>(entry) + 0.0);
  } else {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(entry));
  }
}

std::vector<const Column*> FeaturesOf(const Dataset& data) {
  std::vector<const Column*> features;
  for (const cf_column& feature : data.features()) features.push_back(&data.column(feature.name));
  return features;
}

// The bits of the entries of one column, one per row of the view.
void ReadBits(const Column& column, const DataView& view, std::vector<std::uint64_t>& bits) {
  VisitEntries(column, [&](auto entries) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(static_cast<std::int64_t>(i)));
      const bool missing = !IsValid(column, row) || MarksMissing(column.dtype, entries[row]);
      bits[i] = missing ? kMissing : EntryBits(entries[row]);
    }
  });
}

constexpr std::uint32_t kFree = 0xFFFFFFFFU;

class RowGroups {
 public:
  RowGroups(const DataView& view, std::span<const ContentKeys> features,
            std::span<const std::uint64_t> target)
      : features_(features), target_(target), n_rows_(static_cast<std::size_t>(view.num_rows())) {}

  DuplicateRows Count(int threads) {
    HashRows(threads);
    const std::vector<std::uint32_t> first_of = FirstEqual();
    DuplicateRows found;
    std::vector<bool> contradicts(n_rows_);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      const std::uint32_t first = first_of[row];
      if (TargetOf(row) != TargetOf(first)) contradicts[first] = true;
    }
    for (std::size_t row = 0; row < n_rows_; ++row) {
      found.n_contradicting += contradicts[first_of[row]] ? 1 : 0;
    }
    found.n_duplicates = CountDuplicates(first_of);
    return found;
  }

 private:
  std::uint64_t TargetOf(std::size_t row) const { return target_.empty() ? 0 : target_[row]; }

  void HashRows(int threads) {
    constexpr std::size_t kBlock = 4096;
    hashes_.assign(n_rows_, 0);
    ForEachPart(threads, (n_rows_ + kBlock - 1) / kBlock, [&](std::size_t block) {
      const std::size_t begin = block * kBlock, end = std::min(n_rows_, begin + kBlock);
      std::array<std::uint64_t, kBlock> keys;
      for (const ContentKeys& feature : features_) {
        feature.Read(static_cast<std::int64_t>(begin), {keys.data(), end - begin});
        for (std::size_t i = begin; i < end; ++i) hashes_[i] = Mix(hashes_[i] ^ keys[i - begin]);
      }
    });
  }

  bool AreEqual(std::size_t a, std::size_t b) const {
    return std::all_of(features_.begin(), features_.end(), [&](const ContentKeys& feature) {
      std::uint64_t key_a = 0, key_b = 0;
      feature.Read(static_cast<std::int64_t>(a), {&key_a, 1});
      feature.Read(static_cast<std::int64_t>(b), {&key_b, 1});
      return key_a == key_b;
    });
  }

  // The first row that is_same(row, other) says is one with `row`, whose hash is `hash`; else
  // `row`.
  template <class IsSame>
  static std::uint32_t FirstInTable(std::vector<std::uint32_t>& slots, std::uint64_t hash,
                                    std::size_t row, IsSame is_same) {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = static_cast<std::size_t>(hash) & mask;
    while (slots[i] != kFree && !is_same(slots[i])) i = (i + 1) & mask;
    if (slots[i] == kFree) slots[i] = static_cast<std::uint32_t>(row);
    return slots[i];
  }

  std::vector<std::uint32_t> EmptyTable() const {
    std::size_t n_slots = 16;
    while (n_slots < 2 * n_rows_) n_slots *= 2;
    return std::vector<std::uint32_t>(n_slots, kFree);
  }

  // For each row the first one with its features.
  std::vector<std::uint32_t> FirstEqual() const {
    std::vector<std::uint32_t> slots = EmptyTable(), first_of(n_rows_);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      first_of[row] = FirstInTable(slots, hashes_[row], row, [&](std::uint32_t other) {
        return hashes_[other] == hashes_[row] && AreEqual(other, row);
      });
    }
    return first_of;
  }

  std::int64_t CountDuplicates(std::span<const std::uint32_t> first_of) const {
    std::vector<std::uint32_t> slots = EmptyTable();
    std::int64_t n = 0;
    for (std::size_t row = 0; row < n_rows_; ++row) {
      const std::uint64_t hash = Mix(Mix(first_of[row]) ^ TargetOf(row));
      const std::uint32_t first = FirstInTable(slots, hash, row, [&](std::uint32_t other) {
        return first_of[other] == first_of[row] && TargetOf(other) == TargetOf(row);
      });
      n += first == row ? 0 : 1;
    }
    return n;
  }

  std::span<const ContentKeys> features_;
  std::span<const std::uint64_t> target_;
  const std::size_t n_rows_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace

std::vector<std::int64_t> FirstEqualRows(const DataView& view) {
  const auto n = static_cast<std::size_t>(view.num_rows());
  const std::vector<const Column*> features = FeaturesOf(*view.data);
  std::vector<std::uint64_t> hashes(n, 0), bits(n);
  for (const Column* column : features) {
    ReadBits(*column, view, bits);
    for (std::size_t i = 0; i < n; ++i) hashes[i] = Mix(hashes[i] ^ bits[i]);
  }
  std::vector<std::int64_t> order(n), first(n);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::iota(first.begin(), first.end(), std::int64_t{0});
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return hashes[at(a)] != hashes[at(b)] ? hashes[at(a)] < hashes[at(b)] : a < b;
  });
  for (std::size_t i = 1; i < n; ++i) {
    const auto row = at(order[i]), before = at(order[i - 1]);
    if (hashes[row] == hashes[before]) first[row] = first[before];
  }
  // Rows of one hash that are not equal to the first of them represent themselves; with 64 bits
  // that is very rare.
  for (const Column* column : features) {
    ReadBits(*column, view, bits);
    for (std::size_t i = 0; i < n; ++i) {
      if (bits[i] != bits[at(first[i])]) first[i] = static_cast<std::int64_t>(i);
    }
  }
  return first;
}

DuplicateRows FindDuplicateRows(const DataView& view, std::span<const ContentKeys> features,
                                std::span<const std::uint64_t> target, int threads) {
  if (features.empty() || view.num_rows() >= static_cast<std::int64_t>(kFree)) return {};
  return RowGroups(view, features, target).Count(threads);
}

}  // namespace crossfold
