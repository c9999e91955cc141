// The parts of trees that have answers of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/error.hpp"
#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "temporary_folder.h"
#include "tree/attribute_lists.h"
#include "tree/chi_squared.h"
#include "tree/columns.h"
#include "tree/grow.h"
#include "tree/impurity.h"
#include "tree/level_growth.h"
#include "tree/normal_quantile.h"
#include "tree/ordered_rows.h"
#include "tree/prune.h"
#include "tree/scratch_memory.h"
#include "tree/sort_keys.h"
#include "tree/split_search.h"
#include "unit/plugins/random_tables.h"

namespace crossfold::bundled::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(ChiSquaredTest, TailsAreThoseOfScipy) {
  // scipy 1.10: scipy.stats.chi2.sf(x, degrees).
  const auto near = [](double x, double degrees, double expected) {
    EXPECT_NEAR(ChiSquaredTail(x, degrees) / expected, 1, 1e-12) << x << ", " << degrees;
  };
  near(3.841458820694124, 1, 0.04999999999999989);
  near(0.5, 1, 0.47950012218695337);
  near(10, 3, 0.01856613546304325);
  near(40, 5, 1.493367900050393e-07);
  near(2, 10, 0.9963401531726563);
  near(0.01, 4, 0.9999875415886458);
  near(120, 100, 0.08440668109369177);
  near(1000, 10, 1.870290720915977e-208);
  EXPECT_EQ(ChiSquaredTail(0, 3), 1);
}

TEST(ChiSquaredTest, EmptyRowsAndColumnsDoNotCount) {
  const std::vector<double> full = {4, 2, 2, 4}, with_empty = {4, 0, 2, 0, 0, 0, 2, 0, 4};
  EXPECT_EQ(IndependenceTest(full, 2), IndependenceTest(with_empty, 3));
  EXPECT_EQ(IndependenceTest(std::vector<double>{4, 0, 2, 0}, 2), 1);
}

TEST(NormalQuantileTest, AsScipyHasThem) {
  // scipy.stats.norm.ppf.
  EXPECT_NEAR(NormalQuantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.75), 0.6744897501960817, 1e-14);
  EXPECT_NEAR(NormalQuantile(0.001), -3.090232306167813, 1e-13);
}

TEST(AddedErrorsTest, AsInQuinlansBook) {
  // C4.5 (1993), section 4.2.2: U25%(0,6) = 0.206, U25%(0,9) = 0.143, U25%(0,1) = 0.750.
  EXPECT_NEAR(AddedErrors(6, 0, 0.25) / 6, 0.206, 5e-4);
  EXPECT_NEAR(AddedErrors(9, 0, 0.25) / 9, 0.143, 5e-4);
  EXPECT_NEAR(AddedErrors(1, 0, 0.25), 0.750, 5e-4);
}

TEST(AddedErrorsTest, AsInWeka) {
  // Weka 3.6.14, weka.classifiers.trees.j48.Stats.addErrs(weight, errors, 0.25f), called from a
  // small Java program.
  EXPECT_NEAR(AddedErrors(16, 1, 0.25), 1.4757146318372634, 1e-12);
  EXPECT_NEAR(AddedErrors(100, 12, 0.25), 2.901907028560629, 1e-12);
  EXPECT_NEAR(AddedErrors(30, 0.5, 0.25), 1.4402962708942044, 1e-12);
  EXPECT_NEAR(AddedErrors(20, 19.6, 0.25), 0.4, 1e-12);
  EXPECT_NEAR(AddedErrors(8, 3, 0.25), 1.4478743598626425, 1e-12);
}

TEST(SortByKeyTest, SortsNumbersOfBothSignsStably) {
  plugin::Random random(3);
  for (const std::size_t n : {5u, 1000u}) {
    std::vector<KeyedRow> items, scratch;
    std::vector<std::pair<double, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double x = std::round(random.Normal() * 50) * 1e-3;
      items.push_back({OrderedKey(x + 0.0), i});
      expected.push_back({x, i});
    }
    std::sort(expected.begin(), expected.end());
    SortByKey(items, scratch);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(items[i].row, expected[i].second);
  }
}

// The least impurity over all cuts of the levels in two, by trying all of them.
template <class Impurity>
double LeastImpurity(const Impurity& impurity, const std::vector<double>& bins, std::size_t size) {
  const std::size_t n_levels = bins.size() / size;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t mask = 1; mask + 1 < (std::size_t{1} << n_levels); ++mask) {
    std::vector<double> left(size, 0.0), right(size, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      (((mask >> (i / size)) & 1) != 0 ? left : right)[i % size] += bins[i];
    }
    least = std::min(least, impurity(left.data(), size) + impurity(right.data(), size));
  }
  return least;
}

