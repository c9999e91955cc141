// The algorithms are in G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, 2013: 5.1
// (reflections and rotations), 8.6.3 (QR steps) and 8.6.6 (Jacobi).
#include "singular_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace crossfold::bundled {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kSmallest = std::numeric_limits<double>::min();

// x, y -> c x + s y, c y - s x.
struct Rotation {
  double c = 1, s = 0;

  void Turn(double& x, double& y) const {
    const double old = x;
    x = c * old + s * y;
    y = c * y - s * old;
  }
  void TurnColumns(MatrixXd& matrix, Index p, Index q) const {
    if (c == 1 && s == 0) return;
    double *x = matrix.col(p).data(), *y = matrix.col(q).data();
    for (Index i = 0; i < matrix.rows(); ++i) Turn(x[i], y[i]);
  }
  void TurnRows(MatrixXd& matrix, Index p, Index q) const {
    if (c == 1 && s == 0) return;
    for (Index j = 0; j < matrix.cols(); ++j) Turn(matrix(p, j), matrix(q, j));
  }
};

// Makes y 0 and x the length of both.
Rotation Onto(double& x, double& y) {
  const double length = std::hypot(x, y);
  Rotation r;
  if (length > 0) r = {x / length, y / length};
  x = length;
  y = 0;
  return r;
}

// Of the columns, so that rows and columns of the symmetric matrix [x y; y z] become diagonal.
Rotation Diagonalising(double x, double y, double z) {
  const double twice = 2 * std::abs(y);
  if (twice < kSmallest) return {};
  const double tau = (x - z) / twice, root = std::sqrt(tau * tau + 1);
  const double t = 1 / (tau > 0 ? tau + root : tau - root);
  const double c = 1 / std::sqrt(t * t + 1);
  // The rotation of t = tan, with the sign of y.
  return {c, (t > 0 ? 1.0 : -1.0) * (y / std::abs(y)) * std::abs(t) * c};
}

// Of rows and of columns p and q, so that what they share becomes diagonal.
std::pair<Rotation, Rotation> DiagonalisingBoth(const MatrixXd& m, Index p, Index q) {
  double a = m(p, p), b = m(p, q), c = m(q, p), d = m(q, q);
  const double sum = a + d, difference = c - b;
  Rotation symmetric;  // of the rows
  if (!(std::abs(difference) < kSmallest)) {
    const double u = sum / difference, root = std::sqrt(1 + u * u);
    symmetric = {u / root, 1 / root};
  }
  if (!(symmetric.c == 1 && symmetric.s == 0)) {
    symmetric.Turn(a, c);
    symmetric.Turn(b, d);
  }
  const Rotation right = Diagonalising(a, b, d);
  return {{symmetric.c * right.c - symmetric.s * right.s,
           symmetric.c * right.s + symmetric.s * right.c},
          right};
}

// Values that are not negative, in falling order, with their columns.
void Arrange(SquareFactors& factors) {
  const Index n = factors.values.size();
  for (Index i = 0; i < n; ++i) {
    if (factors.values[i] < 0) {
      for (Index k = 0; k < factors.left.rows(); ++k) factors.left(k, i) = -factors.left(k, i);
    }
    factors.values[i] = std::abs(factors.values[i]);
  }
  for (Index i = 0; i < n; ++i) {
    double* values = factors.values.data();
    const Index greatest = std::max_element(values + i, values + n) - values;
    if (greatest == i) continue;
    std::swap(values[i], values[greatest]);
    for (MatrixXd* side : {&factors.left, &factors.right}) {
      for (Index k = 0; k < side->rows(); ++k) std::swap((*side)(k, i), (*side)(k, greatest));
    }
  }
}

