// Numbers are those of reference_bayes_net.py. The same trees, up to the choice of the root, come
// from Weka 3.6.14: java -cp weka.jar weka.classifiers.bayes.BayesNet -t FILE.arff -no-cv
//   -Q weka.classifiers.bayes.net.search.local.TAN -- -S ENTROPY
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/capability_laws.h"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The rows of house_votes_84.csv without missing entries, and all of them.
struct Votes {
  Votes() : all(ReadTestData("house_votes_84.csv", "Class")) {
    std::ifstream in(std::filesystem::path(CROSSFOLD_TEST_DATA) / "house_votes_84.csv");
    std::string line;
    std::getline(in, line);
    for (std::int64_t i = 0; std::getline(in, line); ++i) {
      if (line.find('?') == std::string::npos) complete.push_back(i);
    }
  }
  DataPtr all;
  RowIds complete;
};

TEST(BayesNetTest, TheTreeOfTheWeather) {
  EXPECT_EQ(ExportedText("bayes_net", {}, AllRows(Weather())),
            "P(no) = 0.375\nP(yes) = 0.625\n"
            "outlook <- class\ntemperature <- class, outlook\nhumidity <- class, temperature\n"
            "windy <- class, outlook\n");
}

TEST(BayesNetTest, TheProbabilitiesOfTheWeather) {
  const DataPtr data = Weather();
  const auto p = FitPredict("bayes_net", {}, AllRows(data), AllRows(data)).probabilities;
  EXPECT_NEAR(p.at(0), 0.84375, 1e-14);
  EXPECT_NEAR(p.at(2), 0.782608695652174, 1e-14);
  EXPECT_NEAR(p.at(4), 0.17355371900826447, 1e-14);
  EXPECT_NEAR(p.at(10), 0.7168141592920353, 1e-14);
}

TEST(BayesNetTest, TheVotes) {
  const Votes votes;
  ASSERT_EQ(votes.complete.size(), 232u);
  const DataView rows = RowsOf(votes.all, votes.complete);
  const Prediction p = FitPredict("bayes_net", {}, rows, rows);
  EXPECT_EQ(CountCorrect(*votes.all, p), 224);
  EXPECT_NEAR(p.probabilities.at(0), 0.9947028879495567, 1e-12);
  EXPECT_NEAR(p.probabilities.at(2), 0.0009620896458739634, 1e-12);
  EXPECT_NEAR(p.probabilities.at(14), 9.071300642644465e-05, 1e-12);
  double sum = 0;
  for (std::size_t i = 0; i < p.probabilities.size(); i += 2) sum += p.probabilities[i];
  EXPECT_NEAR(sum, 120.3322630606564, 1e-9);
  const std::string tree = ExportedText("bayes_net", {}, rows);
  EXPECT_THAT(tree, HasSubstr("V1 <- class\nV2 <- class, V13\nV3 <- class, V8\n"));
  EXPECT_THAT(tree, HasSubstr("V12 <- class, V1\nV13 <- class, V6\nV14 <- class, V6\n"));
}

TEST(BayesNetTest, TheNaiveStructureWithoutSmoothingIsNaiveBayes) {
  const DataPtr data = ReadTestData("house_votes_84.csv", "Class");  // with missing entries
  const auto net = FitPredict("bayes_net", {{"structure", std::string("naive")}, {"laplace", 0.0}},
                              AllRows(data), AllRows(data));
  const auto naive = FitPredict("naive_bayes", {{"laplace", 0.0}}, AllRows(data), AllRows(data));
  for (std::size_t i = 0; i < net.probabilities.size(); ++i) {
    EXPECT_NEAR(net.probabilities[i], naive.probabilities[i], 1e-12);
  }
}

TEST(BayesNetTest, TiesOfTheTreeGoToTheLowerFeatures) {
  // Equal columns: every pair tells the same, so every feature hangs on the first.
  const DataPtr data = ParseTable("f,g,h,y\nu,u,u,a\nv,v,v,a\nu,u,u,b\nv,v,v,b\n", "y");
  EXPECT_THAT(ExportedText("bayes_net", {}, AllRows(data)),
              HasSubstr("f <- class\ng <- class, f\nh <- class, f\n"));
}

