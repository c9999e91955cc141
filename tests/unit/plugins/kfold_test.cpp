#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "crossfold/read_data.h"
#include "crossfold_plugin/random.hpp"
#include "unit/plugins/split_fixture.h"

namespace crossfold {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

std::shared_ptr<const SplitPlan> KFold(const std::shared_ptr<const Dataset>& data,
                                       const ParamValues& values, std::uint64_t seed = 1) {
  return MakePlan("kfold", data, values, seed);
}

// ---- without shuffle ---------------------------------------------------------------------------

TEST(KFoldTest, WithoutShuffleTheFoldIsThePositionModuloTheNumberOfFolds) {
  const auto plan = KFold(PlainData(8), {{"folds", 3}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 2, 0, 1, 2, 0, 1}));
}

TEST(KFoldTest, BlocksAreContiguousAndTheFirstOnesAreLarger) {
  const auto plan =
      KFold(PlainData(10), {{"folds", 4}, {"shuffle", false}, {"order", std::string("blocks")}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 0, 1, 1, 1, 2, 2, 3, 3}));
}

TEST(KFoldTest, StratifiedWithoutShuffleDealsOneClassAfterTheOther) {
  // A B A B B A A B A: the rows of A are 0 2 5 6 8, those of B go on where A stopped.
  const auto data = ClassData({0, 1, 0, 1, 1, 0, 0, 1, 0}, 2);
  const auto plan = KFold(data, {{"folds", 3}, {"stratify", true}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 2, 1, 0, 1, 2, 0, 2, 1}));
}

TEST(KFoldTest, StratifiedBlocksAreContiguousWithinEachClass) {
  // As above: A gives 2 2 1 rows to the folds and B, which starts at the last fold, 1 1 2.
  const auto plan = KFold(
      SortedClassData({5, 4}),
      {{"folds", 3}, {"stratify", true}, {"shuffle", false}, {"order", std::string("blocks")}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 0, 1, 1, 2, 0, 1, 2, 2}));
}

TEST(KFoldTest, WithoutShuffleTheSeedDoesNotMatter) {
  const ParamValues values = {{"folds", 3}, {"shuffle", false}};
  EXPECT_EQ(FoldsOf(*KFold(PlainData(20), values, 1)), FoldsOf(*KFold(PlainData(20), values, 2)));
}

TEST(KFoldTest, InsideAnOuterTrainingSetPositionsCountNotRowIds) {
  // The nested scheme of the golden run: outer fold i mod 5, inner fold p mod 3 of the p-th
  // training row.
  const auto data = PlainData(10);
  const auto outer = KFold(data, {{"folds", 5}, {"shuffle", false}})->Rows(0);
  ASSERT_EQ(outer.train, (Rows{1, 2, 3, 4, 6, 7, 8, 9}));
  const DataView inner_rows{data, std::make_shared<const Rows>(outer.train)};
  const auto spec = BundledSpec(Kind::kSplitter, "kfold", {{"folds", 3}, {"shuffle", false}});
  const auto inner = MakeSplits(*spec, inner_rows, 1);
  EXPECT_THAT(TestRowsOf(*inner), ElementsAre(Rows{1, 4, 8}, Rows{2, 6, 9}, Rows{3, 7}));
}

// ---- with shuffle: properties over many seeds ---------------------------------------------------

// rows, folds, repeats
class ShuffledKFoldTest : public ::testing::TestWithParam<std::tuple<int, int, int>> {
 protected:
  std::int64_t n_rows() const { return std::get<0>(GetParam()); }
  std::int64_t folds() const { return std::get<1>(GetParam()); }
  std::int64_t repeats() const { return std::get<2>(GetParam()); }
  std::shared_ptr<const SplitPlan> Plan(std::uint64_t seed) const {
    return KFold(PlainData(n_rows()), {{"folds", folds()}, {"repeats", repeats()}}, seed);
  }
};

TEST_P(ShuffledKFoldTest, SizesDifferByAtMostOne) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto plan = Plan(seed);
    std::vector<std::int64_t> sizes;
    for (const Rows& test : TestRowsOf(*plan)) {
      sizes.push_back(static_cast<std::int64_t>(test.size()));
    }
    ASSERT_THAT(Spread(sizes), Le(1)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ShuffledKFoldTest,
                         ::testing::Values(std::tuple(2, 2, 1), std::tuple(7, 7, 2),
                                           std::tuple(23, 5, 3), std::tuple(150, 10, 2)));

