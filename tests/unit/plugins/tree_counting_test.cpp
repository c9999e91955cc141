// Trees that count whole weights against trees that sort rows, columns ranked once against columns
// ranked for each fit, and flat trees against the trees they are made from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "tree/columns.h"
#include "tree/counted_rows.h"
#include "tree/counted_score.h"
#include "tree/flat_tree.h"
#include "tree/grow.h"
#include "tree/predict.h"
#include "tree/ranks.h"
#include "unit/plugins/bundled_plugins.h"

namespace crossfold::bundled::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// Rows of numbers with classes, or with a numeric target if `levels` is empty.
class Rows {
 public:
  std::vector<std::vector<double>> columns;
  std::vector<std::int32_t> labels;
  std::vector<double> values, weights;
  std::vector<std::int64_t> view;  // empty = all

  std::size_t size() const { return columns.front().size(); }

  const cf_table& Table() {
    c_columns_.clear();
    for (std::size_t j = 0; j < columns.size(); ++j) {
      cf_column column{};
      column.data = columns[j].data();
      column.name = "x";
      column.dtype = CF_F64;
      c_columns_.push_back(column);
    }
    target_ = cf_column{};
    target_.name = "y";
    target_.dtype = values.empty() ? CF_CAT32 : CF_F64;
    target_.data = values.empty() ? static_cast<const void*>(labels.data()) : values.data();
    target_.n_levels = values.empty() ? 1 + *std::max_element(labels.begin(), labels.end()) : 0;
    table_ = cf_table{};
    table_.struct_size = sizeof(cf_table);
    table_.n_rows_total = static_cast<std::int64_t>(size());
    table_.n_rows = view.empty() ? table_.n_rows_total : static_cast<std::int64_t>(view.size());
    table_.rows = view.empty() ? nullptr : view.data();
    table_.n_features = static_cast<std::int64_t>(columns.size());
    table_.features = c_columns_.data();
    table_.target = &target_;
    table_.weights = weights.empty() ? nullptr : weights.data();
    return table_;
  }
  TrainingColumns Columns(const PresortedColumns* presorted = nullptr) {
    return MakeTrainingColumns(plugin::TrainingView(Table()), presorted);
  }

 private:
  std::vector<cf_column> c_columns_;
  cf_column target_{};
  cf_table table_{};
};

// Columns of 2, 5, 40 and very many values, one mostly zeros, one constant and one that repeats
// another, so that features tie; 4 classes that depend on them, with noise.
Rows MixedRows(std::size_t n, std::uint64_t seed) {
  plugin::Random random(seed);
  Rows rows;
  rows.columns.resize(8);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> x = {static_cast<double>(random.Below(2)),
                                   static_cast<double>(random.Below(5)) - 2.0,
                                   static_cast<double>(random.Below(40)) / 8,
                                   std::round(random.Normal() * 1000) / 1000,
                                   random.Below(4) > 0 ? 0.0 : random.Normal(),
                                   random.Below(3) > 0 ? 0.5 : random.Uniform(),
                                   7.0};
    for (std::size_t j = 0; j < x.size(); ++j) rows.columns[j].push_back(x[j]);
    rows.columns[7].push_back(x[2]);
    const bool noise = random.Below(5) == 0;
    const int c = (x[2] > 2 ? 1 : 0) + (x[3] + x[4] > 0.2 ? 2 : 0);
    rows.labels.push_back(noise ? static_cast<std::int32_t>(random.Below(4)) : c);
  }
  return rows;
}

// Same nodes, splits and thresholds; weights and outputs of `b` times `scale` are those of `a`.
void ExpectSameTree(const Tree& a, const Tree& b, double scale) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const Node &x = a.nodes[i], &y = b.nodes[i];
    ASSERT_EQ(x.kind, y.kind) << i;
    ASSERT_EQ(x.feature, y.feature) << i;
    ASSERT_EQ(x.threshold, y.threshold) << i;
    ASSERT_EQ(x.first_child, y.first_child) << i;
    EXPECT_EQ(x.weight, y.weight * scale) << i;
    EXPECT_EQ(x.share, y.share) << i;
    EXPECT_NEAR(x.impurity, y.impurity, 1e-11) << i;
    EXPECT_NEAR(x.gain, y.gain, 1e-11) << i;
    EXPECT_NEAR(x.merit, y.merit, 1e-9) << i;
  }
  for (std::size_t i = 0; i < a.outputs.size(); ++i) {
    ASSERT_EQ(a.outputs[i], b.outputs[i] * scale) << i;
  }
}

