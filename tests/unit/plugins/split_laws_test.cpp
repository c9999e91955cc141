// What holds for every bundled splitter, on random data of every role.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <ostream>
#include <set>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::Not;

// Which columns the random data get.
struct Shape {
  bool groups = false, time = false, folds = false, numeric = false, strata = false;
};

// 60 rows, three classes A, B, C (or a numeric target), twelve groups, thirty times, four folds,
// two strata. `with_other_levels` gives the classes and strata other names in another order, among
// which are some without rows.
std::shared_ptr<const Dataset> RandomData(const Shape& shape, std::uint64_t seed,
                                          bool with_other_levels = false) {
  constexpr std::size_t kRows = 60;
  plugin::Random random(seed);
  std::vector<std::int32_t> labels, strata;
  std::vector<double> target, times;
  Rows groups, folds;
  for (std::size_t row = 0; row < kRows; ++row) {
    labels.push_back(static_cast<std::int32_t>(random.Below(3)));
    target.push_back(random.Uniform());
    times.push_back(static_cast<double>(random.Below(30)));
    groups.push_back(static_cast<std::int64_t>(random.Below(12)));
    folds.push_back(groups.back() % 4);  // keeps groups whole
    strata.push_back(static_cast<std::int32_t>(row * row % 5 % 2));
  }
  std::vector<std::string> names = {"A", "B", "C"}, sites = {"north", "south"};
  if (with_other_levels) {
    constexpr std::array<std::int32_t, 3> kOther = {3, 4, 1};
    for (std::int32_t& label : labels) label = kOther[static_cast<std::size_t>(label)];
    for (std::int32_t& stratum : strata) stratum = 2 - stratum;
    for (std::int64_t& group : groups) group = 11 - group;
    names = {"unused", "b", "never", "Y", "x"};
    sites = {"nowhere", "B", "A"};
  }
  std::vector<Column> columns = {shape.numeric ? Column::Doubles("y", target)
                                               : Column::Categories("y", labels, names)};
  Roles roles = MakeRoles("y");
  const auto add = [&](bool wanted, Column column, std::string& role) {
    if (!wanted) return;
    role = column.name;
    columns.push_back(std::move(column));
  };
  add(shape.groups, Column::Integers("group", groups), roles.groups);
  add(shape.time, Column::Doubles("time", times), roles.time);
  add(shape.folds, Column::Integers("fold", folds), roles.folds);
  add(shape.strata, Column::Categories("site", strata, sites), roles.strata);
  return Dataset::Create("rows", std::move(columns), roles);
}

struct SplitLaw {
  const char* splitter;
  ParamValues values;
  Shape shape;
  bool is_partition = false;  // every row is tested exactly once in each repeat
};

std::string ToText(const SplitLaw& law) {
  std::string text = law.splitter;
  for (const auto& [name, value] : law.values) text += " " + name;
  return text + (law.shape.groups ? " groups" : "") + (law.shape.numeric ? " numeric" : "") +
         (law.shape.strata ? " strata" : "");
}

// How GoogleTest names a case: not by its bytes.
void PrintTo(const SplitLaw& law, std::ostream* out) { *out << ToText(law); }

const Shape kGroups{.groups = true};
const Shape kTime{.time = true};
const Shape kNumeric{.numeric = true};
const Shape kNumericGroups{.groups = true, .numeric = true};
const Shape kStrata{.strata = true};

