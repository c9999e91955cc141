// The best split of one node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counted_rows.h"
#include "grow.h"
#include "impurity.h"

namespace crossfold::bundled::tree {

// A row of a sorted column in one number: the rank above, the row below.
inline std::uint64_t PackItem(std::uint32_t rank, std::uint32_t row) {
  return (std::uint64_t{rank} << 32) | row;
}
inline std::uint32_t RankOf(std::uint64_t item) { return static_cast<std::uint32_t>(item >> 32); }
inline std::uint32_t RowOf(std::uint64_t item) { return static_cast<std::uint32_t>(item); }

// A column's rows at a node.
struct SortedColumn {
  bool is_kept = false;
  std::uint32_t left_out = kMissingRank;  // rows of this rank are not among the items
  std::span<const std::uint64_t> items;   // by (rank, row)
};

// One node to be split.
struct NodeRows {
  std::span<const std::uint32_t> rows;    // ascending
  std::span<const double> weight_of_row;  // of every row of the columns; > 0 for `rows`
  double weight = 0;
  std::span<const double> sums;  // of all rows: see impurity.h
  double impurity = 0;           // summed: see impurity.h; regression: the sum of squares too
  std::uint64_t seed = 0;
  // Per column its rows sorted, or none = to be sorted by the search.
  std::span<const SortedColumn> sorted;
};

// A split that was found, with what is needed to carry it out.
struct Candidate {
  NodeKind kind = NodeKind::kLeaf;
  std::size_t feature = 0;          // kOblique: its first term, for ties
  std::uint32_t cut = 0;            // kThreshold: ranks up to this one go left
  double threshold = 0;             // kThreshold, kOblique
  std::vector<std::uint8_t> sides;  // kSubset
  std::vector<Term> terms;          // kOblique
  double gain = 0;                  // see Node
  double merit = 0;
  std::size_t n_values = 0;  // values of the feature at the node
};

class SplitSearch {
 public:
  virtual ~SplitSearch() = default;
  // Weighted impurity of a set: see impurity.h.
  virtual double ImpurityOf(std::span<const double> sums) const = 0;
  // nullopt = no split has a gain and enough rows in its children.
  virtual std::optional<Candidate> Best(const NodeRows& node) = 0;
};

// All of them must outlive it. `counted`: the weights of all rows as whole numbers, or null.
std::unique_ptr<SplitSearch> MakeSplitSearch(const GrowOptions& options,
                                             const TrainingColumns& columns, const Target& target,
                                             double total_weight, const CountedRows* counted);

// ---- parts of the search -----------------------------------------------------------------------

// Gains that differ by less than this share of the node's impurity are equal.
inline constexpr double kEqualGain = 1e-12;

// A cut of the levels of a nominal column in two.
struct SubsetCut {
  double impurity = 0;              // summed, of both sides
  std::vector<std::uint8_t> sides;  // empty = there is none
};
// `bins`: levels x sums. Exact for two classes and in regression, and up to 10 levels; see
// subset.cpp.
template <class Impurity>
SubsetCut BestSubset(const Impurity& impurity, std::span<const double> bins,
                     std::span<const double> total, double min_side, double tolerance);

struct ObliqueCut {
  double impurity = 0;  // summed, of both sides
  double left_weight = 0, right_weight = 0;
  double threshold = 0;
  std::vector<Term> terms;  // empty = there is none
};
// `points`: rows x features; the rows of `points` are `rows`. `start`: a feature with a threshold.
struct ObliqueProblem {
  std::vector<double> points;
  std::vector<std::uint32_t> rows;
  std::vector<std::int32_t> features;
  std::span<const double> weight_of_row;
  std::vector<double> total;
  double min_side = 0, tolerance = 0;
  std::int64_t restarts = 0;
  std::uint64_t seed = 0;
  std::optional<Term> start;  // feature and threshold of the best split on one of `features`
};
template <class Impurity>
ObliqueCut BestOblique(const Impurity& impurity, const Target& target,
                       const ObliqueProblem& problem);

}  // namespace crossfold::bundled::tree
