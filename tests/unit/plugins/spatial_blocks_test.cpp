#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

using Numbers = std::vector<double>;

ParamValues Blocks(std::int64_t folds, double size, const Numbers& x, const Numbers& y = {}) {
  ParamValues values = {{"folds", folds}, {"size", size}, {"x", x}};
  if (!y.empty()) values["y"] = y;
  return values;
}

// What is wrong, after "cannot split dataset 'rows' (8 rows) with 'spatial_blocks{...}': ".
std::string FindingOf(std::int64_t n_rows, const ParamValues& values) {
  const std::string text = RefusalOf("spatial_blocks", PlainData(n_rows), values);
  return text.substr(text.rfind("': ") + 3);
}

// By hand: squares of side 10 with 3, 2, 2 and 1 rows; the largest goes to the first fold, the next
// two to the second, and the last where fewer rows are.
TEST(SpatialBlocksTest, WholeSquaresAreDealtToFoldsOfEqualSize) {
  const Numbers x = {1, 2, 3, 11, 12, 1, 2, 11}, y = {1, 2, 3, 1, 2, 11, 12, 11};
  const auto plan = MakePlan("spatial_blocks", ClockData(8), Blocks(2, 10, x, y));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1, 2, 7}, Rows{3, 4, 5, 6}));
}

TEST(SpatialBlocksTest, ACornerOfTheGridIsAtZero) {
  const auto plan = MakePlan("spatial_blocks", ClockData(4), Blocks(2, 10, {-0.5, 0, 9.5, -9.5}));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 3}, Rows{1, 2}));
}

TEST(SpatialBlocksTest, WithoutASizeItIsATenthOfTheExtentAndThatIsNoted) {
  const auto plan =
      MakePlan("spatial_blocks", PlainData(4), {{"folds", 2}, {"x", Numbers{0, 0.5, 10, 10.5}}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1}, Rows{2, 3}));
  EXPECT_THAT(plan->notes(), ElementsAre("size = 1.05 is a tenth of the extent; give the distance "
                                         "over which rows depend on each other"));
}

TEST(SpatialBlocksTest, WithoutCoordinatesTheTimeColumnIsOneAndThatIsNoted) {
  const auto plan = MakePlan("spatial_blocks", ClockData(6), {{"folds", 3}, {"size", 2.0}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1}, Rows{2, 3}, Rows{4, 5}));
  EXPECT_THAT(plan->notes(),
              ElementsAre("there are no coordinates, so blocks are made of the time column"));
}

TEST(SpatialBlocksTest, OneCoordinateIsEnough) {
  const auto plan = MakePlan("spatial_blocks", ClockData(6), Blocks(3, 2, {0, 1, 2, 3, 4, 5}));
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 1}, Rows{2, 3}, Rows{4, 5}));
}

TEST(SpatialBlocksTest, RowsAtTheDistanceOfTheBufferDoNotTrain) {
  ParamValues values = Blocks(2, 3, {0, 1, 2, 3, 4, 5});
  values["buffer"] = 2.0;
  const auto plan = MakePlan("spatial_blocks", ClockData(6), values);
  EXPECT_EQ(plan->Rows(0).test, (Rows{0, 1, 2}));
  EXPECT_EQ(plan->Rows(0).train, (Rows{5}));  // 3 and 4 are at distance 1 and 2 from row 2
  EXPECT_EQ(plan->Rows(1).train, (Rows{0}));
}

TEST(SpatialBlocksTest, NoTrainingRowIsNearATestRow) {
  plugin::Random random(5);
  Numbers x, y;
  for (int i = 0; i < 300; ++i) {
    x.push_back(100 * random.Uniform());
    y.push_back(100 * random.Uniform());
  }
  ParamValues values = Blocks(5, 20, x, y);
  const auto partition = MakePlan("spatial_blocks", ClockData(300), values);
  values["buffer"] = 7.5;
  const auto plan = MakePlan("spatial_blocks", ClockData(300), values);
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    const SplitRows rows = plan->Rows(split), all = partition->Rows(split);
    EXPECT_EQ(rows.test, all.test);
    Rows expected;
    for (const std::int64_t row : all.train) {
      const auto a = static_cast<std::size_t>(row);
      const bool is_near = std::ranges::any_of(rows.test, [&](std::int64_t test) {
        const auto b = static_cast<std::size_t>(test);
        return std::hypot(x[a] - x[b], y[a] - y[b]) <= 7.5;
      });
      if (!is_near) expected.push_back(row);
    }
    EXPECT_EQ(rows.train, expected);
    EXPECT_LT(rows.train.size(), all.train.size());
  }
}

TEST(SpatialBlocksTest, FoldsAreAboutEqual) {
  plugin::Random random(6);
  Numbers x, y;
  for (int i = 0; i < 500; ++i) {
    x.push_back(random.Uniform());
    y.push_back(random.Uniform());
  }
  const auto plan = MakePlan("spatial_blocks", ClockData(500), Blocks(5, 0.1, x, y));
  for (const Rows& test : TestRowsOf(*plan)) EXPECT_NEAR(static_cast<double>(test.size()), 100, 2);
}

TEST(SpatialBlocksTest, TheOrderOfTheRowsDoesNotMatter) {
  const Numbers x = {1, 12, 25, 38, 41, 57}, reversed(x.rbegin(), x.rend());
  const auto plan = MakePlan("spatial_blocks", ClockData(6), Blocks(3, 10, x));
  const auto other = MakePlan("spatial_blocks", ClockData(6), Blocks(3, 10, reversed));
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    Rows mirrored;
    for (const std::int64_t row : plan->Rows(split).test)
      mirrored.insert(mirrored.begin(), 5 - row);
    EXPECT_EQ(other->Rows(split).test, mirrored);
  }
}

TEST(SpatialBlocksTest, WhatCannotBeSplitIsRefusedWithAWayOut) {
  const Numbers x = {1, 2, 11, 12};
  EXPECT_EQ(FindingOf(4, {{"size", 10.0}}),
            "there are no coordinates; name their columns, as in columns = { \"x\", \"y\" }, or "
            "give x = {...} with one number per row");
  EXPECT_EQ(FindingOf(4, {{"x", x}, {"size", 0.0}}),
            "size = 0 is not the side of a square; give the distance over which rows depend on "
            "each other");
  EXPECT_EQ(FindingOf(4, {{"x", Numbers{1, 1, 1, 1}}}), "all rows are in one place");
  EXPECT_EQ(FindingOf(5, Blocks(2, 10, x)), "x has 4 numbers, the data has 5 rows");
  EXPECT_EQ(FindingOf(4, Blocks(2, 10, x, {1})), "y has 1 numbers, the data has 4 rows");
  EXPECT_EQ(FindingOf(4, Blocks(3, 10, x)),
            "3 folds exceed the 2 blocks of size = 10; use at most 2 folds, or a smaller size");
  EXPECT_EQ(FindingOf(4, Blocks(3, 100, x)),
            "3 folds exceed the 1 block of size = 100; use a smaller size");
  ParamValues wide = Blocks(2, 10, x);
  wide["buffer"] = 100.0;
  EXPECT_EQ(FindingOf(4, wide),
            "buffer = 100 leaves nothing to train on for fold 1 of 2; use a smaller buffer");
}

}  // namespace
}  // namespace crossfold