// A column is predicted by the others as well as by its copies, up to the order in which the terms
// are summed, which the renamed levels change.
TEST(BayesNetTest, RenamedLevelsLeaveTheTreeAsItIs) {
  plugin::Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Column> columns, renamed;
    std::vector<std::int32_t> any, target;
    for (int i = 0; i < 60; ++i) {
      any.push_back(static_cast<std::int32_t>(random.Below(7)));
      target.push_back(static_cast<std::int32_t>(random.Below(3)));
    }
    const std::vector<std::string> levels = {"a", "b", "c", "d", "e", "f", "g"};
    for (const std::string name : {"v", "w", "x", "z"}) {
      columns.push_back(Column::Categories(name, any, levels));
      std::vector<std::int32_t> codes = any;
      if (name != "v") {
        for (std::int32_t& code : codes) code = (5 * code + static_cast<std::int32_t>(name[0])) % 7;
      }
      renamed.push_back(Column::Categories(name, codes, levels));
    }
    for (std::vector<Column>* table : {&columns, &renamed}) {
      table->push_back(Column::Categories("y", target, {"a", "b", "c"}));
    }
    EXPECT_EQ(
        ExportedText("bayes_net", {}, AllRows(Dataset::Create("t", columns, TargetRole("y")))),
        ExportedText("bayes_net", {}, AllRows(Dataset::Create("t", renamed, TargetRole("y")))));
  }
}

TEST(BayesNetTest, AMissingParentLeavesTheClassAsTheOnlyParent) {
  // Of g given the class: a 2/4, b 1/4 without smoothing; priors are even.
  const DataPtr data = ParseTable(
      "f,g,y\nu,s,a\nu,s,a\nv,t,a\nv,t,a\nu,s,b\nv,t,b\nv,t,b\nv,t,b\n?,s,a\n?,?,a\n", "y");
  const Prediction p = FitPredict("bayes_net", {{"laplace", 0.0}}, RowsOf(data, RowRange(0, 8)),
                                  RowsOf(data, {8, 9}));
  EXPECT_THAT(p.probabilities, ElementsAre(DoubleNear(2.0 / 3, 1e-15), DoubleNear(1.0 / 3, 1e-15),
                                           DoubleNear(0.5, 1e-15), DoubleNear(0.5, 1e-15)));
}

TEST(BayesNetTest, AClassThatTheTrainingRowsLackGetsZero) {
  const DataPtr data = ParseTable("f,y\nu,a\nv,b\nu,c\n", "y");
  EXPECT_EQ(
      FitPredict("bayes_net", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})).probabilities.at(2),
      0.0);
}

TEST(BayesNetTest, TheDrawingEscapesNames) {
  const DataPtr data = Dataset::Create(
      "table",
      {Column::Categories("say \"f\"", {0, 1}, {"u", "v"}), Column::Booleans("g", {true, false}),
       Column::Categories("y", {0, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_EQ(ExportedText("bayes_net", {}, AllRows(data), "dot"),
            "digraph bayes_net {\n  class [shape=box];\n"
            "  f0 [label=\"say \\\"f\\\"\"];\n  class -> f0;\n"
            "  f1 [label=\"g\"];\n  class -> f1;\n  f0 -> f1;\n}\n");
}

TEST(BayesNetTest, NumericFeaturesAreRefused) {
  const DataPtr data = ParseTable("f,x,y\nu,1,a\nv,2,b\n", "y");
  EXPECT_EQ(FailureOf("bayes_net", {}, AllRows(data), AllRows(data)),
            "cannot fit 'bayes_net' on dataset 'table': feature 'x' is numeric; put a discretizing "
            "transform before bayes_net");
}

TEST(BayesNetTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("f,w,y\nu,0,a\nv,0,a\nu,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("bayes_net", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'bayes_net' on dataset 'table': the training rows have a total weight of "
            "0");
}

TEST(BayesNetTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr data = ReadTestData("house_votes_84.csv", "Class");
  const DataView train = RowsOf(data, RowRange(100, 435));
  for (const double laplace : {0.0, 1.0}) {
    const ParamValues params = {{"laplace", laplace}};
    ExpectProbaLaw("bayes_net", params, train, AllRows(data));
    ExpectSaveLoadLaw("bayes_net", params, train, AllRows(data));
    ExpectRowOrderDoesNotMatter("bayes_net", params, train, AllRows(data));
    ExpectWeightsAreRepetitions("bayes_net", params, train, SomeWeights(335), AllRows(data), 0);
  }
}

}  // namespace
}  // namespace crossfold
