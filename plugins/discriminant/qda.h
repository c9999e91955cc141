// Quadratic discriminant analysis: see README.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../finite_rows.h"
#include "../linear_scores.h"
#include "../number_text.h"
#include "../orthogonal_factors.h"
#include "class_sums.h"
#include "cross_folds.h"

namespace crossfold::bundled {

class Qda {
 public:
  static constexpr plugin::LearnerInfo kInfo{
      .component = {.id = "crossfold.qda",
                    .title = "Quadratic discriminant analysis",
                    .doc = "Class probabilities from normal densities with a covariance for each "
                           "class.",
                    .source = "C. A. B. Smith, Some examples of discrimination, Annals of Eugenics "
                              "13 (1947) 272-282",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};

  struct Params {
    std::vector<double> priors;
    double reg = 0;
  };
  static constexpr auto kSchema = plugin::Schema(
      plugin::RealList("priors", &Params::priors, {.low = 0, .high = 1},
                       "Prior probability of each class, in class order; empty = the shares of "
                       "the training rows."),
      plugin::Real("reg", &Params::reg, {.low = 0, .high = 1},
                   "Share of the unit matrix in the covariance of every class."));

  static constexpr double kCrossPredictTolerance = kDiscriminantTolerance;
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  static Qda Fit(const Params& params, const plugin::TrainingView& train,
                 const plugin::Context& context) {
    const ClassRows rows = ReadClassRows(train, params.priors);
    Qda fitted;
    fitted.classes_ = rows.classes;
    fitted.features_ = rows.design.features;
    for (Index k = 0; k < rows.size(); ++k) {
      context.Progress(static_cast<double>(k) / static_cast<double>(rows.size()));
      fitted.normals_.emplace_back(rows.moments[static_cast<std::size_t>(k)].mean,
                                   CovarianceFactor(rows, k, params.reg), rows.priors[k]);
    }
    return fitted;
  }

  static void CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           plugin::CrossSink& sink, const plugin::Context& context) {
    CrossPredictFolds<Qda>(settings, rows, fold_of_row, n_folds, sink, context);
  }
  // The scores of Fit, from sums.
  static FoldScores ScoreFold(const Params& params, const FoldClasses& fold) {
    constexpr double kLeastEigenvalue = 1e-10;  // of a covariance that is surely not singular
    const VectorXd priors = PriorsOf(fold.classes, params.priors);
    const double d = static_cast<double>(fold.num_features());
    FoldScores scored{RowMatrix(fold.x.rows(), fold.size()), RowMatrix(fold.x.rows(), fold.size())};
    for (Index k = 0; k < fold.size(); ++k) {
      const ClassSums& sums = fold.at(k);
      const double divisor = sums.weight - 1;
      if (!(divisor > 0)) return {};
      MatrixXd covariance = ((1 - params.reg) / divisor) * sums.products;
      covariance.diagonal().array() += params.reg;
      const CovarianceRoot root(covariance, ((1 - params.reg) / divisor) * sums.largest);
      if (!root.is_full() || !(root.least() > kLeastEigenvalue)) return {};
      const VectorXd squares = root.Solve((fold.x.rowwise() - sums.mean.transpose()).transpose())
                                   .colwise()
                                   .squaredNorm()
                                   .transpose();
      const double height = std::log(priors[k]) - 0.5 * root.LogDeterminant();
      scored.scores.col(k) = (height - 0.5 * squares.array()).matrix();
      const double amplified = sums.largest_weight / sums.weight;
      scored.doubts.col(k) = (squares.array() + d).matrix() * (root.doubt() * amplified);
    }
    return scored;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    // The features as they come and as deviations from the means of their classes.
    return BytesOfRows(shape, 16, 80) +
           sizeof(double) * static_cast<std::uint64_t>(shape.n_features * shape.n_features *
                                                       (shape.n_classes + 4));
  }

