// The singular values of both methods, by what defines them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "crossfold_plugin/random.hpp"
#include "fixed_blocks.h"
#include "lower_triangle.h"
#include "matrices.h"
#include "orthogonal_factors.h"

namespace crossfold::bundled {
namespace {

constexpr double kRounding = 1e-13;

double FarthestFromUnit(const MatrixXd& columns) {
  const MatrixXd unit = MatrixXd::Identity(columns.cols(), columns.cols());
  return (CrossProduct(columns, columns) - unit).cwiseAbs().maxCoeff();
}

void ExpectFactors(const MatrixXd& matrix) {
  const auto [values, left, right, is_known] = FindSingularValues(matrix, Sides::kBoth);
  const Index n = std::min(matrix.rows(), matrix.cols());
  ASSERT_TRUE(is_known);
  ASSERT_EQ(values.size(), n);
  const double tolerance = kRounding * static_cast<double>(n);
  EXPECT_LE(FarthestFromUnit(left), tolerance);
  EXPECT_LE(FarthestFromUnit(right), tolerance);
  const MatrixXd made = OuterProduct(left * values.asDiagonal(), right);
  EXPECT_LE((made - matrix).cwiseAbs().maxCoeff(), tolerance * std::max(values[0], 1e-300));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater<>()));
  EXPECT_GE(values[n - 1], 0);
  const SingularValues one_side = FindSingularValues(matrix, Sides::kRight);
  EXPECT_EQ(one_side.values, values);
  EXPECT_EQ(one_side.right, right);
}

MatrixXd RandomMatrix(plugin::Random& random, Index n_rows, Index n_columns) {
  MatrixXd numbers(n_rows, n_columns);
  for (double& number : numbers.reshaped()) number = random.Uniform() - 0.5;
  return numbers;
}

TEST(SingularValuesTest, ThatOfAnyShapeMultiplyBack) {
  FixBlockSizes();
  plugin::Random random(1);
  for (const Index n_rows : {1, 2, 15, 16, 17, 40, 90}) {
    for (const Index n_columns : {1, 3, 15, 16, 31, 60}) {
      ExpectFactors(RandomMatrix(random, n_rows, n_columns));
    }
  }
}

TEST(SingularValuesTest, ColumnsMayDependOnOthersOrBeZero) {
  FixBlockSizes();
  plugin::Random random(2);
  for (const Index n : {5, 20, 40}) {
    MatrixXd matrix = RandomMatrix(random, 50, n);
    matrix.col(n - 1) = matrix.col(0) - 2 * matrix.col(1);
    ExpectFactors(matrix);
    matrix.col(n / 2).setZero();
    ExpectFactors(matrix);
    ExpectFactors(matrix.transpose());
    ExpectFactors(MatrixXd::Zero(50, n));
    ExpectFactors(MatrixXd::Ones(n, n));
  }
}

// Two diagonals from the start, with 0 at either end, in the middle and everywhere in the first.
TEST(SingularValuesTest, TheDiagonalMayHaveZeros) {
  FixBlockSizes();
  constexpr Index kSize = 24;
  MatrixXd all = MatrixXd::Zero(kSize, kSize);
  all.diagonal(1).setOnes();
  ExpectFactors(all);
  for (const Index zero : {Index{0}, kSize / 2, kSize - 1}) {
    MatrixXd matrix = all;
    matrix.diagonal().setConstant(3);
    matrix(zero, zero) = 0;
    ExpectFactors(matrix);
  }
}

TEST(SingularValuesTest, SizesMayBeExtreme) {
  FixBlockSizes();
  plugin::Random random(3);
  for (const Index n : {6, 30}) {
    ExpectFactors(RandomMatrix(random, 40, n) * 1e300);
    ExpectFactors(RandomMatrix(random, 40, n) * 1e-290);
    MatrixXd graded = RandomMatrix(random, 40, n);
    for (Index j = 0; j < n; ++j) graded.col(j) *= std::pow(10, -j);
    ExpectFactors(graded);
  }
}

TEST(SingularValuesTest, EntriesThatAreNotFiniteHaveNone) {
  for (const Index n : {3, 20}) {
    MatrixXd matrix = MatrixXd::Ones(n, n);
    matrix(1, 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(FindSingularValues(matrix, Sides::kRight).is_known);
    matrix(1, 2) = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(FindSingularValues(matrix, Sides::kBoth).is_known);
  }
}

// The sums of matrices.h in vectors, against Eigen's own, byte by byte.
MatrixXd Numbers(plugin::Random& random, Index n_rows, Index n_columns) {
  MatrixXd numbers(n_rows, n_columns);
  for (double& number : numbers.reshaped()) number = random.Uniform() - 0.5;
  return numbers;
}

bool AreSameBytes(const MatrixXd& a, const MatrixXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

// Every remainder of rows by four, and numbers of columns around Eigen's blocks of 504.
TEST(LowerTriangleTest, SumsAreThoseOfEigenToTheLastBit) {
  FixBlockSizes();
  plugin::Random random(1);
  for (const Index n_rows : {1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 17, 19, 34, 67}) {
    for (const Index n_columns : {1, 2, 7, 8, 9, 100, 503, 504, 505, 1300}) {
      for (const double factor : {1.0, -1.0}) {
        const MatrixXd a = Numbers(random, n_rows, n_columns);
        const MatrixXd before = Numbers(random, n_rows, n_rows);
        MatrixXd expected = before, made = before;
        expected.selfadjointView<Eigen::Lower>().rankUpdate(a, factor);
        AddToLowerTriangle(a, factor, made);
        EXPECT_TRUE(AreSameBytes(made, expected)) << n_rows << " x " << n_columns;
      }
    }
  }
}

TEST(LowerTriangleTest, ScalesMultiplyColumnsBeforeTheyAreSquared) {
  FixBlockSizes();
  plugin::Random random(2);
  for (const Index n_rows : {3, 6, 9, 17}) {
    const MatrixXd a = Numbers(random, n_rows, 700);
    const VectorXd scales = Numbers(random, 700, 1);
    const MatrixXd scaled = a * scales.asDiagonal();
    MatrixXd expected = MatrixXd::Zero(n_rows, n_rows), made = expected;
    expected.selfadjointView<Eigen::Lower>().rankUpdate(scaled, 1);
    AddToLowerTriangle(a, scales, 1, made);
    EXPECT_TRUE(AreSameBytes(made, expected)) << n_rows;
  }
}

// The columns of a view that are not next to each other.
TEST(LowerTriangleTest, ABlockOfAMatrixIsReadWithItsStride) {
  FixBlockSizes();
  plugin::Random random(3);
  const MatrixXd all = Numbers(random, 30, 40);
  const MatrixXd part = all.block(3, 2, 11, 30);
  MatrixXd expected = MatrixXd::Zero(11, 11), made = expected;
  AddToLowerTriangle(part, 1, expected);
  AddToLowerTriangle(all.block(3, 2, 11, 30), 1, made);
  EXPECT_TRUE(AreSameBytes(made, expected));
}

}  // namespace
}  // namespace crossfold::bundled
