// Ratios of the counts around one class: precision, recall and related ratios.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "average.h"
#include "confusion.h"
#include "positive_class.h"

namespace crossfold::bundled {

// What the ratios without parameters of their own take.
struct AveragedRatio {
  using Params = AverageParams;
  static constexpr auto kSchema = kAverageSchema;
};

struct PrecisionRatio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.precision",
       .title = "Precision",
       .doc = "Share of the rows predicted as the class that are of the class (positive "
              "predictive value): TP / (TP + FP).",
       .source = "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, "
                 "chapter 7"});

  static Ratio Of(const Params&, const ClassCounts& n) { return {n.tp, n.tp + n.fp}; }
  static std::string WhyNone(const std::string& name) { return "no row was predicted " + name; }
};

struct RecallRatio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.recall",
       .title = "Recall",
       .doc = "Share of the rows of the class that were predicted so (sensitivity, true positive "
              "rate): TP / (TP + FN).",
       .source = "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, "
                 "chapter 7"});

  static Ratio Of(const Params&, const ClassCounts& n) { return {n.tp, n.tp + n.fn}; }
  static std::string WhyNone(const std::string& name) { return "no row is of class " + name; }
};

struct SpecificityRatio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.specificity",
       .title = "Specificity",
       .doc = "Share of the rows of other classes that were not predicted as the class (true "
              "negative rate): TN / (TN + FP).",
       .source = "J. Yerushalmy, Statistical problems in assessing methods of medical diagnosis, "
                 "Public Health Reports 62 (1947) 1432-1449"});

  static Ratio Of(const Params&, const ClassCounts& n) { return {n.tn, n.tn + n.fp}; }
  static std::string WhyNone(const std::string& name) { return "every row is of class " + name; }
};

struct FalsePositiveRatio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.false_positive_rate",
       .title = "False positive rate",
       .doc = "Share of the rows of other classes that were predicted as the class (fall-out): "
              "FP / (FP + TN)."},
      -1);

  static Ratio Of(const Params&, const ClassCounts& n) { return {n.fp, n.fp + n.tn}; }
  static std::string WhyNone(const std::string& name) { return "every row is of class " + name; }
};

struct FBetaParams : AverageParams {
  double beta = 1;
};

struct FBetaRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.f_beta",
       .title = "F measure",
       .doc = "Harmonic mean of precision and recall, recall counting beta times as much: "
              "(1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP).",
       .source = "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, "
                 "chapter 7"},
      1, kRowsOfCounts);
  using Params = FBetaParams;
  static constexpr auto kSchema = std::tuple_cat(
      plugin::Schema(plugin::Real("beta", &Params::beta, {.low = 1e-3, .high = 1e3},
                                  "How many times as important recall is as precision.")),
      kAverageSchema);

  static Ratio Of(const Params& params, const ClassCounts& n) {
    const double square = params.beta * params.beta;
    const double hits = (1 + square) * n.tp;
    return {hits, hits + square * n.fn + n.fp};
  }
  static std::string WhyNone(const std::string& name) {
    return "no row is of class " + name + " or was predicted so";
  }
};

struct F1Ratio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.f1",
       .title = "F1",
       .doc = "Harmonic mean of precision and recall: 2 TP / (2 TP + FN + FP), f_beta with "
              "beta = 1.",
       .source = "C. J. van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, "
                 "chapter 7"},
      1, kRowsOfCounts);

  static Ratio Of(const Params&, const ClassCounts& n) {
    return {2 * n.tp, 2 * n.tp + n.fn + n.fp};
  }
  static std::string WhyNone(const std::string& name) { return FBetaRatio::WhyNone(name); }
};

struct JaccardRatio : AveragedRatio {
  static constexpr plugin::MetricInfo kInfo = ShareInfo(
      {.id = "crossfold.jaccard",
       .title = "Jaccard index",
       .doc = "Rows of the class that were predicted so, as a share of all that are of it or were "
              "predicted so: TP / (TP + FN + FP).",
       .source = "P. Jaccard, Etude comparative de la distribution florale dans une portion des "
                 "Alpes et des Jura, Bulletin de la Societe Vaudoise des Sciences Naturelles 37 "
                 "(1901) 547-579"});

  static Ratio Of(const Params&, const ClassCounts& n) { return {n.tp, n.tp + n.fn + n.fp}; }
  static std::string WhyNone(const std::string& name) { return FBetaRatio::WhyNone(name); }
};

// The metric for such a ratio: of one class, or an average over all classes.
template <class R>
class ClassRatio : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo = R::kInfo;
  using Params = typename R::Params;
  static constexpr auto kSchema = R::kSchema;

  static void Check(const Params& params, const cf_shape& shape, const plugin::Context&) {
    if (params.average == Average::kBinary) CheckPositive(params.positive, shape, kAverageInstead);
  }
  static ClassRatio Begin(const Params& params, const plugin::MetricInput& about,
                          const plugin::Context&) {
    return ClassRatio(params, about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = RatioTable();
    std::vector<Ratio> ratios;
    for (const ClassCounts& counts : table.ByClass()) ratios.push_back(R::Of(params_, counts));
    const auto why_none = [this](std::size_t c) { return R::WhyNone(Quoted(c)); };
    switch (params_.average) {
      case Average::kBinary:
        return ValueOf(ratios[positive_], [&] { return why_none(positive_); });
      case Average::kMicro:
        return Pooled(ratios);
      case Average::kMacro:
        return MeanOverClasses(ratios, std::vector<double>(table.size(), 1), params_.skip_undefined,
                               why_none);
      case Average::kWeighted:
        break;
    }
    std::vector<double> weights;
    for (std::size_t c = 0; c < table.size(); ++c) weights.push_back(table.truth(c));
    return MeanOverClasses(ratios, weights, params_.skip_undefined, why_none);
  }

 private:
  ClassRatio(const Params& params, const plugin::MetricInput& about)
      : Confusion(about), params_(params), positive_(PositiveOf(params, about)) {}

  static constexpr std::string_view kAverageInstead =
      ", or choose average = \"macro\", \"micro\" or \"weighted\"";

  static std::size_t PositiveOf(const Params& params, const plugin::MetricInput& about) {
    if (params.average != Average::kBinary) return 0;
    return FindPositive(params.positive, ClassNames::Of(about), kAverageInstead);
  }

  Params params_;
  std::size_t positive_;  // for Average::kBinary
};

}  // namespace crossfold::bundled
