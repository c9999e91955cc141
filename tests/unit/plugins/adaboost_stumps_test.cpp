// The stump finder of AdaBoost beside the trees of plugins/tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adaboost/boosting.h"
#include "adaboost/stump_finder.h"
#include "adaboost/stump_tree.h"
#include "adaboost/stump_walks.h"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/random.hpp"
#include "tree/attribute_lists.h"
#include "tree/columns.h"
#include "tree/grow.h"
#include "tree/ordered_rows.h"
#include "unit/plugins/random_tables.h"

namespace crossfold::bundled::adaboost {
namespace {

using ::testing::ElementsAre;

tree::TrainingColumn MakeColumn(const std::vector<double>& values) {
  tree::TrainingColumn column;
  column.distinct = values;
  std::sort(column.distinct.begin(), column.distinct.end());
  column.distinct.erase(std::unique(column.distinct.begin(), column.distinct.end()),
                        column.distinct.end());
  for (const double x : values) {
    const auto place = std::lower_bound(column.distinct.begin(), column.distinct.end(), x);
    column.ranks.push_back(static_cast<std::uint32_t>(place - column.distinct.begin()));
  }
  column.order.resize(values.size());
  std::iota(column.order.begin(), column.order.end(), 0u);
  std::stable_sort(column.order.begin(), column.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return column.ranks[a] < column.ranks[b];
  });
  return column;
}

tree::TrainingColumns MakeColumns(const std::vector<std::vector<double>>& columns,
                                  std::vector<std::int32_t> labels, std::size_t n_classes) {
  tree::TrainingColumns made;
  for (const auto& values : columns) made.columns.push_back(MakeColumn(values));
  made.view_rows.resize(labels.size());
  made.weights.assign(labels.size(), 1.0);
  made.n_classes = n_classes;
  made.labels = std::move(labels);
  return made;
}

void Normalise(std::vector<double>& weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
}

std::vector<double> EqualWeights(std::size_t n) {
  return std::vector<double>(n, 1.0 / static_cast<double>(n));
}

tree::Tree GrownStump(const tree::TrainingColumns& columns, const std::vector<double>& weights) {
  tree::GrowOptions options;
  options.criterion = tree::Criterion::kGini;
  options.nominal = tree::NominalSplit::kSubset;
  options.max_depth = 1;
  options.min_rows = options.min_leaf = 0;
  return tree::Grow(options, columns, weights);
}

tree::Tree FoundStump(StumpFinder& finder, const tree::TrainingColumns& columns,
                      const std::vector<double>& weights) {
  EXPECT_TRUE(finder.Weigh(weights));
  return StumpTree(finder, columns, finder.Best());
}

void ExpectSameTree(const tree::Tree& found, const tree::Tree& grown, const std::string& what) {
  ASSERT_EQ(found.nodes.size(), grown.nodes.size()) << what;
  EXPECT_EQ(found.nodes[0].feature, grown.nodes[0].feature) << what;
  EXPECT_EQ(found.nodes[0].threshold, grown.nodes[0].threshold) << what;
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    const tree::Node &f = found.nodes[i], &g = grown.nodes[i];
    EXPECT_EQ(f.kind, g.kind) << what;
    EXPECT_NEAR(f.weight, g.weight, 1e-12) << what;
    EXPECT_NEAR(f.share, g.share, 1e-12) << what;
    EXPECT_NEAR(f.impurity, g.impurity, 1e-11) << what;
    EXPECT_NEAR(f.gain, g.gain, 1e-12) << what;
    EXPECT_NEAR(f.merit, g.merit, 1e-12) << what;
  }
  for (std::size_t i = 0; i < found.outputs.size(); ++i) {
    EXPECT_NEAR(found.outputs[i], grown.outputs[i], 1e-12) << what;
  }
}

