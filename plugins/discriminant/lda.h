// Linear discriminant analysis: see README.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../bytes_of_rows.h"
#include "../finite_rows.h"
#include "../linear_scores.h"
#include "../number_text.h"
#include "../orthogonal_factors.h"
#include "class_sums.h"
#include "cross_folds.h"

namespace crossfold::bundled {

class Lda {
 public:
  static constexpr plugin::LearnerInfo kInfo{
      .component = {.id = "crossfold.lda",
                    .title = "Linear discriminant analysis",
                    .doc = "Class probabilities from normal densities with one covariance for all "
                           "classes.",
                    .source = "R. A. Fisher, The use of multiple measurements in taxonomic "
                              "problems, Annals of Eugenics 7 (1936) 179-188",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_WEIGHTS};

  struct Params {
    std::vector<double> priors;
    std::optional<double> shrinkage;
  };
  static constexpr auto kSchema = plugin::Schema(
      plugin::RealList("priors", &Params::priors, {.low = 0, .high = 1},
                       "Prior probability of each class, in class order; empty = the shares of "
                       "the training rows."),
      plugin::Real("shrinkage", &Params::shrinkage, {.low = 0, .high = 1},
                   "Share of the mean variance in the covariance; none = no shrinkage, and "
                   "directions without variance within the classes are left out."));

  static constexpr double kCrossPredictTolerance = kDiscriminantTolerance;
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  static Lda Fit(const Params& params, const plugin::TrainingView& train, const plugin::Context&) {
    const ClassRows rows = ReadClassRows(train, params.priors);
    Lda fitted;
    fitted.classes_ = rows.classes;
    fitted.scores_ = params.shrinkage ? Shrunk(rows, *params.shrinkage) : BySingularValues(rows);
    return fitted;
  }

  static void CrossPredict(std::span<const Params> settings, const plugin::TrainingView& rows,
                           std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                           plugin::CrossSink& sink, const plugin::Context& context) {
    CrossPredictFolds<Lda>(settings, rows, fold_of_row, n_folds, sink, context);
  }
  // The scores of Fit, from sums.
  static FoldScores ScoreFold(const Params& params, const FoldClasses& fold) {
    const VectorXd priors = PriorsOf(fold.classes, params.priors);
    const CovarianceRoot root = RootOf(params, fold, priors);
    if (!(root.least() > LeastEigenvalue(params))) return {};
    MatrixXd means(fold.num_features(), fold.size());
    for (Index k = 0; k < fold.size(); ++k) means.col(k) = fold.at(k).mean;
    const VectorXd centre = SumOfColumns(means, priors);
    const MatrixXd points = root.Solve(means.colwise() - centre);  // directions x classes
    if (!params.shrinkage && !SpreadsInAllDirections(points, priors, root.rank())) return {};
    const MatrixXd z = root.Solve((fold.x.rowwise() - centre.transpose()).transpose());
    const VectorXd offsets =
        (priors.array().log() - 0.5 * points.colwise().squaredNorm().transpose().array()).matrix();
    FoldScores scored;
    scored.scores = CrossProduct(z, points).rowwise() + offsets.transpose();
    // |u' (A^-1 - B^-1) v| is at most doubt |u| |v| of the whitened u and v.
    const VectorXd lengths = points.colwise().norm().transpose();
    const double doubt = 2 * root.doubt() * fold.amplified();
    scored.doubts =
        doubt * (z.colwise().norm().transpose() * (lengths.array() + 1).matrix().transpose());
    scored.doubts.rowwise() +=
        doubt * (lengths.array() * (lengths.array() + 1)).matrix().transpose();
    return scored;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const plugin::Context&) {
    // The features as they come and as deviations from the means of their classes.
    return BytesOfRows(shape, 16, 80) +
           sizeof(double) * static_cast<std::uint64_t>(shape.n_features * shape.n_features *
                                                       (shape.n_classes + 4));
  }

  plugin::ModelShape shape() const {
    return {.n_features = scores_.num_features(),
            .n_classes = static_cast<std::int64_t>(classes_.num_classes())};
  }
  void PredictProba(const plugin::FeatureView& rows, std::span<double> probabilities,
                    const plugin::Context& context) const {
    const std::size_t n_classes = classes_.num_classes();
    std::vector<double> scores(static_cast<std::size_t>(classes_.size()));
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores_.Score(row, scores);
      classes_.Probabilities(
          scores, probabilities.subspan(static_cast<std::size_t>(i) * n_classes, n_classes));
    });
  }

