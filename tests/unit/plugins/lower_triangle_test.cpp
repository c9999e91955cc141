// The sums of matrices.h in vectors, against Eigen's own, byte by byte.
#include "lower_triangle.h"

#include <gtest/gtest.h>

#include <cstring>

#include "crossfold_plugin/random.hpp"
#include "fixed_blocks.h"
#include "matrices.h"

namespace crossfold::bundled {
namespace {

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