// Class sizes of the Palmer penguins (scripts/data/penguins.csv), and less even ones.
class StratifiedKFoldTest : public ::testing::TestWithParam<std::vector<std::size_t>> {
 protected:
  static constexpr std::int64_t kFolds = 10;
  static constexpr std::uint64_t kSeeds = 50;

  std::shared_ptr<const Dataset> data_ = SortedClassData(GetParam());
  std::vector<std::int32_t> labels_{data_->labels().begin(), data_->labels().end()};
  std::shared_ptr<const SplitPlan> Plan(std::uint64_t seed) const {
    return KFold(data_, {{"folds", kFolds}, {"stratify", true}, {"repeats", 2}}, seed);
  }
};

TEST_P(StratifiedKFoldTest, TheRowsOfEachClassDifferByAtMostOneBetweenFolds) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::vector<std::vector<std::int64_t>> in_fold(GetParam().size());
    for (const Rows& test : TestRowsOf(*Plan(seed))) {
      const auto counts = Count(test, labels_, GetParam().size());
      for (std::size_t c = 0; c < counts.size(); ++c) in_fold[c].push_back(counts[c]);
    }
    for (const auto& counts : in_fold) ASSERT_THAT(Spread(counts), Le(1)) << "seed " << seed;
  }
}

TEST_P(StratifiedKFoldTest, TheSizesOfFoldsDifferByAtMostOne) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::vector<std::int64_t> sizes;
    for (const Rows& test : TestRowsOf(*Plan(seed))) {
      sizes.push_back(static_cast<std::int64_t>(test.size()));
    }
    ASSERT_THAT(Spread(sizes), Le(1)) << "seed " << seed;
  }
}

TEST_P(StratifiedKFoldTest, TheSizesAreThoseOfPlainFoldsWhateverTheSeed) {
  const auto sorted_sizes = [](const SplitPlan& plan) {
    std::multiset<std::size_t> sizes;
    for (const Rows& test : TestRowsOf(plan)) sizes.insert(test.size());
    return sizes;
  };
  const auto plain = sorted_sizes(*KFold(data_, {{"folds", kFolds}, {"repeats", 2}}));
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) ASSERT_EQ(sorted_sizes(*Plan(seed)), plain);
}

INSTANTIATE_TEST_SUITE_P(ClassSizes, StratifiedKFoldTest,
                         ::testing::Values(std::vector<std::size_t>{152, 68, 124},
                                           std::vector<std::size_t>{50, 50, 50},
                                           std::vector<std::size_t>{10, 99, 11, 13, 10}));

TEST(KFoldTest, StratifiesARealDatasetEvenly) {
  ReadRequest request;
  request.roles = MakeRoles("class");
  const auto iris = ReadData(BundledPlugins(), CROSSFOLD_TEST_DATA "/iris.csv", request);
  const std::vector<std::int32_t> labels(iris->labels().begin(), iris->labels().end());
  for (const Rows& test : TestRowsOf(*KFold(iris, {{"folds", 10}, {"stratify", true}}))) {
    EXPECT_THAT(Count(test, labels, 3), Each(5));
  }
}

// ---- seeds --------------------------------------------------------------------------------------

TEST(KFoldTest, OtherSeedsAndOtherRepeatsGiveOtherPlans) {
  std::set<Folds> plans;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Folds& folds :
         FoldsOf(*KFold(PlainData(50), {{"folds", 5}, {"repeats", 3}}, seed))) {
      plans.insert(folds);
    }
  }
  EXPECT_EQ(plans.size(), 60u);
}

TEST(KFoldTest, MoreRepeatsKeepTheFirstOnes) {
  const auto three = FoldsOf(*KFold(PlainData(50), {{"folds", 5}, {"repeats", 3}}));
  const auto two = FoldsOf(*KFold(PlainData(50), {{"folds", 5}, {"repeats", 2}}));
  EXPECT_THAT(two, ElementsAre(three[0], three[1]));
}

TEST(KFoldTest, EveryRowIsEquallyOftenInEachFold) {
  // 3000 fixed seeds; the standard deviation of a count is sqrt(3000 * 1/3 * 2/3) = 25.8.
  std::vector<std::vector<std::int64_t>> counts(7, std::vector<std::int64_t>(3));
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Folds folds = FoldsOf(*KFold(PlainData(7), {{"folds", 3}}, seed)).front();
    for (std::size_t i = 0; i < 7; ++i) ++counts[i][static_cast<std::size_t>(folds[i])];
  }
  for (const auto& of_row : counts) {
    for (const std::int64_t count : of_row) EXPECT_NEAR(static_cast<double>(count), 1000, 130);
  }
}

