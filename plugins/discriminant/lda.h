// Linear discriminant analysis: see README.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../linear_scores.h"
#include "class_rows.h"

namespace crossfold::bundled {

class Lda {
 public:
  static constexpr plugin::LearnerInfo kInfo{
      .component = {.id = "crossfold.lda",
                    .title = "Linear discriminant analysis",
                    .doc = "Class probabilities from normal densities with one covariance for all "
                           "classes.",
                    .source = "R. A. Fisher, The use of multiple measurements in taxonomic "
                              "problems, Annals of Eugenics 7 (1936) 179-188"},
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

  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  static Lda Fit(const Params& params, const plugin::TrainingView& train, const plugin::Context&) {
    const ClassRows rows = ReadClassRows(train, params.priors);
    Lda fitted;
    fitted.classes_ = rows.classes;
    fitted.scores_ = params.shrinkage ? Shrunk(rows, *params.shrinkage) : BySingularValues(rows);
    return fitted;
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
      throw plugin::Error(CF_E_BAD_BLOB, "the classes and the scores of the model do not fit");
    }
    return loaded;
  }

 private:
  // Least standard deviation of a direction, in units of the features' own within the classes, and
  // of a direction between the class means, as a share of the largest.
  static constexpr double kLeastSd = 1e-4;

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
    const Eigen::BDCSVD<MatrixXd> svd(WithinFactor(rows, factors, units), Eigen::ComputeThinV);
    const VectorXd& s = svd.singularValues();
    const Index rank = (s.array() > kLeastSd).count();
    return units.cwiseInverse().asDiagonal() * svd.matrixV().leftCols(rank) *
           s.head(rank).cwiseInverse().asDiagonal();
  }

  static LinearScores BySingularValues(const ClassRows& rows) {
    const MatrixXd whitening = Whitening(rows);
    const MatrixXd means = MeansOf(rows);
    const VectorXd centre = means.transpose() * rows.priors;
    MatrixXd points = (means.rowwise() - centre.transpose()) * whitening;  // classes x directions
    if (points.cols() > 0 && rows.size() > 1) {
      const Eigen::BDCSVD<MatrixXd> svd(rows.priors.cwiseSqrt().asDiagonal() * points,
                                        Eigen::ComputeThinV);
      const VectorXd& s = svd.singularValues();
      const Index rank = (s.array() > kLeastSd * s[0]).count();
      const MatrixXd between = svd.matrixV().leftCols(rank);
      points = (points * between) * between.transpose();
    }
    const VectorXd offsets =
        (rows.priors.array().log() - 0.5 * points.rowwise().squaredNorm().array()).matrix();
    return {rows.design.features, centre, whitening * points.transpose(), offsets};
  }

  // The covariance (1 - s) C + s trace(C) / d I, where C is the mean of those of the classes,
  // weighted by the priors.
  static LinearScores Shrunk(const ClassRows& rows, double shrinkage) {
    const Index d = rows.design.num_features();
    VectorXd factors = rows.priors;
    for (Index k = 0; k < rows.size(); ++k) factors[k] /= rows.classes.weight(k);
    const MatrixXd r = WithinFactor(rows, factors, VectorXd::Ones(d));
    const MatrixXd c = r.transpose() * r;
    MatrixXd covariance = (1 - shrinkage) * c;
    covariance.diagonal().array() += shrinkage * c.trace() / static_cast<double>(d);
    const VectorXd units = covariance.diagonal().cwiseSqrt();
    const bool full_rank =
        shrinkage > 0 ? units.minCoeff() > 0 : PivotedFactor(r, rows.design.num_rows()).rank() == d;
    if (!full_rank) {
      throw plugin::Error(CF_E_NUMERIC,
                          "the covariance within the classes is singular; raise shrinkage or use "
                          "none");
    }
    const VectorXd inverse = units.cwiseInverse();
    const Eigen::LLT<MatrixXd> cholesky(inverse.asDiagonal() * covariance * inverse.asDiagonal());
    const MatrixXd means = MeansOf(rows);
    const VectorXd centre = means.transpose() * rows.priors;
    const MatrixXd points = means.rowwise() - centre.transpose();
    const MatrixXd coefficients =
        inverse.asDiagonal() * cholesky.solve(inverse.asDiagonal() * points.transpose());
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
