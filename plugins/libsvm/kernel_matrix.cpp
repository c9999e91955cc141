#include "kernel_matrix.h"

#include <algorithm>

#include "dense_kernel.h"

namespace crossfold::bundled {
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