// Plans for seed 42 from reference_splits.py, a second implementation in Python.
TEST(KFoldTest, TheShuffledPlanOfSeed42IsThatOfTheReference) {
  const auto plan = KFold(PlainData(12), {{"folds", 5}, {"repeats", 2}}, 42);
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{1, 0, 2, 4, 2, 4, 3, 3, 3, 0, 0, 1},
                                          Folds{2, 0, 4, 0, 3, 1, 1, 0, 3, 4, 2, 1}));
}

TEST(KFoldTest, TheStratifiedPlanOfSeed42IsThatOfTheReference) {
  const auto plan =
      KFold(SortedClassData({7, 5}), {{"folds", 3}, {"repeats", 2}, {"stratify", true}}, 42);
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 2, 1, 2, 1, 1, 0, 2, 0, 0, 2, 1},
                                          Folds{2, 1, 0, 0, 0, 1, 2, 1, 1, 2, 0, 2}));
}

TEST(KFoldTest, TheGroupedPlanOfSeed42IsThatOfTheReference) {
  const auto plan = KFold(TwelveRowsInFourGroups(), {{"folds", 3}, {"repeats", 2}}, 42);
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{1, 2, 2, 0, 1, 2, 2, 0, 1, 2, 2, 0},
                                          Folds{1, 2, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0}));
}

// ---- groups -------------------------------------------------------------------------------------