std::vector<SplitLaw> AllCases() {
  std::vector<double> places(60);
  for (std::size_t row = 0; row < places.size(); ++row)
    places[row] = static_cast<double>(row * row % 61);
  const ParamValues stratify = {{"folds", 3}, {"stratify", true}, {"bins", 4}};
  const ParamValues half = {{"stratify", true}, {"bins", 4}, {"repeats", 3}};
  const ParamValues in_order = {{"folds", 3}, {"stratify", true}, {"shuffle", false}};
  const ParamValues possible = {{"folds", 9}, {"stratify", std::string("as far as possible")}};
  return {
      {"kfold", {{"repeats", 2}}, {}, true},
      {"kfold", {{"folds", 7}, {"repeats", 3}}, {}, true},  // which does not divide the rows
      {"kfold", stratify, {}, true},
      {"kfold", in_order, {}, true},
      {"kfold", possible, {}, true},
      {"kfold", stratify, kStrata, true},
      {"kfold", possible, {.numeric = true, .strata = true}, true},
      {"kfold", stratify, kNumeric, true},
      {"kfold", {{"folds", 4}}, kGroups, true},
      {"kfold", stratify, kGroups, true},
      {"kfold", possible, {.groups = true, .strata = true}, true},
      {"kfold", stratify, kNumericGroups, true},
      {"holdout", {{"repeats", 3}}, {}},
      {"holdout", half, {}},
      {"holdout", half, kStrata},
      {"holdout", {{"stratify", true}, {"shuffle", false}}, {}},
      {"holdout", half, kNumeric},
      {"holdout", {{"repeats", 3}}, kGroups},
      {"holdout", half, kGroups},
      {"holdout", half, kNumericGroups},
      {"bootstrap", {{"repeats", 4}}, {}},
      {"bootstrap", {{"repeats", 4}, {"stratify", true}}, {}},
      {"bootstrap", {{"repeats", 4}, {"stratify", true}}, kStrata},
      {"bootstrap", {{"repeats", 4}, {"stratify", true}}, kNumeric},
      {"bootstrap", {{"repeats", 4}}, kGroups},
      {"leave_one_out", {}, {}, true},
      {"leave_p_out", {}, {}},
      {"leave_one_group_out", {}, kGroups, true},
      {"leave_one_group_out", {{"groups_out", 2}}, kGroups},
      {"predefined", {}, {.folds = true}, true},
      {"predefined", {}, {.groups = true, .folds = true}, true},
      {"time_series", {}, kTime},
      {"time_series", {{"window", std::string("sliding")}, {"gap", 2}}, kTime},
      {"blocked", {}, kTime, true},
      {"blocked", {{"gap", 1}}, kTime},
      {"purged", {{"horizon", 2.0}, {"embargo", 1.0}}, kTime},
      {"spatial_blocks", {{"size", 7.0}, {"x", places}}, {}, true},
      {"spatial_blocks", {{"size", 7.0}, {"x", places}, {"buffer", 2.0}}, {}},
  };
}

class SplitLawsTest : public ::testing::TestWithParam<SplitLaw> {
 protected:
  static constexpr std::uint64_t kSeeds = 20;

  std::shared_ptr<const SplitPlan> Plan(std::uint64_t seed, bool with_other_levels = false) {
    return MakePlan(GetParam().splitter, RandomData(GetParam().shape, seed, with_other_levels),
                    GetParam().values, seed);
  }
};

TEST_P(SplitLawsTest, TrainAndTestShareNoRowAndAreInRange) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto plan = Plan(seed);
    ASSERT_GT(plan->size(), 0);
    for (std::int64_t split = 0; split < plan->size(); ++split) {
      const SplitRows rows = plan->Rows(split);
      ASSERT_FALSE(rows.train.empty() || rows.test.empty());
      const std::set<std::int64_t> train(rows.train.begin(), rows.train.end());
      const std::set<std::int64_t> test(rows.test.begin(), rows.test.end());
      ASSERT_EQ(test.size(), rows.test.size()) << "a row is tested twice";
      ASSERT_GE(std::min(*train.begin(), *test.begin()), 0);
      ASSERT_LT(std::max(*train.rbegin(), *test.rbegin()), 60);
      for (const std::int64_t row : test) ASSERT_FALSE(train.contains(row)) << "seed " << seed;
    }
  }
}

TEST_P(SplitLawsTest, TheSeedDecidesEverything) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto one = Plan(seed), other = Plan(seed);
    ASSERT_EQ(TrainRowsOf(*one), TrainRowsOf(*other));
    ASSERT_EQ(TestRowsOf(*one), TestRowsOf(*other));
  }
}

class GroupLawsTest : public SplitLawsTest {};

TEST_P(GroupLawsTest, NoGroupIsEverOnBothSides) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto plan = Plan(seed);
    const std::span<const std::int64_t> groups = plan->view().data->groups();
    for (std::int64_t split = 0; split < plan->size(); ++split) {
      const SplitRows rows = plan->Rows(split);
      std::set<std::int64_t> trained;
      for (const std::int64_t row : rows.train) {
        trained.insert(groups[static_cast<std::size_t>(row)]);
      }
      for (const std::int64_t row : rows.test) {
        ASSERT_FALSE(trained.contains(groups[static_cast<std::size_t>(row)])) << "seed " << seed;
      }
    }
  }
}