// Halves of whole weights are not whole numbers, so rows are sorted; their sums are exact all the
// same, and all comparisons come out as with the whole weights.
void ExpectCountingIsSorting(Rows rows, GrowOptions options) {
  const TrainingColumns columns = rows.Columns();
  std::vector<double> halves = columns.weights;
  for (double& w : halves) w /= 2;
  ASSERT_TRUE(CountedRows::Make(columns, columns.weights).has_value());
  ASSERT_FALSE(CountedRows::Make(columns, halves).has_value());
  const Tree counted = Grow(options, columns, columns.weights);
  options.min_rows /= 2;
  options.min_leaf /= 2;
  const Tree sorted = Grow(options, columns, halves);
  EXPECT_GT(counted.nodes.size(), 20u);
  ExpectSameTree(counted, sorted, 2);
}

std::vector<GrowOptions> CountedOptions() {
  std::vector<GrowOptions> all(7);
  all[1].criterion = Criterion::kEntropy;
  all[2].criterion = Criterion::kGainRatio;
  all[3].min_leaf = 7;
  all[4].criterion = Criterion::kEntropy;
  all[4].features_per_node = 2;  // counted one column at a time
  all[4].ties_by_draw = true;
  all[4].seed = 5;
  all[5].features_per_node = 1;  // sorted at the node
  all[6].threshold = Threshold::kObserved;
  all[6].max_depth = 6;
  return all;
}

TEST(TreeCountingTest, CountedTreesAreThoseOfSortedRows) {
  for (const GrowOptions& options : CountedOptions()) {
    ExpectCountingIsSorting(MixedRows(1500, 1), options);
  }
}

TEST(TreeCountingTest, WholeWeightsAreCountedToo) {
  for (const GrowOptions& options : CountedOptions()) {
    Rows rows = MixedRows(900, 2);
    plugin::Random random(3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows.weights.push_back(static_cast<double>(random.Below(4)));
    }
    ExpectCountingIsSorting(rows, options);
  }
}

// As many classes as 1, 2, 3, 4 and more blocks of eight hold, and few rows for as many values.
TEST(TreeCountingTest, ManyClassesAreCountedToo) {
  for (const std::int32_t n_classes : {8, 9, 20, 32, 70}) {
    Rows rows = MixedRows(700, 20);
    rows.columns = {rows.columns[0], rows.columns[1], rows.columns[2], rows.columns[7]};
    plugin::Random random(21);
    for (std::int32_t& label : rows.labels) {
      label = (label * 5 + static_cast<std::int32_t>(random.Below(3))) * n_classes / 18;
    }
    rows.labels[0] = n_classes - 1;
    GrowOptions options;
    ExpectCountingIsSorting(rows, options);
    options.min_leaf = 3;
    ExpectCountingIsSorting(rows, options);
  }
}

// The most weight and classes that columns of few values are rated together for, and one more.
TEST(TreeCountingTest, AsMuchAsIsRatedTogetherIsCountedToo) {
  for (const double total : {32767.0, 32768.0}) {
    Rows rows = MixedRows(1500, 22);
    rows.weights.assign(rows.size(), 1);
    rows.weights[700] = total - 1499;
    ExpectCountingIsSorting(rows, {});
  }
  for (const std::size_t n_classes : {256u, 257u}) {
    Rows rows = MixedRows(1500, 23);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows.labels[i] = static_cast<std::int32_t>(i % n_classes);
    }
    ExpectCountingIsSorting(rows, {});
  }
}

TEST(TreeCountingTest, ALeafThatNeedsMoreThanAllRowsLeavesNoSplit) {
  const TrainingColumns columns = MixedRows(300, 24).Columns();
  GrowOptions options;
  options.min_leaf = 1e10;
  EXPECT_EQ(Grow(options, columns, columns.weights).nodes.size(), 1u);
}

TEST(TreeCountingTest, FractionsMissingEntriesAndNumbersAreNotCounted) {
  Rows rows = MixedRows(30, 4);
  std::vector<double> weights(30, 1.0);
  EXPECT_TRUE(CountedRows::Make(rows.Columns(), weights).has_value());
  weights[3] = 1.5;
  EXPECT_FALSE(CountedRows::Make(rows.Columns(), weights).has_value());
  weights[3] = WholeXLog2X::kLargest;  // and the other rows
  EXPECT_FALSE(CountedRows::Make(rows.Columns(), weights).has_value());
  Rows gaps = rows;
  gaps.columns[2][5] = kMissing;
  EXPECT_FALSE(CountedRows::Make(gaps.Columns(), std::vector<double>(30, 1.0)).has_value());
  rows.values = rows.columns[3];
  EXPECT_FALSE(CountedRows::Make(rows.Columns(), std::vector<double>(30, 1.0)).has_value());
}

