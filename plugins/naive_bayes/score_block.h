// Log scores of a block of rows, class by class, and what follows from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "params.h"

namespace crossfold::bundled {

// Log scores of the classes to probabilities, in place. If every class is impossible, the priors
// remain.
void ScoresToProbabilities(std::span<double> scores, const ClassPriors& priors);

class ScoreBlock {
 public:
  static constexpr std::size_t kRows = 128;  // at most

  explicit ScoreBlock(std::size_t n_classes) : n_classes_(n_classes), scores_(n_classes * kRows) {}

  std::size_t n_classes() const { return n_classes_; }
  double* of_class(std::size_t c) { return scores_.data() + c * kRows; }

  // The most probable class of each of the first rows; ties go to the lower one: the class with the
  // largest probability, mostly without computing the probabilities.
  void ToLabels(const ClassPriors& priors, std::span<std::int32_t> labels) const;
  // Rows x classes.
  void ToProbabilities(const ClassPriors& priors, std::span<double> probabilities) const;

 private:
  // The probabilities of row i, in out.
  void ToProbabilities(const ClassPriors& priors, std::size_t i, std::span<double> out) const;

  std::size_t n_classes_;
  std::vector<double> scores_;  // classes x kRows
};

}  // namespace crossfold::bundled