TEST(KFoldTest, GroupsGoLargestFirstToTheSmallestFold) {
  // Sizes 3 5 3 4 3: the 5 to fold 0, the 4 to fold 1, then 3 to fold 2 (0), 3 to fold 2 (3), 3 to
  // fold 1 (4); sizes 5 7 6.
  const auto data = GroupData({7, 7, 7, 1, 1, 1, 1, 1, 9, 9, 9, 2, 2, 2, 2, 4, 4, 4});
  const auto plan = KFold(data, {{"folds", 3}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan),
              ElementsAre(Folds{2, 2, 2, 0, 0, 0, 0, 0, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(KFoldTest, AsManyFoldsAsGroupsLeaveOneGroupOut) {
  const auto plan = KFold(TwelveRowsInFourGroups(), {{"folds", 4}, {"shuffle", false}});
  EXPECT_THAT(TestRowsOf(*plan),
              ElementsAre(Rows{0, 4, 8}, Rows{1, 5, 9}, Rows{2, 6, 10}, Rows{3, 7, 11}));
}

// ---- stratified groups --------------------------------------------------------------------------

TEST(KFoldTest, StratifiedGroupsFindThePerfectSplitWhereThereIsOne) {
  // Twelve groups: six with 3 A and 1 B, six with 1 A and 3 B. Of four folds, a perfect one has
  // one and a half of each; of three folds, two of each: 8 A and 8 B.
  std::vector<std::int32_t> labels;
  Rows groups;
  for (std::int64_t g = 0; g < 12; ++g) {
    for (int i = 0; i < 4; ++i) {
      labels.push_back((i < 3) == (g < 6) ? 0 : 1);
      groups.push_back(g);
    }
  }
  const auto data = ClassesInGroups(labels, {"A", "B"}, groups);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const Rows& test : TestRowsOf(*KFold(data, {{"folds", 3}, {"stratify", true}}, seed))) {
      ASSERT_THAT(Count(test, labels, 2), ElementsAre(8, 8)) << "seed " << seed;
    }
  }
}

// Every way to put `sizes.size()` groups into folds; the least sum over folds and columns of
// ((count - total / folds) / total)^2, the columns being the classes and all rows.
double LeastUnevenness(const std::vector<std::vector<double>>& counts, int folds) {
  const std::size_t n_columns = counts.front().size();
  std::vector<double> totals(n_columns);
  for (const auto& group : counts) {
    for (std::size_t c = 0; c < n_columns; ++c) totals[c] += group[c];
  }
  double ways = 1;
  for (std::size_t g = 0; g < counts.size(); ++g) ways *= folds;
  double least = 1e300;
  for (double way = 0; way < ways; ++way) {
    std::vector<double> load(n_columns * static_cast<std::size_t>(folds));
    auto rest = static_cast<std::int64_t>(way);
    for (const auto& group : counts) {
      const auto fold = static_cast<std::size_t>(rest % folds);
      rest /= folds;
      for (std::size_t c = 0; c < n_columns; ++c) load[fold * n_columns + c] += group[c];
    }
    double sum = 0;
    for (std::size_t i = 0; i < load.size(); ++i) {
      const double off = load[i] / totals[i % n_columns] - 1.0 / folds;
      sum += off * off;
    }
    least = std::min(least, sum);
  }
  return least;
}

TEST(KFoldTest, StratifiedGroupsAreNearTheBestOfAllAssignments) {
  // Ten random groups of 1 to 8 rows in three folds: 59049 assignments, all tried. Over the 20 data
  // sets the sum is 1.41 times the least.
  double found = 0, best = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    plugin::Random random(seed);
    std::vector<std::int32_t> labels;
    Rows groups;
    std::vector<std::vector<double>> counts(10, std::vector<double>(3));
    for (std::size_t g = 0; g < 10; ++g) {
      for (std::uint64_t i = 1 + random.Below(8); i > 0; --i) {
        const auto label = static_cast<std::size_t>(random.Below(2));
        labels.push_back(static_cast<std::int32_t>(label));
        groups.push_back(static_cast<std::int64_t>(g));
        ++counts[g][label];
        ++counts[g][2];
      }
    }
    const auto data = ClassesInGroups(labels, {"A", "B"}, groups);
    const Folds folds = FoldsOf(*KFold(data, {{"folds", 3}, {"stratify", true}}, seed)).front();
    std::vector<std::vector<double>> in_fold(3, std::vector<double>(3));
    std::vector<double> totals(3);
    for (std::size_t row = 0; row < folds.size(); ++row) {
      for (const auto c : {static_cast<std::size_t>(labels[row]), std::size_t{2}}) {
        ++in_fold[static_cast<std::size_t>(folds[row])][c];
        ++totals[c];
      }
    }
    for (const auto& fold : in_fold) {
      for (std::size_t c = 0; c < 3; ++c) {
        found += (fold[c] / totals[c] - 1.0 / 3) * (fold[c] / totals[c] - 1.0 / 3);
      }
    }
    best += LeastUnevenness(counts, 3);
  }
  EXPECT_GE(found, best * (1 - 1e-9));
  EXPECT_LE(found, best * 1.5 + 1e-9);
}

// Groups of 2 to 25 rows, no two of them alike: their shares of the classes differ.
struct UnlikeGroups {
  std::vector<std::int32_t> labels;
  Rows groups;
};
UnlikeGroups MakeUnlikeGroups(std::int64_t n_groups) {
  plugin::Random random(5);
  UnlikeGroups made;
  for (std::int64_t g = 0; g < n_groups; ++g) {
    const double share = random.Uniform();
    for (std::uint64_t i = 2 + random.Below(24); i > 0; --i) {
      made.labels.push_back(random.Uniform() < share ? 0 : 1);
      made.groups.push_back(g);
    }
  }
  return made;
}

// The largest difference between the share of class A in a fold and in all rows.
double WorstShare(const Folds& folds, const std::vector<std::int32_t>& labels) {
  const auto n_folds = static_cast<std::size_t>(*std::ranges::max_element(folds) + 1);
  std::vector<double> rows(n_folds), of_a(n_folds);
  for (std::size_t row = 0; row < folds.size(); ++row) {
    const auto fold = static_cast<std::size_t>(folds[row]);
    ++rows[fold];
    of_a[fold] += labels[row] == 0 ? 1 : 0;
  }
  const double all =
      static_cast<double>(std::ranges::count(labels, 0)) / static_cast<double>(labels.size());
  double worst = 0;
  for (std::size_t f = 0; f < n_folds; ++f) {
    worst = std::max(worst, std::fabs(of_a[f] / rows[f] - all));
  }
  return worst;
}

// Before, 10 times 5 folds of 40 such groups had 5 test sets of 50.
TEST(KFoldTest, RepeatsOfGroupsThatAreAllDifferentAreOtherFoldsThatAreAsEven) {
  for (const bool stratify : {false, true}) {
    for (const std::int64_t n_groups : {20, 40, 100}) {
      const auto [labels, groups] = MakeUnlikeGroups(n_groups);
      const auto data = ClassesInGroups(labels, {"A", "B"}, groups);
      ParamValues values = {{"folds", 5}, {"stratify", stratify}, {"repeats", 10}};
      const auto plan = KFold(data, values);
      std::set<Rows> distinct;
      for (const Rows& test : TestRowsOf(*plan)) {
        distinct.insert(test);
        ASSERT_NEAR(static_cast<double>(test.size()), static_cast<double>(labels.size()) / 5, 5);
      }
      EXPECT_GE(distinct.size(), n_groups == 20 ? 35U : 50U) << n_groups << " groups";
      EXPECT_EQ(FoldsOf(*plan), FoldsOf(*KFold(data, values)));
      if (!stratify) continue;
      for (const Folds& folds : FoldsOf(*plan)) EXPECT_LE(WorstShare(folds, labels), 0.05);
    }
  }
}

TEST(KFoldTest, StratifiedGroupsDoNotDependOnTheOrderOfTheClasses) {
  plugin::Random random(7);
  std::vector<std::int32_t> labels, renamed;
  Rows groups;
  for (std::int64_t row = 0; row < 200; ++row) {
    labels.push_back(static_cast<std::int32_t>(random.Below(3)));
    renamed.push_back((labels.back() + 1) % 3);
    groups.push_back(static_cast<std::int64_t>(random.Below(40)));
  }
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ParamValues values = {{"folds", 5}, {"stratify", true}, {"repeats", 2}};
    ASSERT_EQ(FoldsOf(*KFold(ClassesInGroups(labels, {"A", "B", "C"}, groups), values, seed)),
              FoldsOf(*KFold(ClassesInGroups(renamed, {"A", "B", "C"}, groups), values, seed)));
  }
}