// One column each of: any number, few values, mostly zeros of both signs, two values, a constant.
tree::TrainingColumns RandomColumns(plugin::Random& random, std::size_t n, std::size_t n_classes) {
  std::vector<std::vector<double>> columns(5);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < n; ++i) {
    const auto label = static_cast<std::int32_t>(random.Below(n_classes));
    const double shift = label * 0.7;
    columns[0].push_back(random.Normal() + shift);
    columns[1].push_back(std::round(2 * random.Normal() + shift));
    columns[2].push_back(random.Uniform() < 0.75 ? 0.0 : std::round(10 * random.Normal() + shift));
    columns[3].push_back(random.Uniform() < 0.3 + 0.1 * shift ? 1 : 0);
    columns[4].push_back(3);
    labels.push_back(label);
  }
  return MakeColumns(columns, std::move(labels), n_classes);
}

TEST(StumpFinderTest, FindsTheStumpsOfTheTreesByRandomWeights) {
  plugin::Random random(1);
  for (const std::size_t n : {2u, 3u, 10u, 33u, 200u, 3000u}) {
    for (std::size_t n_classes = 2; n_classes <= 4; ++n_classes) {
      for (int trial = 0; trial < 20; ++trial) {
        const tree::TrainingColumns columns = RandomColumns(random, n, n_classes);
        std::vector<double> weights;
        for (std::size_t i = 0; i < n; ++i) weights.push_back(std::exp(2 * random.Normal()));
        Normalise(weights);
        StumpFinder finder(columns);
        ExpectSameTree(FoundStump(finder, columns, weights), GrownStump(columns, weights),
                       std::to_string(n) + " rows, " + std::to_string(n_classes) + " classes, " +
                           std::to_string(trial));
      }
    }
  }
}

// Equal weights make many splits equally good.
TEST(StumpFinderTest, FindsTheStumpsOfTheTreesByEqualWeights) {
  plugin::Random random(2);
  for (const std::size_t n : {2u, 4u, 8u, 16u, 100u}) {
    for (int trial = 0; trial < 100; ++trial) {
      const std::size_t n_classes = 2 + static_cast<std::size_t>(trial) % 2;
      const tree::TrainingColumns columns = RandomColumns(random, n, n_classes);
      StumpFinder finder(columns);
      ExpectSameTree(FoundStump(finder, columns, EqualWeights(n)),
                     GrownStump(columns, EqualWeights(n)),
                     std::to_string(n) + " rows, " + std::to_string(trial));
    }
  }
}

// Along 150 rounds of boosting, in which the weights come to differ by many powers of ten.
TEST(StumpFinderTest, FindsTheStumpsOfTheTreesInEveryRoundOfBoosting) {
  plugin::Random random(3);
  const tree::TrainingColumns columns = RandomColumns(random, 400, 2);
  StumpFinder finder(columns);
  std::vector<double> weights = EqualWeights(400);
  for (int round = 0; round < 150; ++round) {
    const tree::Tree found = FoundStump(finder, columns, weights);
    ExpectSameTree(found, GrownStump(columns, weights), "round " + std::to_string(round));
    const Stump stump = *AsStump(found);
    const tree::TrainingColumn& column = columns.columns[static_cast<std::size_t>(stump.feature)];
    std::vector<bool> wrong;
    double error = 0;
    for (std::size_t i = 0; i < 400; ++i) {
      const bool above = column.distinct[column.ranks[i]] > stump.threshold;
      wrong.push_back(stump.labels[above ? 1 : 0] != static_cast<std::size_t>(columns.labels[i]));
      if (wrong.back()) error += weights[i];
    }
    for (std::size_t i = 0; i < 400; ++i) {
      if (!wrong[i]) weights[i] *= error / (1 - error);
    }
    Normalise(weights);
  }
}

TEST(StumpFinderTest, EqualSplitsGoToTheEarlierFeatureThenToTheLowerThreshold) {
  // Both columns tell the first or the last row apart, in either direction.
  const tree::TrainingColumns columns =
      MakeColumns({{5, 5, 5, 5}, {4, 3, 2, 1}, {1, 2, 3, 4}}, {0, 1, 1, 0}, 2);
  StumpFinder finder(columns);
  const tree::Tree stump = FoundStump(finder, columns, EqualWeights(4));
  EXPECT_EQ(stump.nodes[0].feature, 1);
  EXPECT_EQ(stump.nodes[0].threshold, 1.5);
}