class PartitionLawsTest : public SplitLawsTest {};

TEST_P(PartitionLawsTest, EveryRowIsTestedOnceInEachRepeat) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto plan = Plan(seed);
    std::vector<Rows> tested(static_cast<std::size_t>(plan->repeat_of(plan->size() - 1) + 1));
    for (std::int64_t split = 0; split < plan->size(); ++split) {
      const SplitRows rows = plan->Rows(split);
      ExpectComplementary(rows, 60);
      Rows& all = tested[static_cast<std::size_t>(plan->repeat_of(split))];
      all.insert(all.end(), rows.test.begin(), rows.test.end());
    }
    for (Rows& all : tested) {
      std::sort(all.begin(), all.end());
      ASSERT_EQ(all, RowsUpTo(60)) << "seed " << seed;
    }
  }
}

TEST_P(SplitLawsTest, NamesAndOrderOfTheLevelsDoNotMatter) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto one = Plan(seed), other = Plan(seed, true);
    ASSERT_EQ(TrainRowsOf(*one), TrainRowsOf(*other));
    ASSERT_EQ(TestRowsOf(*one), TestRowsOf(*other));
  }
}

template <class Keep>
std::vector<SplitLaw> CasesWhere(Keep keep) {
  std::vector<SplitLaw> kept = AllCases();
  std::erase_if(kept, [&](const SplitLaw& law) { return !keep(law); });
  return kept;
}

std::string NameOf(const ::testing::TestParamInfo<SplitLaw>& law) {
  std::string name = ToText(law.param);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name + "_" + std::to_string(law.index);
}

INSTANTIATE_TEST_SUITE_P(Splitters, SplitLawsTest, ::testing::ValuesIn(AllCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(
    Splitters, GroupLawsTest,
    ::testing::ValuesIn(CasesWhere([](const SplitLaw& law) { return law.shape.groups; })), NameOf);
INSTANTIATE_TEST_SUITE_P(
    Splitters, PartitionLawsTest,
    ::testing::ValuesIn(CasesWhere([](const SplitLaw& law) { return law.is_partition; })), NameOf);

// ---- splitters that do not look at groups refuse what would tear one apart ----------------------

class GroupBlindSplitterTest : public ::testing::TestWithParam<SplitLaw> {};

TEST_P(GroupBlindSplitterTest, RefusesGroupsThatItWouldTearApart) {
  Shape shape = GetParam().shape;
  shape.groups = true;
  EXPECT_THAT(RefusalOf(GetParam().splitter, RandomData(shape, 1), GetParam().values), Not(""));
}

INSTANTIATE_TEST_SUITE_P(
    Splitters, GroupBlindSplitterTest,
    ::testing::Values(SplitLaw{"leave_one_out", {}, {}}, SplitLaw{"leave_p_out", {}, {}},
                      SplitLaw{"time_series", {}, kTime}, SplitLaw{"blocked", {}, kTime},
                      SplitLaw{"blocked", {{"gap", 1}}, kTime}, SplitLaw{"purged", {}, kTime},
                      SplitLaw{"bootstrap", {{"stratify", true}}, {}},
                      SplitLaw{"predefined", {{"list", RowsUpTo(60)}}, {}}),
    [](const auto& blind) {
      return std::string(blind.param.splitter) + std::to_string(blind.index);
    });

// ---- memory
// --------------------------------------------------------------------------------------

TEST(SplitPlanSizeTest, LeaveOneOutKeepsOneInt32ARow) {
  const auto plan = MakePlan("leave_one_out", PlainData(1000000), {});
  ASSERT_EQ(plan->partitions().size(), 1u);
  const std::vector<std::int32_t>& folds = plan->partitions().front().fold_of_row;
  EXPECT_EQ(folds.size() * sizeof(folds.front()), 4000000u);
  EXPECT_EQ(plan->size(), 1000000);
}

}  // namespace
}  // namespace crossfold
