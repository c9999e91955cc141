// What AdaBoost shares between folds and settings: see capability_laws.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

const std::vector<Value> kRounds = {std::int64_t{5}, std::int64_t{60}, std::int64_t{1}};

// Columns of any numbers, of few values, mostly of zeros, of truth values and of one value, with
// weights of which some are 0. `missing`: the share of the first column's entries.
DataPtr ManyKinds(std::size_t n, std::int32_t n_classes, double missing = 0) {
  plugin::Random random(11);
  std::vector<double> any, few, sparse, constant(n, 2.5), weights;
  std::vector<bool> truth;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < n; ++i) {
    labels.push_back(
        static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(n_classes))));
    const double shift = labels.back();
    any.push_back(random.Uniform() < missing ? kMissing : random.Normal() + shift);
    few.push_back(std::round(random.Normal() + shift));
    sparse.push_back(random.Uniform() < 0.8 ? 0 : random.Normal() - shift);
    truth.push_back(random.Uniform() < 0.2 + 0.2 * shift);
    weights.push_back(static_cast<double>(random.Below(4)) / 2);
  }
  std::vector<std::string> classes;
  for (std::int32_t c = 0; c < n_classes; ++c) classes.push_back("class " + std::to_string(c));
  return Dataset::Create(
      "table",
      {Column::Doubles("any", any), Column::Doubles("few", few), Column::Doubles("sparse", sparse),
       Column::Booleans("truth", truth), Column::Doubles("constant", constant),
       Column::Doubles("w", weights), Column::Categories("y", labels, classes)},
      TargetRole("y", "w"));
}

// Rows of some folds, some of them twice and not in order.
RowIds SomeRows(std::int64_t n) {
  RowIds rows = FoldRows(RowRange(0, n), 4, 1, false);
  const RowIds again = FoldRows(RowRange(0, n), 3, 0, true);
  rows.insert(rows.begin(), again.rbegin(), again.rend());
  return rows;
}

void ExpectEveryRouteIsTheSame(const ParamValues& params, const DataPtr& data) {
  const DataView all = AllRows(data);
  for (const DataView& train : {all, RowsOf(data, SomeRows(data->num_rows()))}) {
    ExpectPrepareLaw("adaboost", params, all, train, all);
    ExpectFitPathLaw("adaboost", params, "rounds", kRounds, train, all);
    ExpectPreparedPathLaw("adaboost", params, "rounds", kRounds, all, train, all);
  }
}

TEST(AdaBoostLawsTest, EveryRouteIsTheSameForStumps) {
  for (const std::string algorithm : {"m1", "samme"}) {
    const ParamValues params = {{"rounds", 30}, {"algorithm", algorithm}};
    ExpectEveryRouteIsTheSame(params, ManyKinds(300, 2));
    ExpectEveryRouteIsTheSame(params, ManyKinds(300, 4));
  }
  const ParamValues slow = {{"rounds", 30}, {"learning_rate", 0.3}};
  ExpectEveryRouteIsTheSame(slow, ReadTestData("breast_cancer.csv", "class"));
  ExpectEveryRouteIsTheSame(slow, ReadTestData("iris.csv", "class"));
}

TEST(AdaBoostLawsTest, EveryRouteIsTheSameForDeeperTreesAndOtherColumns) {
  ExpectEveryRouteIsTheSame({{"rounds", 10}, {"max_depth", 3}}, ManyKinds(300, 3));
  ExpectEveryRouteIsTheSame({{"rounds", 10}}, ManyKinds(300, 2, 0.1));
  ExpectEveryRouteIsTheSame({{"rounds", 10}}, ReadTestData("house_votes_84.csv", "Class"));
  ExpectEveryRouteIsTheSame({{"rounds", 10}}, ReadTestData("weather_nominal.csv", "play"));
}

TEST(AdaBoostLawsTest, PreparedColumnsMayHoldMoreThanTrainingTakes) {
  // Row 3 is refused in training; the others are fitted from what was prepared with it.
  const double kInfinity = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create("table",
                                       {Column::Doubles("x", {1, 2, 3, kInfinity, 0}),
                                        Column::Categories("y", {0, 1, 0, 1, 1}, {"a", "b"})},
                                       TargetRole("y"));
  const DataView finite = RowsOf(data, {0, 1, 2, 4});
  ExpectPrepareLaw("adaboost", {}, AllRows(data), finite, finite);
}