// ---- scores ------------------------------------------------------------------------------------

class ScoreTest : public testing::Test {
 protected:
  static constexpr std::size_t kClasses = 5;

  // Calls compare(left, right) after each of many moves.
  template <class Score, class Compare>
  void MoveAll(Score& score, const Compare& compare) {
    std::vector<double> left(kClasses, 0.0), right(counts_.totals.begin(), counts_.totals.end());
    plugin::Random random(9);
    while (score.right_weight() > 1) {
      const std::size_t c = random.Below(kClasses);
      const auto n = std::min<std::uint32_t>(static_cast<std::uint32_t>(random.Below(9)),
                                             static_cast<std::uint32_t>(right[c]));
      if (n >= score.right_weight()) break;
      score.Move(c, n);
      left[c] += n;
      right[c] -= n;
      if (score.left_weight() > 0) compare(left, right);
    }
  }

  ClassCounts counts_{{200, 0, 31, 1, 77},
                      std::vector<std::uint32_t>(kClasses, 99),
                      std::vector<std::int64_t>(kClasses, 99)};
};

TEST_F(ScoreTest, CountedGiniHasTheBytesOfGini) {
  const GiniImpurity gini(309);
  CountedGini score(gini, counts_);
  MoveAll(score, [&](const std::vector<double>& left, const std::vector<double>& right) {
    EXPECT_EQ(score.Sum(), gini(left.data(), kClasses) + gini(right.data(), kClasses));
  });
}

TEST_F(ScoreTest, CountedEntropyIsEntropyAndForgetsItsPath) {
  const EntropyImpurity whole(309, true), plain(309);
  CountedEntropy score(whole, counts_);
  MoveAll(score, [&](const std::vector<double>& left, const std::vector<double>& right) {
    EXPECT_NEAR(score.Sum(), plain(left.data(), kClasses) + plain(right.data(), kClasses), 1e-10);
    EXPECT_NEAR(whole(left.data(), kClasses), plain(left.data(), kClasses), 1e-10);
    ClassCounts fresh = counts_;
    CountedEntropy at_once(whole, fresh);
    for (std::size_t c = 0; c < kClasses; ++c) {
      at_once.Move(c, static_cast<std::uint32_t>(left[c]));
    }
    EXPECT_EQ(score.Sum(), at_once.Sum());
  });
}

// ---- ranks -------------------------------------------------------------------------------------

TEST(RanksTest, EqualNumbersShareARank) {
  Ranker ranker;
  const Ranks ranks = ranker.Rank(std::vector<double>{3, -1.5, kMissing, 3, 0, -1.5});
  EXPECT_THAT(ranks.distinct, ElementsAre(-1.5, 0, 3));
  EXPECT_THAT(ranks.of_entry, ElementsAre(2, 0, kMissingRank, 2, 1, 0));
  EXPECT_THAT(SortedPlaces(ranks.of_entry, 3), ElementsAre(1, 5, 4, 0, 3));
}

TEST(RanksTest, FewAndManyValuesAreRankedAlike) {
  for (const std::uint64_t n_values : {3u, 256u, 257u, 4000u}) {
    plugin::Random random(n_values);
    std::vector<double> entries;
    for (int i = 0; i < 3000; ++i) {
      entries.push_back(i % 50 == 7 ? kMissing
                                    : static_cast<double>(random.Below(n_values)) * 0.37 - 20);
    }
    std::vector<double> expected;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(expected),
                 [](double x) { return !std::isnan(x); });
    std::sort(expected.begin(), expected.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    const Ranks ranks = Ranker().Rank(entries);
    EXPECT_THAT(ranks.distinct, ElementsAreArray(expected));
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (std::isnan(entries[i])) {
        EXPECT_EQ(ranks.of_entry[i], kMissingRank);
      } else {
        EXPECT_EQ(ranks.distinct[ranks.of_entry[i]], entries[i]);
      }
    }
  }
}

TEST(RanksTest, ValuesWithoutEntriesAreDropped) {
  Ranks ranks{{1, 2, 3, 4}, {3, kMissingRank, 1}};
  DropUnused(ranks);
  EXPECT_THAT(ranks.distinct, ElementsAre(2, 4));
  EXPECT_THAT(ranks.of_entry, ElementsAre(1, kMissingRank, 0));
}

