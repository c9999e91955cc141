#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Lt;
using ::testing::SizeIs;

std::shared_ptr<const SplitPlan> Holdout(const std::shared_ptr<const Dataset>& data,
                                         const ParamValues& values, std::uint64_t seed = 1) {
  return MakePlan("holdout", data, values, seed);
}

std::size_t CountTestRows(std::int64_t n_rows, double share) {
  return Holdout(PlainData(n_rows), {{"test_share", share}})->Rows(0).test.size();
}

// ---- sizes --------------------------------------------------------------------------------------

TEST(HoldoutTest, AThirdIsTestedUnlessToldOtherwise) {
  const SplitRows rows = Holdout(PlainData(150), {})->Rows(0);
  EXPECT_THAT(rows.test, SizeIs(50));
  EXPECT_THAT(rows.train, SizeIs(100));
}

TEST(HoldoutTest, HalfARowIsRoundedUp) { EXPECT_EQ(CountTestRows(10, 0.25), 3u); }  // 2.5

TEST(HoldoutTest, LessThanHalfARowIsRoundedDown) { EXPECT_EQ(CountTestRows(7, 0.2), 1u); }  // 1.4

TEST(HoldoutTest, ATinyShareStillTestsOneRow) { EXPECT_EQ(CountTestRows(10, 0.001), 1u); }

TEST(HoldoutTest, AHugeShareStillTrainsOnOneRow) { EXPECT_EQ(CountTestRows(10, 0.999), 9u); }

// ---- without shuffle ----------------------------------------------------------------------------

TEST(HoldoutTest, WithoutShuffleTheLastRowsAreTested) {
  const SplitRows rows =
      Holdout(PlainData(6), {{"test_share", 0.3}, {"shuffle", false}})->Rows(0);  // 1.8 rows
  EXPECT_EQ(rows.train, (Rows{0, 1, 2, 3}));
  EXPECT_EQ(rows.test, (Rows{4, 5}));
}

TEST(HoldoutTest, StratifiedWithoutShuffleTheLastRowsOfEachClassAreTested) {
  // 4 of 12 rows: 7 * 4/12 = 2.33 of A and 5 * 4/12 = 1.67 of B, so 2 and 2 by largest remainder.
  const auto data = ClassData({0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0}, 2);
  const auto plan = Holdout(data, {{"stratify", true}, {"shuffle", false}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{7, 9, 10, 11}));
}

TEST(HoldoutTest, WithoutShuffleTheLastGroupsAreTested) {
  // Half of 7 rows is 4: groups 8 and 6 have only 3 rows, so group 5 is tested too.
  const auto plan =
      Holdout(GroupData({4, 4, 5, 5, 6, 8, 6}), {{"test_share", 0.5}, {"shuffle", false}});
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{2, 3, 4, 5, 6}));
}

// ---- properties over many seeds -----------------------------------------------------------------

TEST(HoldoutTest, EverySplitIsComplementaryAscendingAndOfTheSameSize) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto plan = Holdout(PlainData(31), {{"test_share", 0.4}, {"repeats", 3}}, seed);
    ASSERT_EQ(plan->size(), 3);
    for (std::int64_t split = 0; split < 3; ++split) {
      const SplitRows rows = plan->Rows(split);
      ExpectComplementary(rows, 31);
      EXPECT_TRUE(std::is_sorted(rows.train.begin(), rows.train.end()));
      EXPECT_TRUE(std::is_sorted(rows.test.begin(), rows.test.end()));
      EXPECT_THAT(rows.test, SizeIs(12));  // 12.4
    }
  }
}

TEST(HoldoutTest, StratifiedSplitsGiveEachClassItsShareToWithinOneRow) {
  const std::vector<std::size_t> sizes = {152, 68, 124};
  const auto data = SortedClassData(sizes);
  const std::vector<std::int32_t> labels(data->labels().begin(), data->labels().end());
  for (const double share : {0.1, 0.25, 1.0 / 3.0, 0.5, 0.9}) {
    const double exact_share = std::floor(344 * share + 0.5) / 344;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto plan = Holdout(data, {{"stratify", true}, {"test_share", share}}, seed);
      const auto counts = Count(plan->Rows(0).test, labels, 3);
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_LT(
            std::abs(static_cast<double>(counts[c]) - static_cast<double>(sizes[c]) * exact_share),
            1.0)
            << "share " << share << ", seed " << seed;
      }
    }
  }
}

TEST(HoldoutTest, StratifiedSplitsAreAsLargeAsPlainOnes) {
  for (const double share : {0.1, 0.25, 1.0 / 3.0, 0.5, 0.9}) {
    const auto plan =
        Holdout(SortedClassData({152, 68, 124}), {{"stratify", true}, {"test_share", share}});
    EXPECT_EQ(plan->Rows(0).test.size(), CountTestRows(344, share)) << "share " << share;
  }
}

