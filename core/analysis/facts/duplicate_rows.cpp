#include "analysis/facts/duplicate_rows.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/facts/part_threads.h"

namespace crossfold {
namespace {

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

DuplicateRows FindDuplicateRows(const DataView& view, std::span<const ContentKeys> features,
                                std::span<const std::uint64_t> target, int threads) {
  if (features.empty() || view.num_rows() >= static_cast<std::int64_t>(kFree)) return {};
  return RowGroups(view, features, target).Count(threads);
}

}  // namespace crossfold
