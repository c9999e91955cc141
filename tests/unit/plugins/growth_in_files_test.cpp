// Learners whose trees are grown from lists in files (growth = sliq) save the bytes of those grown
// in memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/plugins/component_calls.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

// `growth`: memory or sliq.
laws::Bytes ModelBytes(const std::string& learner, ParamValues values, const DataPtr& data,
                       const std::string& growth) {
  values["growth"] = growth;
  const laws::SpecPtr spec = laws::LearnerSpec(learner, values);
  return laws::Save(*spec, laws::Fit(*spec, AllRows(data)).get());
}

void ExpectSameModel(const std::string& learner, const ParamValues& values, const DataPtr& data) {
  const laws::Bytes expected = ModelBytes(learner, values, data, "memory");
  EXPECT_GT(expected.size(), 500u);
  EXPECT_TRUE(ModelBytes(learner, values, data, "sliq") == expected);
}

TEST(GrowthInFilesTest, ADecisionTreeIsTheSame) {
  const std::vector<ParamValues> settings = {
      {},
      {{"criterion", std::string("gain_ratio")}, {"pruning", std::string("error_based")}},
      {{"criterion", std::string("entropy")}, {"nominal_split", std::string("subset")}},
      {{"pruning", std::string("pessimistic")}},
      {{"pruning", std::string("cost_complexity")}, {"ccp_alpha", 0.01}},
      {{"features_per_node", 2}, {"ties", std::string("random")}}};
  for (const ParamValues& values : settings) {
    ExpectSameModel("decision_tree", values, ReadTestData("wine.csv", "class"));
    ExpectSameModel("decision_tree", values, ReadTestData("weather_nominal.csv", "play"));
  }
}

TEST(GrowthInFilesTest, ARandomForestIsTheSame) {
  const DataPtr wine = ReadTestData("wine.csv", "class");
  ExpectSameModel("random_forest", {{"trees", 4}}, wine);
  ExpectSameModel("random_forest", {{"trees", 2}, {"features_per_node", 0}}, wine);
  ExpectSameModel("random_forest", {{"trees", 2}, {"bootstrap", false}}, wine);
}

TEST(GrowthInFilesTest, BoostedStumpsAndTreesAreTheSame) {
  for (const char* const file : {"iris.csv", "wine.csv", "breast_cancer.csv"}) {
    const DataPtr data = ReadTestData(file, "class");
    ExpectSameModel("adaboost", {{"rounds", 12}}, data);
    ExpectSameModel("adaboost", {{"rounds", 12}, {"algorithm", std::string("m1")}}, data);
    ExpectSameModel("adaboost", {{"rounds", 4}, {"max_depth", 3}}, data);
  }
  ExpectSameModel("adaboost", {{"rounds", 5}}, Weather());
}

}  // namespace
}  // namespace crossfold
