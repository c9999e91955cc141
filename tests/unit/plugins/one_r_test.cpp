// The rules of Weka 3.6.14: java -cp weka.jar weka.classifiers.rules.OneR -t FILE.arff -no-cv
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "unit/plugins/capability_laws.h"
#include "unit/plugins/exported_text.h"
#include "unit/plugins/learner_fixture.h"

namespace crossfold {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Rules(const DataPtr& data, const ParamValues& params = {}) {
  return ExportedText("one_r", params, AllRows(data));
}

TEST(OneRTest, TheRulesOfWekaOnIris) {
  EXPECT_EQ(Rules(ReadTestData("iris.csv", "class")),
            "petal width (cm) < 0.8 -> setosa (50/50)\n"
            "petal width (cm) < 1.75 -> versicolor (49/54)\n"
            "petal width (cm) >= 1.75 -> virginica (45/46)\n"
            "petal width (cm) missing -> setosa (0/0)\n"
            "correct: 144/150\n");
}

TEST(OneRTest, TheCutsOfWekaOnWine) {
  const std::string rules = Rules(ReadTestData("wine.csv", "class"));
  EXPECT_THAT(rules, HasSubstr(" < 0.975 -> class_2"));
  EXPECT_THAT(rules, HasSubstr(" < 2.31 -> class_1"));
  EXPECT_THAT(rules, HasSubstr(" < 3.745 -> class_0"));
  EXPECT_THAT(rules, HasSubstr(" >= 3.745 -> class_1"));
  EXPECT_THAT(rules, HasSubstr("correct: 148/178\n"));
}

TEST(OneRTest, TiesGoToTheEarlierFeature) {
  // Outlook and humidity make 4 errors each.
  EXPECT_EQ(Rules(ReadTestData("weather_nominal.csv", "play")),
            "outlook = overcast -> yes (4/4)\noutlook = rainy -> yes (3/5)\n"
            "outlook = sunny -> no (3/5)\noutlook missing -> yes (0/0)\ncorrect: 10/14\n");
}

TEST(OneRTest, MissingIsAValueOfItsOwn) {
  const std::string rules = Rules(ReadTestData("house_votes_84.csv", "Class"));
  EXPECT_THAT(rules, HasSubstr(" = n -> democrat"));
  EXPECT_THAT(rules, HasSubstr(" = y -> republican"));
  EXPECT_THAT(rules, HasSubstr(" missing -> democrat"));
  EXPECT_THAT(rules, HasSubstr("correct: 416/435\n"));
}

TEST(OneRTest, TheBucketsOfTheTextbook) {
  // Witten, Frank and Hall, Data Mining, 3rd edition, section 4.1: temperature of the weather data
  // with at least 3 rows of the majority: one cut at 77.5, 5 errors in 14 rows.
  const DataPtr data = ParseTable(
      "t,play\n64,yes\n65,no\n68,yes\n69,yes\n70,yes\n71,no\n72,no\n72,yes\n75,yes\n75,yes\n"
      "80,no\n81,yes\n83,yes\n85,no\n",
      "play");
  EXPECT_EQ(Rules(data, {{"min_bucket_size", std::int64_t{3}}}),
            "t < 77.5 -> yes (7/10)\nt >= 77.5 -> no (2/4)\nt missing -> yes (0/0)\n"
            "correct: 9/14\n");
}

TEST(OneRTest, PredictsTheSharesOfTheBucket) {
  const DataPtr data = ParseTable("f,y\nu,a\nu,a\nu,b\nv,b\n?,a\nw,b\n", "y");
  const Prediction p = FitPredict("one_r", {}, RowsOf(data, RowRange(0, 5)), AllRows(data));
  // Level w has no training row: the shares of all, 3 to 2.
  EXPECT_THAT(p.probabilities, ElementsAre(2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 0,
                                           1, 1, 0, 0.6, 0.4));
}

TEST(OneRTest, InfiniteEntriesAreRefused) {
  const double inf = std::numeric_limits<double>::infinity();
  const DataPtr data = Dataset::Create(
      "table", {Column::Doubles("x", {1, 2, inf}), Column::Categories("y", {0, 1, 1}, {"a", "b"})},
      TargetRole("y"));
  EXPECT_EQ(FailureOf("one_r", {}, AllRows(data), AllRows(data)),
            "cannot fit 'one_r' on dataset 'table': feature 'x' has an infinite entry");
  EXPECT_THAT(FailureOf("one_r", {}, RowsOf(data, {0, 1}), AllRows(data)),
              HasSubstr("feature 'x' has an infinite entry"));
}

TEST(OneRTest, TrainingRowsWithoutWeightAreRefused) {
  const DataPtr data = ParseTable("x,w,y\n1,0,a\n2,0,a\n3,1,b\n", "y", "w");
  EXPECT_EQ(FailureOf("one_r", {}, RowsOf(data, {0, 1}), RowsOf(data, {2})),
            "cannot fit 'one_r' on dataset 'table': the training rows have a total weight of 0");
}

TEST(OneRTest, KeepsTheLawsOfItsCapabilities) {
  for (const auto& [file, target] :
       {std::pair("iris.csv", "class"), std::pair("house_votes_84.csv", "Class"),
        std::pair("penguins.csv", "species")}) {
    const DataPtr data = ReadTestData(file, target);
    const std::int64_t n = data->num_rows();
    const DataView train = RowsOf(data, RowRange(n / 5, n));
    ExpectProbaLaw("one_r", {}, train, AllRows(data));
    ExpectSaveLoadLaw("one_r", {}, train, AllRows(data));
    ExpectRowOrderDoesNotMatter("one_r", {}, train, AllRows(data));
    ExpectWeightsAreRepetitions("one_r", {}, train, SomeWeights(train.num_rows()), AllRows(data),
                                0);
  }
}

}  // namespace
}  // namespace crossfold