  void AddOnnx(const plugin::FeatureView&, plugin::OnnxGraph& graph, const plugin::Context&) const {
    SetClassOutputs(graph, classes_.AddOnnxProbabilities(graph, scores_.AddOnnx(graph)));
  }

  std::string Export(std::size_t, const plugin::Context&) const {
    std::string text;
    for (Index k = 0; k < classes_.size(); ++k) {
      text += scores_.Text(k, "score(" + classes_.name(k) + ")");
    }
    return text;
  }

  void Save(plugin::Writer& w) const {
    classes_.Save(w);
    scores_.Save(w);
  }
  static Lda Load(plugin::Reader& r) {
    Lda loaded;
    loaded.classes_ = PresentClasses::Load(r);
    loaded.scores_ = LinearScores::Load(r);
    if (loaded.classes_.size() == 0 || loaded.scores_.size() != loaded.classes_.size()) {
      throw plugin::Error(CF_E_BAD_BLOB,
                          "the classes and the scores of the model do not fit together");
    }
    return loaded;
  }

 private:
  // Minimum standard deviation of a direction, in units of the features' own within the classes,
  // and of a direction between the class means, as a share of the largest.
  static constexpr double kLeastSd = 1e-4;

  // A covariance with a smaller eigenvalue, in units of the features' own variances, is left to a
  // separate fit, which may leave directions out.
  static double LeastEigenvalue(const Params& params) {
    return params.shrinkage ? 1e-10 : 10 * kLeastSd * kLeastSd;
  }

  // The covariance within the classes, as BySingularValues and Shrunk have it.
  static CovarianceRoot RootOf(const Params& params, const FoldClasses& fold,
                               const VectorXd& priors) {
    const Index d = fold.num_features();
    const double divisor = fold.total_weight() - static_cast<double>(fold.size());
    if (!params.shrinkage && !(divisor > 0)) return {MatrixXd::Zero(d, d), VectorXd::Ones(d)};
    MatrixXd covariance = MatrixXd::Zero(d, d);
    VectorXd largest = VectorXd::Zero(d);
    for (Index k = 0; k < fold.size(); ++k) {
      const double factor = params.shrinkage ? priors[k] / fold.at(k).weight : 1 / divisor;
      covariance += factor * fold.at(k).products;
      largest += factor * fold.at(k).largest;
    }
    if (params.shrinkage) {
      const double mean = covariance.trace() / static_cast<double>(d);
      covariance *= 1 - *params.shrinkage;
      covariance.diagonal().array() += *params.shrinkage * mean;
      const CovarianceRoot root(covariance, largest.array() + largest.mean());
      return root.is_full() ? root : CovarianceRoot(MatrixXd::Zero(d, d), VectorXd::Ones(d));
    }
    return {covariance, largest};
  }

  // Whether no direction between the class means is one that BySingularValues would leave out. The
  // squares of its singular values are the eigenvalues here.
  static bool SpreadsInAllDirections(const MatrixXd& points, const VectorXd& priors, Index rank) {
    const Index n = points.cols();
    const Index expected = std::min(n - 1, rank);
    if (expected == 0) return true;
    const MatrixXd weighted = points * priors.cwiseSqrt().asDiagonal();
    const SingularValues eigen =
        FindSingularValues(CrossProduct(weighted, weighted), Sides::kRight);
    return eigen.is_known && eigen.values[0] > 1e-12 &&
           eigen.values[expected - 1] > 10 * kLeastSd * kLeastSd * eigen.values[0];
  }

  static MatrixXd MeansOf(const ClassRows& rows) {
    MatrixXd means(rows.size(), rows.design.num_features());
    for (Index k = 0; k < rows.size(); ++k) {
      means.row(k) = rows.moments[static_cast<std::size_t>(k)].mean.transpose();
    }
    return means;
  }

  // Every row minus the mean of its class; row i of class k gets weight w_i * factors[k].
  static MatrixXd WithinFactor(const ClassRows& rows, const VectorXd& factors,
                               const VectorXd& units) {
    RowMatrix deviations(rows.design.num_rows(), rows.design.num_features());
    for (std::size_t k = 0; k < rows.rows.size(); ++k) {
      for (const Index i : rows.rows[k]) {
        deviations.row(i) =
            rows.Deviation(i, k, factors[static_cast<Index>(k)]).cwiseQuotient(units.transpose());
      }
    }
    return Factorise(deviations, deviations.cols()).r;
  }

