#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <thread>

#include "crossfold/seed.h"
#include "engine/plan/nested_rows.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Some;
using fixture::Splitter;

std::shared_ptr<const SplitPlan> Split(const std::string& mode, const DataView& view,
                                       std::uint64_t seed = 1) {
  return MakeSplits(*Splitter("nonsense", {{"mode", mode}}), view, seed);
}

TEST(MakeSplitsTest, TakesPartitions) {
  const auto plan =
      MakeSplits(*Splitter("nonsense", {{"folds", std::int64_t{3}}, {"repeats", std::int64_t{2}}}),
                 All(Classes(7, 2)), 1);
  EXPECT_EQ(plan->size(), 6);
  EXPECT_THAT(plan->Rows(5).test, ElementsAre(2, 5));
}

TEST(MakeSplitsTest, TakesListsOfPositions) {
  const auto plan = Split("list", Some(Classes(9, 2), {8, 6, 4, 2}));
  EXPECT_EQ(plan->size(), 2);
  EXPECT_THAT(plan->Rows(0).train, ElementsAre(2, 6, 6));
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(4, 8));
}

TEST(MakeSplitsTest, ShowsTheSplitterTheRowsOfTheView) {
  const auto plan = Split("by_label", Some(Classes(12, 2), {0, 2, 4, 5, 7}));
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(0, 2, 4));
  EXPECT_THAT(plan->Rows(1).test, ElementsAre(5, 7));
}

TEST(MakeSplitsTest, EqualSeedsGiveEqualSplitsAndOthersDoNot) {
  const auto data = Classes(100, 2);
  const auto folds = [&](std::uint64_t seed) {
    return Split("random", All(data), seed)->partitions()[0].fold_of_row;
  };
  EXPECT_EQ(folds(7), folds(7));
  EXPECT_NE(folds(7), folds(8));
}

TEST(MakeSplitsTest, LeaveOneOutIsAPartition) {
  const auto plan = Split("leave_one_out", All(Classes(1000, 2)));
  EXPECT_EQ(plan->size(), 1000);
  EXPECT_EQ(plan->min_train_rows(), 999);
}

TEST(MakeSplitsTest, ASplitterThatRefusesSaysWhy) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot split dataset 'classes' (9 rows) with 'fixture.nonsense{mode=throw}': there "
              "are fewer rows than folds",
              [] { Split("throw", All(Classes(9, 2))); });
}

struct Emitted {
  const char* mode;
  const char* problem;
};
class EmittedNonsenseTest : public testing::TestWithParam<Emitted> {};

TEST_P(EmittedNonsenseTest, IsRefused) {
  const std::string mode = GetParam().mode;
  ExpectError(ErrorKind::kBadPlugin,
              "cannot split dataset 'classes' (9 rows) with 'fixture.nonsense{mode=" + mode +
                  "}': " + GetParam().problem,
              [&] { Split(mode, All(Classes(9, 2))); });
}

INSTANTIATE_TEST_SUITE_P(
    MakeSplitsTest, EmittedNonsenseTest,
    testing::Values(Emitted{"wrong_length", "it emits fold numbers for a different number of rows"},
                    Emitted{"empty_fold", "fold 3 of repeat 1 has no rows"},
                    Emitted{
                        "fold_out_of_range",
                        "position 4 is in fold number 2 (counted from 0) of 2 folds in repeat 1"},
                    Emitted{"mixed", "it emits both partitions and lists of rows"},
                    Emitted{"nothing", "there are no splits"},
                    Emitted{"both_parts", "row 1 is both trained on and tested in split 1"},
                    Emitted{"no_training", "it emits a split without training rows"},
                    Emitted{"out_of_range", "position 10 in split 1 is not among the 9 rows"}),
    [](const auto& info) { return std::string(info.param.mode); });

TEST(MakeSplitsTest, NoRowsCannotBeSplit) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot split dataset 'classes' (0 rows) with 'fixture.nonsense': there are no rows",
              [] { MakeSplits(*Splitter("nonsense"), Some(Classes(9, 2), {}), 1); });
}

