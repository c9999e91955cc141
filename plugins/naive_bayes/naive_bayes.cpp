// Naive Bayes for mixed columns: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../moments.h"
#include "crossfold_plugin.hpp"

namespace cf = crossfold::plugin;
using crossfold::bundled::ComputeMoments;
using crossfold::bundled::Denominator;
using crossfold::bundled::Moments;

namespace {

constexpr std::array<const char*, 2> kVarianceNames = {"ml", "sample"};
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct BayesParams {
  double laplace = 1;
  Denominator variance = Denominator::kTotalWeight;
  double min_sd = 1e-3;
};

struct Normal {
  double mean = 0;
  double sd = 0;          // 0 = says nothing
  double log_height = 0;  // log density at the mean

  Normal(double the_mean, double the_sd)
      : mean(the_mean),
        sd(the_sd),
        log_height(the_sd > 0 ? -std::log(the_sd) - 0.5 * std::log(2 * std::numbers::pi) : 0) {}

  double LogDensity(double x) const {
    if (sd == 0) return 0;
    const double z = (x - mean) / sd;
    return log_height - 0.5 * z * z;
  }
};

// What the model knows of one feature.
struct Feature {
  std::int64_t n_levels = 0;              // 0 = numeric
  std::vector<double> log_probabilities;  // classes x levels, row-major
  std::vector<Normal> normals;            // one a class
};

// A bool counts as a category with the levels false and true.
std::int64_t LevelsOf(const cf::FeatureView& rows, std::int64_t j) {
  return rows.column(j).dtype == CF_BOOL8 ? 2 : rows.num_levels(j);
}
bool IsNominal(const cf::FeatureView& rows, std::int64_t j) {
  return rows.is_categorical(j) || rows.column(j).dtype == CF_BOOL8;
}

Feature FitLevels(const BayesParams& params, const cf::TrainingView& train, std::int64_t j) {
  Feature feature;
  feature.n_levels = LevelsOf(train, j);
  const auto n_levels = static_cast<std::size_t>(feature.n_levels);
  const auto n_classes = static_cast<std::size_t>(train.num_classes());
  std::vector<double> counts(n_classes * n_levels);
  std::vector<double> totals(n_classes);
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    const double level = train.x(i, j);
    if (std::isnan(level)) continue;
    const auto c = static_cast<std::size_t>(train.label(i));
    counts[c * n_levels + static_cast<std::size_t>(level)] += train.weight(i);
    totals[c] += train.weight(i);
  }
  feature.log_probabilities.resize(counts.size());
  for (std::size_t c = 0; c < n_classes; ++c) {
    const double all = totals[c] + params.laplace * static_cast<double>(n_levels);
    for (std::size_t level = 0; level < n_levels; ++level) {
      const double part = counts[c * n_levels + level] + params.laplace;
      // A class that never shows this feature: the limit of vanishing smoothing.
      feature.log_probabilities[c * n_levels + level] =
          all > 0 ? std::log(part / all) : -std::log(static_cast<double>(n_levels));
    }
  }
  return feature;
}

// Present entries of one numeric feature.
struct Sample {
  std::vector<double> values, weights;

  void Add(double value, double weight) {
    values.push_back(value);
    weights.push_back(weight);
  }
};

Feature FitNormals(const BayesParams& params, const cf::TrainingView& train, std::int64_t j) {
  Sample all;
  std::vector<Sample> of_class(static_cast<std::size_t>(train.num_classes()));
  for (std::int64_t i = 0; i < train.num_rows(); ++i) {
    const double x = train.x(i, j);
    if (std::isnan(x) || train.weight(i) == 0) continue;
    all.Add(x, train.weight(i));
    of_class[static_cast<std::size_t>(train.label(i))].Add(x, train.weight(i));
  }
  const std::string name = "feature '" + std::string(train.name(j)) + "'";
  const Moments overall = ComputeMoments(all.values, all.weights, params.variance, name);
  Feature feature;
  for (std::size_t c = 0; c < of_class.size(); ++c) {
    const std::string subject =
        name + " of class '" + std::string(train.class_name(static_cast<std::int64_t>(c))) + "'";
    const Moments m =
        ComputeMoments(of_class[c].values, of_class[c].weights, params.variance, subject);
    // A class that never shows this feature gets what all rows together say. If all values of the
    // feature are equal, every sd stays 0 and the feature says nothing.
    const Moments& used = m.weight > 0 ? m : overall;
    const double sd = std::max(used.sd, params.min_sd * overall.sd);
    if (sd == 0 && overall.sd > 0) {
      throw cf::Error(CF_E_NUMERIC, subject + " has standard deviation 0; raise min_sd");
    }
    feature.normals.emplace_back(used.mean, sd);
  }
  return feature;
}