// ---- a numeric target ---------------------------------------------------------------------------

TEST(KFoldTest, ANumericTargetIsStratifiedByItsQuantileBins) {
  // Values 0 .. 29 in three bins of ten: each of five folds tests two of each bin.
  std::vector<double> target(30);
  std::vector<std::int32_t> bin_of_row(30);
  for (std::size_t i = 0; i < 30; ++i) {
    target[i] = static_cast<double>((i * 7) % 30);
    bin_of_row[i] = static_cast<std::int32_t>((i * 7) % 30 / 10);
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto plan =
        KFold(NumericData(target), {{"folds", 5}, {"stratify", true}, {"bins", 3}}, seed);
    for (const Rows& test : TestRowsOf(*plan)) {
      ASSERT_THAT(Count(test, bin_of_row, 3), ElementsAre(2, 2, 2)) << "seed " << seed;
    }
  }
}

TEST(KFoldTest, TiesInTheTargetStayInOneBin) {
  // Two bins of twelve rows: the four threes have the ranks 4 to 7, whose middle is in the first.
  // Without shuffle the rows of 0 3 1 3 2 3 3 and then those of 4 5 6 7 8 are dealt.
  const auto data = NumericData({0, 3, 1, 3, 2, 3, 4, 3, 5, 6, 7, 8});
  EXPECT_EQ(RefusalOf("kfold", NumericData({0, 3, 1, 3, 2, 3, 3, 3, 3, 3, 3, 3}),
                      {{"folds", 4}, {"stratify", true}, {"bins", 2}}),
            "cannot split dataset 'rows' (12 rows) with 'kfold{bins=2,folds=4,stratify=true}': bin "
            "1 of the target (0 to 2) has 3 rows, fewer than the 4 folds; use at most 3 folds, "
            "fewer bins, stratify = \"as far as possible\", or stratify = false");
  const auto plan =
      KFold(data, {{"folds", 2}, {"stratify", true}, {"bins", 2}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1}));
}

TEST(KFoldTest, GroupsAreStratifiedByBinsToo) {
  std::vector<double> target;
  Rows groups;
  for (std::int64_t row = 0; row < 40; ++row) {
    target.push_back(static_cast<double>(row));
    groups.push_back(row % 20);  // one row of each half
  }
  const auto data =
      Dataset::Create("rows", {Column::Doubles("y", target), Column::Integers("group", groups)},
                      MakeRoles("y", "group"));
  for (const Rows& test :
       TestRowsOf(*KFold(data, {{"folds", 4}, {"stratify", true}, {"bins", 4}}))) {
    std::vector<std::int32_t> quarter(40);
    for (std::size_t i = 0; i < 40; ++i) quarter[i] = static_cast<std::int32_t>(i / 10);
    EXPECT_THAT(Count(test, quarter, 4), Each(::testing::AllOf(Ge(2), Le(3))));
  }
}

