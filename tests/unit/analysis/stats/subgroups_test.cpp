#include "crossfold/stats/subgroups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "crossfold/error.h"
#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/refusal.h"

namespace crossfold::stats {
namespace {

struct Rows {
  std::vector<std::int32_t> level;
  std::vector<std::int64_t> unit;
  std::vector<double> scores;
  std::size_t levels = 0;
  SubgroupDesign design() const { return {level, levels, unit}; }
  ScoreOfPlaces mean() const {
    return [this](std::span<const std::size_t> places) {
      double sum = 0;
      for (const std::size_t place : places) sum += scores[place];
      return sum / static_cast<double>(places.size());
    };
  }
  void Add(std::int32_t of, std::vector<double> values) {
    for (const double value : values) {
      level.push_back(of);
      unit.push_back(static_cast<std::int64_t>(unit.size()));
      scores.push_back(value);
    }
    levels = std::max(levels, static_cast<std::size_t>(of + 1));
  }
};

std::vector<double> Normals(std::uint64_t seed, int n, double mean, double sd) {
  plugin::Random random(seed);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(mean + sd * random.Normal());
  return values;
}

std::vector<double> Ones(int ones, int zeros) {
  std::vector<double> values(static_cast<std::size_t>(ones), 1);
  values.insert(values.end(), static_cast<std::size_t>(zeros), 0);
  return values;
}

// R: fisher.test(matrix(c(17, 3, 5, 5), 2)) has p = 0.07784.
TEST(SubgroupsTest, APermutationOfRightAndWrongRowsIsFishersExactTest) {
  Rows rows;
  rows.Add(0, Ones(17, 3));
  rows.Add(1, Ones(5, 5));
  const auto tests = PermuteSubgroups(rows.design(), rows.scores, {}, {.samples = 100000});
  EXPECT_NEAR(tests.at(0).p, 0.07784, .01);
  EXPECT_EQ(tests.at(0).p, tests.at(1).p);
}

// Welch's test in a large sample; small levels with much more spread are not found too often.
TEST(SubgroupsTest, APermutationTestKeepsItsLevelWhereSpreadsDiffer) {
  int found = 0;
  const int datasets = 400;
  for (std::uint64_t seed = 1; seed <= datasets; ++seed) {
    Rows rows;
    rows.Add(0, Normals(2 * seed, 30, 0, 5));
    rows.Add(1, Normals(2 * seed + 1, 270, 0, 1));
    const auto tests = PermuteSubgroups(rows.design(), rows.scores, {}, {.samples = 199});
    found += tests.at(0).p <= .05 ? 1 : 0;
  }
  // 0.05 with a standard error of 0.011; a test without studentizing would find about 0.45 of them.
  EXPECT_GT(found, .02 * datasets);
  EXPECT_LT(found, .09 * datasets);
}

// The standard error of a mean of 100 normal values with sd 2 is 0.2.
TEST(SubgroupsTest, ABootstrapIntervalHasTheWidthOfTheNormalApproximation) {
  Rows rows;
  rows.Add(0, Normals(1, 100, 0, 2));
  rows.Add(1, Normals(2, 400, 1, 2));
  const auto answer = BootstrapSubgroups(rows.design(), rows.mean(), true, {.samples = 5000});
  EXPECT_NEAR(answer.levels.at(0).high - answer.levels.at(0).low, 2 * 1.96 * .2, .12);
  EXPECT_NEAR(answer.levels.at(1).high - answer.levels.at(1).low, 2 * 1.96 * .1, .04);
  EXPECT_LT(answer.tests.at(0).p, .001);
  // Two levels: the interval of their difference, with the error sqrt(.2^2 + .1^2) = .2236.
  EXPECT_NEAR(answer.gap.high - answer.gap.low, 2 * 1.96 * .2236, .12);
}

TEST(SubgroupsTest, TheGapOfEqualLevelsHasZeroInItsInterval) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Rows rows;
    for (int level = 0; level < 6; ++level) {
      rows.Add(level, Normals(10 * seed + static_cast<std::uint64_t>(level), 40, 0, 1));
    }
    const auto answer = BootstrapSubgroups(rows.design(), rows.mean(), false, {.samples = 200});
    EXPECT_GT(answer.gap.estimate, 0);
    covered += answer.gap.low == 0 ? 1 : 0;
  }
  EXPECT_GE(covered, 88);
}

TEST(SubgroupsTest, RowsOfAUnitAreDrawnTogether) {
  Rows rows;
  rows.Add(0, Normals(1, 50, 0, 1));
  Rows doubled = rows;
  doubled.Add(0, rows.scores);
  for (std::size_t i = 50; i < 100; ++i) doubled.unit[i] = doubled.unit[i - 50];
  const auto once = BootstrapSubgroups(rows.design(), rows.mean(), false, {});
  const auto twice = BootstrapSubgroups(doubled.design(), doubled.mean(), false, {});
  EXPECT_NEAR(once.levels.at(0).low, twice.levels.at(0).low, 1e-12);
  EXPECT_NEAR(once.levels.at(0).high, twice.levels.at(0).high, 1e-12);
}

TEST(SubgroupsTest, WhatSamplesDoNotShowIsUndefined) {
  Rows rows;
  rows.Add(0, {1, 1, 1, 1});
  rows.Add(1, {0, 1, 0, 1, 1});
  const auto answer = BootstrapSubgroups(rows.design(), rows.mean(), true, {.samples = 50});
  EXPECT_EQ(answer.levels.at(0).undefined,
            "every sample has the same score, so how it varies is not known");
  EXPECT_TRUE(std::isnan(answer.levels.at(0).low));
  EXPECT_EQ(answer.gap.undefined, "every sample has the same score, so how it varies is not known");
  const auto undefined = BootstrapSubgroups(
      rows.design(),
      [](std::span<const std::size_t> places) { return places.size() == 5 ? 1.0 : std::nan(""); },
      false, {.samples = 50});
  EXPECT_EQ(undefined.levels.at(1).undefined.substr(0, 27), "the score is undefined in 3");
  Rows all;
  all.Add(0, {1, 0, 1});
  EXPECT_EQ(PermuteSubgroups(all.design(), all.scores, {}, {}).at(0).undefined,
            "there are no other rows");
}

TEST(SubgroupsTest, OptionsAreChecked) {
  Rows rows;
  rows.Add(0, {1, 0});
  const auto message = [&](const SubgroupOptions& options) -> std::string {
    return test::MessageOf([&] { PermuteSubgroups(rows.design(), rows.scores, {}, options); });
  };
  EXPECT_EQ(message({.samples = 1}), "cannot compare subgroups: samples is 1; use 2 to 100000");
  EXPECT_EQ(message({.confidence = 0}),
            "cannot compare subgroups: confidence is 0; it must be between 0 and 1");
  CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(message({.cancel = &cancel}), "cancelled");
}

}  // namespace
}  // namespace crossfold::stats
