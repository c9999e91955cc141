// A tree of thresholds in as few bytes as walking it takes: 16 a node.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree.h"

namespace crossfold::bundled::tree {

class FlatTree {
 public:
  // `laplace`: as in AddPrediction.
  FlatTree(const Tree& tree, double laplace);

  // Whether it has only thresholds. If not, it cannot be walked.
  bool is_complete() const { return !nodes_.empty(); }

  // The leaf of a row without missing entries: an index into the nodes of the tree.
  // REQUIRES: is_complete().
  std::size_t LeafOf(const double* row) const {
    std::uint32_t at = 0;
    if (nodes_.size() == 1) return at;
    for (std::uint32_t next = Next(at, row); next != at; next = Next(at, row)) at = next;
    return at;
  }
  // The leaves of `kTogether` rows, whose entries follow each other, `width` numbers a row: as
  // LeafOf, but faster, because the rows do not wait for each other.
  static constexpr std::size_t kTogether = 8;
  std::array<std::uint32_t, kTogether> LeavesOf(const double* rows, std::size_t width) const {
    std::array<std::uint32_t, kTogether> at{};
    for (std::uint32_t moved = nodes_.size() > 1 ? 1 : 0; moved != 0;) {
      moved = 0;
      for (std::size_t i = 0; i < kTogether; ++i) {
        const std::uint32_t next = Next(at[i], rows + i * width);
        moved |= next ^ at[i];
        at[i] = next;
      }
    }
    return at;
  }
  // The class with the largest share in a leaf; ties go to the lower index.
  std::int32_t label(std::size_t leaf) const { return labels_[leaf]; }
  std::int32_t LabelOf(const double* row) const { return label(LeafOf(row)); }

  std::uint64_t Bytes() const {
    return nodes_.capacity() * sizeof(FlatNode) + labels_.capacity() * sizeof(labels_[0]);
  }

 private:
  struct FlatNode {
    double threshold = std::numeric_limits<double>::infinity();
    std::uint32_t next = 0;  // the left child; of a leaf: itself
    std::int32_t feature = 0;
  };

  // There is no branch, because the next child cannot be predicted.
  std::uint32_t Next(std::uint32_t at, const double* row) const {
    const FlatNode& node = nodes_[at];
    return node.next + (row[node.feature] <= node.threshold ? 0 : 1);
  }

  std::vector<FlatNode> nodes_;       // as in the tree
  std::vector<std::int32_t> labels_;  // of each node; only leaves use theirs; empty in regression
};

}  // namespace crossfold::bundled::tree