// ---- columns ranked once -----------------------------------------------------------------------

void ExpectSameColumns(const TrainingColumns& a, const TrainingColumns& b) {
  EXPECT_EQ(a.view_rows, b.view_rows);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.has_missing, b.has_missing);
  EXPECT_EQ(a.narrow_columns, b.narrow_columns);
  EXPECT_EQ(a.narrow_ranks, b.narrow_ranks);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t j = 0; j < a.columns.size(); ++j) {
    EXPECT_EQ(a.columns[j].distinct, b.columns[j].distinct) << j;
    EXPECT_EQ(a.columns[j].ranks, b.columns[j].ranks) << j;
    EXPECT_EQ(a.columns[j].order, b.columns[j].order) << j;
    EXPECT_EQ(a.columns[j].has_missing, b.columns[j].has_missing) << j;
  }
}

TEST(PresortedColumnsTest, AViewHasTheColumnsThatRankingItGives) {
  Rows rows = MixedRows(400, 6);
  for (const bool with_gaps : {false, true}) {
    if (with_gaps) {
      for (std::size_t i = 3; i < 400; i += 17) rows.columns[i % 5][i] = kMissing;
    }
    rows.view.clear();
    const PresortedColumns presorted((plugin::FeatureView(rows.Table())));
    EXPECT_GT(presorted.Bytes(), 400u * 8 * 4);
    ExpectSameColumns(rows.Columns(&presorted), rows.Columns());
    plugin::Random random(8);
    for (const std::size_t n : {1u, 37u, 250u, 900u}) {  // some rows several times, in any order
      rows.view.clear();
      for (std::size_t i = 0; i < n; ++i) {
        rows.view.push_back(static_cast<std::int64_t>(random.Below(400)));
      }
      ExpectSameColumns(rows.Columns(&presorted), rows.Columns());
    }
  }
}

TEST(PresortedColumnsTest, OtherRowsThanThoseOfTheViewAreNotUsed) {
  Rows rows = MixedRows(50, 6);
  rows.view = {1, 3, 5, 7, 9};
  const PresortedColumns some((plugin::FeatureView(rows.Table())));
  rows.view = {1, 2, 3, 49};
  ExpectSameColumns(rows.Columns(&some), rows.Columns());
}

// ---- flat trees --------------------------------------------------------------------------------

TEST(FlatTreeTest, LeavesAndLabelsAreThoseOfTheTree) {
  Rows rows = MixedRows(800, 10);
  const TrainingColumns columns = rows.Columns();
  const std::vector<double> dense = RowMajor(columns);
  GrowOptions options;
  options.min_leaf = 4;
  const Tree grown = Grow(options, columns, columns.weights);
  for (const double laplace : {0.0, 1.0, 30.0}) {
    const FlatTree flat(grown, laplace);
    ASSERT_TRUE(flat.is_complete());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double* row = dense.data() + i * columns.num_features();
      EXPECT_EQ(flat.LeafOf(row), LeafOf(grown, row));
      std::vector<double> shares(4, 0.0);
      AddPrediction(grown, row, 1, laplace, shares);
      EXPECT_EQ(flat.LabelOf(row), std::max_element(shares.begin(), shares.end()) - shares.begin());
    }
  }
}

TEST(FlatTreeTest, LeavesOfRowsTogetherAreThoseOfEach) {
  constexpr std::size_t n = FlatTree::kTogether;
  Rows rows = MixedRows(50 * n, 11);
  const TrainingColumns columns = rows.Columns();
  const std::vector<double> dense = RowMajor(columns);
  const std::size_t width = columns.num_features();
  for (const std::int64_t max_depth : {0, 1, 30}) {
    GrowOptions options;
    options.max_depth = max_depth;
    const FlatTree flat(Grow(options, columns, columns.weights), 0);
    for (std::size_t first = 0; first < rows.size(); first += n) {
      const auto leaves = flat.LeavesOf(dense.data() + first * width, width);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_EQ(leaves[i], flat.LeafOf(dense.data() + (first + i) * width));
      }
    }
  }
}

TEST(FlatTreeTest, ATreeWithBranchesForLevelsIsNotFlat) {
  Tree tree;
  tree.n_classes = 2;
  tree.nodes.resize(3);
  tree.outputs.assign(6, 1.0);
  tree.nodes[0].kind = NodeKind::kMultiway;
  EXPECT_FALSE(FlatTree(tree, 0).is_complete());
}

}  // namespace
}  // namespace crossfold::bundled::tree