template <class Impurity>
void ExpectBestSubset(const Impurity& impurity, std::size_t size, std::size_t n_levels) {
  plugin::Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> bins(n_levels * size), total(size, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i] = static_cast<double>(random.Below(9) + (i % size == 0 ? 1 : 0));
      total[i % size] += bins[i];
    }
    const SubsetCut cut = BestSubset(impurity, bins, total, 0, 1e-12);
    EXPECT_NEAR(cut.impurity, LeastImpurity(impurity, bins, size), 1e-9);
    EXPECT_EQ(cut.sides.front(), 0);
  }
}

TEST(SubsetTest, TheOrderOfTwoClassesFindsTheBestCut) {
  ExpectBestSubset(GiniImpurity(0), 2, 8);
  ExpectBestSubset(EntropyImpurity(0), 2, 8);
}
TEST(SubsetTest, TheOrderOfTheMeansFindsTheBestCut) { ExpectBestSubset(VarianceImpurity(0), 2, 8); }
TEST(SubsetTest, UpToTenLevelsOfManyClassesAreTriedOut) { ExpectBestSubset(GiniImpurity(0), 4, 6); }

TEST(SubsetTest, ManyLevelsOfManyClassesComeCloseToTheBestCut) {
  plugin::Random random(5);
  const GiniImpurity gini(0);
  double found = 0, best = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> bins(12 * 3), total(3, 0.0);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      bins[i] = static_cast<double>(random.Below(9) + 1);
      total[i % 3] += bins[i];
    }
    const double all = gini(total.data(), 3);
    found += all - BestSubset(gini, bins, total, 0, 1e-12).impurity;
    best += all - LeastImpurity(gini, bins, 3);
  }
  EXPECT_GT(found, 0.98 * best);
}

// Trees that are grown level by level from lists in scratch memory against those grown in memory.

// `rows_in_memory`: see GrowByLevels.
void ExpectSameBytes(Table& table, const GrowOptions& options, std::size_t rows_in_memory,
                     bool samples = false) {
  const plugin::TrainingView view = table.View();
  const TrainingColumns columns = MakeTrainingColumns(view);
  // Some rows without a weight, as a bootstrap sample leaves them.
  std::vector<double> sample = columns.weights;
  if (samples) {
    for (std::size_t i = 1; i < sample.size(); ++i) sample[i] *= static_cast<double>(i * i % 3);
  }
  const Tree expected = Grow(options, columns, sample);
  const OrderedRows rows(view);
  const AttributeLists lists(rows, nullptr);
  const Tree tree = GrowByLevels(options, rows, lists, samples ? sample : std::vector<double>(),
                                 nullptr, rows_in_memory);
  ASSERT_EQ(tree.nodes.size(), expected.nodes.size());
  EXPECT_EQ(BytesOf(tree), BytesOf(expected));
}

std::unique_ptr<Table> RandomTable(plugin::Random& random) {
  auto table = std::make_unique<Table>();
  const std::size_t n = 1 + random.Below(random.Below(3) == 0 ? 12 : 700);
  const std::uint64_t n_columns = random.Below(8);
  for (std::uint64_t j = 0; j < n_columns; ++j) AddRandomColumn(*table, n, random);
  constexpr std::array<std::int64_t, 6> kClasses = {0, 0, 1, 2, 3, 26};
  table->n_classes = kClasses[random.Below(kClasses.size())];
  for (std::size_t i = 0; i < n; ++i) {
    if (table->n_classes > 0) {
      const auto label = random.Below(static_cast<std::uint64_t>(table->n_classes));
      table->labels.push_back(static_cast<std::int32_t>(random.Below(3) > 0 ? 0 : label));
    } else {
      table->targets.push_back(random.Below(2) == 0 ? std::round(random.Normal() * 3)
                                                    : random.Normal() * 1e3);
    }
  }
  DrawView(*table, n, random);
  DrawWeights(*table, table->view.empty() ? n : table->view.size(), random);
  return table;
}

