#include "analysis/facts/near_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "crossfold_plugin/random.hpp"

namespace crossfold {
namespace {

using Rows = std::vector<std::int64_t>;

DataView View(const std::shared_ptr<const Dataset>& data, Rows rows) {
  return {data, std::make_shared<const Rows>(std::move(rows))};
}

// By hand: the rows 1 .. 4 have 0, 2, 4, 10, mean 4 and variance (16 + 4 + 0 + 36) / 4 = 14.
TEST(FindNearRowsTest, DistancesAreInStandardDeviationsOfTheOtherRows) {
  const auto data = Dataset::Create("data", {Column::Doubles("x", {3, 0, 2, 4, 10})}, {});
  const NearRows near = FindNearRows(View(data, {0}), View(data, {1, 2, 3, 4})).front();
  EXPECT_EQ(near.nearest, 2);  // 2 and 4 are as near; the earlier one
  EXPECT_DOUBLE_EQ(near.distance, 1 / std::sqrt(14));
  EXPECT_DOUBLE_EQ(near.second, 1 / std::sqrt(14));
  EXPECT_DOUBLE_EQ(near.third, 3 / std::sqrt(14));
}

TEST(FindNearRowsTest, EqualRowsAndTheRowItselfDoNotCount) {
  const auto data = Dataset::Create("data", {Column::Doubles("x", {1, 1, 2, 5})}, {});
  EXPECT_EQ(FindNearRows(View(data, {0}), View(data, {0, 1, 2, 3})).front().nearest, 2);
  const NearRows none = FindNearRows(View(data, {0}), View(data, {1, 1})).front();
  EXPECT_EQ(none.nearest, -1);
  EXPECT_EQ(none.distance, std::numeric_limits<double>::infinity());
}

TEST(FindNearRowsTest, CategoriesAndMissingEntriesMustAgree) {
  const double nan = std::nan("");
  const auto data = Dataset::Create(
      "data",
      {Column::Doubles("x", {1, 1.1, 1.2, 3, 9}), Column::Doubles("gap", {7, 8, nan, 8, 9}),
       Column::Categories("c", {0, 1, 0, 0, 0}, {"a", "b"})},
      {});
  const NearRows near = FindNearRows(View(data, {0}), View(data, {1, 2, 3, 4})).front();
  EXPECT_EQ(near.nearest, 3);
  EXPECT_TRUE(std::isfinite(near.second));
  EXPECT_FALSE(std::isfinite(near.third));
}

TEST(FindNearRowsTest, AgreesWithSortingAllDistances) {
  plugin::Random random(3);
  std::vector<double> x, z;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.Uniform());
    z.push_back(100 * random.Uniform());
  }
  const auto data = Dataset::Create("data", {Column::Doubles("x", x), Column::Doubles("z", z)}, {});
  Rows queries, others;
  for (std::int64_t i = 0; i < 200; ++i) (i < 40 ? queries : others).push_back(i);
  const auto found = FindNearRows(View(data, queries), View(data, others));
  const auto deviation = [&](const std::vector<double>& values) {
    double sum = 0, squares = 0;
    for (const std::int64_t i : others) sum += values[static_cast<std::size_t>(i)];
    for (const std::int64_t i : others) {
      const double d = values[static_cast<std::size_t>(i)] - sum / 160;
      squares += d * d;
    }
    return std::sqrt(squares / 160);
  };
  const double sx = deviation(x), sz = deviation(z);
  for (std::size_t q = 0; q < 40; ++q) {
    std::vector<double> all;
    for (std::size_t i = 40; i < 200; ++i) {
      all.push_back(std::hypot((x[q] - x[i]) / sx, (z[q] - z[i]) / sz));
    }
    std::sort(all.begin(), all.end());
    EXPECT_NEAR(found[q].distance, all[0], 1e-12);
    EXPECT_NEAR(found[q].second, all[1], 1e-12);
    EXPECT_NEAR(found[q].third, all[2], 1e-12);
  }
}

}  // namespace
}  // namespace crossfold
