// The parts of trees that have answers of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "tree/chi_squared.h"
#include "tree/impurity.h"
#include "tree/normal_quantile.h"
#include "tree/prune.h"
#include "tree/sort_keys.h"
#include "tree/split_search.h"

namespace crossfold::bundled::tree {
namespace {

TEST(ChiSquaredTest, TailsAreThoseOfScipy) {
  // scipy 1.10: scipy.stats.chi2.sf(x, degrees).
  const auto near = [](double x, double degrees, double expected) {
    EXPECT_NEAR(ChiSquaredTail(x, degrees) / expected, 1, 1e-12) << x << ", " << degrees;
  };
  near(3.841458820694124, 1, 0.04999999999999989);
  near(0.5, 1, 0.47950012218695337);
  near(10, 3, 0.01856613546304325);
  near(40, 5, 1.493367900050393e-07);
  near(2, 10, 0.9963401531726563);
  near(0.01, 4, 0.9999875415886458);
  near(120, 100, 0.08440668109369177);
  near(1000, 10, 1.870290720915977e-208);
  EXPECT_EQ(ChiSquaredTail(0, 3), 1);
}

TEST(ChiSquaredTest, EmptyRowsAndColumnsDoNotCount) {
  const std::vector<double> full = {4, 2, 2, 4}, with_empty = {4, 0, 2, 0, 0, 0, 2, 0, 4};
  EXPECT_EQ(IndependenceTest(full, 2), IndependenceTest(with_empty, 3));
  EXPECT_EQ(IndependenceTest(std::vector<double>{4, 0, 2, 0}, 2), 1);
}

TEST(NormalQuantileTest, AsScipyHasThem) {
  // scipy.stats.norm.ppf.
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.75), 0.6744897501960817, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.001), -3.090232306167813, 1e-13);
}

TEST(AddedErrorsTest, AsInQuinlansBook) {
  // C4.5 (1993), section 4.2.2: U25%(0,6) = 0.206, U25%(0,9) = 0.143, U25%(0,1) = 0.750.
  EXPECT_NEAR(AddedErrors(6, 0, 0.25) / 6, 0.206, 5e-4);
  EXPECT_NEAR(AddedErrors(9, 0, 0.25) / 9, 0.143, 5e-4);
  EXPECT_NEAR(AddedErrors(1, 0, 0.25), 0.750, 5e-4);
}

TEST(AddedErrorsTest, AsInWeka) {
  // Weka 3.6.14, weka.classifiers.trees.j48.Stats.addErrs(weight, errors, 0.25f), called from a
  // small Java program.
  EXPECT_NEAR(AddedErrors(16, 1, 0.25), 1.4757146318372634, 1e-12);
  EXPECT_NEAR(AddedErrors(100, 12, 0.25), 2.901907028560629, 1e-12);
  EXPECT_NEAR(AddedErrors(30, 0.5, 0.25), 1.4402962708942044, 1e-12);
  EXPECT_NEAR(AddedErrors(20, 19.6, 0.25), 0.4, 1e-12);
  EXPECT_NEAR(AddedErrors(8, 3, 0.25), 1.4478743598626425, 1e-12);
}

TEST(SortByKeyTest, SortsNumbersOfBothSignsStably) {
  plugin::Random random(3);
  for (const std::size_t n : {5u, 1000u}) {
    std::vector<KeyedRow> items, scratch;
    std::vector<std::pair<double, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double x = std::round(random.Normal() * 50) * 1e-3;
      items.push_back({OrderedKey(x + 0.0), i});
      expected.push_back({x, i});
    }
    std::sort(expected.begin(), expected.end());
    SortByKey(items, scratch);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(items[i].row, expected[i].second);
  }
}

// The least impurity over all cuts of the levels in two, by trying all of them.
template <class Impurity>
double LeastImpurity(const Impurity& impurity, const std::vector<double>& bins, std::size_t size) {
  const std::size_t n_levels = bins.size() / size;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t mask = 1; mask + 1 < (std::size_t{1} << n_levels); ++mask) {
    std::vector<double> left(size, 0.0), right(size, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      (((mask >> (i / size)) & 1) != 0 ? left : right)[i % size] += bins[i];
    }
    least = std::min(least, impurity(left.data(), size) + impurity(right.data(), size));
  }
  return least;
}

template <class Impurity>
void ExpectBestSubset(const Impurity& impurity, std::size_t size, std::size_t n_levels) {
  plugin::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> bins(n_levels * size), total(size, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i] = static_cast<double>(random.Below(9) + (i % size == 0 ? 1 : 0));
      total[i % size] += bins[i];
    }
    const SubsetCut cut = BestSubset(impurity, bins, total, 0, 1e-12);
    EXPECT_NEAR(cut.impurity, LeastImpurity(impurity, bins, size), 1e-9);
    EXPECT_EQ(cut.sides.front(), 0);
  }
}

TEST(SubsetTest, TheOrderOfTwoClassesFindsTheBestCut) {
  ExpectBestSubset(GiniImpurity(0), 2, 8);
  ExpectBestSubset(EntropyImpurity(0), 2, 8);
}
TEST(SubsetTest, TheOrderOfTheMeansFindsTheBestCut) { ExpectBestSubset(VarianceImpurity(0), 2, 8); }
TEST(SubsetTest, UpToTenLevelsOfManyClassesAreTriedOut) { ExpectBestSubset(GiniImpurity(0), 4, 6); }

TEST(SubsetTest, ManyLevelsOfManyClassesComeCloseToTheBestCut) {
  plugin::Random random(5);
  const GiniImpurity gini(0);
  double found = 0, best = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> bins(12 * 3), total(3, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i] = static_cast<double>(random.Below(9) + 1);
      total[i % 3] += bins[i];
    }
    const double all = gini(total.data(), 3);
    found += all - BestSubset(gini, bins, total, 0, 1e-12).impurity;
    best += all - LeastImpurity(gini, bins, 3);
  }
  EXPECT_GT(found, 0.98 * best);
}

}  // namespace
}  // namespace crossfold::bundled::tree