GrowOptions RandomOptions(plugin::Random& random, bool classes, std::int64_t n_columns) {
  GrowOptions options;
  options.criterion = classes
                          ? OneOf(random, {Criterion::kGini, Criterion::kGini, Criterion::kEntropy,
                                           Criterion::kGainRatio, Criterion::kRandom,
                                           Criterion::kLeastValues, Criterion::kMostValues})
                          : OneOf(random, {Criterion::kSquaredError, Criterion::kSquaredError,
                                           Criterion::kRandom, Criterion::kMostValues});
  options.nominal = OneOf(random, {NominalSplit::kMultiway, NominalSplit::kSubset});
  options.missing_gain = OneOf(random, {MissingGain::kKnownRows, MissingGain::kAllRows});
  options.threshold = OneOf(random, {Threshold::kMidpoint, Threshold::kObserved});
  options.mdl_correction = classes && random.Below(3) == 0;
  options.average_gain_constraint = random.Below(2) == 0;
  if (random.Below(2) == 0) options.max_depth = static_cast<std::int64_t>(random.Below(8));
  options.min_rows = OneOf(random, {0.0, 2.0, 2.0, 9.5});
  options.min_leaf = OneOf(random, {0.0, 1.0, 1.0, 5.0});
  options.min_gain = OneOf(random, {0.0, 0.0, 0.01});
  if (classes) options.chi_squared_p = OneOf(random, {1.0, 1.0, 0.2});
  if (n_columns > 0 && random.Below(3) == 0) {
    options.features_per_node =
        1 + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(n_columns)));
  }
  options.ties_by_draw = random.Below(4) == 0;
  options.seed = random.Next();
  return options;
}

TEST(TreeLevelsTest, RandomTreesHaveTheBytesOfThoseGrownInMemory) {
  for (std::uint64_t trial = 0; trial < Enough(600); ++trial) {
    SCOPED_TRACE(trial);
    plugin::Random random(trial);
    const std::unique_ptr<Table> table = RandomTable(random);
    const std::int64_t n_columns = table->View().num_features();
    const GrowOptions options = RandomOptions(random, table->n_classes > 0, n_columns);
    ExpectSameBytes(*table, options, OneOf<std::size_t>(random, {0, 2, 16, 128}),
                    random.Below(4) == 0);
    if (HasFailure()) return;
  }
}

// Enough rows for lists in files that are sorted range by range, with frequent values.
std::unique_ptr<Table> LargeTable(std::size_t n, std::int64_t n_classes) {
  plugin::Random random(5);
  auto table = std::make_unique<Table>();
  table->n_classes = n_classes;
  for (std::uint64_t kind = 0; kind < 6; ++kind) {
    std::vector<double> numbers(n);
    for (double& x : numbers) x = Draw(random, kind);
    table->AddNumbers(std::move(numbers));
  }
  std::vector<std::int32_t> codes(n);
  for (std::int32_t& x : codes) x = static_cast<std::int32_t>(random.Below(9));
  table->AddCodes(std::move(codes), 9, false);
  for (std::size_t i = 0; i < n; ++i) {
    table->labels.push_back(static_cast<std::int32_t>(
        random.Below(static_cast<std::uint64_t>(std::max<std::int64_t>(n_classes, 1)))));
    table->targets.push_back(random.Normal());
  }
  return table;
}

TEST(TreeLevelsTest, ListsInFilesGiveTheSameBytes) {
  GrowOptions options;
  options.min_leaf = 20;
  options.nominal = NominalSplit::kSubset;
  for (const std::int64_t n_classes : {0, 2, 5}) {
    SCOPED_TRACE(n_classes);
    const std::unique_ptr<Table> table = LargeTable(70000, n_classes);
    options.criterion = n_classes == 0 ? Criterion::kSquaredError : Criterion::kGini;
    ExpectSameBytes(*table, options, 4096);
  }
}

TEST(TreeLevelsTest, MoreWeightThanIsCountedGivesTheSameBytes) {
  GrowOptions options;
  options.max_depth = 7;
  options.threshold = Threshold::kObserved;
  const std::unique_ptr<Table> table = LargeTable(3000, 3);
  table->weights.assign(3000, 1);
  table->weights[70] = 1 << 20;
  for (const Criterion criterion : {Criterion::kGini, Criterion::kGainRatio}) {
    options.criterion = criterion;
    ExpectSameBytes(*table, options, 0);
  }
}

// ---- attribute lists ---------------------------------------------------------------------------

