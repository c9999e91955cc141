#include "analysis/facts/equal_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "analysis/facts/content_keys.h"
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

}  // namespace crossfold
