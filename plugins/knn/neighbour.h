// One of the rows nearest to another.
#pragma once

#include <cstdint>

namespace crossfold::knn {

struct Neighbour {
  double key;         // see Metric; infinite = the distance is no longer a finite number
  std::uint32_t row;  // of an Index
  // The row is not the query, but at no distance from it that numbers could tell.
  bool is_lost = false;

  friend bool operator<(const Neighbour& a, const Neighbour& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

}  // namespace crossfold::knn