TEST(AdaBoostLawsTest, StumpsKeepTheLawsOfModels) {
  for (const std::int32_t n_classes : {2, 3}) {
    const DataPtr data = ManyKinds(200, n_classes);
    const DataView train = RowsOf(data, SomeRows(200));
    ExpectProbaLaw("adaboost", {}, train, AllRows(data));
    ExpectSaveLoadLaw("adaboost", {}, train, AllRows(data));
    ExpectRowOrderDoesNotMatter("adaboost", {}, RowsOf(data, RowRange(0, 150)), AllRows(data));
    ExpectWeightsAreRepetitions("adaboost", {{"rounds", 8}}, AllRows(data), SomeWeights(200),
                                AllRows(data), 1e-12);
  }
}

// The share of their class is 9 * (1 / 9) one after the other, which rounds to more than 1.
TEST(AdaBoostLawsTest, NineRowsOfOneClassCanBeSaved) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,a\n3,a\n4,a\n5,a\n6,a\n7,a\n8,a\n9,a\n0,b\n", "y");
  ExpectSaveLoadLaw("adaboost", {}, RowsOf(data, RowRange(0, 9)), AllRows(data));
}

// A nominal feature of one level says nothing, but leaves the stumps to plugins/tree.
TEST(AdaBoostLawsTest, BothWaysToFindStumpsBoostAlike) {
  for (const std::string file : {"breast_cancer.csv", "wine.csv", "iris.csv"}) {
    const DataPtr data = ReadTestData(file, "class");
    std::vector<Column> columns(data->columns().begin(), data->columns().end());
    const std::vector<std::int32_t> same(static_cast<std::size_t>(data->num_rows()), 0);
    columns.push_back(Column::Categories("same", same, {"level"}));
    const DataPtr with_nominal = Dataset::Create("table", columns, TargetRole("class"));
    const ParamValues params = {{"rounds", 100}};
    const Prediction by_finder = FitPredict("adaboost", params, AllRows(data), AllRows(data));
    const Prediction by_trees =
        FitPredict("adaboost", params, AllRows(with_nominal), AllRows(with_nominal));
    EXPECT_TRUE(
        laws::SameNumbers("probabilities", by_finder.probabilities, by_trees.probabilities, 1e-9))
        << file;
  }
}

TEST(AdaBoostLawsTest, TheSeedDoesNotMatter) {
  const auto spec = laws::LearnerSpec("adaboost", {{"max_depth", 2}});
  const DataPtr data = ManyKinds(200, 3, 0.1);
  const RowTable rows = RowTable::ForTraining(*data, nullptr);
  EXPECT_NE(spec->component().determinism & CF_DET_UNSEEDED, 0u);
  EXPECT_EQ(laws::Save(*spec, laws::Fit(*spec, rows.get(), 1).get()),
            laws::Save(*spec, laws::Fit(*spec, rows.get(), 2).get()));
}

// Stumps ask many rows at a time, but a row with a missing entry alone.
TEST(AdaBoostLawsTest, ARowsPredictionDoesNotDependOnItsNeighbours) {
  for (const std::int32_t n_classes : {2, 4}) {
    const DataPtr complete = ManyKinds(200, n_classes),
                  some_missing = ManyKinds(200, n_classes, 0.2);
    const auto model =
        FittedModel::Fit(BundledLearner("adaboost", {{"rounds", 40}}), AllRows(complete), 1, {});
    const Prediction together = model->Predict(AllRows(some_missing), {});
    for (std::int64_t i = 0; i < 200; ++i) {
      const Prediction alone = model->Predict(RowsOf(some_missing, {i}), {});
      for (std::int64_t c = 0; c < n_classes; ++c) {
        EXPECT_EQ(together.probabilities[static_cast<std::size_t>(i * n_classes + c)],
                  alone.probabilities[static_cast<std::size_t>(c)]);
      }
    }
  }
}

// x <= 1.5 says a. A missing entry goes down both branches: 3 of 5 rows say b.
TEST(AdaBoostLawsTest, AStumpAsksBothBranchesAboutAMissingEntry) {
  const DataPtr data = ParseTable("x,y\n1,a\n1,a\n2,b\n2,b\n2,b\n?,b\n", "y");
  const Prediction p =
      FitPredict("adaboost", {{"rounds", 1}}, RowsOf(data, RowRange(0, 5)), AllRows(data));
  EXPECT_THAT(p.labels, ::testing::ElementsAre(0, 0, 1, 1, 1, 1));
}

// A class that weighs next to nothing is distinguished by the trees of plugins/tree.
TEST(AdaBoostLawsTest, AClassOfTinyWeightIsStillFound) {
  const DataPtr data = ParseTable("x,w,y\n1,1,a\n2,1,a\n3,1e-13,b\n4,1e-13,b\n", "y", "w");
  EXPECT_THAT(FitPredict("adaboost", {}, AllRows(data), AllRows(data)).labels,
              ::testing::ElementsAre(0, 0, 1, 1));
}

}  // namespace
}  // namespace crossfold
