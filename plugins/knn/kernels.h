// The inner loops of the search for neighbours, once for each instruction set. All sets give the
// same bytes: whole numbers are exact, and real keys are summed in feature order without
// contraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crossfold::knn {

// Rows side by side in a block.
inline constexpr std::size_t kBlockRows = 16;
// The number of queries that a kernel answers together: a row is loaded once for all of them.
inline constexpr std::size_t kQueryGroup = 4;
// The maximum number of blocks for a kernel: their rows stay in the cache while many queries pass.
inline constexpr std::size_t kTileBlocks = 16;
inline constexpr std::size_t kTileRows = kTileBlocks * kBlockRows;

// A group of queries and some blocks of rows whose features are small whole numbers, two features
// side by side (an odd last one next to zeros).
struct WholeTile {
  const std::int16_t* blocks;        // [block][pair][row][2]
  const std::int32_t* starts;        // [block][row]: where the sums begin
  const std::int16_t* queries;       // [query][pair][2]
  const std::int32_t* query_starts;  // [query]: added to `starts`
  std::size_t n_blocks, n_pairs;
};

// The same of real numbers.
struct RealTile {
  const double* blocks;   // [block][feature][row]
  const double* queries;  // [query][feature]
  std::size_t n_blocks, n_features;
};

// Candidates of one query in ascending order of their rows.
template <class Key>
struct Found {
  Key* keys;
  std::uint32_t* rows;
  std::size_t size, capacity;
};

// Slots that shrinking may leave filled beyond k.
inline constexpr std::size_t ShrinkSlack(std::size_t k) { return k / 4 + 4; }

// Keys go to keys[query * kTileRows + row].
struct Kernels {
  const char* name;
  // Queries times -2: start + the products = the squared distance.
  void (*whole_squares)(const WholeTile&, std::int32_t* keys);
  void (*whole_absolute)(const WholeTile&, std::int32_t* keys);
  void (*squares)(const RealTile&, double* keys);
  void (*absolute)(const RealTile&, double* keys);
  void (*largest)(const RealTile&, double* keys);
  // Appends the rows first_row + i whose keys[i] is below the threshold, for i = 0, 1, ... until n
  // (a multiple of kBlockRows) or until fewer than kBlockRows slots are free. Returns the i at
  // which it stopped.
  std::size_t (*collect_whole)(const std::int32_t* keys, std::size_t n, std::int32_t threshold,
                               std::uint32_t first_row, Found<std::int32_t>&);
  std::size_t (*collect_real)(const double* keys, std::size_t n, double threshold,
                              std::uint32_t first_row, Found<double>&);
  // Drops candidates that are not among the k with the smallest (key, row); keeps at most k +
  // ShrinkSlack(k). Returns a key that a later row must be below to be among the k. Keys are >= +0
  // and finite. REQUIRES: 1 <= k <= size.
  std::int32_t (*shrink_whole)(Found<std::int32_t>&, std::size_t k);
  double (*shrink_real)(Found<double>&, std::size_t k);
};

// The kernels of each instruction set. Only SupportedKernels() knows which this processor can run.
extern const Kernels kPortableKernels, kAvx2Kernels, kAvx512Kernels;

// The slowest first.
std::vector<const Kernels*> SupportedKernels();
// The fastest.
const Kernels& BestKernels();

}  // namespace crossfold::knn
