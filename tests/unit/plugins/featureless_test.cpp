#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;

Prediction Featureless(const DataView& train, const DataView& test) {
  return FitPredict("featureless", {}, train, test);
}

TEST(FeaturelessTest, PredictsTheClassSharesOfTheTrainingRows) {
  const DataPtr weather = ReadTestData("weather_nominal.csv", "play");  // 5 no, 9 yes
  const Prediction p = Featureless(AllRows(weather), RowsOf(weather, {3, 0}));
  EXPECT_THAT(p.probabilities, ElementsAre(5.0 / 14, 9.0 / 14, 5.0 / 14, 9.0 / 14));
  EXPECT_THAT(p.labels, ElementsAre(1, 1));
}

TEST(FeaturelessTest, TiesGoToTheLowerClassIndex) {
  const DataPtr data = ParseTable("x,y\n1,b\n2,a\n3,b\n4,a\n", "y");
  EXPECT_THAT(Featureless(AllRows(data), AllRows(data)).labels, Each(0));
}

TEST(FeaturelessTest, AClassThatTheTrainingRowsLackGetsZero) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,c\n4,c\n", "y");
  const Prediction p = Featureless(RowsOf(data, {0, 2, 3}), RowsOf(data, {1}));
  EXPECT_THAT(p.probabilities, ElementsAre(1.0 / 3, 0.0, 2.0 / 3));
}

TEST(FeaturelessTest, WeightsDecideTheMajority) {
  const DataPtr data = ParseTable("x,w,y\n1,1,a\n2,1,a\n3,2.5,b\n", "y", "w");
  const Prediction p = Featureless(AllRows(data), RowsOf(data, {0}));
  EXPECT_THAT(p.labels, ElementsAre(1));
  EXPECT_THAT(p.probabilities, ElementsAre(2 / 4.5, 2.5 / 4.5));
}

TEST(FeaturelessTest, RegressionPredictsTheMean) {
  const DataPtr data = ParseTable("x,y\n1,2\n2,3\n3,10\n", "y");
  EXPECT_THAT(Featureless(AllRows(data), RowsOf(data, {0, 2})).values, ElementsAre(5.0, 5.0));
}

TEST(FeaturelessTest, RegressionPredictsTheWeightedMean) {
  const DataPtr data = ParseTable("x,w,y\n1,1,2\n2,0,1000\n3,3,10\n", "y", "w");
  EXPECT_THAT(Featureless(AllRows(data), RowsOf(data, {1})).values, ElementsAre(8.0));
}

TEST(FeaturelessTest, TheMeanOfEqualTargetsIsThatTarget) {
  // Ten times 0.1, added up and divided by 10, is 0.09999999999999999.
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("y", std::vector<double>(10, 0.1))}, TargetRole("y"));
  EXPECT_THAT(Featureless(AllRows(data), RowsOf(data, {0})).values, ElementsAre(0.1));
}

TEST(FeaturelessTest, NeedsNoFeaturesAndBearsMissingOnes) {
  const DataPtr none = ParseTable("y\na\nb\nb\n", "y");
  EXPECT_THAT(Featureless(AllRows(none), AllRows(none)).labels, Each(1));
  const DataPtr votes = ReadTestData("house_votes_84.csv", "Class");
  EXPECT_THAT(Featureless(AllRows(votes), RowsOf(votes, {0})).probabilities,
              ElementsAre(DoubleEq(267.0 / 435), DoubleEq(168.0 / 435)));
}

TEST(FeaturelessTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,a\n3,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("featureless", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'featureless' on dataset 'table': the training rows have a total weight "
            "of 0");
}

TEST(FeaturelessTest, KeepsTheLawsOfItsCapabilities) {
  const DataPtr iris = ReadTestData("iris.csv", "class");
  const DataView train = RowsOf(iris, RowRange(30, 120)), test = AllRows(iris);
  ExpectProbaLaw("featureless", {}, train, test);
  ExpectSaveLoadLaw("featureless", {}, train, test);
  ExpectWeightsAreRepetitions("featureless", {}, train, SomeWeights(90), test, 0);
  ExpectRowOrderDoesNotMatter("featureless", {}, train, test);
}

TEST(FeaturelessTest, KeepsTheLawsOfItsCapabilitiesInRegression) {
  const DataPtr diabetes = ReadTestData("diabetes_regr.csv", "target");
  const DataView train = RowsOf(diabetes, RowRange(0, 200)), test = AllRows(diabetes);
  ExpectSaveLoadLaw("featureless", {}, train, test);
  ExpectWeightsAreRepetitions("featureless", {}, train, SomeWeights(200), test, 1e-15);
  ExpectRowOrderDoesNotMatter("featureless", {}, train, test, 1e-15);
}

