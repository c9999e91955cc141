// Rows in the form of LIBSVM and LIBLINEAR: the entries that are not 0, numbered from 1, then an
// end mark. Node is svm_node or feature_node.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace crossfold::bundled {

template <class Node>
class SparseRows {
 public:
  // `bias` is the entry of one more feature; < 0 = there is none.
  void AddRow(std::span<const double> row, double bias = -1) {
    starts_.push_back(nodes_.size());
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0) nodes_.push_back({static_cast<int>(j) + 1, row[j]});
    }
    if (bias >= 0) nodes_.push_back({static_cast<int>(row.size()) + 1, bias});
    nodes_.push_back({-1, 0});
  }
  // REQUIRES: the nodes end with an end mark.
  void AddRow(const Node* row) {
    starts_.push_back(nodes_.size());
    for (; row->index != -1; ++row) nodes_.push_back(*row);
    nodes_.push_back({-1, 0});
  }
  void Clear() {
    nodes_.clear();
    starts_.clear();
  }

  std::size_t size() const { return starts_.size(); }
  // Without the end marks.
  std::size_t num_nodes() const { return nodes_.size() - starts_.size(); }
  const Node* row(std::size_t i) const { return nodes_.data() + starts_[i]; }

  // The libraries do not use const, but they do not write through these.
  std::vector<Node*> Pointers() {
    std::vector<Node*> pointers;
    for (const std::size_t start : starts_) pointers.push_back(nodes_.data() + start);
    return pointers;
  }

 private:
  std::vector<Node> nodes_;
  std::vector<std::size_t> starts_;
};

}  // namespace crossfold::bundled
