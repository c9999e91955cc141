#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/resampling_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

// 10 setosa, 4 versicolor, 1 virginica.
DataView TenFourAndOne() {
  RowIds rows = RowRange(0, 10);
  for (const std::int64_t row : {50, 60, 70, 80, 149}) rows.push_back(row);
  return RowsOf(Iris(), rows);
}

TEST(OversampleTest, FillsEveryClassUpToTheLargest) {
  EXPECT_THAT(Resample("oversample", {}, TenFourAndOne()).ClassSizes(3), ElementsAre(10, 10, 10));
}

TEST(OversampleTest, TheRatioIsOfTheLargestClassAndShrinksNothing) {
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.5}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 5, 5));
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.26}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 4, 3));
  EXPECT_THAT(Resample("oversample", {{"ratio", 0.0}}, TenFourAndOne()).ClassSizes(3),
              ElementsAre(10, 4, 1));
}

TEST(OversampleTest, KeepsEveryRowAndRepeatsOnlyRowsOfTheSmallerClasses) {
  const DataView train = TenFourAndOne();
  const Resampled made = Resample("oversample", {}, train);
  EXPECT_EQ(RowIds(made.row_ids.begin(), made.row_ids.begin() + 15), *train.rows);
  const std::set<std::int64_t> smaller = {50, 60, 70, 80, 149};
  std::set<std::int64_t> repeated;
  for (std::size_t i = 15; i < made.row_ids.size(); ++i) {
    EXPECT_EQ(smaller.count(made.row_ids[i]), 1u) << made.row_ids[i];
    EXPECT_EQ(made.labels[i], Iris()->labels()[static_cast<std::size_t>(made.row_ids[i])]);
    repeated.insert(made.row_ids[i]);
  }
  EXPECT_GE(repeated.size(), 3u);
}

TEST(OversampleTest, DrawsEveryRowOfAClassEquallyOften) {
  // 24 + 9976 draws of two rows: each is expected 5000 times, with a standard deviation of 50.
  RowIds rows(10000, 0);
  rows.push_back(50);
  rows.push_back(51);
  const Resampled made = Resample("oversample", {}, RowsOf(Iris(), rows), 3);
  EXPECT_NEAR(static_cast<double>(std::count(made.row_ids.begin(), made.row_ids.end(), 50)), 5000,
              250);
}

TEST(OversampleTest, AClassThatTheTrainingRowsLackStaysAbsent) {
  EXPECT_THAT(Resample("oversample", {}, RowsOf(Iris(), {0, 1, 2, 100})).ClassSizes(3),
              ElementsAre(3, 0, 3));
  EXPECT_THAT(Resample("oversample", {}, RowsOf(Iris(), {0})).ClassSizes(3), ElementsAre(1, 0, 0));
}

TEST(OversampleTest, FollowsTheSeedAndNotTheOrderOfTheRows) {
  const DataView train = TenFourAndOne();
  const auto rows = Resample("oversample", {}, train).Sorted();
  EXPECT_EQ(Resample("oversample", {}, train).Sorted(), rows);
  EXPECT_EQ(Resample("oversample", {}, RowsOf(Iris(), Reversed(*train.rows))).Sorted(), rows);
  EXPECT_NE(Resample("oversample", {}, train, 2).Sorted(), rows);
}

TEST(OversampleTest, WeightedRowsAndNumericTargetsAreRefused) {
  const DataPtr weighted = ParseTable("x,w,y\n1,1,a\n2,1,b\n", "y", "w");
  const auto fit = [](const DataPtr& data) -> std::string {
    try {
      FittedModel::Fit(Pipeline::Make({BundledSpec(Kind::kTransform, "oversample", {}),
                                       BundledSpec(Kind::kLearner, "featureless", {})}),
                       AllRows(data), 1, {});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(fit(weighted),
            "cannot use transform 'oversample' on dataset 'table': it does not accept row weights "
            "(column 'w'); read the data without weights");
  EXPECT_EQ(fit(ParseTable("x,y\n1,2\n2,3\n", "y")),
            "cannot use transform 'oversample' on dataset 'table': it is for classification, the "
            "target 'y' is numeric; if its numbers name classes, read it with types = { y = "
            "\"categorical\" }");
}

TEST(OversampleTest, KeepsTheLawOfSerialize) {
  ExpectTransformSaveLoadLaw("oversample", {}, TenFourAndOne(), AllRows(Iris()));
}

}  // namespace
}  // namespace crossfold