std::vector<std::pair<std::uint32_t, bool>> ListOf(std::vector<double> numbers) {
  Table table;
  table.labels.assign(numbers.size(), 0);
  table.n_classes = 1;
  table.AddNumbers(std::move(numbers));
  const plugin::TrainingView view = table.View();
  const OrderedRows rows(view);
  const AttributeLists lists(rows, nullptr);
  std::vector<std::pair<std::uint32_t, bool>> items;
  for (const std::uint32_t item : lists.list(0)) {
    items.push_back({item & ~kNewValue, (item & kNewValue) != 0});
  }
  return items;
}

TEST(AttributeListsTest, RowsAreInTheOrderOfTheirEntriesAndNewValuesAreMarked) {
  EXPECT_THAT(
      ListOf({0.5, -1, 0.5, 0.0, -0.0}),
      ElementsAre(Pair(1, true), Pair(3, true), Pair(4, false), Pair(0, true), Pair(2, false)));
}

TEST(AttributeListsTest, ListsThatAreSortedRangeByRangeAreInOrder) {
  plugin::Random random(2);
  for (std::uint64_t kind = 0; kind < 6; ++kind) {
    std::vector<double> numbers(70000);
    for (double& x : numbers) x = Draw(random, kind);
    const auto items = ListOf(numbers);
    ASSERT_EQ(items.size(), numbers.size());
    EXPECT_TRUE(items[0].second);
    for (std::size_t i = 1; i < items.size(); ++i) {
      const auto [before, row] = std::pair(items[i - 1].first, items[i].first);
      ASSERT_EQ(items[i].second, numbers[before] < numbers[row]) << kind;
      ASSERT_TRUE(numbers[before] < numbers[row] ||
                  (numbers[before] == numbers[row] && before < row))
          << kind;
    }
  }
}

std::string ErrorOf(std::vector<double> numbers) {
  try {
    ListOf(std::move(numbers));
  } catch (const plugin::Error& error) {
    return error.what();
  }
  return "";
}

TEST(AttributeListsTest, MissingAndInfiniteEntriesAreRefused) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ErrorOf({1, infinite}), "feature 'x' has an infinite entry");
  for (const std::size_t n : {2u, 70000u}) {
    std::vector<double> numbers(n, 1.0);
    numbers.back() = missing;
    EXPECT_EQ(ErrorOf(numbers),
              "feature 'x' has a missing entry, which growth = sliq does not take; fill missing "
              "entries with a transform such as impute, or use growth = memory");
    numbers.back() = -infinite;
    EXPECT_EQ(ErrorOf(numbers), "feature 'x' has an infinite entry");
  }
}

TEST(AttributeListsTest, AnInfiniteEntryAboveAsManyRangesAsThereMayBeIsRefused) {
  std::vector<double> numbers(70000);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  numbers.back() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ErrorOf(numbers), "feature 'x' has an infinite entry");
}

// ---- scratch memory ----------------------------------------------------------------------------

// Sets TMPDIR for a test.
class TmpDir {
 public:
  explicit TmpDir(const std::string& folder) {
    if (const char* const old = std::getenv("TMPDIR")) old_ = old;
    setenv("TMPDIR", folder.c_str(), 1);
  }
  TmpDir(const TmpDir&) = delete;
  TmpDir& operator=(const TmpDir&) = delete;
  ~TmpDir() { old_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old_.c_str(), 1); }

 private:
  std::string old_;
};

TEST(ScratchMemoryTest, ItsFileHasNoNameEvenWhileItIsUsed) {
  const test::TemporaryFolder folder;
  const TmpDir tmp_dir(folder.path().string());
  const ScratchArray<std::uint32_t> numbers(1000000);
  for (std::uint32_t& x : numbers.all()) x += 3;
  EXPECT_EQ(numbers.all()[999999], 3u);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ScratchMemoryTest, AFolderThatTakesNoFileIsRefused) {
  const TmpDir tmp_dir("/nowhere/at/all");
  try {
    const ScratchMemory memory(std::size_t{2} << 20);
    FAIL() << "there is no such folder";
  } catch (const plugin::Error& error) {
    EXPECT_STREQ(error.what(),
                 "cannot make a temporary file of 2097152 bytes in '/nowhere/at/all': No such file "
                 "or directory; set TMPDIR to a folder with more room");
  }
}

TEST(ScratchMemoryTest, MoreThanTheDiskHoldsIsRefusedAtOnce) {
  EXPECT_THROW(ScratchMemory(std::size_t{1} << 50), plugin::Error);
}

}  // namespace
}  // namespace crossfold::bundled::tree
