// Cross prediction of naive Bayes with normal columns alone: the model of a fold follows from the
// sums of all rows minus those of the fold.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grouped_rows.h"
#include "left_out_class.h"
#include "normal_kernels.h"
#include "normal_scores.h"
#include "params.h"
#include "scaled_product.h"
#include "score_block.h"

namespace crossfold::bundled {

// Densities of a block of rows in one class, and the scores that follow.
class DensityBlock {
 public:
  Densities arrays() {
    return {
        .distance = distance_.data(), .mantissa = mantissa_.data(), .exponent = exponent_.data()};
  }
  // Computes the scores of the first n rows, as NormalScores::Score() does.
  void ToScores(double start, std::size_t n, double* scores) const {
    for (std::size_t i = 0; i < n; ++i) {
      const double half_volume = 0.5 * ScaledProduct{mantissa_[i], exponent_[i]}.Log();
      scores[i] = (start - half_volume) - 0.5 * distance_[i];
    }
  }

 private:
  std::array<double, ScoreBlock::kRows> distance_, mantissa_, exponent_;
};

struct FeatureNames {
  explicit FeatureNames(const plugin::TrainingView& rows);
  std::vector<std::string> features, classes;
};

// Means and variances of every column, with room for whole vectors.
struct ColumnMoments {
  explicit ColumnMoments(std::size_t n_columns)
      : means(RoundedUp(n_columns)), variances(means), certain(means) {}
  std::vector<double> means, variances, certain;
};

// One setting.
class NormalCross {
 public:
  NormalCross(GroupedRows& rows, const BayesParams& params, const FeatureNames& names,
              std::size_t setting, const plugin::CrossSink& sink, const plugin::Context& context);

  // Predicts every row that is in a fold.
  void Run();

 private:
  struct Model {
    ClassPriors priors;
    NormalScores scores;
  };
  // Where predictions are gathered before they go to the sink.
  struct Output {
    std::vector<std::int32_t> labels;
    std::vector<double> probabilities;
  };

  ColumnMoments MomentsOf(const ColumnSums& sums, double weight) const;
  ColumnMoments OfClassWithout(const LeavingRows& leaving, std::size_t g);
  ColumnMoments OverallWithout(const LeavingRows& leaving);
  const ColumnMoments& OfWholeClass(std::size_t c);
  std::vector<double> CountsWithout(const LeavingRows& leaving) const;
  Model ModelWithout(const LeavingRows& leaving);
  void SetScores(std::span<const ColumnMoments* const> of_class, const ColumnMoments& overall,
                 NormalScores* scores) const;
  std::string Subject(std::size_t k, std::size_t c) const;

  void ReportAt(std::size_t place) const;
  // A fold on its way through Run(): how many of its rows are done.
  struct OpenFold {
    const FoldGroups* fold;
    Model model;
    std::size_t n_done = 0;

    // The rows of its next block; none if all are done.
    PlaceRange Next() const {
      return {fold->places.first + n_done, std::min(ScoreBlock::kRows, fold->places.n - n_done)};
    }
  };
  std::vector<OpenFold> ModelsOf(std::span<const FoldGroups> folds);
  void PredictBlock(const Model& model, PlaceRange places, PlaceRange next);
  void Append(ScoreBlock& block, std::size_t n, const ClassPriors& priors, Output& output) const;
  void Emit(PlaceRange places, const Output& output) const;

  void PredictSingleRows(const SingleRows& rows);
  void PredictAlone(std::size_t c, std::size_t place);
  // The class without one of the rows; none if each row needs its own model: a row may change the
  // effect of min_sd on the other classes, or whether a column is used.
  std::optional<LeftOutClass> LeftOut(const SingleRows& rows);
  bool OthersExceedFloor(std::size_t c, const LeftOutClass& left_out);
  bool SetConstants(const SingleRows& rows, LeftOutClass* left_out);
  bool SurelyVaries(std::size_t k);
  bool StaysConstant(const SingleRows& rows, std::size_t k);
  // Finds the moments of the other classes without one row of class c, without smoothing.
  NormalScores OtherClasses(std::size_t c);
  // Predicts the n rows in x_.
  void ScoreOthers(const ClassPriors& priors, const NormalScores& others, std::size_t c,
                   std::size_t n);
  void ScoreOthersSmoothed(const ClassPriors& priors, const double* added, std::size_t c,
                           std::size_t n);
  std::vector<std::size_t> PredictWithoutOne(const SingleRows& rows, const LeftOutClass& left_out);
  void EmitBetween(PlaceRange places, std::span<const std::size_t> without,
                   const Output& output) const;

  GroupedRows* rows_;
  const BayesParams* params_;
  const FeatureNames* names_;
  std::size_t setting_;
  const plugin::CrossSink* sink_;
  const plugin::Context* context_;
  std::vector<ColumnMoments> whole_classes_;       // none until they are needed
  std::optional<AddedVariances> added_variances_;  // as well
  AlignedNumbers x_;                               // of a block of rows
  ScoreBlock block_;
  DensityBlock density_;  // of these rows in one class
};

}  // namespace crossfold::bundled
