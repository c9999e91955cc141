// The input of metrics, made of a prediction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/outcome.h"
#include "crossfold_plugin/metric.h"
#include "engine/plan/gather.h"
#include "engine/plan/training_target.h"

namespace crossfold {

// Entries of the rows of a prediction. If the rows are consecutive, as in a pooled prediction or a
// new file, the entries are borrowed from the dataset instead of copied.
class RowsOf {
 public:
  // REQUIRES: `rows` outlives this.
  explicit RowsOf(const std::vector<std::int64_t>& rows) : rows_(rows) {
    for (std::size_t i = 1; i < rows.size(); ++i) is_range_ &= rows[i] == rows[i - 1] + 1;
  }
  // Returns null if there are no entries. The result lives as long as both arguments.
  template <class T>
  const T* Of(std::span<const T> entries, std::vector<T>& storage) const {
    if (is_range_ && !rows_.empty() && !entries.empty()) return entries.data() + rows_.front();
    return Gather(entries, rows_.data(), static_cast<std::int64_t>(rows_.size()), storage);
  }

 private:
  const std::vector<std::int64_t>& rows_;
  bool is_range_ = true;
};

// cf_metric_input of a prediction, with the memory that it points to. It serves any number of
// metrics.
class MetricInput {
 public:
  // REQUIRES: both outlive this.
  MetricInput(const Dataset& data, const Prediction& prediction) {
    const auto n = static_cast<std::int64_t>(prediction.rows.size());
    const RowsOf rows(prediction.rows);
    input_.struct_size = sizeof(cf_metric_input);
    input_.n_rows = n;
    if (data.task() == Task::kClassification) {
      input_.n_classes = data.num_classes();
      input_.class_names = data.class_name_pointers().data();
      input_.truth_labels = rows.Of(data.labels(), truth_labels_);
    } else {
      input_.truth_values = rows.Of(data.values(), truth_values_);
    }
    input_.labels = PointerTo(prediction.labels);
    (input_.n_classes > 0 ? scores_ : input_.values) = PointerTo(prediction.values);
    input_.probabilities = PointerTo(prediction.probabilities);
    input_.weights = rows.Of(data.weights(), weights_);
    input_.groups = rows.Of(data.groups(), groups_);
    input_.costs = data.costs().empty() ? nullptr : data.costs().data();
    input_.row_costs = GatherRowCosts(data, prediction.rows);
    input_.training_mean = std::numeric_limits<double>::quiet_NaN();
  }
  MetricInput(const MetricInput&) = delete;
  MetricInput& operator=(const MetricInput&) = delete;

  const cf_metric_input& get() const { return input_; }
  // Scores instead of probabilities, as many; null = there are none.
  const double* scores() const { return scores_; }

  // Sets the target of the training rows, for metrics that compare with it.
  void SetTrainingTarget(TrainingTarget target) {
    training_class_weights_ = std::move(target.class_weights);
    input_.training_class_weights = PointerTo(training_class_weights_);
    input_.training_mean = target.mean;
  }

 private:
  const double* GatherRowCosts(const Dataset& data, const std::vector<std::int64_t>& rows) {
    if (data.row_costs().empty()) return nullptr;
    const auto k = static_cast<std::size_t>(data.num_classes());
    row_costs_.reserve(rows.size() * k);
    for (const std::int64_t row : rows) {
      const auto costs = data.row_costs().subspan(static_cast<std::size_t>(row) * k, k);
      row_costs_.insert(row_costs_.end(), costs.begin(), costs.end());
    }
    return row_costs_.data();
  }
  template <class T>
  static const T* PointerTo(const std::vector<T>& entries) {
    return entries.empty() ? nullptr : entries.data();
  }

  const double* scores_ = nullptr;
  cf_metric_input input_{};
  std::vector<std::int32_t> truth_labels_;
  std::vector<double> truth_values_, weights_, row_costs_, training_class_weights_;
  std::vector<std::int64_t> groups_;
};

// Returns rows [first, first + n) of an input, which borrow its memory.
inline cf_metric_input BlockOf(const cf_metric_input& input, std::int64_t first, std::int64_t n) {
  cf_metric_input block = input;
  const auto skip = [&](auto*& entries, std::int64_t width) {
    if (entries != nullptr) entries += first * width;
  };
  block.n_rows = n;
  skip(block.truth_labels, 1);
  skip(block.truth_values, 1);
  skip(block.labels, 1);
  skip(block.values, 1);
  skip(block.probabilities, input.n_classes);
  skip(block.weights, 1);
  skip(block.groups, 1);
  skip(block.row_costs, input.n_classes);
  return block;
}

}  // namespace crossfold
