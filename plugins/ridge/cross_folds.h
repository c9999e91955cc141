// The cross prediction of ridge regression: folds from the sums of all rows where rounding allows
// it, separate fits elsewhere. The table, the fold and the setting decide which.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../fold_views.h"
#include "shared_rows.h"

namespace crossfold::bundled {

// Predictions of the rows of a fold by one setting.
struct FoldPrediction {
  std::vector<std::int32_t> labels;  // classification
  std::vector<double> values;        // regression
};

class CrossFolds {
 public:
  // `rows` and `folds` must outlive this. Values are known if rounding moves each by at most
  // `tolerance`, relative to numbers above 1, labels if rounding cannot change them.
  CrossFolds(const plugin::TrainingView& rows, const std::vector<Positions>& folds, bool intercept,
             double tolerance)
      : folds_(folds), tolerance_(tolerance) {
    try {
      all_.emplace(rows, intercept);
    } catch (const plugin::Error& e) {
      return;  // every fold is fitted separately, and reports what is wrong with its rows
    }
    rows_of_class_.resize(static_cast<std::size_t>(rows.num_classes()));
    for (const std::int32_t label : all_->labels) ++rows_of_class_[static_cast<std::size_t>(label)];
  }

  // Calls use(index of the l2, fold, prediction) for what is known, folds in any order.
  template <class Use>
  void Predict(std::span<const double> l2, const plugin::Context& context, Use&& use) const {
    if (!all_) return;
    std::vector<std::size_t> small;
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const auto places = all_->PlacesOf(folds_[f]);
      const auto size = places ? static_cast<Index>(places->size()) : 0;
      if (size == 0 || size == all_->x.rows()) continue;
      if (2 * size <= all_->x.cols()) {
        small.push_back(f);
        continue;
      }
      context.Progress(static_cast<double>(f) / static_cast<double>(folds_.size()));
      const SumsWithoutFold without(*all_, *places);
      for (std::size_t s = 0; s < l2.size(); ++s) {
        if (auto known = Known(*places, without.Predict(l2[s]))) use(s, f, *known);
      }
    }
    for (std::size_t s = 0; !small.empty() && s < l2.size(); ++s) {
      const FitOfAll fit(*all_, l2[s]);
      for (const std::size_t f : small) {
        if (f % kFoldsPerPoll == 0) context.Progress(0);
        const std::vector<Index> places = *all_->PlacesOf(folds_[f]);
        if (auto known = Known(places, fit.Predict(places))) use(s, f, *known);
      }
    }
  }

 private:
  static constexpr std::size_t kFoldsPerPoll = 64;

  std::optional<FoldPrediction> Known(const std::vector<Index>& places,
                                      const FoldValues& predicted) const {
    const MatrixXd& values = predicted.values;
    if (values.rows() == 0 || !AreFinite(values.data(), values.size())) return std::nullopt;
    return rows_of_class_.empty() ? KnownValues(predicted) : KnownLabels(places, predicted);
  }

  std::optional<FoldPrediction> KnownValues(const FoldValues& predicted) const {
    FoldPrediction known;
    for (Index i = 0; i < predicted.values.rows(); ++i) {
      const double value = predicted.values(i, 0);
      if (!(predicted.doubts[i] <= tolerance_ * std::max(1.0, std::abs(value)))) {
        return std::nullopt;
      }
      known.values.push_back(value);
    }
    return known;
  }

  std::optional<FoldPrediction> KnownLabels(const std::vector<Index>& places,
                                            const FoldValues& predicted) const {
    const std::vector<std::int32_t> classes = ClassesWithout(places);
    FoldPrediction known;
    for (Index i = 0; i < predicted.values.rows(); ++i) {
      double best = -std::numeric_limits<double>::infinity(), second = best;
      known.labels.push_back(classes.front());
      for (const std::int32_t c : classes) {
        const double score = predicted.values(i, c);
        if (score > best) known.labels.back() = c;
        second = std::max(second, std::min(best, score));
        best = std::max(best, score);
      }
      // A tie goes to the lower class, so it must be seen as a separate fit sees it.
      if (!(best - second > std::max(2 * predicted.doubts[i], tolerance_))) return std::nullopt;
    }
    return known;
  }

  // Classes that the rows outside of the fold have.
  std::vector<std::int32_t> ClassesWithout(const std::vector<Index>& places) const {
    std::vector<std::int64_t> left = rows_of_class_;
    for (const Index i : places)
      --left[static_cast<std::size_t>(all_->labels[static_cast<std::size_t>(i)])];
    std::vector<std::int32_t> classes;
    for (std::size_t c = 0; c < left.size(); ++c) {
      if (left[c] > 0) classes.push_back(static_cast<std::int32_t>(c));
    }
    return classes;
  }

  const std::vector<Positions>& folds_;
  double tolerance_;
  std::optional<SharedRows> all_;
  std::vector<std::int64_t> rows_of_class_;  // empty in regression
};

}  // namespace crossfold::bundled