class NaiveBayes {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.naive_bayes",
                    .title = "Naive Bayes",
                    .doc = "Class probabilities by Bayes' rule, features taken as independent "
                           "within a class: frequencies of the levels of categorical and bool "
                           "features, normal densities for the others. Missing entries are left "
                           "out of training and prediction.",
                    .source = "R. O. Duda and P. E. Hart, Pattern Classification and Scene "
                              "Analysis, Wiley 1973; P. Domingos and M. Pazzani, Machine Learning "
                              "29 (1997) 103-130"},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                 CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES};

  using Params = BayesParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Real("laplace", &Params::laplace, {.low = 0},
               "Added to the count of every level within every class.", {.unit = "rows"}),
      cf::Choice("variance", &Params::variance, kVarianceNames,
                 "Denominator of the variances: n (ml, maximum likelihood) or n - 1 (sample)."),
      cf::Real("min_sd", &Params::min_sd, {.low = 0},
               "Least standard deviation of a feature within a class, as a share of the feature's "
               "standard deviation over all training rows."));

  static NaiveBayes Fit(const Params& params, const cf::TrainingView& train,
                        const cf::Context& context) {
    NaiveBayes fitted;
    fitted.FitPriors(train);
    const std::int64_t n_features = train.num_features();
    for (std::int64_t j = 0; j < n_features; ++j) {
      context.Progress(static_cast<double>(j) / static_cast<double>(n_features));
      fitted.features_.push_back(IsNominal(train, j) ? FitLevels(params, train, j)
                                                     : FitNormals(params, train, j));
    }
    return fitted;
  }

  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    const std::size_t n_classes = priors_.size();
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (i % kRowsPerPoll == 0) {
        context.Progress(static_cast<double>(i) / static_cast<double>(rows.num_rows()));
      }
      const auto out = probabilities.subspan(static_cast<std::size_t>(i) * n_classes, n_classes);
      LogScores(rows, i, out);
      Normalise(out);
    }
  }

 private:
  static constexpr std::int64_t kRowsPerPoll = 256;

  void FitPriors(const cf::TrainingView& train) {
    priors_.resize(static_cast<std::size_t>(train.num_classes()));
    double total = 0;
    for (std::int64_t i = 0; i < train.num_rows(); ++i) {
      priors_[static_cast<std::size_t>(train.label(i))] += train.weight(i);
      total += train.weight(i);
    }
    if (!(total > 0)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of 0");
    }
    for (double& prior : priors_) prior /= total;
  }

  // log P(class) + log P(features | class), features in order.
  void LogScores(const cf::FeatureView& rows, std::int64_t i, std::span<double> scores) const {
    for (std::size_t c = 0; c < scores.size(); ++c) scores[c] = std::log(priors_[c]);
    for (std::size_t j = 0; j < features_.size(); ++j) {
      const double x = rows.x(i, static_cast<std::int64_t>(j));
      if (std::isnan(x)) continue;
      const Feature& feature = features_[j];
      for (std::size_t c = 0; c < scores.size(); ++c) {
        if (priors_[c] == 0) continue;
        scores[c] +=
            feature.normals.empty() ? LevelScore(feature, c, x) : feature.normals[c].LogDensity(x);
      }
    }
  }

  static double LevelScore(const Feature& feature, std::size_t c, double level) {
    return feature.log_probabilities[c * static_cast<std::size_t>(feature.n_levels) +
                                     static_cast<std::size_t>(level)];
  }

  // Scores to probabilities, in place. If every class is impossible, the priors remain.
  void Normalise(std::span<double> scores) const {
    const double best = *std::max_element(scores.begin(), scores.end());
    if (best == kMinusInfinity) {
      std::copy(priors_.begin(), priors_.end(), scores.begin());
      return;
    }
    double sum = 0;
    for (double& score : scores) {
      score = std::exp(score - best);
      sum += score;
    }
    for (double& score : scores) score /= sum;
  }

  std::vector<double> priors_;  // one a class of the dataset; 0 if the training rows lack it
  std::vector<Feature> features_;
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.naive_bayes", "1.0.0", "The Crossfold Authors", "MIT", NaiveBayes)
