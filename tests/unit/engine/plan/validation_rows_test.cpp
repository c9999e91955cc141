#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "engine/plan/training_target.h"
#include "engine/plan/validation_rows.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;

using fixture::All;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Numbers;
using fixture::SixNumbers;
using fixture::Some;

using RowIds = std::vector<std::int64_t>;

// Rows with a target y, in these groups and at these times (empty = none).
std::shared_ptr<const Dataset> Rows(const std::vector<std::int64_t>& groups,
                                    const std::vector<double>& times) {
  const std::size_t n = std::max(groups.size(), times.size());
  std::vector<Column> columns = {Column::Doubles("y", std::vector<double>(n))};
  Roles roles = fixture::WithTarget("y");
  if (!groups.empty()) {
    columns.push_back(Column::Integers("g", groups));
    roles.groups = "g";
  }
  if (!times.empty()) {
    columns.push_back(Column::Doubles("t", times));
    roles.time = "t";
  }
  return Dataset::Create("rows", std::move(columns), roles);
}

TEST(HoldOutTest, TheShareIsHeldOutAndTheOthersStayInTheirOrder) {
  const ValidationRows divided =
      HoldOut(Some(Classes(20, 1), {19, 3, 7, 1, 0, 11, 12, 2, 4, 5}), 0.3, 1);
  EXPECT_EQ(divided.validation.size(), 3u);
  EXPECT_EQ(divided.train.size(), 7u);
  RowIds all = divided.train;
  all.insert(all.end(), divided.validation.begin(), divided.validation.end());
  EXPECT_THAT(all, testing::UnorderedElementsAre(19, 3, 7, 1, 0, 11, 12, 2, 4, 5));
  const auto place = [](std::int64_t row) {
    const RowIds given = {19, 3, 7, 1, 0, 11, 12, 2, 4, 5};
    return std::ranges::find(given, row) - given.begin();
  };
  EXPECT_TRUE(std::ranges::is_sorted(divided.train, {}, place));
  EXPECT_TRUE(std::ranges::is_sorted(divided.validation, {}, place));
}

TEST(HoldOutTest, NamesOfGroupsDoNotMatter) {
  const RowIds groups = {0, 2, 1, 3, 4, 2, 5, 6, 1, 7};
  RowIds others;
  for (const std::int64_t group : groups) others.push_back(9 - group);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(HoldOut(All(Rows(groups, {})), 0.3, seed).validation,
              HoldOut(All(Rows(others, {})), 0.3, seed).validation);
  }
}

TEST(HoldOutTest, AtLeastOneRowIsOnEachSide) {
  EXPECT_EQ(HoldOut(All(SixNumbers()), 0.001, 1).validation.size(), 1u);
  EXPECT_EQ(HoldOut(All(SixNumbers()), 0.999, 1).train.size(), 1u);
}

TEST(HoldOutTest, ClassesKeepTheirShares) {
  const auto data = Classes(90, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<int> counts(3);
    for (const std::int64_t row : HoldOut(All(data), 0.2, seed).validation) {
      ++counts[static_cast<std::size_t>(data->labels()[static_cast<std::size_t>(row)])];
    }
    EXPECT_THAT(counts, ElementsAre(6, 6, 6)) << seed;
  }
}

TEST(HoldOutTest, TheSeedDecidesAndTheOrderOfTheRowsDoesNot) {
  RowIds rows(60), reversed;
  std::iota(rows.begin(), rows.end(), 0);
  reversed.assign(rows.rbegin(), rows.rend());
  const auto data = Classes(60, 2);
  const auto held = [&](const RowIds& ids, std::uint64_t seed) {
    const RowIds validation = HoldOut(Some(data, ids), 0.25, seed).validation;
    return std::set<std::int64_t>(validation.begin(), validation.end());
  };
  EXPECT_EQ(held(rows, 1), held(reversed, 1));
  EXPECT_NE(held(rows, 1), held(rows, 2));
}

