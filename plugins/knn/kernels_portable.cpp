// For any processor; on x86-64 that means SSE2.
#include "kernel_loops.h"

namespace crossfold::knn {
namespace {

struct Lanes {
  typedef double Reals __attribute__((vector_size(16)));
  typedef double ReadReals __attribute__((vector_size(16), aligned(8), may_alias));

  struct Ints {
    std::uint32_t lane[kBlockRows];  // unsigned: sums wrap while terms of both signs come in
  };
  struct Pairs {
    const std::int16_t* entries;
  };
  struct Pair {
    std::int32_t first, second;
  };

  static Ints Load(const std::int32_t* from) {
    Ints a;
    for (std::size_t i = 0; i < kBlockRows; ++i) a.lane[i] = static_cast<std::uint32_t>(from[i]);
    return a;
  }
  static Ints Spread(std::int32_t number) {
    Ints a;
    for (std::uint32_t& lane : a.lane) lane = static_cast<std::uint32_t>(number);
    return a;
  }
  static void Store(std::int32_t* to, const Ints& a) {
    for (std::size_t i = 0; i < kBlockRows; ++i) to[i] = static_cast<std::int32_t>(a.lane[i]);
  }
  static Pairs LoadPairs(const std::int16_t* from) { return {from}; }
  static Pair SpreadPair(const std::int16_t* from) { return {from[0], from[1]}; }

  static Ints Add(const Ints& a, const Ints& b) {
    Ints sum;
    for (std::size_t i = 0; i < kBlockRows; ++i) sum.lane[i] = a.lane[i] + b.lane[i];
    return sum;
  }
  static Ints SumOfProducts(const Pairs& rows, const Pair& query) {
    Ints sum;
    for (std::size_t i = 0; i < kBlockRows; ++i) {
      sum.lane[i] = static_cast<std::uint32_t>(rows.entries[2 * i] * query.first +
                                               rows.entries[2 * i + 1] * query.second);
    }
    return sum;
  }
  static Ints SumOfDifferences(const Pairs& rows, const Pair& query) {
    Ints sum;
    for (std::size_t i = 0; i < kBlockRows; ++i) {
      const std::int32_t first = rows.entries[2 * i] - query.first;
      const std::int32_t second = rows.entries[2 * i + 1] - query.second;
      sum.lane[i] = static_cast<std::uint32_t>((first < 0 ? -first : first) +
                                               (second < 0 ? -second : second));
    }
    return sum;
  }

  template <class Key>
  static std::uint32_t Below(const Key* keys, Key threshold) {
    std::uint32_t below = 0;
    for (std::uint32_t i = 0; i < kBlockRows; ++i) below |= (keys[i] < threshold ? 1u : 0u) << i;
    return below;
  }
  template <class Key>
  static void Append(const Key* keys, std::uint32_t first_row, std::uint32_t below,
                     Found<Key>& found) {
    AppendEach(keys, first_row, below, found);
  }
};

}  // namespace

const Kernels kPortableKernels = MakeKernels<Lanes>("portable");

}  // namespace crossfold::knn
