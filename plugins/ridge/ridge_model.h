// What ridge regression and least squares share: everything but their parameters.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../design.h"
#include "../linear_scores.h"
#include "../present_classes.h"
#include "cross_sums.h"
#include "least_squares_path.h"

namespace crossfold::bundled {

class RidgeModel {
 public:
  static constexpr double kIncrementalTolerance = 1e-9;
  static constexpr std::uint32_t kFormatVersion = 1;
  static constexpr std::array<const char*, 1> kExportFormats = {"text"};

  plugin::ModelShape shape() const {
    return {.n_features = std::ssize(features_),
            .n_classes = classifies_ ? static_cast<std::int64_t>(classes_.num_classes()) : 0};
  }
  void Predict(const plugin::FeatureView& rows, std::span<std::int32_t> labels,
               const plugin::Context& context) const {
    LabelsAt(0, rows, labels, context);
  }
  void Predict(const plugin::FeatureView& rows, std::span<double> values,
               const plugin::Context& context) const {
    ValuesAt(0, rows, values, context);
  }

  void Importance(std::span<double> out, const plugin::Context&) const {
    scores_.front().Importance(sums_.x_sd(), out);
  }

  std::string Export(std::size_t, const plugin::Context&) const {
    const LinearScores& scores = scores_.front();
    if (!classifies_) return scores.Text(0, "value");
    std::string text;
    for (Index k = 0; k < classes_.size(); ++k) {
      text += scores.Text(k, "score(" + classes_.name(k) + ")");
    }
    return text;
  }

  void AddRows(const plugin::TrainingView& rows, const plugin::Context&) {
    if (!HasWeight(rows)) return;
    const Problem more(rows, intercept_);
    RequireSums();
    sums_.Add(more.sums);
    UpdateClasses(more.classes, 1);
    SolveAgain();
  }
  void RemoveRows(const plugin::TrainingView& rows, const plugin::Context&) {
    if (!HasWeight(rows)) return;
    const Problem less(rows, intercept_);
    RequireSums();
    if (!(less.sums.weight < sums_.weight)) {
      throw plugin::Error(CF_E_UNSUPPORTED_DATA, "no training rows would be left");
    }
    sums_.Remove(less.sums);
    UpdateClasses(less.classes, -1);
    SolveAgain();
  }

  void Save(plugin::Writer& w) const {
    w.Write(intercept_);
    w.Write(classifies_);
    w.WriteSpan<double>(l2_);
    classes_.Save(w);
    w.Write(static_cast<std::uint64_t>(features_.size()));
    for (const std::string& name : features_) w.WriteText(name);
    sums_.Save(w);
    for (const LinearScores& scores : scores_) scores.Save(w);
  }

 protected:
  // Fits every value of l2.
  void FitAll(std::vector<double> l2, bool intercept, const plugin::TrainingView& train) {
    const Problem problem(train, intercept);
    intercept_ = intercept;
    classifies_ = train.is_classification();
    l2_ = std::move(l2);
    classes_ = problem.classes;
    features_ = problem.features;
    sums_ = problem.sums;
    LeastSquaresPath path(problem.factor, problem.n_rows);
    for (const double value : l2_) scores_.push_back(MakeScores(path.Solve(value)));
  }

  void LoadAll(plugin::Reader& r) {
    intercept_ = r.Read<bool>();
    classifies_ = r.Read<bool>();
    l2_ = r.ReadVector<double>();
    classes_ = PresentClasses::Load(r);
    const auto n_features = r.Read<std::uint64_t>();
    for (std::uint64_t j = 0; j < n_features; ++j) features_.push_back(r.ReadText());
    sums_ = CrossSums::Load(r);
    for (std::size_t i = 0; i < l2_.size(); ++i) scores_.push_back(LinearScores::Load(r));
    if (!SizesFit()) throw plugin::Error(CF_E_BAD_BLOB, "the parts of the model do not fit");
  }

