// The dense arithmetic of libsvm, for every set of kernels that this processor can run, against
// plain loops and the C library.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "libsvm/lane_kernels.h"

namespace crossfold::bundled {
namespace {

constexpr std::size_t kFeatures = 23;
using Row = std::array<double, kFeatures>;

// Entries of very different sizes, so that another order of the sums would show; some are 0.
std::vector<Row> RandomRows(std::size_t n) {
  plugin::Random random(5);
  std::vector<Row> rows(n);
  for (Row& row : rows) {
    for (double& x : row) {
      x = random.Below(4) == 0 ? 0 : std::ldexp(random.Uniform() - 0.5, random.Below(40));
    }
  }
  return rows;
}

TEST(LibsvmLanesTest, EverySetOfKernelsAddsInTheOrderOfTheFeatures) {
  const std::vector<Row> rows = RandomRows(kRowGroup), side_by_side = RandomRows(kPanelRows);
  std::vector<double> panel(kFeatures * kPanelRows);
  PanelTask task{panel.data(), {}, kFeatures, nullptr, kPanelRows};
  for (std::size_t k = 0; k < kPanelRows; ++k) {
    for (std::size_t j = 0; j < kFeatures; ++j) panel[j * kPanelRows + k] = side_by_side[k][j];
  }
  for (std::size_t r = 0; r < kRowGroup; ++r) task.rows[r] = rows[r].data();
  for (const LaneKernels* kernels : SupportedLaneKernels()) {
    SCOPED_TRACE(kernels->name);
    std::vector<double> dots(kRowGroup * kPanelRows), distances(dots.size());
    task.to = dots.data();
    kernels->dots(task);
    task.to = distances.data();
    kernels->squared_distances(task);
    for (std::size_t r = 0; r < kRowGroup; ++r) {
      for (std::size_t k = 0; k < kPanelRows; ++k) {
        double dot = 0, distance = 0;
        for (std::size_t j = 0; j < kFeatures; ++j) {
          const double difference = rows[r][j] - side_by_side[k][j];
          dot += rows[r][j] * side_by_side[k][j];
          distance += difference * difference;
        }
        EXPECT_EQ(dots[r * kPanelRows + k], dot);
        EXPECT_EQ(distances[r * kPanelRows + k], distance);
      }
    }
  }
}

// exp(x) for every x, as rounded_rbf gives it: gamma = 1 and x = -(0 + square - 2 * 0).
void ExpectRoundedExps(std::vector<double> exponents) {
  while (exponents.size() % kPanelRows != 0) exponents.push_back(0);
  std::vector<double> squares;
  for (const double x : exponents) squares.push_back(-x);
  for (const LaneKernels* kernels : SupportedLaneKernels()) {
    SCOPED_TRACE(kernels->name);
    std::vector<double> values(exponents.size());
    kernels->rounded_rbf(values.data(), squares.data(), values.size(), 0, 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = static_cast<float>(std::exp(exponents[i]));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(values[i]));
      } else {
        ASSERT_EQ(values[i], expected) << exponents[i];
      }
    }
  }
}

TEST(LibsvmLanesTest, ExponentialsAreTheCLibrarysRoundedToFloats) {
  plugin::Random random(7);
  std::vector<double> exponents;
  for (int i = 0; i < 200000; ++i) {
    exponents.push_back(-std::ldexp(random.Uniform(), random.Below(14)));
  }
  ExpectRoundedExps(exponents);
}

TEST(LibsvmLanesTest, ExponentialsBetweenTwoFloatsAreTheCLibrarysToo) {
  // As near to the middle of two neighbouring floats as a double's exponential can be.
  plugin::Random random(9);
  std::vector<double> exponents;
  for (int i = 0; i < 20000; ++i) {
    const auto low = static_cast<float>(std::ldexp(random.Uniform(), -random.Below(120)));
    const double middle =
        (static_cast<double>(low) + std::nextafter(low, std::numeric_limits<float>::max())) / 2;
    const double x = std::log(middle);
    for (const double near : {std::nextafter(x, -200.0), x, std::nextafter(x, 1.0)}) {
      exponents.push_back(near);
    }
  }
  ExpectRoundedExps(exponents);
}

TEST(LibsvmLanesTest, ExponentialsOutsideTheUsualRange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ExpectRoundedExps({0, -0.0, 1, 1.5, 88, 89, 1000, kInfinity, -kInfinity, -103.9, -104, -105,
                     -105.1, -745, -1e300, std::numeric_limits<double>::quiet_NaN()});
}

}  // namespace
}  // namespace crossfold::bundled