// ---- strategies --------------------------------------------------------------------------------

ParamValues Strategy(const std::string& name) { return {{"strategy", name}}; }
ParamValues Constant(const std::string& value) {
  return {{"strategy", std::string("constant")}, {"constant", value}};
}

TEST(FeaturelessTest, StrategiesOfClassification) {
  const DataPtr data = ParseTable("x,y\n1,a\n2,b\n3,b\n4,c\n", "y");
  const auto probabilities = [&](const ParamValues& params) {
    return FitPredict("featureless", params, AllRows(data), RowsOf(data, {0})).probabilities;
  };
  EXPECT_THAT(probabilities(Strategy("prior")), ElementsAre(0.25, 0.5, 0.25));
  EXPECT_THAT(probabilities(Strategy("majority")), ElementsAre(0, 1, 0));
  EXPECT_THAT(probabilities(Constant("c")), ElementsAre(0, 0, 1));
}

TEST(FeaturelessTest, RandomClassesComeInTheirShares) {
  // 30000 rows, a quarter of class b: within five standard deviations (75) of 7500.
  std::vector<std::int32_t> codes(30000);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = i % 4 == 0 ? 1 : 0;
  const DataPtr data =
      Dataset::Create("table", {Column::Categories("y", codes, {"a", "b", "c"})}, TargetRole("y"));
  const Prediction all =
      FitPredict("featureless", Strategy("random"), AllRows(data), AllRows(data));
  const auto n_b = std::count(all.labels.begin(), all.labels.end(), 1);
  EXPECT_NEAR(static_cast<double>(n_b), 7500, 375);
  EXPECT_EQ(std::count(all.labels.begin(), all.labels.end(), 2), 0);
  // The draw belongs to the row.
  const Prediction few =
      FitPredict("featureless", Strategy("random"), AllRows(data), RowsOf(data, {29, 4, 7}));
  EXPECT_THAT(few.labels, ElementsAre(all.labels[29], all.labels[4], all.labels[7]));
}

TEST(FeaturelessTest, StrategiesOfRegression) {
  const DataPtr data = ParseTable("w,y\n1,2\n1,3\n1,10\n1,4\n", "y", "w");
  const auto value = [&](const ParamValues& params, const RowIds& rows) {
    return FitPredict("featureless", params, RowsOf(data, rows), RowsOf(data, {0})).values.at(0);
  };
  EXPECT_EQ(value(Strategy("mean"), {0, 1, 2}), 5);
  EXPECT_EQ(value(Strategy("median"), {0, 1, 2}), 3);
  EXPECT_EQ(value(Strategy("median"), {0, 1, 2, 3}), 3.5);
  EXPECT_EQ(value(Constant("-2.5"), {0}), -2.5);
}

TEST(FeaturelessTest, WeightsAreRepetitionsUnderEveryStrategy) {
  const DataPtr classes = ReadTestData("iris.csv", "class");
  for (const char* name : {"prior", "majority", "random"}) {
    ExpectWeightsAreRepetitions("featureless", Strategy(name), AllRows(classes), SomeWeights(150),
                                AllRows(classes), 1e-15);
    ExpectSaveLoadLaw("featureless", Strategy(name), AllRows(classes), AllRows(classes));
  }
  const DataPtr values = ReadTestData("diabetes_regr.csv", "target");
  for (const char* name : {"mean", "median"}) {
    ExpectWeightsAreRepetitions("featureless", Strategy(name), AllRows(values),
                                SomeWeights(values->num_rows()), AllRows(values), 1e-15);
  }
}

TEST(FeaturelessTest, StrategiesOfTheOtherTaskAreRefused) {
  const DataPtr classes = ParseTable("x,y\n1,a\n2,b\n", "y");
  const DataPtr values = ParseTable("x,y\n1,2\n2,3\n", "y");
  const auto failure = [](const ParamValues& params, const DataPtr& data) {
    const std::string text = FailureOf("featureless", params, AllRows(data), AllRows(data));
    return text.substr(text.find("'table': ") + 9);
  };
  EXPECT_EQ(failure(Strategy("median"), classes), "strategy = median needs regression");
  EXPECT_EQ(failure(Strategy("random"), values), "strategy = random needs classification");
  EXPECT_EQ(failure(Constant("z"), classes), "constant = 'z' is not a class");
  EXPECT_EQ(failure(Constant("1,5"), values), "constant = '1,5' is not a finite number");
}

}  // namespace
}  // namespace crossfold