// In four sums, which a processor makes at the same time.
double Dot(const double* a, const double* b, Index n) {
  double sums[4] = {};
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    for (Index k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void AddTimes(double* out, const double* a, double factor, Index n) {
  for (Index i = 0; i < n; ++i) out[i] += factor * a[i];
}

// The reflection I - factor v v' that leaves only the first number of `v`, which becomes v[0] = 1
// and on; returns what the first number becomes.
double MakeReflection(double* v, Index n, double& factor) {
  const double rest = Dot(v + 1, v + 1, n - 1), first = v[0];
  factor = 0;
  v[0] = 1;
  if (rest <= kSmallest) {
    std::fill(v + 1, v + n, 0.0);
    return first;
  }
  const double length = std::sqrt(first * first + rest), beta = first < 0 ? length : -length;
  factor = (beta - first) / beta;
  for (Index i = 1; i < n; ++i) v[i] /= first - beta;
  return beta;
}

// left B right' of a square matrix, where B has only a diagonal and the one above it.
class TwoDiagonals {
 public:
  TwoDiagonals(MatrixXd matrix, bool want_left)
      : size_(matrix.rows()),
        work_(std::move(matrix)),
        row_vectors_(size_, size_),
        left_(want_left ? IdentityMatrix(size_, size_) : MatrixXd(0, size_)),
        right_(IdentityMatrix(size_, size_)),
        diagonal_(size_),
        above_(static_cast<std::size_t>(size_)) {
    std::vector<double> column_factors(above_), row_factors(above_);
    for (Index k = 0; k < size_; ++k) {
      const auto place = static_cast<std::size_t>(k);
      diagonal_[k] = ReflectColumn(k, column_factors[place]);
      if (k + 1 < size_) above_[place] = ReflectRow(k, row_factors[place]);
    }
    for (Index k = size_ - 1; k >= 0; --k) {
      const auto place = static_cast<std::size_t>(k);
      if (want_left) Reflect(left_, k, work_.col(k).data() + k, column_factors[place]);
      if (k + 1 < size_) Reflect(right_, k + 1, row_vectors_.col(k).data(), row_factors[place]);
    }
  }

  SquareFactors Factors() {
    const bool is_known = RemoveAbove();
    return {std::move(left_), std::move(right_), std::move(diagonal_), is_known};
  }

 private:
  // Reflects rows and columns from `first` on.
  void Reflect(MatrixXd& matrix, Index first, const double* v, double factor) const {
    for (Index j = first; j < size_; ++j) {
      double* column = matrix.col(j).data() + first;
      AddTimes(column, v, -factor * Dot(column, v, size_ - first), size_ - first);
    }
  }

  double ReflectColumn(Index k, double& factor) {
    double* v = work_.col(k).data() + k;
    const double left = MakeReflection(v, size_ - k, factor);
    for (Index j = k + 1; j < size_; ++j) {
      double* column = work_.col(j).data() + k;
      AddTimes(column, v, -factor * Dot(column, v, size_ - k), size_ - k);
    }
    return left;
  }

  double ReflectRow(Index k, double& factor) {
    const Index n = size_ - k - 1;
    double* v = row_vectors_.col(k).data();
    for (Index j = 0; j < n; ++j) v[j] = work_(k, k + 1 + j);
    const double left = MakeReflection(v, n, factor);
    std::vector<double> sums(static_cast<std::size_t>(n));
    const auto column = [&](Index j) { return work_.col(k + 1 + j).data() + k + 1; };
    for (Index j = 0; j < n; ++j) AddTimes(sums.data(), column(j), v[j], n);
    for (Index j = 0; j < n; ++j) AddTimes(column(j), sums.data(), -factor * v[j], n);
    return left;
  }

  double& above(Index k) { return above_[static_cast<std::size_t>(k)]; }

  // Returns false if the numbers above the diagonal do not vanish.
  bool RemoveAbove() {
    const Index most_steps = 64 * size_;
    Index last = size_ - 1;
    for (Index step = 0; last > 0; ++step) {
      if (step == most_steps) return false;
      for (Index k = 0; k < last; ++k) {
        const double near = std::abs(diagonal_[k]) + std::abs(diagonal_[k + 1]);
        if (std::abs(above(k)) <= kEpsilon * near || std::abs(above(k)) < kSmallest) above(k) = 0;
      }
      while (last > 0 && above(last - 1) == 0) --last;
      Index first = last;
      while (first > 0 && above(first - 1) != 0) --first;
      if (first < last) Step(first, last);
    }
    return true;
  }

  // A value near the least one of the last two rows and columns; 0 if one is nearly 0.
  double Shift(Index first, Index last) {
    double greatest = 0, least = std::numeric_limits<double>::infinity();
    for (Index k = first; k <= last; ++k) {
      greatest = std::max(greatest, std::abs(diagonal_[k]));
      least = std::min(least, std::abs(diagonal_[k]));
    }
    if (least <= kEpsilon * greatest) return 0;
    const double a = std::abs(diagonal_[last - 1]), b = std::abs(diagonal_[last]);
    const double c = above(last - 1);
    return 2 * a * (b / (std::hypot(a + b, c) + std::hypot(a - b, c)));
  }

  void Step(Index first, Index last) {
    const double shift = Shift(first, last), start = diagonal_[first];
    double x =
        shift == 0 ? start : (std::abs(start) - shift) * (std::copysign(1, start) + shift / start);
    double y = above(first);
    for (Index k = first; k < last; ++k) {
      const Rotation right = Onto(x, y);
      if (k > first) above(k - 1) = x;
      right.Turn(diagonal_[k], above(k));
      double below = 0;
      right.Turn(below, diagonal_[k + 1]);
      right.TurnColumns(right_, k, k + 1);
      const Rotation left = Onto(diagonal_[k], below);
      left.Turn(above(k), diagonal_[k + 1]);
      left.TurnColumns(left_, k, k + 1);
      x = above(k);
      y = 0;
      if (k + 1 < last) left.Turn(y, above(k + 1));
    }
  }

  Index size_;
  MatrixXd work_, row_vectors_, left_, right_;
  VectorXd diagonal_;
  std::vector<double> above_;  // and one number more
};

}  // namespace

MatrixXd IdentityMatrix(Index n_rows, Index n_columns) {
  MatrixXd identity(n_rows, n_columns);
  std::fill_n(identity.data(), identity.size(), 0.0);
  for (Index i = 0; i < std::min(n_rows, n_columns); ++i) identity(i, i) = 1;
  return identity;
}

SquareFactors FactoriseByRotations(MatrixXd matrix, MatrixXd left, MatrixXd right) {
  const Index n = matrix.rows();
  SquareFactors factors{std::move(left), std::move(right), VectorXd(n)};
  double greatest = 0;
  for (Index i = 0; i < n; ++i) greatest = std::max(greatest, std::abs(matrix(i, i)));
  for (bool turned = true; turned;) {
    turned = false;
    for (Index p = 1; p < n; ++p) {
      for (Index q = 0; q < p; ++q) {
        const double least = std::max(kSmallest, 2 * kEpsilon * greatest);
        if (!(std::abs(matrix(p, q)) > least || std::abs(matrix(q, p)) > least)) continue;
        turned = true;
        const auto [rows, columns] = DiagonalisingBoth(matrix, p, q);
        rows.TurnRows(matrix, p, q);
        rows.TurnColumns(factors.left, p, q);
        columns.TurnColumns(matrix, p, q);
        columns.TurnColumns(factors.right, p, q);
        greatest = std::max({greatest, std::abs(matrix(p, p)), std::abs(matrix(q, q))});
      }
    }
  }
  for (Index i = 0; i < n; ++i) factors.values[i] = matrix(i, i);
  Arrange(factors);
  return factors;
}

SquareFactors FactoriseByTwoDiagonals(MatrixXd matrix, bool want_left) {
  SquareFactors factors = TwoDiagonals(std::move(matrix), want_left).Factors();
  Arrange(factors);
  return factors;
}

}  // namespace crossfold::bundled
