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

namespace {

constexpr std::size_t kSide = 64;  // rows and columns of a tile

}  // namespace

// The values of `n_rows` rows from `row` on and `n_columns` columns from `column` on. Both starts
// are multiples of kSide.
struct KernelMatrix::Tile {
  std::size_t row, column, n_rows, n_columns;
  const double* values;  // kSide apart
};

KernelMatrix::KernelMatrix(const svm_parameter& kernel, std::span<const double> rows,
                           std::size_t n_features, const plugin::Context& context)
    : n_(rows.size() / n_features) {
  Allocate();
  const LaneKernels& lanes = BestLaneKernels();
  PanelRows panels(n_, n_features);
  std::vector<double> squares((n_ + kSide - 1) / kSide * kSide);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_features; ++j) {
      const double x = rows[i * n_features + j];
      panels.Set(i, j, x);
      squares[i] += x * x;
    }
  }
  std::vector<double> values(kSide * kSide);
  for (std::size_t i = 0; i < n_; i += kSide) {
    context.Progress(0);
    const std::size_t n_rows = std::min(kSide, n_ - i);
    for (std::size_t j = i; j < n_; j += kSide) {
      const std::size_t n_columns = std::min(kSide, n_ - j);
      SumRows({lanes.dots, rows.subspan(i * n_features, n_rows * n_features), panels,
               j / kPanelRows, (n_columns + kPanelRows - 1) / kPanelRows, values.data(), kSide});
      if (kernel.kernel_type == RBF) {
        for (std::size_t r = 0; r < n_rows; ++r) {
          lanes.rounded_rbf(values.data() + r * kSide, squares.data() + j, kSide, squares[i + r],
                            kernel.gamma);
        }
      } else {
        FromDots(kernel, values);
      }
      Write({i, j, n_rows, n_columns, values.data()});
    }
  }
}

std::vector<svm_node*> KernelMatrix::Rows() const {
  std::vector<svm_node*> rows;
  for (std::size_t i = 0; i < n_; ++i) rows.push_back(reinterpret_cast<svm_node*>(Row(i)));
  return rows;
}

void KernelMatrix::Allocate() {
  // The solver reads the numbers of all rows one after the other. An odd number of lines between
  // them spreads them over the sets of a cache.
  constexpr std::size_t kLine = 8;
  stride_ = ((2 * n_ + 3 + kLine - 1) / kLine | 1) * kLine;
  values_ = MakeAlignedNumbers((n_ + 1) / 2 * stride_);
  // The first entry of a row is its number, which is the place of its column in all others.
  for (std::size_t i = 0; i < n_; ++i) Row(i)[1] = static_cast<double>(i + 1);
}

void KernelMatrix::Write(const Tile& tile) {
  for (std::size_t i = 0; i < tile.n_rows; i += 2) {
    double* const to = Pair(tile.row + i) + 2 * tile.column + 3;
    const double* const from = tile.values + i * kSide;
    for (std::size_t j = 0; j < tile.n_columns; ++j) {
      to[2 * j] = from[j];
      to[2 * j + 1] = from[kSide + j];
    }
  }
  if (tile.row == tile.column) return;
  for (std::size_t j = 0; j < tile.n_columns; j += 2) {
    double* const to = Pair(tile.column + j) + 2 * tile.row + 3;
    for (std::size_t i = 0; i < tile.n_rows; ++i) {
      to[2 * i] = tile.values[i * kSide + j];
      to[2 * i + 1] = tile.values[i * kSide + j + 1];
    }
  }
}

}  // namespace crossfold::bundled
