// Shares of right rows: accuracy and error rate, and means of the recalls of all classes, to which
// a rare class counts as much as a frequent one.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "average.h"
#include "class_ratio.h"
#include "confusion.h"

namespace crossfold::bundled {

class Accuracy : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.accuracy",
                 .title = "Accuracy",
                 .doc = "Share of the rows, or of their weight, whose predicted label is the "
                        "true one."});

  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static Accuracy Begin(const Params&, const plugin::MetricInput& about, const plugin::Context&) {
    return Accuracy(about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table();
    return table.correct() / table.total();
  }

 private:
  using Confusion::Confusion;
};

class ErrorRate : public Confusion {
 public:
  static constexpr plugin::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.error_rate",
                 .title = "Error rate",
                 .doc = "Share of the rows, or of their weight, whose predicted label is not "
                        "the true one."},
                -1);

  using Params = plugin::NoParams;
  static constexpr auto kSchema = plugin::kNoSchema;

  static ErrorRate Begin(const Params&, const plugin::MetricInput& about, const plugin::Context&) {
    return ErrorRate(about);
  }
  double Finish(const plugin::Context&) const {
    const ConfusionTable table = Table();
    return table.Wrong() / table.total();
  }

 private:
  using Confusion::Confusion;
};

struct RecallMeanParams {
  bool skip_undefined = false;
};
inline constexpr auto kRecallMeanSchema = plugin::Schema(plugin::Boolean(
    "skip_undefined", &RecallMeanParams::skip_undefined,
    "Leave out the classes without rows; otherwise one such class leaves the value undefined."));

// The recalls, and how to name a class that has none.
class RecallMean : public Confusion {
 public:
  using Params = RecallMeanParams;
  static constexpr auto kSchema = kRecallMeanSchema;

 protected:
  RecallMean(const Params& params, const plugin::MetricInput& about)
      : Confusion(about), params_(params) {}

  std::vector<Ratio> Recalls() const {
    const ConfusionTable table = Table();
    std::vector<Ratio> recalls;
    for (std::size_t c = 0; c < table.size(); ++c) {
      recalls.push_back({table.at(c, c), table.truth(c)});
    }
    return recalls;
  }
  std::string WhyNone(std::size_t c) const { return RecallRatio::WhyNone(Quoted(c)); }
  bool skips() const { return params_.skip_undefined; }

 private:
  Params params_;
};

class BalancedAccuracy : public RecallMean {
 public:
  static constexpr plugin::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.balanced_accuracy",
                 .title = "Balanced accuracy",
                 .doc = "Mean over the classes of their recalls (macro recall).",
                 .source = "K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, The "
                           "balanced accuracy and its posterior distribution, ICPR 2010, "
                           "3121-3124"});

  static BalancedAccuracy Begin(const Params& params, const plugin::MetricInput& about,
                                const plugin::Context&) {
    return BalancedAccuracy(params, about);
  }
  double Finish(const plugin::Context&) const {
    const std::vector<Ratio> recalls = Recalls();
    return MeanOverClasses(recalls, std::vector<double>(recalls.size(), 1), skips(),
                           [this](std::size_t c) { return WhyNone(c); });
  }

 private:
  using RecallMean::RecallMean;
};

class GMean : public RecallMean {
 public:
  static constexpr plugin::MetricInfo kInfo =
      ShareInfo({.id = "crossfold.g_mean",
                 .title = "G-mean",
                 .doc = "Geometric mean of the recalls of the classes; with two classes the root "
                        "of sensitivity times specificity.",
                 .source = "M. Kubat and S. Matwin, Addressing the curse of imbalanced training "
                           "sets: one-sided selection, ICML 1997, 179-186"},
                1, kRowsOfCounts);

  static GMean Begin(const Params& params, const plugin::MetricInput& about,
                     const plugin::Context&) {
    return GMean(params, about);
  }
  // In logarithms: the product of many small recalls would vanish.
  double Finish(const plugin::Context&) const {
    const std::vector<Ratio> recalls = Recalls();
    const std::vector<std::size_t> classes =
        ClassesToAverage(recalls, std::vector<double>(recalls.size(), 1), skips(),
                         [this](std::size_t c) { return WhyNone(c); });
    plugin::CompensatedSum logs;
    for (const std::size_t c : classes) {
      if (recalls[c].part == 0) return 0;
      const double recall = recalls[c].part / recalls[c].whole;
      logs.Add(recall > 0 ? std::log(recall)
                          : std::log(recalls[c].part) - std::log(recalls[c].whole));
    }
    return std::exp(logs.value() / static_cast<double>(classes.size()));
  }

 private:
  using RecallMean::RecallMean;
};

}  // namespace crossfold::bundled
