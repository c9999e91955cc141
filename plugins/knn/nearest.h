// The nearest of the rows that are offered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace crossfold::knn {

struct Neighbour {
  double key;
  std::int64_t row_id;
  std::int64_t position;  // among the training rows

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.key != b.key ? a.key < b.key : a.row_id < b.row_id;
  }
};

// The k smallest of the neighbours offered: a heap with the worst of them on top.
class NearestK {
 public:
  explicit NearestK(std::size_t k) : k_(k) { heap_.reserve(k); }

  void Offer(const Neighbour& candidate) {
    if (heap_.size() == k_) {
      if (!(candidate < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(candidate);
    std::push_heap(heap_.begin(), heap_.end());
    if (heap_.size() == k_) worst_key_ = heap_.front().key;
  }
  // A candidate with a larger key need not be offered.
  double worst_key() const { return worst_key_; }

  // Nearest first. Empties the selection.
  void Take(std::vector<Neighbour>& out) {
    std::sort_heap(heap_.begin(), heap_.end());
    out.assign(heap_.begin(), heap_.end());
    heap_.clear();
    worst_key_ = std::numeric_limits<double>::infinity();
  }

 private:
  std::size_t k_;
  std::vector<Neighbour> heap_;
  double worst_key_ = std::numeric_limits<double>::infinity();
};

}  // namespace crossfold::knn
