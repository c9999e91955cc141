// Top-k accuracy: the share of rows whose true class is among the k most probable ones.
#pragma once

#include <array>
#include <cstdint>

#include "crossfold_plugin.hpp"
#include "row_weights.h"

namespace crossfold::probability_metrics {

enum class TopTies { kLast, kShare };
inline constexpr std::array<const char*, 2> kTopTiesNames = {"last", "share"};

class TopKAccuracy {
 public:
  static constexpr cf::MetricInfo kInfo{
      .component = {.id = "crossfold.top_k_accuracy",
                    .title = "Top-k accuracy",
                    .doc = "Share of the rows, or of their weight, whose true class is among the k "
                           "classes of the highest probabilities."},
      .needs = CF_NEEDS_PROBABILITIES,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = 0,
      .best = 1};

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

  static void Check(const Params& params, const cf_shape& shape, const cf::Context&);
  static TopKAccuracy Begin(const Params& params, const cf::MetricInput& about, const cf::Context&);
  void Add(const cf::MetricInput& block, const cf::Context&);
  double Finish(const cf::Context&) const { return mean_.Finish(); }

 private:
  explicit TopKAccuracy(const Params& params) : params_(params) {}

  Params params_;
  RowMean mean_;
};

}  // namespace crossfold::probability_metrics