TEST(StumpFinderTest, TheMostFrequentValueIsNotWalked) {
  const tree::TrainingColumns columns =
      MakeColumns({{0, 7, 0, -1, 0, 7, 9}, {2, 2, 2, 2, 2, 2, 2}}, {0, 0, 0, 1, 1, 1, 1}, 2);
  const StumpWalks walks(columns, 2);
  EXPECT_THAT(std::vector<std::uint32_t>(walks.entries().begin(), walks.entries().end()),
              ElementsAre(3, 6, 1, 5));
  std::vector<std::uint32_t> cuts;  // after -1, below 9, below 7
  for (const StumpWalks::Run& run : walks.runs()) cuts.push_back(run.cut);
  EXPECT_THAT(cuts, ElementsAre(0, 2, 1));
  std::vector<std::size_t> ends;
  for (const StumpWalks::Walk& walk : walks.walks()) ends.push_back(walk.end_block);
  EXPECT_THAT(ends, ElementsAre(1, 2));
}

TEST(StumpFinderTest, ARowOfWeight0SetsNoThreshold) {
  const tree::TrainingColumns columns = MakeColumns({{1, 2, 5, 6}}, {0, 0, 1, 1}, 2);
  const std::vector<double> weights = {0.5, 0, 0, 0.5};
  StumpFinder finder(columns);
  const tree::Tree stump = FoundStump(finder, columns, weights);
  EXPECT_EQ(stump.nodes[0].threshold, 3.5);
  EXPECT_EQ(GrownStump(columns, weights).nodes[0].threshold, 3.5);
}

TEST(StumpFinderTest, NoSplitThatLowersTheImpurityIsALeaf) {
  const std::vector<std::vector<double>> exclusive_or = {{0, 0, 1, 1}, {0, 1, 0, 1}};
  for (const std::vector<std::int32_t>& labels :
       {std::vector<std::int32_t>{0, 1, 1, 0}, std::vector<std::int32_t>{1, 1, 1, 1}}) {
    const tree::TrainingColumns columns = MakeColumns(exclusive_or, labels, 2);
    StumpFinder finder(columns);
    EXPECT_EQ(FoundStump(finder, columns, EqualWeights(4)).nodes.size(), 1u);
  }
  const tree::TrainingColumns no_features = MakeColumns({}, {0, 1}, 2);
  StumpFinder finder(no_features);
  EXPECT_EQ(FoundStump(finder, no_features, EqualWeights(2)).nodes.size(), 1u);
}

TEST(StumpFinderTest, AClassThatIsTooLightIsLeftToTheTrees) {
  const tree::TrainingColumns columns = MakeColumns({{1, 2, 3}}, {0, 0, 1}, 2);
  StumpFinder finder(columns);
  EXPECT_FALSE(finder.Weigh(std::vector<double>{0.5, 0.5, 1e-12}));
  EXPECT_TRUE(finder.Weigh(std::vector<double>{0.5, 0.49, 0.01}));
}

TEST(StumpFinderTest, ServesOrderedColumnsWithoutMissingEntries) {
  tree::TrainingColumns columns = MakeColumns({{1, 2, 3}}, {0, 0, 1}, 2);
  EXPECT_TRUE(StumpFinder::Serves(columns));
  columns.columns[0].kind = tree::ColumnKind::kOrdinal;
  EXPECT_TRUE(StumpFinder::Serves(columns));
  columns.columns[0].kind = tree::ColumnKind::kNominal;
  EXPECT_FALSE(StumpFinder::Serves(columns));
  columns.columns[0].kind = tree::ColumnKind::kNumeric;
  columns.has_missing = true;
  EXPECT_FALSE(StumpFinder::Serves(columns));
}

