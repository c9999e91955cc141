#include "dense_kernel.h"

#include <algorithm>
#include <cmath>

namespace crossfold::bundled {
namespace {

// The library's own power.
double Power(double base, int exponent) {
  double power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) power *= base;
    base *= base;
  }
  return power;
}

}  // namespace

bool IsDense(std::size_t n_not_zero, std::size_t n_entries) {
  // A sparse entry took about ten times as long as a dense one.
  constexpr std::size_t kWorthSkipping = 8;
  return n_not_zero * kWorthSkipping >= n_entries;
}

bool IsDense(std::span<const double> entries) {
  const auto zeros = std::count(entries.begin(), entries.end(), 0.0);
  return IsDense(entries.size() - static_cast<std::size_t>(zeros), entries.size());
}

void SumRows(const SumsTask& task) {
  const std::size_t d = task.panels.num_features();
  const std::size_t n_rows = task.rows.size() / std::max<std::size_t>(d, 1);
  for (std::size_t p = 0; p < task.n_panels; ++p) {
    for (std::size_t i = 0; i < n_rows; i += kRowGroup) {
      PanelTask one{task.panels.panel(task.first + p),
                    {},
                    d,
                    task.to + i * task.stride + p * kPanelRows,
                    task.stride};
      for (std::size_t r = 0; r < kRowGroup; ++r) {
        one.rows[r] = task.rows.data() + std::min(i + r, n_rows - 1) * d;
      }
      task.sums(one);
    }
  }
}

void FromDots(const svm_parameter& kernel, std::span<double> values) {
  if (kernel.kernel_type == LINEAR) return;
  for (double& value : values) {
    const double inner = kernel.gamma * value + kernel.coef0;
    value = kernel.kernel_type == POLY ? Power(inner, kernel.degree) : std::tanh(inner);
  }
}

void PredictionValues(const svm_parameter& kernel, std::span<const double> rows,
                      const PanelRows& vectors, double* to, std::size_t stride) {
  const LaneKernels& lanes = BestLaneKernels();
  const bool is_rbf = kernel.kernel_type == RBF;
  SumRows({is_rbf ? lanes.squared_distances : lanes.dots, rows, vectors, 0, vectors.num_panels(),
           to, stride});
  const std::size_t n_rows = rows.size() / std::max<std::size_t>(vectors.num_features(), 1);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::span<double> values(to + i * stride, vectors.num_rows());
    if (!is_rbf) {
      FromDots(kernel, values);
    } else {
      for (double& value : values) value = std::exp(-kernel.gamma * value);
    }
  }
}

}  // namespace crossfold::bundled
