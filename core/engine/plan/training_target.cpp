#include "engine/plan/training_target.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace crossfold {
namespace {

double WeightOf(const Dataset& data, std::int64_t row) {
  return data.weights().empty() ? 1.0 : data.weights()[static_cast<std::size_t>(row)];
}

double ValueOf(const Dataset& data, std::int64_t row) {
  return WeightOf(data, row) * data.values()[static_cast<std::size_t>(row)];
}

std::vector<double> CountClasses(const Dataset& data, std::span<const std::int64_t> rows) {
  std::vector<double> weights(static_cast<std::size_t>(data.num_classes()));
  for (const std::int64_t row : rows) {
    const auto label = static_cast<std::size_t>(data.labels()[static_cast<std::size_t>(row)]);
    weights[label] += WeightOf(data, row);
  }
  return weights;
}

TrainingTarget MeanOf(double sum, double total) {
  TrainingTarget target;
  if (total > 0) target.mean = sum / total;
  return target;
}

}  // namespace

TrainingTarget ReadTrainingTarget(const Dataset& data, std::span<const std::int64_t> rows) {
  if (data.task() == Task::kClassification) return {CountClasses(data, rows)};
  plugin::CompensatedSum total, sum;
  for (const std::int64_t row : rows) {
    total.Add(WeightOf(data, row));
    sum.Add(ValueOf(data, row));
  }
  return MeanOf(sum.value(), total.value());
}

// The k-th addition of a compensated sum has an error of at most u times the partial sum, with u
// half the machine epsilon, and the correction adds these up. What the value lacks of the exact sum
// are the roundings of the correction, each at most u times the correction so far: so u^2 times the
// sum over k of the sums over j <= k of the partial sums of absolute values.
void LeftOutSum::Add(double term) {
  const double sum = sum_ + term;
  correction_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
  n_ += 1;
  magnitude_ += std::fabs(term);
  correction_bound_ += magnitude_;
  error_ += correction_bound_;
}

std::optional<double> LeftOutSum::Without(std::span<const double> left_out) const {
  LeftOutSum rest = *this;
  for (const double term : left_out) rest.Add(-term);
  constexpr double kU2 = 0x1p-106;
  // The bound of this sum, of the sum without the terms, and of the next two additions.
  const double error = kU2 * (1.25 * (error_ + rest.error_) + 4 * n_ * magnitude_);
  const double low = rest.sum_ + (rest.correction_ - error);
  const double high = rest.sum_ + (rest.correction_ + error);
  return low == high ? std::optional(low) : std::nullopt;
}

TargetTotals::TargetTotals(const DataView& view) : data_(*view.data) {
  const std::int64_t n = view.num_rows();
  n_rows_ = static_cast<double>(n);
  if (data_.task() == Task::kClassification) {
    class_weights_.resize(static_cast<std::size_t>(data_.num_classes()));
    for (std::int64_t i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      class_weights_[static_cast<std::size_t>(data_.labels()[row])] += 1;
    }
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    weights_.Add(WeightOf(data_, view.row_id(i)));
    values_.Add(ValueOf(data_, view.row_id(i)));
  }
}

std::optional<TrainingTarget> TargetTotals::Without(std::span<const std::int64_t> test) const {
  if (data_.task() == Task::kClassification) {
    if (!data_.weights().empty()) return std::nullopt;  // their sums depend on the order
    TrainingTarget target{class_weights_};
    for (const std::int64_t row : test) {
      --target
            .class_weights[static_cast<std::size_t>(data_.labels()[static_cast<std::size_t>(row)])];
    }
    return target;
  }
  std::vector<double> terms;
  terms.reserve(test.size());
  for (const std::int64_t row : test) terms.push_back(ValueOf(data_, row));
  const std::optional<double> sum = values_.Without(terms);
  terms.clear();
  for (const std::int64_t row : test) terms.push_back(WeightOf(data_, row));
  const std::optional<double> total = weights_.Without(terms);
  if (!sum || !total) return std::nullopt;
  return MeanOf(*sum, *total);
}

const TargetTotals& TrainingTargets::TotalsOf(const std::shared_ptr<const SplitPlan>& plan) {
  const std::lock_guard lock(mutex_);  // others that need the same wait for it
  return totals_.try_emplace(plan, plan->view()).first->second;
}

TrainingTarget TrainingTargets::Find(const std::shared_ptr<const SplitPlan>& plan,
                                     std::int64_t split, std::span<const std::int64_t> test) {
  if (!plan->partitions().empty()) {
    if (auto target = TotalsOf(plan).Without(test)) return *std::move(target);
  }
  return ReadTrainingTarget(*plan->view().data, plan->Rows(split).train);
}

}  // namespace crossfold