TEST(MakeSplitsTest, MissingRolesAreNamedWithAWayOut) {
  const auto bare = Dataset::Create("bare", {Column::Doubles("x", {1, 2, 3, 4})}, {});
  const auto expect = [&](const std::string& role, const std::string& problem) {
    ExpectError(
        ErrorKind::kInvalidArgument,
        "cannot split dataset 'bare' with 'fixture.needs_" + role + "': it has no " + problem,
        [&] { MakeSplits(*Splitter("needs_" + role), All(bare), 1); });
  };
  expect("target", "target; read it with target = \"<column>\"");
  expect("groups", "group column; read it with groups = \"<column>\"");
  expect("time", "time column; read it with time = \"<column>\"");
  expect("folds", "fold column; read it with folds = \"<column>\"");
}

TEST(MakeSplitsTest, RolesOfTheViewReachTheSplitter) {
  Roles roles;
  roles.target = "y";
  roles.groups = "g";
  roles.time = "t";
  roles.folds = "f";
  const auto data = Dataset::Create(
      "roles",
      {Column::Doubles("x", {1, 2, 3, 4, 5}), Column::Doubles("y", {0, 1, 2, 4, 6}),
       Column::Integers("f", {1, 0, 1, 0, 0}), Column::Doubles("t", {2, 4, 1, 3, 5}),
       Column::Integers("g", {4, 5, 5, 4, 6})},
      roles);
  const auto tested_first = [&](const std::string& role) {
    return MakeSplits(*Splitter("needs_" + role), Some(data, {1, 2, 3}), 1)->Rows(0).test;
  };
  EXPECT_THAT(tested_first("target"), ElementsAre(2, 3));  // even targets
  EXPECT_THAT(tested_first("folds"), ElementsAre(1, 3));
  EXPECT_THAT(tested_first("time"), ElementsAre(1));
  EXPECT_THAT(tested_first("groups"), ElementsAre(3));
}

TEST(MakeSplitsTest, StrataOfTheViewReachTheSplitter) {
  Roles roles;
  roles.strata = "s";
  const auto data = Dataset::Create(
      "strata", {Column::Doubles("x", {1, 2, 3, 4}), Column::Integers("s", {7, 1, 0, 1})}, roles);
  const auto spec = Splitter("nonsense", {{"mode", std::string("by_stratum")}});
  const auto plan = MakeSplits(*spec, Some(data, {3, 2, 1}), 1);
  EXPECT_THAT(plan->Rows(0).test, ElementsAre(2));
  EXPECT_THAT(plan->Rows(1).test, testing::UnorderedElementsAre(1, 3));
}

TEST(MakeSplitsTest, ACancelledSplitterStops) {
  CancelToken token;
  token.Cancel();
  ExpectError(
      ErrorKind::kCancelled,
      "cannot split dataset 'classes' (9 rows) with 'fixture.nonsense{mode=sleep}': cancelled",
      [&] {
        MakeSplits(*Splitter("nonsense", {{"mode", "sleep"}}), All(Classes(9, 2)), 1, &token);
      });
}

TEST(MakeSplitsTest, WhatTheSplitterLogsAndWarningsAboutItReachTheLog) {
  fixture::LogLines log;
  MakeSplits(*Splitter("nonsense", {{"mode", "loud"}}), All(Classes(9, 2)), 1, nullptr, log.sink());
  EXPECT_THAT(log.lines,
              ElementsAre(Pair(CF_LOG_INFO, "here I am"),
                          Pair(CF_LOG_WARN, "split fixture.nonsense: changed the rounding mode")));
}

TEST(MakeSplitsTest, WhatTheSplitterSaysIsANoteOfThePlan) {
  EXPECT_THAT(Split("loud", All(Classes(9, 2)))->notes(), ElementsAre("here I am"));
  EXPECT_THAT(Split("leave_one_out", All(Classes(9, 2)))->notes(), ElementsAre());
}

// Expected numbers: Python's hashlib,
//   b = b"crossfold-seed-1" + seed.to_bytes(8, "little")
//   for step in path: t = str(step).encode(); b += len(t).to_bytes(8, "little") + t
//   int.from_bytes(hashlib.sha256(b).digest()[:8], "little")
TEST(SeedTest, EqualsTheHashThatTheHeaderPromises) {
  EXPECT_EQ(SeedOfPath(0, {}), 5527694217716686309u);
  EXPECT_EQ(SeedOfPath(42, {}), 3770884639918201939u);
  EXPECT_EQ(SeedOfPath(42, {"fit"}), 13278610656850328372u);
  EXPECT_EQ(SeedOfPath(42, {"repeat", 2, "fold", 7, "fit"}), 16041714525271871867u);
}

