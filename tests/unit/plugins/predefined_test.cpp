#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Dataset> FoldData(const Rows& folds) {
  return Dataset::Create(
      "rows",
      {Column::Doubles("x", std::vector<double>(folds.size())), Column::Integers("fold", folds)},
      MakeRoles("", "", "fold"));
}

TEST(PredefinedTest, TakesTheFoldsFromTheColumn) {
  const auto plan = MakePlan("predefined", FoldData({0, 0, 2, 1, 1}), {});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 2, 1, 1}));
}

TEST(PredefinedTest, NumbersAreRenumberedInAscendingOrder) {
  const auto plan = MakePlan("predefined", FoldData({2020, 2018, 2019, 2018}), {});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{2, 0, 1, 0}));
}

TEST(PredefinedTest, RowsWithMinusOneAlwaysTrain) {
  const auto plan = MakePlan("predefined", FoldData({-1, 0, 0, 1, -1}), {});
  ASSERT_EQ(plan->size(), 2);
  EXPECT_EQ(plan->Rows(0).train, (Rows{0, 3, 4}));
  EXPECT_EQ(plan->Rows(0).test, (Rows{1, 2}));
  EXPECT_EQ(plan->Rows(1).train, (Rows{0, 1, 2, 4}));
  EXPECT_EQ(plan->Rows(1).test, (Rows{3}));
}

TEST(PredefinedTest, OneFoldAndMinusOneAreAHoldout) {
  const auto plan = MakePlan("predefined", FoldData({-1, 5, -1}), {});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{1}));
}

TEST(PredefinedTest, AListNeedsNoColumn) {
  const auto plan = MakePlan("predefined", PlainData(4), {{"list", Rows{3, 1, 1, 3}}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{1, 0, 0, 1}));
}

TEST(PredefinedTest, AListIsUsedInsteadOfTheColumn) {
  const auto plan = MakePlan("predefined", FoldData({0, 0, 1, 1}), {{"list", Rows{0, 1, 0, 1}}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 0, 1}));
}

TEST(PredefinedTest, InsideAnOuterTrainingSetOnlyTheFoldsPresentCount) {
  const auto data = FoldData({0, 1, 2, 0, 1, 2});
  const auto outer = MakePlan("predefined", data, {})->Rows(1);
  ASSERT_EQ(outer.train, (Rows{0, 2, 3, 5}));
  const auto inner = MakeSplits(*BundledSpec(Kind::kSplitter, "predefined", {}),
                                DataView{data, std::make_shared<const Rows>(outer.train)}, 1);
  EXPECT_THAT(TestRowsOf(*inner), ElementsAre(Rows{0, 3}, Rows{2, 5}));
}

TEST(PredefinedTest, TheSeedDoesNotMatter) {
  const auto data = FoldData({0, 1, 2, 0, 1, 2});
  EXPECT_EQ(FoldsOf(*MakePlan("predefined", data, {}, 1)),
            FoldsOf(*MakePlan("predefined", data, {}, 2)));
}

TEST(PredefinedTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals("predefined", {
                                   {"neither column nor list",
                                    PlainData(4),
                                    {},
                                    "needs a fold column (folds = \"name\" when reading) or list = "
                                    "{...} with one number per row"},
                                   {"a list of another length",
                                    PlainData(4),
                                    {{"list", Rows{0, 1, 0}}},
                                    "list has 3 numbers, the data has 4 rows"},
                                   {"a single fold",
                                    FoldData({3, 3, 3}),
                                    {},
                                    "every row has fold 3, so that no row is left to train on; use "
                                    "at least 2 folds, or -1 for rows that only train"},
                                   {"nothing to test",
                                    FoldData({-1, -1, -1}),
                                    {},
                                    "every row has fold -1, so that no row is tested; give the "
                                    "test rows a fold of 0 or more"},
                               });
}

TEST(PredefinedTest, FoldsThatTearAGroupApartAreRefused) {
  const auto data = GroupData({5, 5, 6, 6});
  EXPECT_EQ(RefusalOf("predefined", data, {{"list", Rows{0, -1, 1, 1}}}),
            "cannot split dataset 'rows' (4 rows) with 'predefined{list={0, -1, 1, 1}}': row 1 is "
            "tested while row 2 of the same group trains; use a splitter that keeps groups "
            "together, such as kfold, or ignore_groups = true");
  const auto plan =
      MakePlan("predefined", data, {{"list", Rows{0, -1, 1, 1}}, {"ignore_groups", true}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, -1, 1, 1}));
}

}  // namespace
}  // namespace crossfold