TEST(HoldoutTest, EveryClassIsOnBothSidesHoweverSmall) {
  // The exact parts of the 100 rows' tenth are 9.6, 0.2 and 0.2.
  const auto data = SortedClassData({96, 2, 2});
  const std::vector<std::int32_t> labels(data->labels().begin(), data->labels().end());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto plan = Holdout(data, {{"stratify", true}, {"test_share", 0.1}}, seed);
    EXPECT_THAT(Count(plan->Rows(0).test, labels, 3), ElementsAre(8, 1, 1));
  }
}

TEST(HoldoutTest, EqualRemaindersGoToTheLowerClass) {
  // 5 of 12 rows: each class has 1.25, and the one row that is left goes to class A.
  const auto data = SortedClassData({3, 3, 3, 3});
  const std::vector<std::int32_t> labels(data->labels().begin(), data->labels().end());
  const auto plan = Holdout(data, {{"stratify", true}, {"test_share", 5.0 / 12.0}});
  EXPECT_THAT(Count(plan->Rows(0).test, labels, 4), ElementsAre(2, 1, 1, 1));
}

TEST(HoldoutTest, RowsForSmallClassesAreTakenFromTheHigherOfEqualClasses) {
  // 10 of 86 rows: 4.65 for A and for B, 0.23 for each other class, which get 1 nevertheless; that
  // makes 4 + 4 + 3 = 11, one too many.
  const auto data = SortedClassData({40, 40, 2, 2, 2});
  const std::vector<std::int32_t> labels(data->labels().begin(), data->labels().end());
  const auto plan = Holdout(data, {{"stratify", true}, {"test_share", 0.12}});
  EXPECT_THAT(Count(plan->Rows(0).test, labels, 5), ElementsAre(4, 3, 1, 1, 1));
}

TEST(HoldoutTest, TheShareIsReachedWithWholeGroups) {
  Rows groups;
  for (std::int64_t i = 0; i < 100; ++i) groups.push_back(i * i % 17);
  const auto data = GroupData(groups);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const SplitRows rows = Holdout(data, {}, seed)->Rows(0);
    ExpectComplementary(rows, 100);
    EXPECT_GE(rows.test.size(), 33u);
  }
}

TEST(HoldoutTest, OneGroupAlwaysStaysForTraining) {
  const auto plan = Holdout(TwelveRowsInFourGroups(), {{"test_share", 0.99}});
  EXPECT_THAT(plan->Rows(0).train, SizeIs(3));
}

TEST(HoldoutTest, StratifiedGroupsStayWholeAndKeepTheShares) {
  // 60 groups of 1 to 6 rows, three classes of which the last is rare.
  plugin::Random random(3);
  std::vector<std::int32_t> labels;
  Rows groups;
  for (std::int64_t g = 0; g < 60; ++g) {
    for (std::uint64_t i = 1 + random.Below(6); i > 0; --i) {
      const std::uint64_t draw = random.Below(10);
      labels.push_back(draw < 5 ? 0 : draw < 9 ? 1 : 2);
      groups.push_back(g);
    }
  }
  const auto data = ClassesInGroups(labels, {"A", "B", "C"}, groups);
  const auto totals = Count(RowsUpTo(static_cast<std::int64_t>(labels.size())), labels, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SplitRows rows = Holdout(data, {{"stratify", true}, {"test_share", 0.25}}, seed)->Rows(0);
    ExpectComplementary(rows, static_cast<std::int64_t>(labels.size()));
    const auto counts = Count(rows.test, labels, 3);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(static_cast<double>(counts[c]), 0.25 * static_cast<double>(totals[c]), 2.0)
          << "seed " << seed;
    }
  }
}

TEST(HoldoutTest, ANumericTargetIsStratifiedByItsQuantileBins) {
  std::vector<double> target(40);
  std::vector<std::int32_t> quarter(40);
  for (std::size_t i = 0; i < 40; ++i) {
    target[i] = static_cast<double>(i);
    quarter[i] = static_cast<std::int32_t>(i / 10);
  }
  const auto plan = Holdout(NumericData(target),
                            {{"stratify", true}, {"bins", 4}, {"test_share", 0.2}, {"repeats", 5}});
  for (const Rows& test : TestRowsOf(*plan)) {
    EXPECT_THAT(Count(test, quarter, 4), ElementsAre(2, 2, 2, 2));
  }
}

// ---- seeds --------------------------------------------------------------------------------------

TEST(HoldoutTest, OtherSeedsAndOtherRepeatsGiveOtherPlans) {
  std::set<Rows> tests;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Rows& test : TestRowsOf(*Holdout(PlainData(50), {{"repeats", 3}}, seed))) {
      tests.insert(test);
    }
  }
  EXPECT_EQ(tests.size(), 60u);
}

// Test sets for seed 42 from reference_splits.py, a second implementation in Python.
TEST(HoldoutTest, TheShuffledPlanOfSeed42IsThatOfTheReference) {
  const auto plan = Holdout(PlainData(12), {{"repeats", 2}}, 42);
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{1, 2, 3, 8}, Rows{1, 2, 8, 10}));
}