// ---- a strata column ----------------------------------------------------------------------------

std::shared_ptr<const Dataset> StrataData(const Rows& strata,
                                          const std::vector<std::int32_t>& labels) {
  Roles roles;
  roles.strata = "site";
  std::vector<Column> columns = {Column::Integers("site", strata)};
  if (!labels.empty()) {
    columns.push_back(Column::Categories("class", labels, {"A", "B"}));
    roles.target = "class";
  }
  return Dataset::Create("rows", std::move(columns), roles);
}

TEST(KFoldTest, CombinationsOfClassAndStratumAreSpreadEvenly) {
  Rows strata;
  std::vector<std::int32_t> labels, combination;
  for (std::int32_t row = 0; row < 60; ++row) {
    labels.push_back(row % 2);
    strata.push_back(row % 3 == 0 ? 7 : 4);
    combination.push_back(labels.back() * 2 + (row % 3 == 0 ? 1 : 0));
  }
  const auto plan = KFold(StrataData(strata, labels), {{"folds", 5}, {"stratify", true}});
  for (const Rows& test : TestRowsOf(*plan)) {
    EXPECT_THAT(Count(test, combination, 4), ElementsAre(4, 2, 4, 2));
  }
}

TEST(KFoldTest, AStrataColumnNeedsNoTarget) {
  const auto plan = KFold(StrataData({1, 1, 1, 5, 5, 5}, {}),
                          {{"folds", 3}, {"stratify", true}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 2, 0, 1, 2}));
}

// ---- refusals -----------------------------------------------------------------------------------

// In how many folds of each repeat rows `from` .. `to` - 1 are.
std::vector<std::size_t> FoldsWith(const SplitPlan& plan, std::size_t from, std::size_t to) {
  std::vector<std::size_t> counts;
  for (const Folds& folds : FoldsOf(plan)) {
    counts.push_back(std::set<std::int32_t>(folds.begin() + static_cast<std::ptrdiff_t>(from),
                                            folds.begin() + static_cast<std::ptrdiff_t>(to))
                         .size());
  }
  return counts;
}

TEST(KFoldTest, AsFarAsPossibleARareClassIsSpreadOverAsManyFoldsAsItHasRows) {
  const ParamValues values = {{"stratify", kAsFarAsPossible}, {"repeats", 3}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto plan = KFold(SortedClassData({23, 17, 3, 1}), values, seed);
    ASSERT_EQ(plan->size(), 30);
    EXPECT_THAT(FoldsWith(*plan, 23, 40), Each(10U));
    EXPECT_THAT(FoldsWith(*plan, 40, 43), Each(3U));
    for (const Rows& test : TestRowsOf(*plan)) {
      EXPECT_THAT(test.size(), AllOf(Ge(4U), Le(5U)));
    }
  }
}

TEST(KFoldTest, AsFarAsPossibleNotesTheRarestClassAndHowManyAreRare) {
  EXPECT_THAT(KFold(SortedClassData({23, 17, 3, 1}), {{"stratify", kAsFarAsPossible}})->notes(),
              ElementsAre("stratified as far as possible: class 'D' has 1 row, fewer than the 10 "
                          "folds, and is spread over 1 of them; 1 more stratum is too rare"));
}

TEST(KFoldTest, AsFarAsPossibleIsTheSameAsTrueWithoutANoteWhereNoClassIsRare) {
  const auto data = SortedClassData({20, 17, 10});
  const auto plan = KFold(data, {{"stratify", kAsFarAsPossible}}, 7);
  EXPECT_TRUE(HaveSameSplits(*plan, *KFold(data, {{"stratify", true}}, 7)));
  EXPECT_THAT(plan->notes(), IsEmpty());
}

TEST(KFoldTest, AsFarAsPossibleTheGroupsOfARareClassAreSpread) {
  // A has rows in all of the six groups, B in two.
  const auto data = ClassesInGroups({0, 1, 0, 1, 0, 0, 0, 0}, {"A", "B"}, {1, 1, 2, 2, 3, 4, 5, 6});
  const auto plan = KFold(data, {{"folds", 3}, {"stratify", kAsFarAsPossible}});
  const Folds folds = FoldsOf(*plan).front();
  EXPECT_NE(folds[1], folds[3]);
  EXPECT_THAT(plan->notes(),
              ElementsAre("stratified as far as possible: class 'B' has rows in 2 groups, fewer "
                          "than the 3 folds, and is spread over at most 2 of them"));
}