TEST(HoldOutTest, CopiesOfARowAreOnTheSameSide) {
  const auto data = Classes(10, 1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ValidationRows divided = HoldOut(Some(data, {4, 4, 4, 1, 2, 1, 9, 9}), 0.5, seed);
    EXPECT_EQ(divided.train.size() + divided.validation.size(), 8u);
    for (const std::int64_t row : divided.validation) {
      EXPECT_EQ(std::ranges::count(divided.train, row), 0) << seed;
    }
  }
}

TEST(HoldOutTest, GroupsStayWhole) {
  const auto data = Rows({1, 1, 1, 2, 2, 3, 3, 3, 4, 5}, {});
  std::set<RowIds> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ValidationRows divided = HoldOut(All(data), 0.3, seed);
    EXPECT_GE(divided.validation.size(), 3u);
    for (const std::int64_t held : divided.validation) {
      for (const std::int64_t trained : divided.train) {
        EXPECT_NE(data->groups()[static_cast<std::size_t>(held)],
                  data->groups()[static_cast<std::size_t>(trained)]);
      }
    }
    seen.insert(divided.validation);
  }
  EXPECT_GT(seen.size(), 3u);
}

TEST(HoldOutTest, OneGroupIsAlwaysLeftForTraining) {
  const auto data = Rows({1, 2, 2, 2, 2, 2}, {});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_FALSE(HoldOut(All(data), 0.5, seed).train.empty());
  }
}

TEST(HoldOutTest, InTimeTheLastRowsAreHeldOutWhateverTheSeed) {
  const auto data = Rows({}, {5, 1, 4, 2, 3});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_THAT(HoldOut(All(data), 0.4, seed).validation, ElementsAre(0, 2));
  }
}

TEST(HoldOutTest, RowsOfOneTimeStayTogether) {
  EXPECT_THAT(HoldOut(All(Rows({}, {1, 2, 3, 3, 3, 2})), 0.2, 1).validation, ElementsAre(2, 3, 4));
}

TEST(HoldOutTest, GroupsInTimeAreHeldOutByTheirLastRow) {
  // Group 7 ends at 9, group 8 at 6, group 9 at 3.
  const auto data = Rows({7, 8, 9, 8, 7, 9}, {1, 2, 3, 6, 9, 0});
  EXPECT_THAT(HoldOut(All(data), 0.2, 1).validation, ElementsAre(0, 4));
  EXPECT_THAT(HoldOut(All(data), 0.5, 1).validation, ElementsAre(0, 1, 3, 4));
}

TEST(HoldOutTest, WhatCannotBeDividedIsRefused) {
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: there is only one training row; leave out "
              "early_stopping_share",
              [] {
                HoldOut(Some(Classes(4, 2), {2, 2}), 0.5, 1);
              });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: all training rows are of one group; leave out "
              "early_stopping_share",
              [] {
                HoldOut(Some(Rows({1, 1, 2}, {}), {0, 1}), 0.5, 1);
              });
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot hold out validation rows: all training rows have one time; leave out "
              "early_stopping_share",
              [] {
                HoldOut(All(Rows({}, {3, 3})), 0.5, 1);
              });
}

// Ten rows in two folds; Classes(n, 2) alternates between two classes.
std::shared_ptr<const SplitPlan> TwoFolds(std::int64_t n) {
  Partition partition;
  partition.n_folds = 2;
  for (std::int64_t i = 0; i < n; ++i) {
    partition.fold_of_row.push_back(i < n / 2 ? 0 : 1);
  }
  return SplitPlan::FromPartitions(All(Classes(n, 2)), {partition});
}

bool Contains(const std::vector<std::int64_t>& all, const std::vector<std::int64_t>& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

TEST(ShrinkTrainingTest, TestRowsStayAndTrainingRowsAreAShareRoundedUp) {
  const auto plan = TwoFolds(14);
  const auto smaller = ShrinkTraining(*plan, 0.5, 1);
  ASSERT_EQ(smaller->size(), 2);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(smaller->Rows(s).test, plan->Rows(s).test);
    EXPECT_EQ(smaller->Rows(s).train.size(), 4u);  // of 7
    EXPECT_TRUE(Contains(plan->Rows(s).train, smaller->Rows(s).train));
  }
}