  plugin::ModelShape shape() const {
    return {.n_features = std::ssize(features_),
            .n_classes = static_cast<std::int64_t>(classes_.num_classes())};
  }
  void PredictProba(const plugin::FeatureView& rows, std::span<double> probabilities,
                    const plugin::Context& context) const {
    const std::size_t n_classes = classes_.num_classes();
    std::vector<double> scores(normals_.size());
    std::vector<double> scratch(features_.size());
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      for (std::size_t k = 0; k < normals_.size(); ++k) {
        scores[k] = normals_[k].Score(row, scratch);
      }
      classes_.Probabilities(
          scores, probabilities.subspan(static_cast<std::size_t>(i) * n_classes, n_classes));
    });
  }

  // Of each class its prior, and of each feature its mean and its covariances with the features up
  // to itself.
  std::string Export(std::size_t, const plugin::Context&) const {
    std::string text;
    for (std::size_t k = 0; k < normals_.size(); ++k) {
      const Normal& normal = normals_[k];
      text += "class " + classes_.name(static_cast<Index>(k)) + ": prior " +
              NumberText(normal.prior) + '\n';
      const MatrixXd covariance = CrossProduct(normal.factor, normal.factor);
      for (Index j = 0; j < covariance.cols(); ++j) {
        text += "  [" + features_[static_cast<std::size_t>(j)] + "]: mean " +
                NumberText(normal.mean[j]) + ", covariances";
        for (Index i = 0; i <= j; ++i) text += ' ' + NumberText(covariance(i, j));
        text += '\n';
      }
    }
    return text;
  }

  void Save(plugin::Writer& w) const {
    classes_.Save(w);
    w.Write(static_cast<std::uint64_t>(features_.size()));
    for (const std::string& name : features_) w.WriteText(name);
    for (const Normal& normal : normals_) {
      w.Write(normal.prior);
      SaveNumbers(w, normal.mean.data(), normal.mean.size());
      SaveNumbers(w, normal.factor.data(), normal.factor.size());
    }
  }
  static Qda Load(plugin::Reader& r) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 31;  // its square is an Index
    Qda loaded;
    loaded.classes_ = PresentClasses::Load(r);
    const auto n_features = r.ReadWithin<std::uint64_t>(1, kMost);
    for (std::uint64_t j = 0; j < n_features; ++j) loaded.features_.push_back(r.ReadText());
    const auto d = static_cast<Index>(n_features);
    for (Index k = 0; k < loaded.classes_.size(); ++k) {
      const auto prior = r.ReadWithin(0.0, 1.0);
      VectorXd mean = LoadNumbers(r, d);
      const VectorXd factor = LoadNumbers(r, d * d);
      loaded.normals_.emplace_back(std::move(mean), Eigen::Map<const MatrixXd>(factor.data(), d, d),
                                   prior);
    }
    if (loaded.normals_.empty()) throw plugin::Error(CF_E_BAD_BLOB, "the model has no class");
    return loaded;
  }

 private:
  struct Normal {
    Normal(VectorXd the_mean, MatrixXd the_factor, double the_prior)
        : mean(std::move(the_mean)), factor(std::move(the_factor)), prior(the_prior) {
      log_height = std::log(prior);
      for (const double entry : factor.diagonal()) log_height -= std::log(std::abs(entry));
    }

    // Log density, up to what all classes share. `scratch` has the size of the row.
    double Score(std::span<const double> row, std::span<double> scratch) const {
      double squares = 0;
      for (std::size_t j = 0; j < row.size(); ++j) {
        const double* column = factor.data() + j * row.size();
        double rest = row[j] - mean[static_cast<Index>(j)];
        for (std::size_t i = 0; i < j; ++i) rest -= column[i] * scratch[i];
        scratch[j] = rest / column[j];
        squares += scratch[j] * scratch[j];
      }
      return log_height - 0.5 * squares;
    }

    VectorXd mean;
    MatrixXd factor;  // upper triangle R: the covariance is R'R
    double prior;
    double log_height;
  };

  static MatrixXd CovarianceFactor(const ClassRows& rows, Index k, double reg) {
    const std::vector<Index>& members = rows.rows[static_cast<std::size_t>(k)];
    const Index d = rows.design.num_features();
    const std::string subject = "class '" + rows.classes.name(k) + "'";
    const double divisor = rows.classes.weight(k) - 1;
    if (!(divisor > 0)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA,
                          subject +
                              " has a total weight of at most 1, so it has no covariance "
                              "(weights count as repetitions)");
    }
    RowMatrix deviations(static_cast<Index>(members.size()), d);
    for (Index i = 0; i < deviations.rows(); ++i) {
      deviations.row(i) = rows.Deviation(members[static_cast<std::size_t>(i)],
                                         static_cast<std::size_t>(k), 1 / divisor);
    }
    const MatrixXd factor = Factorise(deviations, d).r;
    if (reg > 0) {
      RowMatrix stacked(factor.rows() + d, d);
      stacked.topRows(factor.rows()) = std::sqrt(1 - reg) * factor;
      stacked.bottomRows(d) = std::sqrt(reg) * MatrixXd::Identity(d, d);
      return Factorise(stacked, d).r;
    }
    const Index rank = RankOf(factor, deviations.rows());
    if (rank < d) {
      throw plugin::Error(CF_E_NUMERIC, "the covariance of " + subject +
                                            " is singular: its rank is " + std::to_string(rank) +
                                            " with " + std::to_string(d) + " features; raise reg");
    }
    return factor;
  }

  PresentClasses classes_;
  std::vector<std::string> features_;
  std::vector<Normal> normals_;  // of the present classes
};

}  // namespace crossfold::bundled