TEST(SeedTest, TakesLongPaths) {
  EXPECT_EQ(SeedOfPath(42, {"repeat", 0, "fold", 3, "learner", "knn", "fit"}),
            2762620435359714415u);
}

TEST(SeedTest, TakesTheLargestSeedAndNegativeNumbers) {
  EXPECT_EQ(SeedOfPath(std::numeric_limits<std::uint64_t>::max(), {"fold", -1}),
            15206156258380948332u);
}

TEST(SeedTest, CountsTheLengthOfTextInBytes) {
  EXPECT_EQ(SeedOfPath(42, {"\xC3\xA9"}), 15280145424438658563u);  // e acute
}

TEST(SeedTest, KeepsTheBordersBetweenSteps) {
  EXPECT_EQ(SeedOfPath(42, {"ab", "c"}), 16578336000398577936u);
  EXPECT_EQ(SeedOfPath(42, {"a", "bc"}), 441456830348710993u);
}

// Step by step with the same Python.
TEST(SeedTest, StepsAreHashedOneAfterAnother) {
  EXPECT_EQ(SeedOfSteps(42, {}), 42u);
  EXPECT_EQ(SeedOfSteps(42, {"fit"}), SeedOfPath(42, {"fit"}));
  EXPECT_EQ(SeedOfSteps(42, {"repeat", 2, "fold", 7}), 362942842979295678u);
}

TEST(NestedRowsTest, EveryRowIsATestRowOrATrainingRow) {
  const NestedRows drawn = DrawNestedRows(All(Classes(30, 3)), 10, true, 5);
  EXPECT_EQ(drawn.test.size(), 10u);
  EXPECT_TRUE(std::is_sorted(drawn.test.begin(), drawn.test.end()));
  std::set<std::int64_t> rows(drawn.test.begin(), drawn.test.end());
  rows.insert(drawn.train.begin(), drawn.train.end());
  EXPECT_EQ(rows.size(), 30u);
}

TEST(NestedRowsTest, EveryBeginningHasTheSharesOfTheClasses) {
  const DataView view = All(Classes(90, 3));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NestedRows drawn = DrawNestedRows(view, 30, true, seed);
    std::vector<int> counts(3);
    for (std::size_t i = 0; i < drawn.train.size(); ++i) {
      const auto row = static_cast<std::size_t>(drawn.train[i]);
      ++counts[static_cast<std::size_t>(view.data->labels()[row])];
      const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
      EXPECT_LE(*most - *least, 1);
    }
  }
}

TEST(NestedRowsTest, TheOrderOfTheClassesDoesNotMatter) {
  const auto data = Classes(40, 3);
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : data->labels()) labels.push_back(3 - label);  // 0 has no row
  const auto other =
      Dataset::Create("other", {Column::Categories("y", labels, {"none", "z", "y", "x"})},
                      fixture::WithTarget("y"));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(DrawNestedRows(All(data), 10, true, seed).train,
              DrawNestedRows(All(other), 10, true, seed).train);
  }
}

TEST(NestedRowsTest, TheSeedDecides) {
  const DataView view = All(Classes(30, 3));
  EXPECT_EQ(DrawNestedRows(view, 10, false, 1).train, DrawNestedRows(view, 10, false, 1).train);
  EXPECT_NE(DrawNestedRows(view, 10, false, 1).train, DrawNestedRows(view, 10, false, 2).train);
}

TEST(NestedRowsTest, PositionsAreThoseOfTheView) {
  const NestedRows drawn = DrawNestedRows(Some(Classes(9, 2), {8, 6, 4, 2}), 1, false, 3);
  for (const std::int64_t i : drawn.train) EXPECT_LT(i, 4);
}

TEST(NestedRowsTest, NoTrainingRowIsRefused) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot draw training sets of 'classes': 4 test rows of 4 leave no training row; use "
              "a smaller share",
              [] { DrawNestedRows(All(Classes(4, 2)), 4, true, 1); });
}

}  // namespace
}  // namespace crossfold