TEST(ShrinkTrainingTest, SmallerSharesArePartsOfGreaterOnes) {
  const auto plan = TwoFolds(60);
  std::vector<std::int64_t> greater = plan->Rows(1).train;
  for (const double share : {0.9, 0.5, 0.3, 0.1, 0.01}) {
    const std::vector<std::int64_t> smaller = ShrinkTraining(*plan, share, 7)->Rows(1).train;
    EXPECT_TRUE(Contains(greater, smaller)) << share;
    greater = smaller;
  }
  EXPECT_EQ(greater.size(), 1u);
}

TEST(ShrinkTrainingTest, ClassesKeepTheirShares) {
  const auto plan = TwoFolds(80);
  const Dataset& data = *plan->view().data;
  const auto share_of_first = [&](const std::vector<std::int64_t>& rows) {
    return std::ranges::count_if(
        rows, [&](std::int64_t row) { return data.labels()[static_cast<std::size_t>(row)] == 0; });
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto rows = ShrinkTraining(*plan, 0.25, seed)->Rows(0).train;
    ASSERT_EQ(rows.size(), 10u);
    EXPECT_EQ(share_of_first(rows), 5);
  }
}

TEST(ShrinkTrainingTest, TheWholeShareIsTheSamePlan) {
  const auto plan = TwoFolds(10);
  const auto same = ShrinkTraining(*plan, 1, 3);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(same->Rows(s).train, plan->Rows(s).train);
    EXPECT_EQ(same->Rows(s).test, plan->Rows(s).test);
  }
}

TEST(ShrinkTrainingTest, OtherSeedsKeepOtherRows) {
  const auto plan = TwoFolds(60);
  EXPECT_NE(ShrinkTraining(*plan, 0.3, 1)->Rows(0).train,
            ShrinkTraining(*plan, 0.3, 2)->Rows(0).train);
  EXPECT_EQ(ShrinkTraining(*plan, 0.3, 1)->Rows(0).train,
            ShrinkTraining(*plan, 0.3, 1)->Rows(0).train);
}

TEST(ShrinkTrainingTest, AViewMayHoldARowTwice) {
  const auto plan =
      SplitPlan::FromPartitions(Some(Classes(8, 2), {6, 6, 1, 3, 2, 1}), {{{0, 0, 1, 1, 0, 1}, 2}});
  const auto same = ShrinkTraining(*plan, 1, 3);
  for (std::int64_t s = 0; s < 2; ++s) {
    EXPECT_EQ(same->Rows(s).train, plan->Rows(s).train);
    EXPECT_EQ(same->Rows(s).test, plan->Rows(s).test);
  }
}

using plugin::CompensatedSum;
using plugin::Random;

// Numbers of any sign whose magnitudes span `decades`.
std::vector<double> Draw(std::size_t n, double decades, Random& random) {
  std::vector<double> numbers(n);
  for (double& x : numbers) {
    x = (random.Uniform() - 0.3) * std::pow(10.0, decades * random.Uniform());
  }
  return numbers;
}

std::shared_ptr<const Dataset> Regression(std::vector<double> values, std::vector<double> weights) {
  std::vector<Column> columns = {Column::Doubles("y", std::move(values))};
  Roles roles{.target = "y"};
  if (!weights.empty()) {
    columns.push_back(Column::Doubles("w", std::move(weights)));
    roles.weights = "w";
  }
  return Dataset::Create("data", std::move(columns), roles);
}

std::shared_ptr<const SplitPlan> Folds(std::shared_ptr<const Dataset> data, std::int64_t n_folds) {
  return fixture::ModuloSplits(fixture::All(std::move(data)), n_folds);
}

void ExpectSameAsReading(const std::shared_ptr<const SplitPlan>& plan) {
  const Dataset& data = *plan->view().data;
  TrainingTargets targets;
  for (std::int64_t s = 0; s < plan->size(); ++s) {
    const SplitRows rows = plan->Rows(s);
    const TrainingTarget read = ReadTrainingTarget(data, rows.train);
    const TrainingTarget found = targets.Find(plan, s, rows.test);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(found.mean), std::bit_cast<std::uint64_t>(read.mean));
    ASSERT_EQ(found.class_weights, read.class_weights);
  }
}

