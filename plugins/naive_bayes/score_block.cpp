#include "score_block.h"

#include <algorithm>
#include <limits>

#include "../softmax.h"
#include "normal_kernels.h"

namespace crossfold::bundled {

void ScoresToProbabilities(std::span<double> scores, const ClassPriors& priors) {
  const double best = *std::max_element(scores.begin(), scores.end());
  if (best == -std::numeric_limits<double>::infinity()) {
    std::copy(priors.shares.begin(), priors.shares.end(), scores.begin());
    return;
  }
  Softmax(scores);
}

void ScoreBlock::ToProbabilities(const ClassPriors& priors, std::size_t i,
                                 std::span<double> out) const {
  for (std::size_t c = 0; c < n_classes_; ++c) out[c] = scores_[c * kRows + i];
  ScoresToProbabilities(out, priors);
}

void ScoreBlock::ToLabels(const ClassPriors& priors, std::span<std::int32_t> labels) const {
  SupportedKernels()[0]->choose_labels({.scores = scores_.data(),
                                        .stride = kRows,
                                        .n_rows = labels.size(),
                                        .n_classes = n_classes_,
                                        .labels = labels.data()});
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) continue;
    std::vector<double> row(n_classes_);
    ToProbabilities(priors, i, row);
    labels[i] = static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
  }
}

void ScoreBlock::ToProbabilities(const ClassPriors& priors, std::span<double> probabilities) const {
  const std::size_t n_rows = probabilities.size() / n_classes_;
  for (std::size_t i = 0; i < n_rows; ++i) {
    ToProbabilities(priors, i, probabilities.subspan(i * n_classes_, n_classes_));
  }
}

}  // namespace crossfold::bundled
