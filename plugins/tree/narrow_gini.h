// The best thresholds of all columns with few values at a node by Gini impurity: the classes are
// counted value by value, and a first pass in single precision leaves only cuts that may be best.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "columns.h"
#include "counted_rows.h"
#include "counted_search.h"
#include "split_search.h"

namespace crossfold::bundled::tree {

class NarrowGini {
 public:
  // Sums of squares of the classes' weights then fit into 31 bits, and weights into 15.
  static constexpr std::uint32_t kLargestTotal = 32767;

  static bool CanCount(const TrainingColumns& columns, const CountedRows& rows);
  // REQUIRES: CanCount(columns, rows). Both must outlive it.
  NarrowGini(const TrainingColumns& columns, const CountedRows& rows);

  // Whether it is faster than going through each column by itself: not if most values of the
  // columns have no row at the node.
  bool Pays(const NodeRows& node) const;

  struct ColumnCut {
    std::uint32_t column = 0;
    CountedCut cut;  // without n_tried and n_values
  };
  // The cuts that CountedSearch finds, of all narrow columns but those whose cuts are clearly worse
  // than another's: by a millionth, where equal gains differ by 1e-12. In the order of columns.
  // `least`: the weight that each side needs, 1 or more. Valid until the next call.
  std::span<const ColumnCut> Best(const NodeRows& node, std::uint32_t least, double tolerance);

 private:
  void TakeClasses(const NodeRows& node);
  template <std::size_t kBlocks>  // 0 = n_blocks_
  void Rate(const NodeRows& node, std::uint32_t least);
  template <std::size_t kBlocks>
  void Count(const NodeRows& node);
  template <std::size_t kBlocks>
  void RateColumn(std::size_t k, std::uint32_t least);
  void Collect(double tolerance);
  void Offer(std::size_t k, std::size_t bin, double tolerance, CountedCut& cut) const;

  const TrainingColumns& columns_;
  const CountedRows& rows_;
  std::vector<std::uint32_t> first_bin_;  // of each narrow column, a multiple of four; and the end

  // Of the node at hand.
  std::size_t n_blocks_ = 0;                   // of eight classes
  std::vector<std::uint32_t> place_of_class_;  // among the classes at the node
  std::vector<std::int16_t> totals_;           // of the classes
  std::int32_t weight_ = 0, squares_ = 0;      // of all classes
  std::vector<std::int16_t> counts_;           // bins x blocks of classes; 0 between nodes
  // Of the cut after each bin: weight and sum of squares on the left, sum of squares on the right.
  std::vector<std::int32_t> left_weights_, left_squares_, right_squares_;
  std::vector<float> scores_;    // of it: the sum of squares / weight of both sides; 0 = no cut
  std::array<float, 4> best_{};  // the largest is the best score
  std::vector<ColumnCut> found_;
};

}  // namespace crossfold::bundled::tree
