#include "engine/plan/training_target.h"

#include <algorithm>
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

void LeftOutSum::Add(double term) {
  const double sum = sum_ + term;
  correction_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
  n_ += 1;
  correction_bound_ += std::fabs(sum);
  error_ += correction_bound_;
}

// Let u be half the machine epsilon, s_k the partial sums and P_k the sum of |s_j| over j <= k.
// The k-th addition has an error of at most u |s_k|, which is known exactly, and the correction
// adds these errors up: it is at most u P_k (1 + k u). What the value lacks of the exact sum are
// the roundings of the correction, each at most u times the correction so far: u^2 times the sum of
// the P_k in all, E, apart from factors 1 + O(n u).
//
// The sum without the terms that are left out has other partial sums, s'_k. In the same order, the
// exact ones differ by at most L, the sum of the magnitudes left out, and each is at most u P_k or
// u P'_k away from its exact one. So P'_k (1 - k u) <= P_k (1 + k u) + k L, and the sum of the P'_k
// is at most E + L n (n + 1) / 2, apart from such factors. 1.25 is more than all of them.
std::optional<double> LeftOutSum::Without(std::span<const double> left_out) const {
  LeftOutSum rest = *this;
  double magnitude = 0;
  for (const double term : left_out) {
    rest.Add(-term);
    magnitude += std::fabs(term);
  }
  constexpr double kU2 = 0x1p-106;
  // The bounds of the sum of all terms less those left out, of the sum of the others, and of the
  // rounding of the next line, which is at most u times the correction.
  const double error = kU2 * (1.25 * (rest.error_ + error_ + magnitude * n_ * (n_ + 1) / 2) +
                              2 * rest.correction_bound_);
  const double low = rest.sum_ + (rest.correction_ - error);
  const double high = rest.sum_ + (rest.correction_ + error);
  return low == high ? std::optional(low) : std::nullopt;
}

TargetTotals::TargetTotals(const DataView& view) : data_(*view.data) {
  const std::int64_t n = view.num_rows();
  if (data_.task() == Task::kClassification) {
    class_weights_.resize(static_cast<std::size_t>(data_.num_classes()));
    for (std::int64_t i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(view.row_id(i));
      class_weights_[static_cast<std::size_t>(data_.labels()[row])] += 1;
    }
    return;
  }
  std::vector<std::int64_t> ascending;  // if the view is not
  if (view.rows && !std::is_sorted(view.rows->begin(), view.rows->end())) {
    ascending = *view.rows;
    std::sort(ascending.begin(), ascending.end());
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const std::int64_t row = ascending.empty() ? view.row_id(i) : ascending[place];
    weights_.Add(WeightOf(data_, row));
    values_.Add(ValueOf(data_, row));
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
