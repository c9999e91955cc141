// Means over the rows of what the probabilities of one row are worth.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "../checked_probability.h"
#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

class LogLoss {
 public:
  static constexpr cf::MetricInfo kInfo =
      ErrorInfo({.id = "crossfold.log_loss",
                 .title = "Log loss",
                 .doc = "Weighted mean of -ln p, where p is the probability that was given to "
                        "the true class, clipped to [clip, 1 - clip].",
                 .source = "Good 1952, Rational decisions"},
                std::numeric_limits<double>::infinity());

  struct Params {
    double clip = 1e-15;
  };
  static constexpr auto kSchema = cf::Schema(cf::Real(
      "clip", &Params::clip, {.low = 0, .high = 0.5},
      "Minimum probability, so that one certain mistake does not make the mean infinite; 0 = none.",
      {.flags = CF_PF_HI_OPEN}));

  static LogLoss Begin(const Params& params, const cf::MetricInput&, const cf::Context&) {
    return LogLoss(params.clip);
  }
  void Add(const cf::MetricInput& block, const cf::Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      // Clipping would hide values that are not probabilities.
      const double given =
          bundled::CheckedProbability(block, i, block.truth_labels()[static_cast<std::size_t>(i)]);
      const double p = std::clamp(given, clip_, 1 - clip_);
      const double weight = block.weight(i);
      rows_.Add(weight);
      if (weight == 0) continue;  // 0 * infinity would not be a number
      if (p == 0) {
        is_infinite_ = true;
      } else {
        loss_.Add(weight * -std::log(p));
      }
    }
  }
  double Finish(const cf::Context&) const {
    const double total = rows_.Total();
    if (is_infinite_) return std::numeric_limits<double>::infinity();
    return loss_.value() / total;
  }

 private:
  explicit LogLoss(double clip) : clip_(clip) {}

  double clip_;
  RowWeights rows_;
  cf::CompensatedSum loss_;
  bool is_infinite_ = false;
};

class SphericalScore {
 public:
  static constexpr cf::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.spherical_score",
                 .title = "Spherical score",
                 .doc = "Weighted mean of the probability of the true class divided by the "
                        "square root of the sum of the squares of all probabilities.",
                 .source = "Roby 1965; Gneiting & Raftery 2007"});

  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static SphericalScore Begin(const Params&, const cf::MetricInput&, const cf::Context&) {
    return {};
  }
  void Add(const cf::MetricInput& block, const cf::Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const std::span<const double> row = bundled::CheckedProbabilities(block, i);
      const double p =
          row[static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)])];
      double squares = 0;
      for (const double q : row) squares += q * q;
      if (squares == 0) {
        throw cf::Error(CF_E_NUMERIC, "the predicted probabilities of a row are all 0");
      }
      mean_.Add(p / std::sqrt(squares), block.weight(i));
    }
  }
  double Finish(const cf::Context&) const { return mean_.Finish(); }

 private:
  RowMean mean_;
};

enum class TopTies { kLast, kShare };
inline constexpr std::array<const char*, 2> kTopTiesNames = {"last", "share"};

inline void RequireFewer(std::int64_t k, std::int64_t n_classes) {
  if (k < n_classes) return;
  throw cf::Error(CF_E_INVALID_ARGUMENT, "k = " + std::to_string(k) + ", but there are " +
                                             std::to_string(n_classes) +
                                             " classes: every row would be right; choose k < " +
                                             std::to_string(n_classes));
}

// How much of the true class is among the first k: 0 or 1, or a share.
inline double Inside(std::span<const double> row, std::size_t truth, std::int64_t k, TopTies ties) {
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

class TopKAccuracy {
 public:
  static constexpr cf::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.top_k_accuracy",
                 .title = "Top-k accuracy",
                 .doc = "Share of the rows, or of their weight, whose true class is among the k "
                        "classes of the highest probabilities."});

  struct Params {
    std::int64_t k = 2;
    TopTies ties = TopTies::kLast;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("k", &Params::k, {.low = 1},
                  "Number of most probable classes that count; it must be less than the number of "
                  "classes."),
      cf::Choice("ties", &Params::ties, kTopTiesNames,
                 "How ties at the k-th place are broken: last: the last classes in class order are "
                 "in, as in scikit-learn; share: each counts by its share of the places."));

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&) {
    RequireFewer(params.k, shape.n_classes);
  }
  static TopKAccuracy Begin(const Params& params, const cf::MetricInput& about,
                            const cf::Context&) {
    RequireFewer(params.k, about.num_classes());
    return TopKAccuracy(params);
  }
  void Add(const cf::MetricInput& block, const cf::Context&) {
    for (std::int64_t i = 0; i < block.num_rows(); ++i) {
      const auto truth =
          static_cast<std::size_t>(block.truth_labels()[static_cast<std::size_t>(i)]);
      const std::span<const double> row = bundled::CheckedProbabilities(block, i);
      mean_.Add(Inside(row, truth, params_.k, params_.ties), block.weight(i));
    }
  }
  double Finish(const cf::Context&) const { return mean_.Finish(); }

 private:
  explicit TopKAccuracy(const Params& params) : params_(params) {}

  Params params_;
  RowMean mean_;
};

}  // namespace crossfold::probability_metrics