TEST(KFoldTest, ClassesWithoutRowsAreIgnored) {
  const auto data = ClassData({0, 0, 0, 2, 2, 2}, 4);
  const auto plan = KFold(data, {{"folds", 3}, {"stratify", true}, {"shuffle", false}});
  EXPECT_THAT(FoldsOf(*plan), ElementsAre(Folds{0, 1, 2, 0, 1, 2}));
}

TEST(KFoldTest, RefusesWithTheFindingAndTheWayOut) {
  ExpectRefusals(
      "kfold",
      {
          {"a class in fewer groups than folds",
           ClassesInGroups({0, 0, 0, 0, 1, 1, 0, 1}, {"A", "B"}, {1, 2, 3, 4, 4, 4, 5, 5}),
           {{"folds", 3}, {"stratify", true}},
           "class 'B' has rows in 2 groups, fewer than the 3 folds; use at most 2 folds, stratify "
           "= \"as far as possible\", or stratify = false"},
          {"too few rows of a combination",
           StrataData({1, 1, 1, 1, 2, 2}, {0, 0, 0, 1, 1, 1}),
           {{"folds", 2}, {"stratify", true}},
           "class 'B' in the stratum of row 1 has 1 row, fewer than the 2 folds; use stratify = "
           "\"as far as possible\" or stratify = false"},
          {"more folds than rows",
           PlainData(7),
           {},
           "10 folds exceed the 7 rows; use at most 7 folds"},
          {"more folds than members of a class",
           SortedClassData({20, 20, 3}),
           {{"stratify", true}},
           "class 'C' has 3 rows, fewer than the 10 folds; use at most 3 folds, stratify = \"as "
           "far as possible\", or stratify = false"},
          {"a class with one row cannot be stratified",
           SortedClassData({20, 1}),
           {{"folds", 2}, {"stratify", true}, {"reduce", true}},
           "class 'B' has 1 row, fewer than the 2 folds; use stratify = \"as far as possible\" or "
           "stratify = false"},
          {"even as far as possible more folds than rows",
           SortedClassData({4, 3}),
           {{"stratify", kAsFarAsPossible}},
           "10 folds exceed the 7 rows; use at most 7 folds"},
          {"stratify without classes",
           PlainData(20),
           {{"stratify", true}},
           "stratify needs a target or a strata column; use stratify = false"},
          {"repeats without shuffle",
           PlainData(20),
           {{"repeats", 2}, {"shuffle", false}},
           "2 repeats without shuffle would all be the same; use repeats = 1, or shuffle = true"},
          {"more folds than groups",
           TwelveRowsInFourGroups(),
           {{"folds", 5}},
           "5 folds exceed the 4 groups; use at most 4 folds"},
          {"a single group",
           GroupData({3, 3, 3}),
           {{"folds", 2}, {"reduce", true}},
           "2 folds exceed the 1 group; k-fold needs at least 2 groups"},
          {"blocks of groups",
           TwelveRowsInFourGroups(),
           {{"folds", 2}, {"shuffle", false}, {"order", std::string("blocks")}},
           "order = \"blocks\" would split groups; use order = \"interleaved\", which keeps groups "
           "together"},
          {"one row", PlainData(1), {{"reduce", true}}, "k-fold needs at least 2 rows, got 1"},
      });
}

// ---- reduce -------------------------------------------------------------------------------------

TEST(KFoldTest, ReduceLowersTheFoldsToTheRows) {
  EXPECT_EQ(KFold(PlainData(7), {{"reduce", true}})->size(), 7);
}

TEST(KFoldTest, ReduceLowersTheFoldsToTheSmallestClass) {
  EXPECT_EQ(KFold(SortedClassData({20, 20, 3}), {{"stratify", true}, {"reduce", true}})->size(), 3);
}

TEST(KFoldTest, ReduceLowersTheFoldsToTheGroups) {
  EXPECT_EQ(KFold(TwelveRowsInFourGroups(), {{"reduce", true}})->size(), 4);
}

TEST(KFoldTest, ReduceChangesNothingWhereTheFoldsFit) {
  EXPECT_EQ(FoldsOf(*KFold(PlainData(30), {{"reduce", true}})), FoldsOf(*KFold(PlainData(30), {})));
}

}  // namespace
}  // namespace crossfold