TEST(StumpTreeTest, ThresholdsAreThoseOfTheTreesForNeighbouringAndLargeNumbers) {
  const double one = 1, above = std::nextafter(one, 2);
  for (const auto& [low, high] :
       {std::pair{one, above}, std::pair{-1.7e308, 1.7e308}, std::pair{1.6e308, 1.7e308}}) {
    const tree::TrainingColumns columns = MakeColumns({{low, high}}, {0, 1}, 2);
    StumpFinder finder(columns);
    EXPECT_EQ(FoundStump(finder, columns, EqualWeights(2)).nodes[0].threshold,
              GrownStump(columns, EqualWeights(2)).nodes[0].threshold);
  }
}

TEST(StumpTreeTest, DeeperTreesAreNoStumps) {
  const tree::TrainingColumns columns = MakeColumns({{1, 2, 3}}, {0, 1, 0}, 2);
  tree::GrowOptions options;
  options.min_rows = options.min_leaf = 0;
  options.max_depth = 2;
  EXPECT_EQ(AsStump(tree::Grow(options, columns, EqualWeights(3))), std::nullopt);
  options.max_depth = 0;
  EXPECT_THAT(AsStump(tree::Grow(options, columns, EqualWeights(3)))->labels, ElementsAre(0, 0));
}

// Boosting from lists in scratch memory against boosting in memory.
using tree::OneOf;

void DrawTable(tree::Table& table, plugin::Random& random) {
  const std::size_t n = 2 + random.Below(random.Below(3) == 0 ? 12 : 600);
  const bool only_numbers = random.Below(2) == 0;
  for (std::uint64_t j = random.Below(6) + 1; j > 0; --j) {
    if (!only_numbers) {
      tree::AddRandomColumn(table, n, random);
      continue;
    }
    const std::uint64_t kind = random.Below(6);
    std::vector<double> numbers(n);
    for (double& x : numbers) x = tree::Draw(random, kind);
    table.AddNumbers(std::move(numbers));
  }
  table.n_classes = OneOf<std::int64_t>(random, {2, 2, 3, 5});
  for (std::size_t i = 0; i < n; ++i) {
    const auto label = random.Below(static_cast<std::uint64_t>(table.n_classes));
    table.labels.push_back(static_cast<std::int32_t>(random.Below(3) > 0 ? 0 : label));
  }
  tree::DrawView(table, n, random);
  tree::DrawWeights(table, table.view.empty() ? n : table.view.size(), random);
}

void ExpectSame(const Boosted& a, const Boosted& b) {
  ASSERT_EQ(a.hypotheses.size(), b.hypotheses.size());
  EXPECT_EQ(a.priors, b.priors);
  EXPECT_EQ(a.stop, b.stop);
  for (std::size_t t = 0; t < a.hypotheses.size(); ++t) {
    ASSERT_EQ(tree::BytesOf(a.hypotheses[t].tree), tree::BytesOf(b.hypotheses[t].tree)) << t;
    EXPECT_EQ(a.hypotheses[t].error, b.hypotheses[t].error) << t;
    EXPECT_EQ(a.hypotheses[t].weight, b.hypotheses[t].weight) << t;
  }
}

TEST(AdaBoostListsTest, HypothesesHaveTheBytesOfThoseGrownInMemory) {
  cf_host host{};
  host.struct_size = sizeof(host);
  cf_call call{};
  call.struct_size = sizeof(call);
  call.host = &host;
  const plugin::Context context(call);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    plugin::Random random(trial);
    tree::Table table;
    DrawTable(table, random);
    BoostParams params;
    params.rounds = 8;
    params.max_depth = OneOf<std::int64_t>(random, {1, 1, 1, 3});
    params.algorithm = OneOf(random, {Algorithm::kM1, Algorithm::kSamme});
    const plugin::TrainingView view = table.View();
    const tree::OrderedRows rows(view);
    ExpectSame(Boost(params, tree::MakeTrainingColumns(view), context),
               BoostByLists(params, rows, tree::AttributeLists(rows, nullptr), context));
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace crossfold::bundled::adaboost