TEST(HoldoutTest, TheStratifiedPlanOfSeed42IsThatOfTheReference) {
  const auto plan = Holdout(SortedClassData({7, 5}), {{"repeats", 2}, {"stratify", true}}, 42);
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 5, 8, 10}, Rows{3, 6, 7, 9}));
}

TEST(HoldoutTest, TheGroupedPlanOfSeed42IsThatOfTheReference) {
  const auto plan = Holdout(TwelveRowsInFourGroups(), {{"repeats", 2}}, 42);
  EXPECT_THAT(TestRowsOf(*plan), ElementsAre(Rows{0, 2, 4, 6, 8, 10}, Rows{1, 3, 5, 7, 9, 11}));
}

// ---- refusals -----------------------------------------------------------------------------------

TEST(HoldoutTest, AsFarAsPossibleAClassWithOneRowTrains) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto plan = Holdout(SortedClassData({20, 1, 6}), {{"stratify", kAsFarAsPossible}}, seed);
    const SplitRows rows = plan->Rows(0);
    EXPECT_THAT(rows.test, SizeIs(9));
    EXPECT_THAT(rows.train, Contains(20));
    EXPECT_EQ(std::ranges::count_if(rows.test, [](auto row) { return row > 20; }), 2);
    EXPECT_THAT(plan->notes(), ElementsAre("stratified as far as possible: class 'B' has 1 row and "
                                           "is only trained on"));
  }
}

TEST(HoldoutTest, AsFarAsPossibleFewTestRowsAreOfTheLargestClasses) {
  const auto plan =
      Holdout(SortedClassData({8, 7, 5}), {{"stratify", kAsFarAsPossible}, {"test_share", 0.1}});
  const SplitRows rows = plan->Rows(0);
  ASSERT_THAT(rows.test, SizeIs(2));
  EXPECT_LT(rows.test[0], 8);
  EXPECT_THAT(rows.test[1], AllOf(Ge(8), Lt(15)));
  EXPECT_THAT(plan->notes(), ElementsAre("stratified as far as possible: class 'C' has 5 rows and "
                                         "is only trained on"));
}

TEST(HoldoutTest, AsFarAsPossibleFewTrainingRowsAreOfTheLargestClasses) {
  const auto plan =
      Holdout(SortedClassData({8, 7, 5}), {{"stratify", kAsFarAsPossible}, {"test_share", 0.9}});
  ASSERT_THAT(plan->Rows(0).train, SizeIs(2));
  EXPECT_THAT(plan->notes(), ElementsAre("stratified as far as possible: class 'C' has 5 rows and "
                                         "is only tested"));
}

TEST(HoldoutTest, AsFarAsPossibleAClassInOneGroupIsNoted) {
  const auto data = ClassesInGroups({0, 0, 0, 0, 1, 1}, {"A", "B"}, {1, 2, 3, 4, 5, 5});
  const auto plan = Holdout(data, {{"stratify", kAsFarAsPossible}});
  EXPECT_THAT(plan->notes(), ElementsAre("stratified as far as possible: class 'B' has rows in 1 "
                                         "group, which cannot be on both sides"));
}

TEST(HoldoutTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals(
      "holdout",
      {
          {"a class in one group cannot be stratified",
           ClassesInGroups({0, 0, 1, 1}, {"A", "B"}, {1, 2, 3, 3}),
           {{"stratify", true}},
           "class 'B' has rows in 1 group, which cannot be on both sides; use stratify = \"as far "
           "as possible\" or stratify = false"},
          {"a bin of one row",
           NumericData({1, 2, 3, 4, 5}),
           {{"stratify", true}},
           "bin 1 of the target (1 to 1) has 1 row, which cannot be on both sides; use fewer bins, "
           "stratify = \"as far as possible\", or stratify = false"},
          {"one row", PlainData(1), {}, "holdout needs at least 2 rows, got 1"},
          {"repeats without shuffle",
           PlainData(20),
           {{"repeats", 3}, {"shuffle", false}},
           "3 repeats without shuffle would all be the same; use repeats = 1, or shuffle = true"},
          {"a class with one row cannot be stratified",
           SortedClassData({20, 1}),
           {{"stratify", true}},
           "class 'B' has 1 row, which cannot be on both sides; use stratify = \"as far as "
           "possible\" or stratify = false"},
          {"fewer test rows than classes",
           SortedClassData({8, 6, 6}),
           {{"stratify", true}, {"test_share", 0.1}},
           "the 2 test rows cannot hold the 3 strata; use another test_share, stratify = \"as far "
           "as possible\", or stratify = false"},
          {"fewer training rows than classes",
           SortedClassData({8, 6, 6}),
           {{"stratify", true}, {"test_share", 0.9}},
           "the 2 training rows cannot hold the 3 strata; use another test_share, stratify = \"as "
           "far as possible\", or stratify = false"},
          {"stratify without classes",
           PlainData(20),
           {{"stratify", true}},
           "stratify needs a target or a strata column; use stratify = false"},
          {"a single group",
           GroupData({3, 3, 3}),
           {},
           "all rows are in one group; holdout needs at least 2 groups"},
      });
}

}  // namespace
}  // namespace crossfold