  void LabelsAt(std::size_t index, const plugin::FeatureView& rows, std::span<std::int32_t> labels,
                const plugin::Context& context) const {
    std::vector<double> scores(static_cast<std::size_t>(classes_.size()));
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores_.at(index).Score(row, scores);
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      labels[static_cast<std::size_t>(i)] = classes_.index(best);
    });
  }
  void ValuesAt(std::size_t index, const plugin::FeatureView& rows, std::span<double> values,
                const plugin::Context& context) const {
    ForEachFiniteRow(rows, context, [&](std::int64_t i, std::span<const double> row) {
      scores_.at(index).Score(row, values.subspan(static_cast<std::size_t>(i), 1));
    });
  }

 private:
  // The sums take the square of this many numbers.
  static constexpr Index kMostFeaturesWithSums = 1000;

  // Training rows as a problem of least squares with one target, or one of -1 and 1 for each class
  // of the dataset.
  struct Problem {
    Problem(const plugin::TrainingView& train, bool intercept) {
      Design design = ReadDesign(train);
      if (train.is_classification()) classes = PresentClasses(train, design);
      n_rows = design.num_rows();
      const Index d = design.num_features();
      const MatrixXd y = Targets(design, train.num_classes());
      const ColumnMoments moments = MomentsOf(design);
      sums.weight = design.total_weight;
      sums.centred = intercept;
      sums.x_mean = moments.mean;
      sums.x_squares = moments.sd.cwiseAbs2() * sums.weight;
      sums.y_mean = MeansOf(y, design);
      sums.y_squares =
          (y.rowwise() - sums.y_mean.transpose()).cwiseAbs2().transpose() * design.weights;
      RowMatrix rows(n_rows, d + y.cols());
      rows.leftCols(d) = design.x.rowwise() - sums.x_centre().transpose();
      rows.rightCols(y.cols()) = y.rowwise() - sums.y_centre().transpose();
      rows = design.weights.cwiseSqrt().asDiagonal() * rows;
      factor = Factorise(rows, d);
      if (d <= kMostFeaturesWithSums) {
        sums.xx = factor.r.transpose() * factor.r;
        sums.xy = factor.r.transpose() * factor.rest;
        sums.largest = sums.xx.diagonal();
      }
      features = std::move(design.features);
    }

    static MatrixXd Targets(const Design& design, std::int64_t n_classes) {
      if (n_classes == 0) return design.values;
      MatrixXd y = MatrixXd::Constant(design.num_rows(), n_classes, -1);
      for (Index i = 0; i < y.rows(); ++i) y(i, design.labels[static_cast<std::size_t>(i)]) = 1;
      return y;
    }

    // In two passes; the second removes the rounding error of the first.
    static VectorXd MeansOf(const MatrixXd& y, const Design& design) {
      const VectorXd mean = y.transpose() * design.weights / design.total_weight;
      const MatrixXd rest = y.rowwise() - mean.transpose();
      return mean + rest.transpose() * design.weights / design.total_weight;
    }

    Index n_rows = 0;
    std::vector<std::string> features;
    PresentClasses classes;
    CrossSums sums;
    TriangularFactor factor;
  };

  static bool HasWeight(const plugin::TrainingView& rows) {
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (rows.weight(i) > 0) return true;
    }
    return false;
  }

  void RequireSums() const {
    if (l2_.size() != 1) {
      throw plugin::Error(CF_E_UNSUPPORTED, "a model of several values of l2 takes no rows");
    }
    if (static_cast<Index>(features_.size()) > kMostFeaturesWithSums) {
      throw plugin::Error(CF_E_UNSUPPORTED, "a model of more than " +
                                                std::to_string(kMostFeaturesWithSums) +
                                                " features takes no rows; fit all rows anew");
    }
  }

  void UpdateClasses(const PresentClasses& other, double sign) {
    constexpr double kNothing = 1e-12;  // what rounding leaves of a share
    std::vector<double> weights = classes_.all_weights();
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const double before = weights[c];
      weights[c] += sign * other.all_weights()[c];
      if (weights[c] <= kNothing * before) weights[c] = 0;
    }
    classes_.set_all_weights(std::move(weights));
  }

  void SolveAgain() {
    scores_.front() = MakeScores(SolveSums(sums_, l2_.front(), kIncrementalTolerance));
  }

  // Of the classes that are present.
  LinearScores MakeScores(const MatrixXd& coefficients) const {
    if (!classifies_) return {features_, sums_.x_centre(), coefficients, sums_.y_centre()};
    MatrixXd chosen(coefficients.rows(), classes_.size());
    VectorXd offsets(classes_.size());
    for (Index k = 0; k < classes_.size(); ++k) {
      chosen.col(k) = coefficients.col(classes_.index(k));
      offsets[k] = sums_.y_centre()[classes_.index(k)];
    }
    return {features_, sums_.x_centre(), chosen, offsets};
  }

  bool SizesFit() const {
    const auto d = static_cast<Index>(features_.size());
    const Index n_targets = classifies_ ? static_cast<Index>(classes_.num_classes()) : 1;
    const Index n_scores = classifies_ ? classes_.size() : 1;
    const bool sums_fit = sums_.x_mean.size() == d && sums_.y_mean.size() == n_targets &&
                          sums_.xx.rows() == (d <= kMostFeaturesWithSums ? d : 0) &&
                          sums_.centred == intercept_;
    return sums_fit && !l2_.empty() && n_scores > 0 &&
           std::all_of(scores_.begin(), scores_.end(), [&](const LinearScores& scores) {
             return scores.num_features() == d && scores.size() == n_scores;
           });
  }

  bool intercept_ = true;
  bool classifies_ = false;
  std::vector<double> l2_;
  PresentClasses classes_;
  std::vector<std::string> features_;
  CrossSums sums_;
  std::vector<LinearScores> scores_;  // one for each l2
};

}  // namespace crossfold::bundled
