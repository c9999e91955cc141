// The votes of the neighbours of a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metric.h"
#include "params.h"

namespace crossfold::knn {

// Targets of the rows of an Index: one of the two spans is empty.
struct Targets {
  std::size_t n_classes = 0;  // 0 in regression
  std::span<const std::int32_t> labels;
  std::span<const double> values;
};

// Whether the distance is a finite number, and its order is not lost.
bool IsUsable(const Neighbour& neighbour);
// Throws Error if a distance is no longer a finite number, or if an order is lost. REQUIRES: there
// are neighbours.
void RequireUsable(std::span<const Neighbour> neighbours);

// Counts the votes of the neighbours of one row after the other, nearest first, so that the votes
// of few neighbours are counted before those of many.
class Ballot {
 public:
  Ballot(const Metric& metric, const Targets& targets);

  // Starts with a new row. REQUIRES: the neighbours are usable, and outlive the count.
  void Begin(std::span<const Neighbour> neighbours, Weights weights);
  // Counts until k neighbours have voted. REQUIRES: k does not fall.
  void CountTo(std::size_t k);

  // Returns the class with the most votes; ties go to the lower index.
  std::int32_t Label() const;
  // Shares of the votes, one per class. With uniform weights a share is a whole number of votes
  // over k, so shares tie exactly where votes do.
  void CopyShares(std::span<double> shares) const;
  double Mean() const { return sum_ / total_; }

 private:
  double WeightOf(const Neighbour& neighbour) const;

  Metric metric_;
  Targets targets_;
  std::span<const Neighbour> neighbours_;
  Weights weights_ = Weights::kUniform;
  double nearest_ = 0;  // length; with Weights::kDistance
  std::size_t n_counted_ = 0;
  double total_ = 0, sum_ = 0;
  std::vector<double> votes_;          // one per class
  std::vector<std::int32_t> classes_;  // that have votes
};

}  // namespace crossfold::knn
