// A tree of thresholds in as few bytes as walking it takes: 16 a node.
#pragma once

#include <cstddef>
#include <cstdint>
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
    const FlatNode* node = nodes_.data();
    while (node->feature != kLeaf) {
      // There is no branch, because the next child cannot be predicted.
      node = nodes_.data() + node->next + (row[node->feature] <= node->threshold ? 0 : 1);
    }
    return static_cast<std::size_t>(node - nodes_.data());
  }
  // The class with the largest share in that leaf; ties go to the lower index.
  std::int32_t LabelOf(const double* row) const {
    return static_cast<std::int32_t>(nodes_[LeafOf(row)].next);
  }

  std::uint64_t Bytes() const { return nodes_.capacity() * sizeof(FlatNode); }

 private:
  static constexpr std::int32_t kLeaf = -1;
  struct FlatNode {
    double threshold = 0;
    std::uint32_t next = 0;  // the left child; of a leaf: its class
    std::int32_t feature = kLeaf;
  };
  std::vector<FlatNode> nodes_;  // as in the tree
};

}  // namespace crossfold::bundled::tree
