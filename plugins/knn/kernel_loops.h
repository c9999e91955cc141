// The loops of kernels.h over the vectors of one instruction set: `Lanes` of the file that includes
// this one and is compiled for that set. The linker keeps one copy of an inline function, whatever
// set it was compiled for: so everything here is the including file's own (an unnamed namespace),
// and nothing comes from the C++ library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels.h"

namespace crossfold::knn {
namespace {

// Steps of whole-number keys: what a pair of features adds.
template <class Lanes>
struct Products {
  static auto Of(const auto& rows, const auto& query) { return Lanes::SumOfProducts(rows, query); }
};
template <class Lanes>
struct Differences {
  static auto Of(const auto& rows, const auto& query) {
    return Lanes::SumOfDifferences(rows, query);
  }
};

template <class Lanes, class Step>
void WholeKeys(const WholeTile& tile, std::int32_t* keys) {
  constexpr std::size_t kPairs = 2 * kBlockRows;  // entries of a pair of features in a block
  for (std::size_t b = 0; b < tile.n_blocks; ++b) {
    const std::int16_t* block = tile.blocks + b * tile.n_pairs * kPairs;
    const auto starts = Lanes::Load(tile.starts + b * kBlockRows);
    typename Lanes::Ints sums[kQueryGroup];
    for (std::size_t q = 0; q < kQueryGroup; ++q) {
      sums[q] = Lanes::Add(starts, Lanes::Spread(tile.query_starts[q]));
    }
    for (std::size_t j = 0; j < tile.n_pairs; ++j) {
      const auto rows = Lanes::LoadPairs(block + j * kPairs);
      for (std::size_t q = 0; q < kQueryGroup; ++q) {
        const auto query = Lanes::SpreadPair(tile.queries + (q * tile.n_pairs + j) * 2);
        sums[q] = Lanes::Add(sums[q], Step::Of(rows, query));
      }
    }
    for (std::size_t q = 0; q < kQueryGroup; ++q) {
      Lanes::Store(keys + q * kTileRows + b * kBlockRows, sums[q]);
    }
  }
}

// Steps of real keys.
struct AddSquares {
  template <class Reals>
  static void To(Reals& key, const Reals& difference) {
    key += difference * difference;
  }
};
struct AddAbsolute {
  template <class Reals>
  static void To(Reals& key, const Reals& difference) {
    key += difference < 0 ? -difference : difference;
  }
};
struct TakeLargest {
  template <class Reals>
  static void To(Reals& key, const Reals& difference) {
    const Reals size = difference < 0 ? -difference : difference;
    key = key < size ? size : key;
  }
};

template <class Lanes, class Step>
void RealKeys(const RealTile& tile, double* keys) {
  using Reals = typename Lanes::Reals;
  using ReadReals = typename Lanes::ReadReals;
  constexpr std::size_t kReals = sizeof(Reals) / sizeof(double);
  for (std::size_t first = 0; first < tile.n_blocks * kBlockRows; first += kReals) {
    const double* rows = tile.blocks + first / kBlockRows * tile.n_features * kBlockRows;
    rows += first % kBlockRows;
    Reals sums[kQueryGroup] = {};
    for (std::size_t j = 0; j < tile.n_features; ++j) {
      const Reals entries = *reinterpret_cast<const ReadReals*>(rows + j * kBlockRows);
      for (std::size_t q = 0; q < kQueryGroup; ++q) {
        Step::To(sums[q], entries - tile.queries[q * tile.n_features + j]);
      }
    }
    for (std::size_t q = 0; q < kQueryGroup; ++q) {
      *reinterpret_cast<ReadReals*>(keys + q * kTileRows + first) = sums[q];
    }
  }
}

template <class Lanes, class Key>
std::size_t Collect(const Key* keys, std::size_t n, Key threshold, std::uint32_t first_row,
                    Found<Key>& found) {
  std::size_t at = 0;
  for (; at < n && found.size + kBlockRows <= found.capacity; at += kBlockRows) {
    const std::uint32_t below = Lanes::Below(keys + at, threshold);  // a bit a row
    if (below == 0) continue;
    Lanes::Append(keys + at, first_row + static_cast<std::uint32_t>(at), below, found);
  }
  return at;
}

// A set without vectors of its own.
template <class Key>
void AppendEach(const Key* keys, std::uint32_t first_row, std::uint32_t below, Found<Key>& found) {
  for (; below != 0; below &= below - 1) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctz(below));
    found.keys[found.size] = keys[i];
    found.rows[found.size] = first_row + i;
    ++found.size;
  }
}

// Keys >= +0 are in the order of their bits.
inline std::int32_t BitsOf(std::int32_t key) { return key; }
inline std::int64_t BitsOf(double key) { return __builtin_bit_cast(std::int64_t, key); }

template <class Key, class Bits>
std::size_t CountUpTo(const Found<Key>& found, Bits limit) {
  Bits count = 0;
  for (std::size_t i = 0; i < found.size; ++i) count += BitsOf(found.keys[i]) <= limit ? 1 : 0;
  return static_cast<std::size_t>(count);
}

// Keeps the keys below the limit and the first `ties` of those equal to it.
template <class Key, class Bits>
void Keep(Found<Key>& found, Bits limit, std::size_t ties) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size; ++i) {
    const Bits bits = BitsOf(found.keys[i]);
    const bool tied = bits == limit && ties > 0;
    ties -= tied ? 1 : 0;
    found.keys[kept] = found.keys[i];
    found.rows[kept] = found.rows[i];
    kept += bits < limit || tied ? 1 : 0;
  }
  found.size = kept;
}

// Halves the range that has the k-th smallest key, until the keys up to the range's end are few
// enough.
template <class Key>
Key Shrink(Found<Key>& found, std::size_t k) {
  using Bits = decltype(BitsOf(Key{}));
  const std::size_t enough = k + ShrinkSlack(k);
  Bits low = 0, high = 0;
  for (std::size_t i = 0; i < found.size; ++i) {
    high = BitsOf(found.keys[i]) > high ? BitsOf(found.keys[i]) : high;
  }
  std::size_t count = found.size;  // of keys up to `high`
  while (low < high && count > enough) {
    const Bits middle = low + (high - low) / 2;
    const std::size_t up_to_middle = CountUpTo(found, middle);
    if (up_to_middle < k) {
      low = middle + 1;
    } else {
      high = middle;
      count = up_to_middle;
    }
  }
  const std::size_t below = high > 0 ? CountUpTo(found, static_cast<Bits>(high - 1)) : 0;
  Keep(found, high, count > enough ? k - below : count - below);
  return __builtin_bit_cast(Key, high);
}

template <class Lanes>
constexpr Kernels MakeKernels(const char* name) {
  return {name,
          &WholeKeys<Lanes, Products<Lanes>>,
          &WholeKeys<Lanes, Differences<Lanes>>,
          &RealKeys<Lanes, AddSquares>,
          &RealKeys<Lanes, AddAbsolute>,
          &RealKeys<Lanes, TakeLargest>,
          &Collect<Lanes, std::int32_t>,
          &Collect<Lanes, double>,
          &Shrink<std::int32_t>,
          &Shrink<double>};
}

}  // namespace
}  // namespace crossfold::knn
