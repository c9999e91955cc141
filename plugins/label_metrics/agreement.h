// Agreement of truth and prediction beyond what chance would give.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "confusion.h"

namespace crossfold::bundled {

// Adds a * b and its rounding error.
inline void AddProduct(plugin::CompensatedSum& sum, double a, double b) {
  const double product = a * b;
  sum.Add(product);
  sum.Add(std::fma(a, b, -product));
}

class MatthewsCorrelation : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.matthews_correlation",
                    .title = "Matthews correlation coefficient",
                    .doc = "Correlation of truth and prediction; with more than two classes "
                           "Gorodkin's R_K.",
                    .source = "B. W. Matthews, Comparison of the predicted and observed secondary "
                              "structure of T4 phage lysozyme, BBA 405 (1975) 442-451; J. "
                              "Gorodkin, Comparing two K-category assignments by a K-category "
                              "correlation coefficient, Computational Biology and Chemistry 28 "
                              "(2004) 367-374"},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = -1,
      .best = 1,
      .least_class_rows = kRowsOfCounts};

  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static MatthewsCorrelation Begin(const Params&, const plugin::MetricInput& about,
                                   const plugin::Context&) {
    return MatthewsCorrelation(about);
  }
  // Numerator and factors as sums of products, because c s - sum p_k t_k and s^2 - sum p_k^2 of the
  // paper would cancel: c s - sum p_k t_k = sum (TP TN - FP FN) over the classes.
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table().Scaled();
    std::vector<double> truth, predicted;
    for (std::size_t c = 0; c < table.size(); ++c) {
      truth.push_back(table.truth(c));
      predicted.push_back(table.predicted(c));
    }
    const double truth_spread = Spread(truth, "all rows are of class ");
    const double predicted_spread = Spread(predicted, "all rows were predicted ");
    plugin::CompensatedSum agreement;
    for (const ClassCounts& n : table.ByClass()) {
      AddProduct(agreement, n.tp, n.tn);
      AddProduct(agreement, -n.fp, n.fn);
    }
    const double product = truth_spread * predicted_spread;
    const double root = product >= std::numeric_limits<double>::min()
                            ? std::sqrt(product)
                            : std::sqrt(truth_spread) * std::sqrt(predicted_spread);
    return std::clamp(agreement.value() / root, -1.0, 1.0);
  }

 private:
  using Confusion::Confusion;

  // Sum of n_i n_j over all pairs of different classes; no value if only one class has any.
  double Spread(const std::vector<double>& sums, const char* reason) const {
    std::vector<std::size_t> classes;  // that have any
    for (std::size_t c = 0; c < sums.size(); ++c) {
      if (sums[c] != 0) classes.push_back(c);
    }
    if (classes.size() == 1) throw plugin::Undefined(reason + Quoted(classes.front()));
    plugin::CompensatedSum spread;
    for (const std::size_t i : classes) {
      plugin::CompensatedSum others;
      for (const std::size_t j : classes) {
        if (j != i) others.Add(sums[j]);
      }
      AddProduct(spread, sums[i], others.value());
    }
    return spread.value();
  }
};

enum class Weighting { kNone, kLinear, kQuadratic };
inline constexpr std::array<const char*, 3> kWeightingNames = {"none", "linear", "quadratic"};

class CohenKappa : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo{
      .component = {.id = "crossfold.cohen_kappa",
                    .title = "Cohen's kappa",
                    .doc = "Agreement beyond chance, as a share of the greatest possible: "
                           "(p_o - p_e) / (1 - p_e).",
                    .source = "J. Cohen, A coefficient of agreement for nominal scales, "
                              "Educational and Psychological Measurement 20 (1960) 37-46; "
                              "weighted: Psychological Bulletin 70 (1968) 213-220"},
      .needs = CF_NEEDS_LABELS,
      .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
      .direction = 1,
      .worst = -1,
      .best = 1,
      .least_class_rows = kRowsOfCounts};

  struct Params {
    Weighting weighting = Weighting::kNone;
  };
  static constexpr auto kSchema = plugin::Schema(
      plugin::Choice("weighting", &Params::weighting, kWeightingNames,
                     "How much a disagreement counts: always the same, by the distance of the two "
                     "classes in class order, or by the square of that distance."));

  static CohenKappa Begin(const Params& params, const plugin::MetricInput& about,
                          const plugin::Context&) {
    return CohenKappa(params, about);
  }
  // With w the weight of a disagreement, O the counts and E those by chance, kappa is
  // (sum w E - sum w O) / sum w E. Both sums here are times the total.
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table().Scaled();
    plugin::CompensatedSum chance, gain;
    for (std::size_t t = 0; t < table.size(); ++t) {
      if (table.truth(t) == 0) continue;  // adds nothing
      for (std::size_t p = 0; p < table.size(); ++p) {
        const double w = WeightOf(t, p);
        AddProduct(chance, w * table.truth(t), table.predicted(p));
        AddProduct(gain, w * table.truth(t), table.predicted(p));
        AddProduct(gain, -w * table.total(), table.at(t, p));
      }
    }
    if (chance.value() == 0) throw plugin::Undefined(WhyCertain(table));
    return std::max(gain.value() / chance.value(), -1.0);
  }

 private:
  CohenKappa(const Params& params, const plugin::MetricInput& about)
      : Confusion(about), params_(params) {}

  double WeightOf(std::size_t t, std::size_t p) const {
    const double distance = t > p ? static_cast<double>(t - p) : static_cast<double>(p - t);
    if (params_.weighting == Weighting::kNone) return distance > 0 ? 1 : 0;
    return params_.weighting == Weighting::kLinear ? distance : distance * distance;
  }
  // Only one class occurs, in truth and prediction.
  std::string WhyCertain(const ConfusionTable& table) const {
    std::size_t c = 0;
    while (table.truth(c) == 0) ++c;
    return "all rows are of class " + Quoted(c) + " and were predicted so, as chance would do";
  }

  Params params_;
};

}  // namespace crossfold::bundled