  // Standard deviation within the classes; 1 for a feature that is constant within each.
  static VectorXd UnitsOf(const ClassRows& rows) {
    VectorXd squares = VectorXd::Zero(rows.design.num_features());
    for (Index k = 0; k < rows.size(); ++k) {
      squares += rows.moments[static_cast<std::size_t>(k)].sd.cwiseAbs2() * rows.classes.weight(k);
    }
    VectorXd units = (squares / rows.design.total_weight).cwiseSqrt();
    for (double& unit : units) unit = unit > 0 ? unit : 1;
    return units;
  }

  // A basis in which the covariance within the classes is the unit matrix: features x directions.
  static MatrixXd Whitening(const ClassRows& rows) {
    const double divisor = rows.design.total_weight - static_cast<double>(rows.size());
    if (!(divisor > 0)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "the training rows have a total weight of " +
                                                     NumberText(rows.design.total_weight) +
                                                     "; it must exceed the " +
                                                     std::to_string(rows.size()) +
                                                     " classes (weights count as repetitions)");
    }
    const VectorXd units = UnitsOf(rows);
    const VectorXd factors = VectorXd::Constant(rows.size(), 1 / divisor);
    const SingularValues svd =
        FindSingularValues(WithinFactor(rows, factors, units), Sides::kRight);
    const VectorXd& s = svd.values;
    const Index rank = (s.array() > kLeastSd).count();
    return units.cwiseInverse().asDiagonal() * svd.right.leftCols(rank) *
           s.head(rank).cwiseInverse().asDiagonal();
  }

  static LinearScores BySingularValues(const ClassRows& rows) {
    const MatrixXd whitening = Whitening(rows);
    const MatrixXd means = MeansOf(rows);
    const VectorXd centre = SumOfRows(means, rows.priors);
    const MatrixXd centred = means.rowwise() - centre.transpose();
    MatrixXd points = Product(centred, whitening);  // classes x directions
    if (whitening.cols() == 1) {  // summed up in the order of the features, not in blocks of them
      points.setZero();
      for (Index j = 0; j < centred.cols(); ++j) points += whitening(j, 0) * centred.col(j);
    }
    if (points.cols() > 0 && rows.size() > 1) {
      const SingularValues svd =
          FindSingularValues(rows.priors.cwiseSqrt().asDiagonal() * points, Sides::kRight);
      const VectorXd& s = svd.values;
      const Index rank = (s.array() > kLeastSd * s[0]).count();
      const MatrixXd between = svd.right.leftCols(rank);
      points = OuterProduct(between, Product(points, between)).transpose();
    }
    const VectorXd offsets =
        (rows.priors.array().log() - 0.5 * points.rowwise().squaredNorm().array()).matrix();
    return {rows.design.features, centre, OuterProduct(whitening, points), offsets};
  }

  // The covariance (1 - s) C + s trace(C) / d I, where C is the mean of those of the classes,
  // weighted by the priors.
  static LinearScores Shrunk(const ClassRows& rows, double shrinkage) {
    const Index d = rows.design.num_features();
    VectorXd factors = rows.priors;
    for (Index k = 0; k < rows.size(); ++k) factors[k] /= rows.classes.weight(k);
    const MatrixXd r = WithinFactor(rows, factors, VectorXd::Ones(d));
    const MatrixXd c = CrossProduct(r, r);
    MatrixXd covariance = (1 - shrinkage) * c;
    covariance.diagonal().array() += shrinkage * c.trace() / static_cast<double>(d);
    const VectorXd units = covariance.diagonal().cwiseSqrt();
    const bool full_rank =
        shrinkage > 0 ? units.minCoeff() > 0 : RankOf(r, rows.design.num_rows()) == d;
    if (!full_rank) {
      throw plugin::Error(CF_E_NUMERIC,
                          "the covariance within the classes is singular; raise shrinkage or use "
                          "none");
    }
    const VectorXd inverse = units.cwiseInverse();
    const Cholesky cholesky(inverse.asDiagonal() * covariance * inverse.asDiagonal());
    const MatrixXd means = MeansOf(rows);
    const VectorXd centre = SumOfRows(means, rows.priors);
    const MatrixXd points = means.rowwise() - centre.transpose();
    const MatrixXd coefficients =
        inverse.asDiagonal() * cholesky.SolveByRows(inverse.asDiagonal() * points.transpose());
    const VectorXd offsets =
        (rows.priors.array().log() -
         0.5 * points.cwiseProduct(coefficients.transpose()).rowwise().sum().array())
            .matrix();
    return {rows.design.features, centre, coefficients, offsets};
  }

  PresentClasses classes_;
  LinearScores scores_;
};

}  // namespace crossfold::bundled