TEST(TrainingTargetTest, TheMeanWithoutAFoldIsThatOfTheOtherRowsToTheLastBit) {
  Random random(1);
  for (const double decades : {0.0, 3.0, 30.0, 300.0}) {
    for (const std::int32_t n_folds : {2, 7, 400}) {
      ExpectSameAsReading(Folds(Regression(Draw(400, decades, random), {}), n_folds));
    }
  }
}

TEST(TrainingTargetTest, SoIsTheWeightedMean) {
  Random random(2);
  std::vector<double> weights(300);
  for (double& w : weights) w = random.Uniform() < 0.2 ? 0 : random.Uniform();
  ExpectSameAsReading(Folds(Regression(Draw(300, 2, random), weights), 300));
}

TEST(TrainingTargetTest, TheOrderOfTheViewDoesNotMatter) {
  std::vector<double> values(1000, 0.3);
  values.front() = 1e14;
  values.back() = -1e14;
  std::vector<std::int64_t> rows(values.size());
  std::iota(rows.begin(), rows.end() - 1, 1);  // the last row, then the first one, at the end
  const DataView view{Regression(values, {}),
                      std::make_shared<const std::vector<std::int64_t>>(rows)};
  for (const std::int64_t n_folds : {7, 1000}) {
    ExpectSameAsReading(fixture::ModuloSplits(view, n_folds));
  }
}

TEST(TrainingTargetTest, ClassesAreCountedWithoutAFold) {
  ExpectSameAsReading(Folds(fixture::Classes(30, 3), 30));
}

TEST(TrainingTargetTest, WithoutAnyWeightThereIsNoMean) {
  const auto plan = Folds(Regression({1, 2, 3}, {0, 0, 0}), 3);
  EXPECT_TRUE(std::isnan(TrainingTargets().Find(plan, 0, plan->Rows(0).test).mean));
}

TEST(TrainingTargetTest, RowsAreReadOnlyWhereRoundingLeavesADoubt) {
  Random random(3);
  const std::vector<double> terms = Draw(1000, 1, random);
  LeftOutSum sum;
  for (const double term : terms) sum.Add(term);
  int known = 0;
  for (const double& term : terms) {
    CompensatedSum others;
    for (const double& other : terms) {
      if (&other != &term) others.Add(other);
    }
    const std::optional<double> found = sum.Without({&term, 1});
    if (!found) continue;
    ++known;
    EXPECT_EQ(*found, others.value());
  }
  EXPECT_GT(known, 990);
}

// The terms cancel, so that the sum and all partial sums are small.
TEST(TrainingTargetTest, OfACentredTargetRowsAreReadAsRarely) {
  Random random(4);
  std::vector<double> terms = {1.2};
  for (int i = 0; i < 10000; ++i) {
    const double term = 1e5 * random.Uniform();
    terms.insert(terms.end(), {term, -term});
  }
  LeftOutSum sum;
  for (const double term : terms) sum.Add(term);
  int known = 0;
  for (std::size_t i = 1; i < terms.size(); i += 200) {  // 100 pairs
    CompensatedSum others;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      if (j != i && j != i + 1) others.Add(terms[j]);
    }
    const std::optional<double> found = sum.Without(std::span(terms).subspan(i, 2));
    if (!found) continue;
    ++known;
    EXPECT_EQ(*found, others.value());
  }
  EXPECT_GT(known, 90);
}

TEST(TrainingTargetTest, ASumThatCancelsIsNotGuessed) {
  LeftOutSum sum;
  for (const double term : {1.0, 0x1p-60, 1e-40, 0.25}) sum.Add(term);
  const double left_out[] = {1.0, 0.25};
  EXPECT_EQ(sum.Without(left_out), std::nullopt);  // the last two are below the bound
}

}  // namespace
}  // namespace crossfold
