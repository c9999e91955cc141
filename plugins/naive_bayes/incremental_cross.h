// Cross prediction of a learner whose models give rows back exactly: one fit of all rows, and for
// each fold a copy of it without the fold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../row_subset.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// L is a learner of classes with kIncrementalExact and without a seed.
template <class L>
class IncrementalCross {
 public:
  IncrementalCross(const typename L::Params& params, const plugin::TrainingView& rows,
                   std::span<const std::int32_t> fold_of_row, std::int32_t n_folds,
                   const plugin::Context& context)
      : params_(&params),
        rows_(&rows),
        fold_of_row_(fold_of_row),
        context_(&context),
        positions_(static_cast<std::size_t>(n_folds)) {
    for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
      if (fold_of_row[i] < 0) continue;
      positions_[static_cast<std::size_t>(fold_of_row[i])].push_back(static_cast<std::int64_t>(i));
    }
  }

  void Run(std::size_t setting, const plugin::CrossSink& sink) {
    try {
      of_all_.emplace(L::Fit(*params_, *rows_, *context_));
    } catch (const plugin::Error& e) {
      // A row that no model can take may be one of the fold. So every fold is fitted again.
      if (e.code() == CF_E_CANCELLED) throw;
    }
    for (std::size_t fold = 0; fold < positions_.size(); ++fold) {
      context_->Progress(static_cast<double>(fold) / static_cast<double>(positions_.size()));
      sink.Try(setting, static_cast<std::int32_t>(fold), [&] { Predict(setting, fold, sink); });
    }
  }

 private:
  L ModelWithout(std::size_t fold, const RowSubset& left) const {
    if (of_all_.has_value()) {
      L model = *of_all_;
      model.RemoveRows(left.training(), *context_);
      return model;
    }
    std::vector<std::int64_t> kept;
    for (std::size_t i = 0; i < fold_of_row_.size(); ++i) {
      const bool leaves = fold_of_row_[i] == static_cast<std::int32_t>(fold);
      if (!leaves) kept.push_back(static_cast<std::int64_t>(i));
    }
    const RowSubset train(*rows_, kept);
    return L::Fit(*params_, train.training(), *context_);
  }

  void Predict(std::size_t setting, std::size_t fold, const plugin::CrossSink& sink) const {
    const std::vector<std::int64_t>& positions = positions_[fold];
    const RowSubset left(*rows_, positions);
    const L model = ModelWithout(fold, left);
    if (positions.empty()) return;
    std::vector<std::int32_t> labels;
    std::vector<double> probabilities;
    if (sink.wants_labels()) {
      labels.resize(positions.size());
      model.Predict(left.features(), std::span<std::int32_t>(labels), *context_);
    }
    if (sink.wants_probabilities()) {
      const auto n_classes = static_cast<std::size_t>(rows_->num_classes());
      probabilities.resize(positions.size() * n_classes);
      model.PredictProba(left.features(), probabilities, *context_);
    }
    sink.Emit(setting, positions, {.labels = labels, .probabilities = probabilities});
  }

  const typename L::Params* params_;
  const plugin::TrainingView* rows_;
  std::span<const std::int32_t> fold_of_row_;
  const plugin::Context* context_;
  std::vector<std::vector<std::int64_t>> positions_;  // of each fold
  std::optional<L> of_all_;
};

}  // namespace crossfold::bundled
