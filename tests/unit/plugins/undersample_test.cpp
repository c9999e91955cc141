#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/resampling_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSubsetOf;

// 10 setosa, 4 versicolor, 2 virginica.
DataView TenFourAndTwo() {
  RowIds rows = RowRange(0, 10);
  for (const std::int64_t row : {50, 60, 70, 80, 100, 149}) rows.push_back(row);
  return RowsOf(Iris(), rows);
}

TEST(UndersampleTest, CutsEveryClassToTheSmallest) {
  EXPECT_THAT(Resample("undersample", {}, TenFourAndTwo()).ClassSizes(3), ElementsAre(2, 2, 2));
}

TEST(UndersampleTest, TheRatioIsOfTheSmallestClassAndFillsNothing) {
  EXPECT_THAT(Resample("undersample", {{"ratio", 1.5}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(3, 3, 2));
  EXPECT_THAT(Resample("undersample", {{"ratio", 3.0}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(6, 4, 2));
  EXPECT_THAT(Resample("undersample", {{"ratio", 1e300}}, TenFourAndTwo()).ClassSizes(3),
              ElementsAre(10, 4, 2));
}

TEST(UndersampleTest, KeepsRowsOnceAndInTheirOrder) {
  const DataView train = TenFourAndTwo();
  const Resampled made = Resample("undersample", {}, train);
  EXPECT_THAT(made.row_ids, IsSubsetOf(*train.rows));
  EXPECT_TRUE(std::is_sorted(made.row_ids.begin(), made.row_ids.end()));
  EXPECT_EQ(std::set<std::int64_t>(made.row_ids.begin(), made.row_ids.end()).size(), 6u);
}

TEST(UndersampleTest, KeepsEveryRowEquallyOften) {
  // Row 3 is among the 2 of 10 setosas that stay: 1000 draws, expected 200, deviation 13.
  int kept = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RowIds rows = Resample("undersample", {}, TenFourAndTwo(), seed).row_ids;
    kept += std::count(rows.begin(), rows.end(), 3) > 0 ? 1 : 0;
  }
  EXPECT_NEAR(kept, 200, 65);
}

TEST(UndersampleTest, AClassThatTheTrainingRowsLackDoesNotCount) {
  EXPECT_THAT(Resample("undersample", {}, RowsOf(Iris(), {0, 1, 2, 100})).ClassSizes(3),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(Resample("undersample", {}, RowsOf(Iris(), {0, 1})).ClassSizes(3),
              ElementsAre(2, 0, 0));
}

TEST(UndersampleTest, FollowsTheSeedAndNotTheOrderOfTheRows) {
  const DataView train = TenFourAndTwo();
  const auto rows = Resample("undersample", {}, train).Sorted();
  EXPECT_EQ(Resample("undersample", {}, RowsOf(Iris(), Reversed(*train.rows))).Sorted(), rows);
  EXPECT_NE(Resample("undersample", {}, train, 2).Sorted(), rows);
}

TEST(UndersampleTest, KeepsTheLawOfSerialize) {
  ExpectTransformSaveLoadLaw("undersample", {}, TenFourAndTwo(), AllRows(Iris()));
}

}  // namespace
}  // namespace crossfold
