// The laws of decision_tree's capabilities, for every kind of tree.
#include <gtest/gtest.h>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/decision_tree_fixture.h"

namespace crossfold {
namespace {

RowIds EveryThird(const DataPtr& data) {
  return FoldRows(RowRange(0, data->num_rows()), 3, 0, false);
}

// Settings that use every kind of node, criterion and pruning.
const std::vector<ParamValues> kTreeSettings = {
    {},
    kC45,
    {{"nominal_split", std::string("subset")}, {"laplace", 1.0}},
    {{"splits", std::string("oblique")}, {"max_depth", 3}},
    {{"criterion", std::string("random")}},
    {{"criterion", std::string("least_values")}, {"chi_squared_p", 0.1}},
    {{"criterion", std::string("most_values")}},
    {{"features_per_node", 2}},
    {{"pruning", std::string("reduced_error")}},
    {{"pruning", std::string("cost_complexity")}, {"ccp_alpha", 0.01}}};

TEST(DecisionTreeLawsTest, ProbabilitiesAreProbabilities) {
  for (const ParamValues& values : kTreeSettings) {
    const DataPtr data = Penguins();
    ExpectProbaLaw("decision_tree", values, RowsOf(data, EveryThird(data)), AllRows(data));
  }
}

TEST(DecisionTreeLawsTest, ASavedTreePredictsTheSameBytes) {
  for (const ParamValues& values : kTreeSettings) {
    const DataPtr data = Penguins();
    ExpectSaveLoadLaw("decision_tree", values, RowsOf(data, EveryThird(data)), AllRows(data));
  }
  ExpectSaveLoadLaw("decision_tree", {{"max_depth", 4}}, AllRows(Diabetes()), AllRows(Diabetes()));
}

TEST(DecisionTreeLawsTest, OneFitServesAllDepths) {
  const std::vector<Value> depths = {std::int64_t{3}, std::int64_t{0}, std::int64_t{1},
                                     std::int64_t{7}};
  for (const ParamValues& values : kTreeSettings) {
    const DataPtr data = Penguins();
    ExpectFitPathLaw("decision_tree", values, "max_depth", depths, RowsOf(data, EveryThird(data)),
                     AllRows(data));
  }
  ExpectFitPathLaw("decision_tree", {}, "max_depth", depths, AllRows(Diabetes()),
                   AllRows(Diabetes()));
}

TEST(DecisionTreeLawsTest, OneFitServesAllAlphas) {
  const std::vector<Value> alphas = {0.02, 0.0, 0.001, 0.3};
  const ParamValues pruned = {{"pruning", std::string("cost_complexity")}};
  for (const ParamValues& values : {pruned, With(pruned, {{"features_per_node", 1}})}) {
    const DataPtr data = Penguins();
    ExpectFitPathLaw("decision_tree", values, "ccp_alpha", alphas, RowsOf(data, EveryThird(data)),
                     AllRows(data));
  }
  const std::vector<Value> large = {50.0, 0.0, 400.0};
  ExpectFitPathLaw("decision_tree", pruned, "ccp_alpha", large, AllRows(Diabetes()),
                   AllRows(Diabetes()));
}

TEST(DecisionTreeLawsTest, PresortedColumnsChangeNothing) {
  for (const ParamValues& values : kTreeSettings) {
    const DataPtr data = Penguins();
    ExpectPrepareLaw("decision_tree", values, AllRows(data), RowsOf(data, EveryThird(data)),
                     AllRows(data));
    ExpectPreparedPathLaw("decision_tree", values, "max_depth", {std::int64_t{2}, std::int64_t{5}},
                          AllRows(data), RowsOf(data, EveryThird(data)), AllRows(data));
  }
  const DataPtr cancer = ReadTestData("breast_cancer.csv", "class");
  ExpectPrepareLaw("decision_tree", {}, AllRows(cancer), RowsOf(cancer, EveryThird(cancer)),
                   AllRows(cancer));
  ExpectPrepareLaw("decision_tree", {}, AllRows(Diabetes()),
                   RowsOf(Diabetes(), EveryThird(Diabetes())), AllRows(Diabetes()));
  const DataPtr digits = ReadDigits();
  for (const char* criterion : {"gini", "entropy"}) {
    ExpectPreparedPathLaw("decision_tree",
                          {{"criterion", std::string(criterion)}, {"min_leaf", 2.0}}, "max_depth",
                          {std::int64_t{12}, std::int64_t{2}, std::int64_t{30}}, AllRows(digits),
                          RowsOf(digits, EveryThird(digits)), AllRows(digits));
  }
  // Rows that are there several times, in any order.
  const RowIds repeated = {77, 3, 3, 120, 9, 77, 77, 40, 60, 140, 100, 101, 102, 0, 149};
  ExpectPrepareLaw("decision_tree", {}, AllRows(Iris()), RowsOf(Iris(), repeated), AllRows(Iris()));
}

TEST(DecisionTreeLawsTest, AWeightIsANumberOfRows) {
  for (const ParamValues& values : kTreeSettings) {
    if (values.count("pruning") != 0 &&
        values.at("pruning") == Value(std::string("reduced_error"))) {
      continue;  // draws rows, whatever their weight
    }
    const DataPtr data = Penguins();
    ExpectWeightsAreRepetitions("decision_tree", values, AllRows(data),
                                SomeWeights(data->num_rows()), AllRows(data), 1e-9);
  }
  ExpectWeightsAreRepetitions("decision_tree", {{"max_depth", 4}}, AllRows(Diabetes()),
                              SomeWeights(442), AllRows(Diabetes()), 1e-9);
}

TEST(DecisionTreeLawsTest, TheOrderOfTheRowsDoesNotMatter) {
  for (const ParamValues& values : kTreeSettings) {
    ExpectRowOrderDoesNotMatter("decision_tree", values, AllRows(Penguins()), AllRows(Penguins()));
  }
  ExpectRowOrderDoesNotMatter("decision_tree", {}, AllRows(Diabetes()), AllRows(Diabetes()));
}

TEST(DecisionTreeLawsTest, ImportanceFollowsTheColumns) {
  // Without ties among features: those go to the earlier one.
  ExpectImportanceLaw("decision_tree", {{"max_depth", 2}, {"criterion", std::string("entropy")}},
                      AllRows(ReadTestData("wine.csv", "class")), 1e-12);
}

}  // namespace
}  // namespace crossfold
