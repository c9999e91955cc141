#include "top_k_accuracy.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "../checked_probability.h"

namespace crossfold::probability_metrics {
namespace {

void RequireFewer(std::int64_t k, std::int64_t n_classes) {
  if (k < n_classes) return;
  throw cf::Error(CF_E_INVALID_ARGUMENT, "k = " + std::to_string(k) + ", but there are " +
                                             std::to_string(n_classes) +
                                             " classes: every row would be right; choose k < " +
                                             std::to_string(n_classes));
}

// How much of the true class is among the first k: 0 or 1, or a share.
double Inside(std::span<const double> row, std::size_t truth, std::int64_t k, TopTies ties) {
  std::int64_t higher = 0, tied_before = 0, tied_after = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    higher += row[c] > row[truth] ? 1 : 0;
    tied_before += row[c] == row[truth] && c < truth ? 1 : 0;
    tied_after += row[c] == row[truth] && c > truth ? 1 : 0;
  }
  if (ties == TopTies::kLast) return higher + tied_after < k ? 1 : 0;
  const auto tied = static_cast<double>(tied_before + tied_after + 1);
  return std::clamp(static_cast<double>(k - higher) / tied, 0.0, 1.0);
}

}  // namespace

void TopKAccuracy::Check(const Params& params, const cf_shape& shape, const cf::Context&) {
  RequireFewer(params.k, shape.n_classes);
}

TopKAccuracy TopKAccuracy::Begin(const Params& params, const cf::MetricInput& about,
                                 const cf::Context&) {
  RequireFewer(params.k, about.num_classes());
  return TopKAccuracy(params);
}

void TopKAccuracy::Add(const cf::MetricInput& block, const cf::Context&) {
  for (std::int64_t i = 0; i < block.num_rows(); ++i) {
    const auto truth = static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)]);
    const std::span<const double> row = bundled::CheckedProbabilities(block, i);
    mean_.Add(Inside(row, truth, params_.k, params_.ties), block.weight(i));
  }
}

}  // namespace crossfold::probability_metrics
